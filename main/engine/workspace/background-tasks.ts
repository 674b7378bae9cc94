import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { clockDifference } from '#shared/desk/delivery/clock.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import type { FaultLog } from '#main/log/faults.ts';
import type { PartnerClient } from '../../partner/partner-client.ts';
import { DocumentIndexer } from '../document-text/document-indexer.ts';
import type { Sync } from '../sync/sync.ts';
import type { Work } from '../work/open-work.ts';
import type { Stores } from './open-stores.ts';
import { freeStorage, purgeCases, purgeDocuments } from './retention.ts';

// What an open workspace does by itself, each with its end.

type Parts = Pick<Stores, 'cache' | 'cacheFiles'> & {
  readonly clock: Clock;
  readonly emit: (event: DeskEvent) => void;
};

type RetentionParts = Parts &
  Parameters<typeof purgeCases>[0] & {
    readonly documentRule: () => DocumentRule;
    readonly client: Pick<PartnerClient, 'clockOffset'>;
    readonly sync: Pick<Sync, 'state'>;
  };

const readAfterMs = 10_000;
/** Work that is not delivered after this time gets into a backup. */
const backupAfterMs = 60_000;

/** Called for a failure in the background, which stops nothing. */
export type OnFailure = (error: unknown) => void;

/** The events after which the ledger may have other entries, apart from those of the queue. */
export const changesLedger: ReadonlySet<DeskEvent['type']> = new Set([
  'cases.changed',
  'reports.changed',
  'batch.changed',
  'day.changed',
  'work.restored',
]);

/** The longest time until a change of the ledger is in the status. */
const ledgerSoonMs = 150;

/** Announces a change once for many events. */
export function announceSoon(clock: Clock, announce: () => void) {
  let cancel: (() => void) | null = null;
  return {
    announce: () => {
      cancel ??= clock.after(ledgerSoonMs, () => {
        cancel = null;
        announce();
      });
    },
    cancel: () => cancel?.(),
  };
}

/**
 * Shows the status, which is read from the databases. A failure of this reading must not make a
 * request fail.
 */
export function showStatus(sync: Sync, ignoreFailure: OnFailure): void {
  try {
    sync.state.changed();
  } catch (error) {
    ignoreFailure(error);
  }
}

/** Adds the texts of documents to the search. */
export function readingTexts(
  { clock, emit, log, cache, cacheFiles }: Parts & { log: FaultLog },
  ignoreFailure: OnFailure,
) {
  const indexer = new DocumentIndexer({
    cache,
    files: cacheFiles,
    log,
    onFound: (caseId) => emit({ type: 'documents.changed', caseId }),
  });
  const read = () => indexer.wake().catch(ignoreFailure);
  // Texts that were not read before the last quit are read after the window has had its first page.
  const cancel = clock.after(readAfterMs, () => void read());
  return {
    read,
    async close() {
      cancel();
      await indexer.close();
    },
  };
}

/** Makes backups of the work store within a minute of the user's acts. */
export function backUps(work: Work, clock: Clock) {
  let cancel: (() => void) | null = null;
  const backUpOpen = () => {
    if (work.casesInWork().size > 0) work.backUpIfChanged();
  };
  return {
    soon: (): void => {
      cancel ??= clock.after(backupAfterMs, () => {
        cancel = null;
        backUpOpen();
      });
    },
    /**
     * @returns the function that makes a backup that is still due, because a command ends before a
     *   minute
     */
    stop: () => {
      cancel?.();
      return () => {
        if (cancel) backUpOpen();
      };
    },
  };
}

/** How often the device's clock is compared with the insurer's time. */
const watchClockMs = 15_000;
/** The least change of the difference that is announced. */
const clockChangeMs = 60_000;

/**
 * Notices that the device's clock was set, or that an answer corrected it: the day and every list of
 * late cases may be another one then.
 */
export function watchClock(
  { client, clock, sync, emit }: Parts & { client: PartnerClient; sync: Sync },
  ignoreFailure: OnFailure,
): () => Promise<void> {
  let known = clockDifference(client.clockOffset());
  return repeat(clock, watchClockMs, () => {
    const now = clockDifference(client.clockOffset());
    const movedMs = Math.abs((now?.offsetMs ?? 0) - (known?.offsetMs ?? 0));
    if (movedMs < clockChangeMs && now?.source === known?.source) return;
    known = now;
    client.saveClockOffset();
    showStatus(sync, ignoreFailure);
    emit({ type: 'day.changed' });
    emit({ type: 'cases.changed', caseIds: null });
  });
}

/**
 * Removes data past their retention, one run after the other, and nothing before the insurer's time
 * is known from an answer. A clock that was set wrong while the desk was closed must not remove
 * anything.
 */
export function keepRetention(
  { client, sync, emit, documentRule, ...parts }: RetentionParts,
  ignoreFailure: OnFailure,
) {
  const isTimeKnown = () => client.clockOffset().source === 'answer';
  /** Every window then hears of the removed documents and counts its list again. */
  const removed = (caseIds: string[]) => {
    for (const caseId of caseIds) emit({ type: 'documents.changed', caseId });
    if (caseIds.length > 0) emit({ type: 'cases.changed', caseIds });
  };
  const removeOld = async () => {
    try {
      parts.audit.write();
    } catch (error) {
      // Data past their time are removed nevertheless; the line of the log waits with the others.
      ignoreFailure(error);
    }
    if (!isTimeKnown()) return;
    const withoutDocuments = await purgeDocuments(parts, documentRule()).catch((error: unknown) => {
      // Cases past their time are removed nevertheless.
      ignoreFailure(error);
      return [];
    });
    removed(withoutDocuments);
    const caseIds = await purgeCases(parts, documentRule());
    removed(caseIds);
    // The number of cases on this device is part of the status.
    if (caseIds.length > 0) sync.state.changed();
  };
  let purging = Promise.resolve();
  return {
    purge: () => {
      purging = purging.then(removeOld).catch(ignoreFailure);
      return purging;
    },
    free: async () => removed(await freeStorage(parts, documentRule())),
    ended: () => purging,
  };
}
