import type { KeyObject } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DeskEvent } from '#shared/desk/events.ts';
import { type OwnRule, postalRanges } from '#shared/desk/own-cases.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
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
import type { ClientLogEntry } from '../../partner/signed-request.ts';
import { isCorruption } from '../database/sqlite.ts';
import { DocumentIndexer } from '../document-text/document-indexer.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { SheetReader } from '../batch/sheet-reader.ts';
import { PdfChecker } from '../pdf/pdf-checker.ts';
import { PictureStripper } from '../photos/picture-stripper.ts';
import { deriveKey } from '../keys/workspace-keys.ts';
import { Schedule } from '../sync/schedule.ts';
import { Sync } from '../sync/sync.ts';
import { LastKeys } from '../work/last-keys.ts';
import { openWork, type Work } from '../work/open-work.ts';
import { DocumentFetcher } from './document-fetcher.ts';
import { type CaseLabels, queueItem } from './queue-view.ts';
import { Readiness } from './readiness.ts';
import { freeStorage, purgeCases, purgeDocuments, RetentionAudit } from './retention.ts';

const cacheFile = 'cache.db';
const readAfterMs = 10_000;
const backupEveryMs = 60 * 60_000;
/** What is not delivered after this time is in a backup. */
const backupAfterMs = 60_000;

/** What IT and the shell set for the client of every connection. */
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
  /** What retention removed is written there. */
  readonly auditFile: string;
  /** The organization's rule of own cases; null if it set none. */
  readonly ownRulePolicy?: OwnRule | null;
  readonly emit: (event: DeskEvent) => void;
  /** The cache is damaged; see `removeCache`. */
  readonly onDamage: () => void;
  /** Wins over the record. */
  readonly policy: ClientPolicy;
  readonly log: FaultLog;
  readonly onRequest: ((entry: ClientLogEntry) => void) | undefined;
}

/** The parts of one workspace, put together. */
export interface OpenWorkspace {
  readonly record: WorkspaceRecord;
  /** Of the requests: IT's value, or the record's. */
  readonly baseUrl: string;
  readonly cache: Cache;
  readonly work: Work;
  readonly cacheFiles: BlobStore;
  readonly workFiles: BlobStore;
  readonly stripper: PictureStripper;
  /** Opens the PDFs that are to be sent. */
  readonly pdfs: PdfChecker;
  readonly sheets: SheetReader;
  readonly client: PartnerClient;
  readonly sync: Sync;
  readonly lastKeys: LastKeys;
  readonly schedule: Schedule;
  readonly fetcher: DocumentFetcher;
  readonly readiness: Readiness;
  /** Wins over the rule in `work.local`. */
  readonly ownRulePolicy: OwnRule | null;
  readonly clock: Clock;
  readonly log: FaultLog;
  readonly emit: (event: DeskEvent) => void;
  /** What the user did is in a backup within a minute, unless it is delivered. */
  backUpSoon(): void;
  /** Of a case; empty if it is not here or the cache cannot be read. */
  readonly labelsOf: (caseId: string) => CaseLabels;
  /** Removes cases and documents past their retention, once a day; never rejects. */
  readonly purge: () => Promise<void>;
  /** Removes the documents that are not fetched again automatically. */
  freeStorage(): Promise<void>;
  /** Resolves when the texts of all documents here are in the search, or cannot be; never rejects. */
  readTexts(): Promise<void>;
  /** Set by IT or by practice; the published ones if absent. */
  readonly limits: PartnerClientOptions['limits'];
  /** Waits for running writes, then closes the databases. */
  close(): Promise<void>;
}

/** Removes the cache of a closed workspace: the next opening begins a new one. */
export function removeCache(dir: string): void {
  deleteCache(join(dir, cacheFile));
}

/**
 * Sets in the cache which cases are the user's own and who has which in hand, from now on.
 * @throws {DeskError} own_rule_invalid; nothing is changed then
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
  try {
    return assemble(options, await openStores(options, closers), closers);
  } catch (error) {
    closers.forEach((close) => close());
    throw error;
  }
}

type Stores = Pick<OpenWorkspace, 'work' | 'cache' | 'cacheFiles' | 'workFiles' | 'ownRulePolicy'>;

/** Opens what is on the disk. @param closers get what closes the databases, also after a failure */
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

