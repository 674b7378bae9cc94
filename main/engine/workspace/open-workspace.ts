import type { KeyObject } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { type OwnRule, postalRanges } from '#shared/desk/cases/own-cases.ts';
import { clockDifference } from '#shared/desk/delivery/clock.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import { type BlobStore, openFileBlobStore } from '../blobs/file-blob-store.ts';
import { deleteCache, openCache, type Cache } from '../cache/open-cache.ts';
import type { ClientMemory } from '../../partner/memory.ts';
import {
  createPartnerClient,
  type PartnerClientOptions,
  type PartnerClient,
} from '../../partner/partner-client.ts';
import type { ClientLogEntry } from '../../partner/requests/signed-request.ts';
import { isCorruption } from '../database/sqlite.ts';
import { textValue } from '../database/stored-values.ts';
import { DocumentIndexer } from '../document-text/document-indexer.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { SheetReader } from '../sheets/sheet-reader.ts';
import { HeicMaker } from '../photos/heic-maker.ts';
import { FileChecker } from '../readable/file-checker.ts';
import { PictureStripper } from '../photos/picture-stripper.ts';
import { deriveKey } from '../keys/workspace-keys.ts';
import { createDeskClock, type DeskClock } from '../sync/desk-clock.ts';
import { Schedule } from '../sync/schedule.ts';
import { Sync } from '../sync/sync.ts';
import { LastKeys } from '../work/last-keys.ts';
import { openWork, type Work } from '../work/open-work.ts';
import { DocumentFetcher } from './document-fetcher.ts';
import { type CaseLabels, queueItem } from './queue-view.ts';
import { Readiness } from './readiness.ts';
import {
  adoptAuditLines,
  freeStorage,
  purgeCases,
  purgeDocuments,
  RetentionAudit,
} from './retention.ts';

