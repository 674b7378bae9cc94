import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { readContent } from '#main/front/contents/contents.ts';
import { findPage, relayAndStore } from '#main/gateway/reading/report-pages.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../../service/support/memory-log.ts';
import { shareGatewayStore } from '../support/store.ts';

/* The pages of a submitted report that the gateway stores permanently. */

const submissionId = '5d6b2d0e-16a5-4a3c-9a43-6f4a7c9e2b10';
const key = { submissionId, page: 1, size: 50 };

const store = shareGatewayStore();
let log: MemoryLog;
beforeEach(() => {
  log = createMemoryLog();
});
const parts = () => ({
  db: store().db,
  objects: undefined,
  clock: machineClock,
  log: log.log,
});

const document = (more: object = {}) => ({
  Id: 'a',
  SubmissionId: submissionId,
  FileName: 'a.pdf',
  ContentType: 'application/pdf',
  SizeBytes: 3,
  IsSalvageSale: false,
  CreatedAt: '2026-03-01T10:00:00.000Z',
  ContentBase64: 'YWJj',
  ...more,
});
const page = (items: unknown, more: object = {}) =>
  JSON.stringify({ Total: 1, Page: 1, Size: 50, Items: items, ...more });

const pieceLength = (text: string) => (text.length > 100_000 ? 100_000 : 7);
async function* inPieces(text: string): AsyncGenerator<Buffer, void, undefined> {
  await Promise.resolve();
  for (let at = 0; at < text.length; at += pieceLength(text)) {
    yield Buffer.from(text.slice(at, at + pieceLength(text)));
  }
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<string> {
  const found: Buffer[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found).toString();
}

/** Passes a page on. @returns what the client received */
const relay = (text: string, of = key) => collect(relayAndStore(parts(), of, inPieces(text)));

/** Returns the stored page, or undefined if none is stored. */
async function stored(of = key): Promise<string | undefined> {
  const found = await findPage(store().db, of);
  return found && collect(readContent(parts(), found.content_id, found.size_bytes));
}
const contents = () => store().db.selectFrom('contents').select('id').execute();

test('page: a whole one is passed on and stored, byte for byte, under its place', async () => {
  const text = ` ${page([document(), document({ Id: 'b', SubmissionId: submissionId.toUpperCase() })])}`;
  expect(await relay(text)).toBe(text);
  expect(await stored()).toBe(text);
  for (const other of [{ page: 2 }, { size: 1 }, { submissionId: 'another' }]) {
    expect(await stored({ ...key, ...other })).toBeUndefined();
  }
});

test('page: a content is as tolerant as the desk reads it', async () => {
  // The last bits of this base64 are not zero.
  const text = page([document({ ContentBase64: 'YWJ=', SizeBytes: 2 })]);
  await relay(text);
  expect(await stored()).toBe(text);
});

test('page: a content that is not base64 is found wherever the answer is divided', async () => {
  const text = page([document({ ContentBase64: 'YWJj!' })]);
  for (let at = 0; at <= text.length; at++) {
    const pieces = Readable.from([Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))]);
    expect(await collect(relayAndStore(parts(), key, pieces))).toBe(text);
  }
  expect(await stored()).toBeUndefined();
});

test('page: one that was stored in the meantime stays, and nothing is left of the other', async () => {
  const [first, second] = [page([document()]), page([document({ FileName: 'other.pdf' })])];
  expect(await relay(first)).toBe(first);
  expect(await relay(second)).toBe(second);
  expect(await stored()).toBe(first);
  expect(await contents()).toHaveLength(1);
});

test.each([
  ['has no documents yet', page([], { Total: 0 })],
  ['has null for its documents', page(null)],
  ['is of another report', page([document(), document({ Id: 'b', SubmissionId: 'another' })])],
  ['has a document without a content', page([document({ ContentBase64: undefined })])],
  ['has a document whose content is null', page([document({ ContentBase64: null })])],
  ['has a number in place of a content', page([document({ ContentBase64: 1 })])],
  ['has half a content', page([document(), document({ Id: 'b', SizeBytes: 6 })])],
  ['has a content that is not base64', page([document({ ContentBase64: '!' })])],
  ['has a document that cannot be read', page([document({ Id: 7 })])],
  ['states no Total', page([document()], { Total: undefined })],
  ['ends early', page([document()]).slice(0, -1)],
  ['is a problem', JSON.stringify({ title: 'internal_error', status: 500 })],
  ['is no JSON', '<html></html>'],
  ['has too much outside its contents', page([document({ More: 'x'.repeat(2_100_000) })])],
])('page: one that %s is passed on, and the partner is asked again', async (_name, text) => {
  expect(await relay(text)).toBe(text);
  expect(await stored()).toBeUndefined();
  expect(await contents()).toEqual([]);
  expect(log.lines).toEqual([]);
});

test('page: one that cannot be stored is passed on, and this is logged once', async () => {
  const text = page([document()]);
  await store().db.schema.dropTable('report_pages').execute();
  expect(await relay(text)).toBe(text);
  expect(log.lines).toEqual([expect.stringContaining('a document was not stored')]);
  expect(await contents()).toEqual([]);
});

test('page: one of which the client or the partner breaks off leaves nothing', async () => {
  // More than is collected in memory, so that a part is in the store by then.
  const large = Buffer.alloc(5_000_000).toString('base64');
  const text = page([document({ ContentBase64: large, SizeBytes: 5_000_000 })]);
  async function* pieces(failure?: Error) {
    for (let at = 0; at < text.length; at += 500_000) {
      yield Buffer.from(text.slice(at, at + 500_000));
    }
    expect(await contents()).toHaveLength(1);
    if (failure) throw failure;
    yield Buffer.alloc(0);
  }
  const failure = new Error('the partner broke off');
  await expect(collect(relayAndStore(parts(), key, pieces(failure)))).rejects.toBe(failure);
  expect(await contents()).toEqual([]);

  let received = 0;
  for await (const { length } of relayAndStore(parts(), key, pieces())) {
    received += length;
    if (received === text.length) break;
  }
  expect(await contents()).toEqual([]);
  expect(await stored()).toBeUndefined();

  await collect(relayAndStore(parts(), key, pieces()));
  expect(await stored()).toBe(text);
});