/** Puts the parts together over the open stores. */
function assemble(
  options: WorkspaceOptions,
  stores: Stores,
  closers: readonly (() => void)[],
): OpenWorkspace {
  const { record, clock, random, log, documentRule, emit, onDamage } = options;
  const { work, cache, cacheFiles } = stores;
  /** A failure in the background stops nothing: the task is tried again. */
  const ignoreFailure = (error: unknown) => {
    if (isCorruption(error)) onDamage();
    else toDeskError(error, 'background', log);
  };
  const memory = cacheMemory(cache, onDamage);
  const client = openClient(options, memory, () => {
    // The last request may end while the workspace closes.
    if (!sync.signal.aborted) showPause(sync, ignoreFailure);
  });
  const texts = readingTexts(options, stores, ignoreFailure);
  const backups = backUps(work, clock);
  const parts = {
    ...{ ...stores, client, clock, random, log, documentRule },
    emit(event: DeskEvent) {
      emit(event);
      if (event.type === 'documents.changed') void texts.read();
      if (event.type === 'queue.changed' || event.type === 'reports.changed') backups.soon();
    },
  };
  const readers = fileReaders(log);
  const labelsOf = labelReader(cache, ignoreFailure);
  const onRow = (rowId: number) => {
    const row = work.outbox.get(rowId);
    parts.emit({ type: 'queue.changed', item: queueItem({ ...parts, sync, labelsOf }, row) });
    emit({ type: 'cases.changed', caseIds: [row.caseId] });
  };
  const sync: Sync = new Sync({ ...parts, onRow, onDamage });
  const schedule = new Schedule({ sync, work, clock, random, log });
  const audit = new RetentionAudit(options.auditFile, cache);
  const retained = { ...parts, workspaceId: record.id, audit };
  const retention = keepRetention(retained, emit, sync.state, ignoreFailure);
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

/** The threads that read files from outside. */
function fileReaders(log: FaultLog) {
  const threads = {
    stripper: new PictureStripper(log),
    pdfs: new PdfChecker(log),
    sheets: new SheetReader(log),
  };
  const end = () =>
    Promise.all([threads.stripper.end(), threads.pdfs.close(), threads.sheets.end()]);
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

/** The status is read from the databases; no request fails because it could not be. */
function showPause(sync: Sync, ignoreFailure: OnFailure): void {
  try {
    sync.state.changed();
  } catch (error) {
    ignoreFailure(error);
  }
}

/** Puts the texts of documents into the search. */
function readingTexts(
  { clock, emit, log }: WorkspaceOptions,
  { cache, cacheFiles }: Stores,
  ignoreFailure: OnFailure,
) {
  const indexer = new DocumentIndexer({
    cache,
    files: cacheFiles,
    log,
    onScan: (caseId) => emit({ type: 'documents.changed', caseId }),
  });
  const read = () => indexer.wake().catch(ignoreFailure);
  // Texts that were not read when the desk ended, once the window has had its first page.
  const cancel = clock.after(readAfterMs, () => void read());
  return {
    read,
    async close() {
      cancel();
      await indexer.close();
    },
  };
}

/** Backups of the work store within a minute of what the user did. */
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
    /** @returns makes the backup that was still to come: a command ends sooner than that */
    stop: () => {
      cancel?.();
      return () => {
        if (cancel) backUpOpen();
      };
    },
  };
}

/** No delivery fails because a name cannot be read. */
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

/** Removes what is past its retention, one run after the other. */
function keepRetention(
  parts: Parameters<typeof purgeCases>[0] &
    Parameters<typeof purgeDocuments>[0] &
    Parameters<typeof freeStorage>[0] &
    Pick<WorkspaceOptions, 'documentRule'>,
  emit: WorkspaceOptions['emit'],
  status: Sync['state'],
  ignoreFailure: OnFailure,
) {
  /** Every window hears of removed documents and counts its list again. */
  const removed = (caseIds: string[]) => {
    for (const caseId of caseIds) emit({ type: 'documents.changed', caseId });
    if (caseIds.length > 0) emit({ type: 'cases.changed', caseIds });
  };
  const removeOld = async () => {
    removed(await purgeDocuments(parts, parts.documentRule()));
    const caseIds = await purgeCases(parts, parts.documentRule());
    removed(caseIds);
    // How many cases are on this device is part of the status.
    if (caseIds.length > 0) status.changed();
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

/** Removes contents that no row names any more, left by a crash or by removed files. */
async function removeOrphans(files: BlobStore, named: ReadonlySet<string>): Promise<void> {
  for (const blobId of await files.list()) {
    if (!named.has(blobId)) await files.delete(blobId);
  }
}

/** The client's memory in the cache, encrypted as all of it. */
function cacheMemory(cache: Cache, onDamage: () => void): ClientMemory & { close(): void } {
  let isOpen = true;
  return {
    load: () => cache.pullState.text('client-memory'),
    save(text) {
      // The last request may end while the workspace closes.
      if (!isOpen) return;
      try {
        cache.pullState.setText('client-memory', text);
      } catch (error) {
        // Only a convenience for the next process: no request fails because of it.
        if (isCorruption(error)) onDamage();
      }
    },
    close() {
      isOpen = false;
    },
  };
}
