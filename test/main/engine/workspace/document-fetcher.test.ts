import { afterEach, beforeEach, expect, it } from 'vitest';
import { DocumentFetcher } from '#main/engine/workspace/document-fetcher.ts';
import { buffer } from 'node:stream/consumers';
import { TestDesk } from '../support/test-desk.ts';

let desk: TestDesk;
let fetcher: DocumentFetcher;
let caseId: string;
let documentId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  const { cache, files, sync } = desk;
  fetcher = new DocumentFetcher({ cache, cacheFiles: files, sync });
  ({ id: caseId } = desk.partner.addCase());
  desk.partner.addDocument(caseId, 'a.txt', 'abc');
  documentId = desk.partner.documents.get(caseId)?.[0]?.id ?? '';
  await desk.sync.pull();
  desk.partner.requests.length = 0;
});
afterEach(() => desk.remove());

const requests = () => desk.partner.requests;
const stored = () => desk.cache.documents.find(caseId, documentId);

it('a document is fetched once for all who ask, and then read from this laptop', async () => {
  const [first, second] = await Promise.all([
    fetcher.fetch(caseId, documentId),
    fetcher.fetch(caseId, documentId),
  ]);
  expect(first).toEqual(second);
  expect(first).toMatchObject({ caseId, id: documentId, fileName: 'a.txt' });
  expect((await buffer(desk.files.open(first.blobId))).toString()).toBe('abc');
  expect(await fetcher.fetch(caseId, documentId)).toEqual(first);
  expect(requests()).toEqual(['X6', 'X7']);
});

it('a document whose file was lost is fetched again, without its list', async () => {
  const { blobId } = await fetcher.fetch(caseId, documentId);
  await desk.files.delete(blobId);
  const again = await fetcher.fetch(caseId, documentId);
  expect(desk.files.has(again.blobId)).toBe(true);
  expect(requests()).toEqual(['X6', 'X7', 'X7']);
});

it('two documents at the same time are each their own', async () => {
  desk.partner.addDocument(caseId, 'b.txt', 'b');
  const other = desk.partner.documents.get(caseId)?.[1]?.id ?? '';
  const both = await Promise.all([documentId, other].map((id) => fetcher.fetch(caseId, id)));
  expect(both.map(({ fileName }) => fileName)).toEqual(['a.txt', 'b.txt']);
});

it('a document that does not exist is not found, and a later try asks again', async () => {
  await expect(fetcher.fetch(caseId, 'none')).rejects.toMatchObject({ code: 'document_not_found' });
  desk.partner.fault = () => 'refused';
  await expect(fetcher.fetch(caseId, documentId)).rejects.toThrow('connection_refused');
  desk.partner.fault = () => 'none';
  expect(await fetcher.fetch(caseId, documentId)).toMatchObject({ fileName: 'a.txt' });
});

it('a document that left while it was fetched is not found', async () => {
  desk.partner.fault = (operation) => {
    if (operation === 'X7')
      desk.cache.documents.replaceList(caseId, [], { listedAt: '', lastChangedAt: '' });
    return 'none';
  };
  await expect(fetcher.fetch(caseId, documentId)).rejects.toMatchObject({
    code: 'document_not_found',
  });
});

it('a damaged content is removed, but not one that was fetched since', async () => {
  const first = await fetcher.fetch(caseId, documentId);
  await fetcher.forgetDamaged(first);
  expect(stored()?.blobId).toBeNull();
  expect(await desk.files.list()).toEqual([]);
  const second = await fetcher.fetch(caseId, documentId);
  expect(second.blobId).not.toBe(first.blobId);
  await fetcher.forgetDamaged(first);
  expect(stored()?.blobId).toBe(second.blobId);
  expect(desk.files.has(second.blobId)).toBe(true);
});
