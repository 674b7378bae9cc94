import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { everyCaseIsOwn } from '#shared/desk/cases/own-cases.ts';
import type { BlobStore } from '#main/engine/blobs/file-blob-store.ts';
import { textValue } from '#main/engine/database/stored-values.ts';
import {
  decideOwnCases,
  openStores,
  removeCache,
  type Stores,
  type StoresOptions,
} from '#main/engine/workspace/open-stores.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { sampleCase, testFolder } from '../support/test-engine.ts';

let dir: string;
/** Opens the stores until `close`, or until the end of the test. */
let close: () => void;
beforeEach(() => {
  dir = testFolder();
});

async function open(
  changes: Partial<StoresOptions> = {},
  closers: (() => void)[] = [],
): Promise<Stores> {
  let isOpen = true;
  close = () => {
    if (isOpen) for (const each of closers) each();
    isOpen = false;
  };
  onTestFinished(close);
  const keys = { database: 'ab'.repeat(32) };
  return await openStores(
    { dir, keys, clock: systemClock, random: systemRandom, ...changes },
    closers,
  );
}
async function store(files: BlobStore, text: string): Promise<string> {
  const writer = await files.createWriter();
  await writer.write(Buffer.from(text));
  return (await writer.finish()).blobId;
}
const { id } = sampleCase(1);
const document = { id: 'd', fileName: 'a', contentType: 'text/plain', sizeBytes: 1, createdAt: '' };

describe('the stores of a workspace', () => {
  it('keep what is named, remove files that nothing names, and are closed by their closers', async () => {
    const before = await open();
    before.cache.cases.upsert([sampleCase(1)]);
    before.cache.documents.replaceList(id, [document], { listedAt: '', lastChangedAt: '' });
    const named = await store(before.cacheFiles, 'named');
    before.cache.documents.setBlob(id, 'd', named);
    await store(before.cacheFiles, 'left');
    const draft = before.work.drafts.create(id);
    const content = { blobId: await store(before.workFiles, 'attached'), sizeBytes: 8 };
    before.work.drafts.addAttachment(draft.id, {
      fileName: 'a.txt',
      contentType: 'text/plain',
      isSalvageSale: false,
      sha256: '0'.repeat(64),
      ...content,
    });
    await store(before.workFiles, 'left');
    close();
    expect(() => before.work.drafts.get(draft.id)).toThrow('not open');
    expect(() => before.cache.cases.find(id)).toThrow('not open');
    const { cacheFiles, workFiles } = await open();
    expect(await cacheFiles.list()).toEqual([named]);
    expect(await workFiles.list()).toEqual([content.blobId]);
    // The names are those of the content, and each folder has a key of its own.
    expect(await store(workFiles, 'named')).not.toBe(named);
    const folders = readdirSync(dir, { withFileTypes: true });
    expect(
      folders
        .filter((each) => each.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['backups', 'cache-files', 'work-files']);
  });

  it('keep every file of the user’s work while a store that was set aside may name it', async () => {
    const { workFiles } = await open();
    const blobId = await store(workFiles, 'attached');
    close();
    mkdirSync(join(dir, 'quarantine-1'));
    expect(await (await open()).workFiles.list()).toEqual([blobId]);
  });

  it('find cases by their notes, and take over what an earlier version noted in the cache', async () => {
    const { cache, work } = await open();
    cache.cases.upsert([sampleCase(1), sampleCase(2)]);
    work.local.setNote(id, 'ring twice');
    expect(cache.ids({ q: 'twice', limit: 10 })).toEqual([id]);
    const line = { at: '2026-03-02T08:00:00.000Z', event: 'documents-removed', workspace: 'w' };
    const lines = [{ ...line, days: 30, cases: 1, documents: 2, sentFiles: 0 }];
    cache.values.set(textValue('retention-audit'), JSON.stringify(lines));
    close();
    const again = await open();
    const adopted = vi.fn();
    again.work.audit.flush(adopted);
    expect(adopted.mock.calls).toEqual([[lines]]);
  });

  it('are closed although the opening fails, as far as they were opened', async () => {
    mkdirSync(join(dir, 'cache.db'));
    const closers: (() => void)[] = [];
    await expect(open({}, closers)).rejects.toThrow('cache.db');
    expect(closers).toHaveLength(1);
    close();
  });
});

describe('the user’s own cases', () => {
  const marked = { ...everyCaseIsOwn, mode: 'marked' as const };

  it('are those of the user’s rule and marks, and of the organization’s rule if it set one', async () => {
    const first = await open();
    expect(first.ownRulePolicy).toBeNull();
    first.cache.cases.upsert([sampleCase(1), sampleCase(2)]);
    expect(first.cache.own.counts()).toEqual({ own: 2, total: 2 });
    first.work.local.setOwnRule(marked);
    first.work.local.mark([id], true);
    decideOwnCases(first);
    expect(first.cache.own.counts()).toEqual({ own: 1, total: 2 });
    close();
    expect((await open()).cache.own.counts()).toEqual({ own: 1, total: 2 });
    close();
    const ownRulePolicy = everyCaseIsOwn;
    const managed = await open({ ownRulePolicy });
    expect(managed.ownRulePolicy).toBe(ownRulePolicy);
    expect(managed.cache.own.counts()).toEqual({ own: 2, total: 2 });
  });

  it('are named with the person who handles them', async () => {
    const { cache, work } = await open();
    cache.cases.upsert([sampleCase(1), sampleCase(2)]);
    work.local.setHandler([id], 'Anna');
    close();
    const again = await open();
    expect(again.cache.ids({ handledBy: 'Anna', limit: 10 })).toEqual([id]);
  });
});

it('a cache that is removed is made again, and the user’s work stays', async () => {
  const { cache, work } = await open();
  cache.cases.upsert([sampleCase(1)]);
  work.local.setNote(id, 'ring twice');
  close();
  removeCache(dir);
  expect(existsSync(join(dir, 'cache.db'))).toBe(false);
  const again = await open();
  expect(again.cache.cases.find(id)).toBeNull();
  expect(again.work.local.note(id)).toBe('ring twice');
});
