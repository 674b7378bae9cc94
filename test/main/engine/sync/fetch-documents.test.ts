import { beforeEach, expect, it } from 'vitest';
import type { DocumentRecord } from '#main/engine/cache/document-store.ts';
import { openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import {
  fetchContent,
  fetchDocuments,
  type FetchContext,
} from '#main/engine/sync/fetch-documents.ts';
import { testFolder } from '../support/test-folder.ts';

let dir: string;
beforeEach(() => (dir = testFolder()));

const content = Buffer.alloc(100_000, 7);

it.each([
  ['is of another size than it was said to be', content.length + 1, () => undefined],
  [
    'cannot be noted',
    content.length,
    () => {
      throw new Error('the disk is full');
    },
  ],
])('a content that %s leaves no file behind', async (_, sizeBytes, setBlob) => {
  const files = await openFileBlobStore({ dir, key: Buffer.alloc(32, 1) });
  // What is not asked here is not there.
  const context = {
    client: {
      fetchDocument: async (_caseId: string, _id: string, take: (chunk: Buffer) => unknown) => {
        await take(content);
      },
    },
    cache: { documents: { setBlob } },
    files,
    signal: new AbortController().signal,
    onDocuments: () => undefined,
  } as unknown as FetchContext;
  const document = { caseId: 'c', id: 'd', sizeBytes } as unknown as DocumentRecord;
  await expect(fetchContent(context, document, 'background')).rejects.toThrow();
  expect(await files.list()).toEqual([]);
});

it.each([1, 2])('a pause after %i documents begins no further one, nor a list', async (allowed) => {
  const files = await openFileBlobStore({ dir, key: Buffer.alloc(32, 1) });
  const asked: string[] = [];
  const missing: Record<string, string[]> = { one: ['a', 'b'], two: [] };
  // What is not asked here is not there.
  const context = {
    client: {
      fetchDocument: async (_: string, id: string, take: (chunk: Buffer) => unknown) => {
        asked.push(id);
        await take(content);
      },
      listDocuments: (caseId: string) => {
        asked.push(`list of ${caseId}`);
        return Promise.resolve({ value: { items: [], total: 0 } });
      },
    },
    cache: {
      cases: { find: () => null },
      documents: {
        casesToFetch: () => [
          { caseId: 'one', listIsStale: false },
          { caseId: 'two', listIsStale: true },
        ],
        countMissing: () => 2,
        missing: (caseId: string) =>
          (missing[caseId] ?? []).map((id) => ({ caseId, id, sizeBytes: content.length })),
        replaceList: () => undefined,
        setBlob: () => undefined,
      },
    },
    files,
    clock: { now: () => 0 },
    documentRule: () => ({ keep: 'all', closedDays: null }),
    mayBegin: () => asked.length < allowed,
    signal: new AbortController().signal,
    onDocuments: () => undefined,
  } as unknown as FetchContext;
  expect(await fetchDocuments(context, 'all')).toBe(allowed);
  expect(asked).toEqual(['a', 'b'].slice(0, allowed));
});
