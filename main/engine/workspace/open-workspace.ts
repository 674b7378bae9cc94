import type { KeyObject } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { OwnRule } from '#shared/desk/cases/own-cases.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import { type FaultLog, endEach, toDeskError } from '#main/log/faults.ts';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Cache } from '../cache/open-cache.ts';
import type { ClientMemory } from '../../partner/memory.ts';
import {
  createPartnerClient,
  type PartnerClientOptions,
  type PartnerClient,
} from '../../partner/partner-client.ts';
import type { ClientLogEntry } from '../../partner/requests/signed-request.ts';
import { isCorruption } from '../database/sqlite.ts';
import { textValue } from '../database/stored-values.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { SheetReader } from '../sheets/sheet-reader.ts';
import { HeicMaker } from '../photos/heic-maker.ts';
import { FileChecker } from '../readable/file-checker.ts';
import { PictureStripper } from '../photos/picture-stripper.ts';
import { createDeskClock, type DeskClock } from '../sync/desk-clock.ts';
import { Schedule } from '../sync/schedule.ts';
import { Sync } from '../sync/sync.ts';
import { LastKeys } from '../work/last-keys.ts';
import {
  announceSoon,
  backUps,
  changesLedger,
  keepRetention,
  type OnFailure,
  readingTexts,
  showStatus,
  watchClock,
} from './background-tasks.ts';
import { DocumentFetcher } from './document-fetcher.ts';
import { openStores, type Stores } from './open-stores.ts';
import { type CaseLabels, queueItem } from './queue-view.ts';
import { Readiness } from './readiness.ts';
import { RetentionAudit } from './retention.ts';

const backupEveryMs = 60 * 60_000;
/** When data past their time are removed after a start. A command mostly ends before. */
const retentionAfterMs = 30_000;

/** The values that IT and the shell set for the client of every connection. */
export type ClientPolicy = Pick<
  PartnerClientOptions,
  'limits' | 'paths' | 'proxy' | 'certificateAuthorities' | 'createTransport'
> &
  Partial<
    Pick<
      PartnerClientOptions,
      'baseUrl' | 'audience' | 'scope' | 'htuWithoutQuery' | 'changedSinceParameter'
    >
  >;

export interface WorkspaceOptions {
  readonly record: WorkspaceRecord;
  readonly dir: string;
  readonly keys: { database: string; privateKey: KeyObject; dpopKey: KeyObject };
  readonly clock: Clock;
  readonly random: Random;
  readonly documentRule: () => DocumentRule;
  /** The file in which the retention logs what it removed. */
  readonly auditFile: string;
  /** The organization's rule of own cases; null if it set none. */
  readonly ownRulePolicy?: OwnRule | null;
  /** What is to be said of the home with the status. */
  readonly homeNotices?: () => readonly DeskProblem[];
  readonly emit: (event: DeskEvent) => void;
  /** Called if the cache is damaged; see `removeCache`. */
  readonly onDamage: () => void;
  /** The values that take precedence over the record. */
  readonly policy: ClientPolicy;
  readonly log: FaultLog;
  readonly onRequest: ((entry: ClientLogEntry) => void) | undefined;
}

/** The parts of one open workspace. */
export interface OpenWorkspace extends Stores {
  readonly record: WorkspaceRecord;
  /** The base address of the requests: IT's value, or the record's. */
  readonly baseUrl: string;
  readonly stripper: PictureStripper;
  /** For what no window makes ready. */
  readonly heics: HeicMaker;
  /** Checks the PDFs that are to be sent. */
  readonly checker: FileChecker;
  readonly sheets: SheetReader;
  readonly client: PartnerClient;
  readonly sync: Sync;
  readonly lastKeys: LastKeys;
  readonly schedule: Schedule;
  readonly fetcher: DocumentFetcher;
  readonly readiness: Readiness;
  /** The clock by which every rule counts; see `createDeskClock`. */
  readonly clock: Clock;
  readonly log: FaultLog;
  readonly emit: (event: DeskEvent) => void;
  /** Makes a backup of the user's work within a minute, unless the work is delivered before. */
  backUpSoon(): void;
  /** The labels of a case; empty if the case is not stored or the cache cannot be read. */
  readonly labelsOf: (caseId: string) => CaseLabels;
  /** Removes cases and documents past their retention, once a day. It never rejects. */
  readonly purge: () => Promise<void>;
  /** Removes the documents that are not downloaded again automatically. */
  freeStorage(): Promise<void>;
  /**
   * Resolves when the texts of all documents on the laptop are in the search, or cannot be read. It
   * never rejects.
   */
  readTexts(): Promise<void>;
  /** The limits that IT or practice set; the published ones if absent. */
  readonly limits: PartnerClientOptions['limits'];
  /** Waits for running writes, then closes the databases. */
  close(): Promise<void>;
}

/** @throws {DeskError} home_newer, base_url_invalid, disk_full */
export async function openWorkspace(options: WorkspaceOptions): Promise<OpenWorkspace> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const closers: (() => void)[] = [];
  const clock = createDeskClock(options.clock);
  try {
    return assemble(options, clock, await openStores({ ...options, clock }, closers), closers);
  } catch (error) {
    closers.forEach((close) => close());
    throw error;
  }
}

/**
 * Creates the parts of the workspace over the open stores. Only the client reads the device's clock
 * itself (`options.clock`).
 */