const cacheFile = 'cache.db';
const readAfterMs = 10_000;
const backupEveryMs = 60 * 60_000;
/** When data past their time are removed after a start. A command mostly ends before. */
const retentionAfterMs = 30_000;
/** Work that is not delivered after this time gets into a backup. */
const backupAfterMs = 60_000;

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
export interface OpenWorkspace {
  readonly record: WorkspaceRecord;
  /** The base address of the requests: IT's value, or the record's. */
  readonly baseUrl: string;
  readonly cache: Cache;
  readonly work: Work;
  readonly cacheFiles: BlobStore;
  readonly workFiles: BlobStore;
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
  /** The rule that takes precedence over the one in `work.local`. */
  readonly ownRulePolicy: OwnRule | null;
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

/** Removes the cache of a closed workspace. The next opening creates a new one. */
export function removeCache(dir: string): void {
  deleteCache(join(dir, cacheFile));
}

/**
 * Sets in the cache which cases are the user's own and who handles which case.
 * @throws {DeskError} own_rule_invalid; then nothing is changed
 */
export function decideOwnCases(parts: {
  readonly cache: Cache;
  readonly work: Work;
  readonly ownRulePolicy: OwnRule | null;
}): void {
  const rule = parts.ownRulePolicy ?? parts.work.local.ownRule();
  const ranges = postalRanges(rule);
  parts.cache.own.decideBy({ rule, ranges, marks: parts.work.local.marks() });
  parts.cache.own.handledBy(parts.work.local.handlers());
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

type Stores = Pick<OpenWorkspace, 'work' | 'cache' | 'cacheFiles' | 'workFiles' | 'ownRulePolicy'>;

/**
 * Opens the files of a workspace. @param closers receives the functions that close the databases,
 * even after a failure
 */
async function openStores(options: WorkspaceOptions, closers: (() => void)[]): Promise<Stores> {
  const { dir, keys, clock, random } = options;
  const work = openWork({
    dir,
    keyHex: keys.database,
    now: () => clock.now(),
    newId: () => random.uuid(),
  });
  closers.push(() => work.close());
  const cache = openCache(join(dir, cacheFile), keys.database);
  closers.push(() => cache.close());
  adoptAuditLines({ cache, work });
  const ownRulePolicy = options.ownRulePolicy ?? null;
  decideOwnCases({ cache, work, ownRulePolicy });
  cache.searchAlso((q) => work.local.casesWithNote(q));
  const openFiles = (name: string) =>
    openFileBlobStore({ dir: join(dir, name), key: deriveKey(keys.database, name) });
  const cacheFiles = await openFiles('cache-files');
  const workFiles = await openFiles('work-files');
  await removeOrphans(cacheFiles, cache.documents.blobIds());
  // Attachments of a store that was set aside must stay.
  if (!work.hasSetAside) {
    const named = [...work.drafts.blobIds(), ...work.templates.blobIds()];
    await removeOrphans(workFiles, new Set(named));
  }
  return { work, cache, cacheFiles, workFiles, ownRulePolicy };
}

/**
 * Creates the parts of the workspace over the open stores. Only the client reads the device's clock
 * itself (`options.clock`).
 */
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
  const texts = readingTexts(options, stores, ignoreFailure);
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
  const retained = { ...parts, workspaceId: record.id, audit };
  const retention = keepRetention(retained, sync, emit, ignoreFailure);
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
      await stopWatchingClock();
      const finishBackups = backups.stop();
      await stopBackups();
      await texts.close();
      await readers.end();
      await retention.ended();
      schedule.close();
      try {
        await sync.close();
        await client.close();
      } finally {
        memory.close();
        finishBackups();
        closers.forEach((close) => close());
      }
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

type OnFailure = (error: unknown) => void;

/** The events after which the ledger may have other entries, apart from those of the queue. */
const changesLedger: ReadonlySet<DeskEvent['type']> = new Set([
  'cases.changed',
  'reports.changed',
  'batch.changed',
  'day.changed',
  'work.restored',
]);

/** The longest time until a change of the ledger is in the status. */
const ledgerSoonMs = 150;

/** Announces a change once for many events. */
function announceSoon(clock: Clock, announce: () => void) {
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
function showStatus(sync: Sync, ignoreFailure: OnFailure): void {
  try {
    sync.state.changed();
  } catch (error) {
    ignoreFailure(error);
  }
}

/** Adds the texts of documents to the search. */
function readingTexts(
  { clock, emit, log }: WorkspaceOptions,
  { cache, cacheFiles }: Stores,
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
function backUps(work: Work, clock: Clock) {
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

/** How often the device's clock is compared with the insurer's time. */
const watchClockMs = 15_000;
/** The least change of the difference that is announced. */
const clockChangeMs = 60_000;

/**
 * Notices that the device's clock was set, or that an answer corrected it: the day and every list of
 * late cases may be another one then.
 */
function watchClock(
  { client, clock, sync, emit }: Pick<OpenWorkspace, 'client' | 'clock' | 'sync' | 'emit'>,
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
function keepRetention(
  parts: Parameters<typeof purgeCases>[0] &
    Parameters<typeof purgeDocuments>[0] &
    Parameters<typeof freeStorage>[0] &
    Pick<WorkspaceOptions, 'documentRule'> &
    Pick<OpenWorkspace, 'client'>,
  sync: Sync,
  emit: WorkspaceOptions['emit'],
  ignoreFailure: OnFailure,
) {
  const isTimeKnown = () => parts.client.clockOffset().source === 'answer';
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
    removed(await purgeDocuments(parts, parts.documentRule()));
    const caseIds = await purgeCases(parts, parts.documentRule());
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
    free: async () => removed(await freeStorage(parts, parts.documentRule())),
    ended: () => purging,
  };
}

/** Removes contents that no row names any more, after a crash or after files were removed. */
async function removeOrphans(files: BlobStore, named: ReadonlySet<string>): Promise<void> {
  for (const blobId of await files.list()) {
    if (!named.has(blobId)) await files.delete(blobId);
  }
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
