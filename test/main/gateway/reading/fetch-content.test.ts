import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { contentOf, readContent, storeContent } from '#main/front/contents/contents.ts';
import { fetchContent } from '#main/gateway/reading/fetch-content.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { createMemoryLog, type MemoryLog } from '../../service/support/memory-log.ts';
import { shareGatewayStore } from '../support/store.ts';

/* A document (X7) that is passed on while it is fetched, and stored for everybody else. */

const row = { id: 'document', case_id: 'case' };

const store = shareGatewayStore();
let log: MemoryLog;
let clock: FakeClock;
let bytes: Buffer;
/** What happens at the partner after half of the document. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  log = createMemoryLog();
  clock = createFakeClock();
  bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
  meanwhile = () => Promise.resolve();
  const found = partnerCase.parse({ Id: 'case', LastChangedAt: '2026-03-01T10:00:00Z' });
  await store()
    .db.transaction()
    .execute((db) => storeCases(db, clock, [found], clock.now()));
  await store()
    .db.insertInto('documents')
    .values({ ...row, position: 0, body_json: '{}', size_bytes: 1, content_id: null })
    .execute();
});

const parts = () => ({
  db: store().db,
  objects: undefined,
  clock,
  log: log.log,
  upstream: {
    async fetchDocument(
      asker: unknown,
      caseId: string,
      id: string,
      sink: (piece: Uint8Array) => Promise<void>,
    ) {
      expect({ asker, caseId, id }).toEqual({
        asker: { client: 'laptop' },
        caseId: 'case',
        id: 'document',
      });
      // The memory of a piece is reused.
      const piece = Buffer.alloc(bytes.length / 2);
      bytes.copy(piece);
      await sink(piece);
      await meanwhile();
      bytes.copy(piece, 0, piece.length);
      await sink(piece);
      piece.fill(0);
      return { value: null as never, status: 200, correlationId: '', serverDateMs: null };
    },
  },
});
const fetchTo = (out: PassThrough) => fetchContent(parts(), 'laptop', row, out);

async function stored(): Promise<Buffer | null> {
  const { content_id: id, size_bytes: sizeBytes } = await store()
    .db.selectFrom('documents')
    .selectAll()
    .executeTakeFirstOrThrow();
  if (id === null) return null;
  const pieces: Buffer[] = [];
  for await (const piece of readContent(parts(), id, sizeBytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}
const contents = async () =>
  (await store().db.selectFrom('contents').select('id').execute()).map(({ id }) => id);

test('content: it is passed on and stored', async () => {
  const out = new PassThrough();
  const received = buffer(out);
  await fetchTo(out);
  expect((await received).equals(bytes)).toBe(true);
  expect((await stored())?.equals(bytes)).toBe(true);
});

test('content: it is stored although its client has gone', async () => {
  const out = new PassThrough();
  meanwhile = () => Promise.resolve(out.destroy());
  out.resume();
  await fetchTo(out);
  expect((await stored())?.equals(bytes)).toBe(true);
});

test('content: a client that accepts nothing more holds it up for twenty seconds, and nobody after that', async () => {
  const out = new PassThrough();
  const isStalled = clock.putOff(20_000);
  const fetched = fetchTo(out);
  await isStalled;
  clock.advance(19_999);
  expect(out.destroyed).toBe(false);
  clock.advance(1);
  await fetched;
  expect(out.errored?.message).toBe('the client stalled');
  expect((await stored())?.equals(bytes)).toBe(true);
});

test('content: a client that is slow is waited for', async () => {
  const out = new PassThrough();
  const isStalled = clock.putOff(20_000);
  const fetched = fetchTo(out);
  await isStalled;
  clock.advance(19_999);
  out.resume();
  await fetched;
  // Nothing is left that could end it later.
  clock.advance(1_000_000);
  expect(out.errored).toBeNull();
  expect((await stored())?.equals(bytes)).toBe(true);
});

test('content: what cannot be stored is passed on, and this is logged once', async () => {
  // More than is collected in memory, in each of the two pieces.
  bytes = Buffer.alloc(8_000_000, 'abc');
  const out = new PassThrough();
  const received = buffer(out);
  await store().db.schema.dropTable('content_chunks').execute();
  await fetchTo(out);
  expect((await received).equals(bytes)).toBe(true);
  expect(log.lines).toEqual([expect.stringContaining('a document was not stored')]);
  expect(await stored()).toBeNull();
  expect(await contents()).toEqual([]);
});

test('content: one that another process stored in the meantime stays, and nothing is left of this one', async () => {
  const out = new PassThrough();
  // More than is collected in memory.
  bytes = Buffer.alloc(8_000_000, 'abc');
  meanwhile = async () => {
    await storeContent(store().db, contentOf('theirs', bytes), 0);
    const theirs = { content_id: 'theirs', size_bytes: bytes.length };
    await store().db.updateTable('documents').set(theirs).execute();
  };
  out.resume();
  await fetchTo(out);
  expect((await stored())?.equals(bytes)).toBe(true);
  expect(await contents()).toEqual(['theirs']);
});

test('content: one that the partner has deleted in the meantime is passed on, and nothing is left', async () => {
  bytes = Buffer.alloc(8_000_000, 'abc');
  meanwhile = () => store().db.deleteFrom('documents').execute();
  const out = new PassThrough();
  const received = buffer(out);
  await fetchTo(out);
  expect((await received).equals(bytes)).toBe(true);
  expect(await contents()).toEqual([]);
  expect(log.lines).toEqual([]);
});

test('content: of one that breaks off nothing is stored, and its client learns why', async () => {
  // More than is collected in memory.
  bytes = Buffer.alloc(8_000_000);
  const failure = new DeskError('connection_lost', { host: 'partner.example' });
  meanwhile = async () => {
    expect(await contents()).toHaveLength(1);
    throw failure;
  };
  const out = new PassThrough();
  out.resume();
  await expect(fetchTo(out)).rejects.toBe(failure);
  expect(out.errored).toMatchObject({ title: 'upstream_unavailable' });
  expect(await contents()).toEqual([]);
  expect(await stored()).toBeNull();
});