// oxlint-disable-next-line max-lines-per-function -- makes the parts of a workspace one after the other; each takes those before it
function assemble(
  options: WorkspaceOptions,
  clock: DeskClock,
  stores: Stores,
  closers: readonly (() => void)[],
): OpenWorkspace {
  const { record, random, log, documentRule, emit, onDamage } = options;
  const { work, cache, cacheFiles } = stores;
  /** A failure in the background stops nothing, because the task is tried again. */
  const ignoreFailure = (error: unknown) => {
    if (isCorruption(error)) onDamage();
    else toDeskError(error, 'background', log);
  };
  const memory = cacheMemory(cache, onDamage);
  const client = openClient(options, memory, () => {
    // The last request may end while the workspace closes.
    if (!sync.signal.aborted) showStatus(sync, ignoreFailure);
  });
  clock.follow(client);
  const texts = readingTexts({ ...stores, clock: options.clock, emit, log }, ignoreFailure);
  const backups = backUps(work, clock);
  const ledgerSoon = announceSoon(clock, () => {
    if (!sync.signal.aborted) showStatus(sync, ignoreFailure);
  });
  const parts = {
    ...stores,
    homeNotices: options.homeNotices,
    client,
    clock,
    random,
    log,
    documentRule,
    emit(event: DeskEvent) {
      emit(event);
      if (event.type === 'documents.changed') void texts.read();
      if (event.type === 'queue.changed' || event.type === 'reports.changed') backups.soon();
      if (changesLedger.has(event.type)) ledgerSoon.announce();
    },
  };
  const readers = fileReaders(log);
  const labelsOf = labelReader(cache, ignoreFailure);
  const onRow = (rowId: number) => {
    const row = work.outbox.rows.get(rowId);
    parts.emit({ type: 'queue.changed', item: queueItem({ ...parts, sync, labelsOf }, row) });
    emit({ type: 'cases.changed', caseIds: [row.caseId] });
  };
  const sync: Sync = new Sync({ ...parts, onRow, onDamage });
  const schedule = new Schedule({ sync, work, clock, random, log });
  const audit = new RetentionAudit(options.auditFile, work);
  const retained = { ...parts, sync, emit, workspaceId: record.id, audit };
  const retention = keepRetention(retained, ignoreFailure);
  const cancelRetention = clock.after(retentionAfterMs, () => void retention.purge());
  const stopWatchingClock = watchClock({ ...parts, sync }, ignoreFailure);
  const stopBackups = repeat(clock, backupEveryMs, () => {
    work.backUpIfChanged();
    sync.state.changed();
    void retention.purge();
  });

  return {
    record,
    baseUrl: options.policy.baseUrl ?? record.baseUrl,
    ...parts,
    sync,
    lastKeys: new LastKeys(() => clock.now()),
    schedule,
    fetcher: new DocumentFetcher({ cache, cacheFiles, sync }),
    readiness: new Readiness({ cache, cacheFiles, sync, clock, log, emit }),
    labelsOf,
    backUpSoon: backups.soon,
    purge: retention.purge,
    freeStorage: retention.free,
    readTexts: texts.read,
    ...readers.threads,
    limits: options.policy.limits,
    async close() {
      ledgerSoon.cancel();
      cancelRetention();
      const finishBackups = backups.stop();
      await endEach('close a workspace', log, [
        stopWatchingClock,
        stopBackups,
        () => texts.close(),
        readers.end,
        retention.ended,
        () => schedule.close(),
        () => sync.close(),
        () => client.close(),
        () => memory.close(),
        finishBackups,
        ...closers,
      ]);
    },
  };
}

/** The threads that read untrusted files. */
function fileReaders(log: FaultLog) {
  const threads = {
    stripper: new PictureStripper(log),
    heics: new HeicMaker(log),
    checker: new FileChecker(log),
    sheets: new SheetReader(log),
  };
  const end = () =>
    Promise.all([
      threads.stripper.end(),
      threads.heics.end(),
      threads.checker.close(),
      threads.sheets.end(),
    ]);
  return { threads, end };
}

function openClient(
  { record, keys, policy, clock, random, onRequest }: WorkspaceOptions,
  memory: ClientMemory,
  onPause: () => void,
): PartnerClient {
  return createPartnerClient({
    baseUrl: record.baseUrl,
    audience: record.audience,
    clientId: record.clientId,
    scope: record.scope ?? undefined,
    htuWithoutQuery: record.htuWithoutQuery,
    changedSinceParameter: record.changedSinceParameter ?? undefined,
    ...policy,
    privateKey: keys.privateKey,
    dpopKey: keys.dpopKey,
    clock,
    random: () => random.fraction(),
    memory,
    log: onRequest,
    onPause,
  });
}

/** Reads the labels of cases. A delivery must not fail because a name cannot be read. */
function labelReader(cache: Cache, ignoreFailure: OnFailure): OpenWorkspace['labelsOf'] {
  return (caseId) => {
    try {
      const { partyName = '', category = '' } = cache.cases.find(caseId) ?? {};
      return { partyName, category };
    } catch (error) {
      ignoreFailure(error);
      return { partyName: '', category: '' };
    }
  };
}

const memoryValue = textValue('client-memory');

/** The memory of the client, which is in the cache and encrypted with it. */
function cacheMemory(cache: Cache, onDamage: () => void): ClientMemory & { close(): void } {
  let isOpen = true;
  return {
    load: () => cache.values.get(memoryValue),
    save(text) {
      // The last request may end while the workspace closes.
      if (!isOpen) return;
      try {
        cache.values.set(memoryValue, text);
      } catch (error) {
        // The memory only helps the next process, so a failure must not make the request fail.
        if (isCorruption(error)) onDamage();
      }
    },
    close() {
      isOpen = false;
    },
  };
}
