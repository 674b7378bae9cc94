import { join } from 'node:path';
import { type OwnRule, postalRanges } from '#shared/desk/cases/own-cases.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import { type BlobStore, openFileBlobStore } from '../blobs/file-blob-store.ts';
import { deleteCache, openCache, type Cache } from '../cache/open-cache.ts';
import { deriveKey } from '../keys/workspace-keys.ts';
import { openWork, type Work } from '../work/open-work.ts';
import { adoptAuditLines } from './retention.ts';

const cacheFile = 'cache.db';

/** The open databases and files of a workspace. */
export interface Stores {
  readonly cache: Cache;
  readonly work: Work;
  readonly cacheFiles: BlobStore;
  readonly workFiles: BlobStore;
  /** The rule that takes precedence over the one in `work.local`. */
  readonly ownRulePolicy: OwnRule | null;
}

export interface StoresOptions {
  readonly dir: string;
  readonly keys: { readonly database: string };
  readonly clock: Clock;
  readonly random: Random;
  /** The organization's rule of own cases; null if it set none. */
  readonly ownRulePolicy?: OwnRule | null;
}

/**
 * Opens the files of a workspace.
 *
 * @param closers receives the functions that close the databases, even after a failure
 * @throws {DeskError} home_newer, disk_full
 */
export async function openStores(options: StoresOptions, closers: (() => void)[]): Promise<Stores> {
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
    openFileBlobStore({
      dir: join(dir, name),
      key: deriveKey(keys.database, name),
      now: () => clock.now(),
    });
  const cacheFiles = await openFiles('cache-files');
  const workFiles = await openFiles('work-files');
  await removeOrphans(cacheFiles, cache.documents.blobIds());
  // Attachments of a store that was set aside must stay.
  if (!work.hasSetAside) await removeOrphans(workFiles, work.blobIds());
  return { work, cache, cacheFiles, workFiles, ownRulePolicy };
}

/**
 * Sets in the cache which cases are the user's own and who handles which case.
 * @throws {DeskError} own_rule_invalid; then nothing is changed
 */
export function decideOwnCases(parts: Pick<Stores, 'cache' | 'work' | 'ownRulePolicy'>): void {
  const rule = parts.ownRulePolicy ?? parts.work.local.ownRule();
  const ranges = postalRanges(rule);
  parts.cache.own.decideBy({ rule, ranges, marks: parts.work.local.marks() });
  parts.cache.own.handledBy(parts.work.local.handlers());
}

/** Removes the cache of a closed workspace. The next opening creates a new one. */
export function removeCache(dir: string): void {
  deleteCache(join(dir, cacheFile));
}

/** Removes contents that nothing names any more, after a crash or after files were removed. */
async function removeOrphans(files: BlobStore, named: ReadonlySet<string>): Promise<void> {
  for (const blobId of await files.list()) {
    if (!named.has(blobId)) await files.delete(blobId);
  }
}
