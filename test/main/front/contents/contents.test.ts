import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createContentWriter } from '#main/front/contents/content-writer.ts';
import {
  beginContent,
  chunkBytes,
  contentOf,
  deleteContent,
  deleteObjects,
  discardContent,
  hasContentsInObjects,
  insertChunks,
  purgeStagedContents,
  readContent,
  storeContent,
  type StagedContent,
} from '#main/front/contents/contents.ts';
import type { ObjectStore } from '#main/front/contents/s3-store.ts';
import { createContents } from '#main/front/store/front-schema.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import type { ContentTables } from '#main/front/store/tables.ts';

/* No content is lost, and none stays that no document has. The bucket is one in memory. */

let db: Kysely<ContentTables>;
let inBucket: Map<string, Buffer>;
let objects: ObjectStore;
/** Fails requests to the bucket. */
let outage: Error | undefined;
/** Called when the bucket begins to take an object. */
let onPut: () => void | Promise<void>;

beforeEach(async () => {
  const dialect = sqliteDialect(':memory:', { durability: 'process' });
  db = new Kysely({ dialect });
  await createContents(new Kysely({ dialect }));
  inBucket = new Map();
  outage = undefined;
  onPut = () => undefined;
  const assertNoOutage = () => {
    if (outage) throw outage;
  };
  objects = {
    assertUsable: () => Promise.resolve(),
    async put(id, content) {
      await onPut();
      assertNoOutage();
      inBucket.set(id, await buffer(content));
    },
    async open(id) {
      assertNoOutage();
      return Promise.resolve(Readable.from([inBucket.get(id) ?? Buffer.alloc(0)]));
    },
    async remove(id) {
      assertNoOutage();
      await Promise.resolve(inBucket.delete(id));
    },
    close: () => undefined,
  };
});
afterEach(() => db.destroy());

const rows = () => db.selectFrom('contents').selectAll().orderBy('id').execute();
const chunks = async () =>
  (await db.selectFrom('content_chunks').selectAll().orderBy('position').execute()).map(
    ({ content_id, position, bytes }) => `${content_id} ${position} ${bytes.toString()}`,
  );
const toDelete = async () =>
  (await db.selectFrom('objects_to_delete').selectAll().orderBy('content_id').execute()).map(
    ({ content_id }) => content_id,
  );
const row = (id: string, stored: number, createdAt = 5, isObject = 0) => ({
  id,
  stored,
  created_at: createdAt,
  in_objects: isObject,
});
const stagedAs = (changes: Partial<StagedContent>): StagedContent => ({
  ...contentOf('c', Buffer.alloc(0)),
  ...changes,
});
const begin = (id: string, isObject = false, at = 5) => beginContent(db, id, { at, isObject });
const read = async (id: string, sizeBytes: number, hasBucket = true) => {
  const storage = { db, objects: hasBucket ? objects : undefined };
  const pieces = [];
  for await (const piece of readContent(storage, id, sizeBytes)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};
/** Bytes whose pattern fits into no chunk. */
const pattern = Buffer.from(Array.from({ length: 251 }, (_, index) => (index * 31) % 251));
const fillOf = (length: number) => Buffer.alloc(length, pattern);

describe('a content in memory', () => {
  test.each([
    [0, []],
    [1, [1]],
    [chunkBytes, [chunkBytes]],
    [2 * chunkBytes + 1, [chunkBytes, chunkBytes, 1]],
  ])('of %i bytes has chunks of %j', (size, lengths) => {
    const bytes = fillOf(size);
    const content = contentOf('c', bytes);
    expect(content).toMatchObject({
      contentId: 'c',
      sizeBytes: size,
      hasRow: false,
      isObject: false,
      writtenChunks: 0,
    });
    expect(content.tail.map(({ length }) => length)).toEqual(lengths);
    expect(bytes.equals(Buffer.concat(content.tail))).toBe(true);
  });

  test('has chunks that are whole base64 each', () => {
    expect(chunkBytes % 3).toBe(0);
  });
});

describe('a content that is staged', () => {
  test('has a row before its bytes, which says where they are', async () => {
    await begin('a');
    await begin('b', true, 6);
    expect(await rows()).toEqual([row('a', 0), row('b', 0, 6, 1)]);
  });

  test('is written at its position', async () => {
    await begin('a');
    await insertChunks(db, 'a', 0, [Buffer.from('x'), Buffer.from('y')]);
    await insertChunks(db, 'a', 2, []);
    await insertChunks(db, 'a', 2, [Buffer.from('z')]);
    expect(await chunks()).toEqual(['a 0 x', 'a 1 y', 'a 2 z']);
  });
});

describe('a content that is stored', () => {
  test('from memory has its row and its bytes', async () => {
    await storeContent(db, contentOf('c', Buffer.from('abc')), 7);
    expect([await rows(), await chunks()]).toEqual([[row('c', 1, 7)], ['c 0 abc']]);
  });

  test('keeps its row, and its last chunks follow the written ones', async () => {
    await begin('c');
    await begin('other');
    await insertChunks(db, 'c', 0, [Buffer.from('ab')]);
    const tail = [Buffer.from('cd'), Buffer.from('e')];
    await storeContent(db, stagedAs({ hasRow: true, writtenChunks: 1, tail }), 9);
    expect(await rows()).toEqual([row('c', 1), row('other', 0)]);
    expect(await chunks()).toEqual(['c 0 ab', 'c 1 cd', 'c 2 e']);
  });

  test('must not have been purged, nor be stored already', async () => {
    const content = stagedAs({ hasRow: true, tail: [Buffer.from('a')] });
    const purged = 'the content was purged before it was stored';
    await expect(storeContent(db, content, 9)).rejects.toThrow(purged);
    await begin('c');
    await storeContent(db, content, 9);
    await expect(storeContent(db, content, 9)).rejects.toThrow(purged);
    expect(await chunks()).toEqual(['c 0 a']);
  });
});

describe('a content that is discarded', () => {
  test('and has no row costs nothing', async () => {
    await begin('c');
    await discardContent(db, stagedAs({ hasRow: false, isObject: true }));
    expect([await rows(), await toDelete()]).toEqual([[row('c', 0)], []]);
  });

  test('goes with its chunks, unless it is stored', async () => {
    for (const id of ['kept', 'c', 'other']) {
      await begin(id);
      await insertChunks(db, id, 0, [Buffer.from(id)]);
    }
    const kept = stagedAs({ contentId: 'kept', hasRow: true });
    await storeContent(db, kept, 9);
    await discardContent(db, kept);
    await discardContent(db, stagedAs({ hasRow: true }));
    expect(await rows()).toEqual([row('kept', 1), row('other', 0)]);
    expect([(await chunks()).toSorted(), await toDelete()]).toEqual([
      ['kept 0 kept', 'other 0 other'],
      [],
    ]);
  });

  test('in a bucket is noted for its deletion, unless it is stored', async () => {
    for (const id of ['kept', 'c', 'other']) await begin(id, true);
    const kept = stagedAs({ contentId: 'kept', hasRow: true, isObject: true });
    await storeContent(db, kept, 9);
    await discardContent(db, kept);
    await discardContent(db, stagedAs({ hasRow: true, isObject: true }));
    expect(await rows()).toEqual([row('kept', 1, 5, 1), row('other', 0, 5, 1)]);
    expect(await toDelete()).toEqual(['c']);
  });

  test('in a bucket is noted although the purge was first, and only once', async () => {
    const content = stagedAs({ hasRow: true, isObject: true });
    await discardContent(db, content);
    await discardContent(db, content);
    expect(await toDelete()).toEqual(['c']);
  });
});

describe('a content that is deleted', () => {
  test('goes alone, and its object is noted', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await begin(id, id < 'c');
    await deleteContent(db, 'a');
    await deleteContent(db, 'a');
    await deleteContent(db, 'c');
    expect([(await rows()).map(({ id }) => id), await toDelete()]).toEqual([['b', 'd'], ['a']]);
  });

  test('was noted before', async () => {
    await begin('a', true);
    await db.insertInto('objects_to_delete').values({ content_id: 'a' }).execute();
    await deleteContent(db, 'a');
    expect([await rows(), await toDelete()]).toEqual([[], ['a']]);
  });

  test('after a crash is old and not stored', async () => {
    await begin('young', true, 10);
    await begin('old', true, 9);
    await begin('old in the store', false, 9);
    await begin('stored', true, 1);
    await storeContent(db, stagedAs({ contentId: 'stored', hasRow: true, isObject: true }), 1);
    await db.transaction().execute((transaction) => purgeStagedContents(transaction, 10));
    expect((await rows()).map(({ id }) => id)).toEqual(['stored', 'young']);
    expect(await toDelete()).toEqual(['old']);
  });
});

describe('the objects of deleted contents', () => {
  beforeEach(async () => {
    for (const id of ['a', 'b', 'kept']) inBucket.set(id, Buffer.from(id));
    const deleted = ['a', 'b'].map((content_id) => ({ content_id }));
    await db.insertInto('objects_to_delete').values(deleted).execute();
  });

  test('are deleted, and noted no more', async () => {
    await deleteObjects({ db, objects });
    expect([[...inBucket.keys()], await toDelete()]).toEqual([['kept'], []]);
  });

  test('stay noted until the bucket has deleted them', async () => {
    outage = new Error('the bucket is away');
    await expect(deleteObjects({ db, objects })).rejects.toThrow('the bucket is away');
    await deleteObjects({ db, objects: undefined });
    expect(await toDelete()).toEqual(['a', 'b']);
  });

  test('are not asked of a bucket in vain', async () => {
    const usual = { ...objects };
    objects.remove = (id) => (id === 'b' ? Promise.reject(new Error('not b')) : usual.remove(id));
    await expect(deleteObjects({ db, objects })).rejects.toThrow('not b');
    expect([[...inBucket.keys()], await toDelete()]).toEqual([['b', 'kept'], ['b']]);
  });
});

test('a store tells whether a content is in a bucket', async () => {
  expect(await hasContentsInObjects(db)).toBe(false);
  await begin('a');
  expect(await hasContentsInObjects(db)).toBe(false);
  await begin('b', true);
  expect(await hasContentsInObjects(db)).toBe(true);
});

describe('a content that is read', () => {
  test('from the store is whole, in its order, and not that of another', async () => {
    await storeContent(db, contentOf('other', Buffer.from('no')), 1);
    await begin('c');
    const pieces = ['x', 'yz', 'a'].map((text) => Buffer.from(text));
    await insertChunks(db, 'c', 0, pieces);
    expect([await read('c', 4), await read('c', 4, false)]).toEqual(['xyza', 'xyza']);
    expect(await read('none', 0)).toBe('');
  });

  test('from the store fails if a part is missing', async () => {
    await storeContent(db, contentOf('c', Buffer.from('abc')), 1);
    const gone = 'the content was deleted while it was read';
    await expect(read('c', 4)).rejects.toThrow(gone);
    await expect(read('none', 1)).rejects.toThrow(gone);
  });

  test('from a bucket is whole, or fails', async () => {
    await begin('c', true);
    inBucket.set('c', Buffer.from('abc'));
    expect(await read('c', 3)).toBe('abc');
    for (const size of [2, 4])
      await expect(read('c', size)).rejects.toThrow('the object is not as long as the document');
    await expect(read('c', 3, false)).rejects.toThrow(
      'the content is in a bucket, and the service was started without one',
    );
  });
});

describe('bytes that arrive', () => {
  const inStore = (createdAt = 5) =>
    createContentWriter({ db, objects: undefined }, 'c', createdAt);
  const toBucket = (createdAt = 5) => createContentWriter({ db, objects }, 'c', createdAt);
  const written = 16;

  test.each([
    [0, 1],
    [1, 1],
    [chunkBytes - 1, chunkBytes],
    [chunkBytes, 1000],
    [chunkBytes + 1, chunkBytes + 1],
    [written * chunkBytes - 1, 100_000],
    [written * chunkBytes, 3 * chunkBytes + 7],
    [(written + 1) * chunkBytes + 5, 1_000_000],
  ])('are stored as they came: %i in pieces of %i', async (size, piece) => {
    const bytes = fillOf(size);
    const writer = inStore();
    const reused = Buffer.alloc(piece);
    for (let at = 0; at < size; at += piece) {
      const length = bytes.copy(reused, 0, at, at + piece);
      await writer.push(reused.subarray(0, length));
    }
    expect(writer.sizeBytes).toBe(size);
    const staged = await writer.finish();
    const writes = Math.floor(size / chunkBytes / written);
    expect(staged).toMatchObject({
      contentId: 'c',
      sizeBytes: size,
      hasRow: writes > 0,
      isObject: false,
      writtenChunks: writes * written,
    });
    expect(await rows()).toEqual(writes > 0 ? [row('c', 0)] : []);
    await storeContent(db, staged, 5);
    expect(await rows()).toEqual([row('c', 1)]);
    const pieces = [];
    for await (const part of readContent({ db, objects }, 'c', size)) pieces.push(part);
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
    const stored = await db.selectFrom('content_chunks').select('bytes').execute();
    expect(stored).toHaveLength(Math.ceil(size / chunkBytes));
  });

  test('are discarded with their row', async () => {
    const writer = inStore();
    await writer.discard();
    await writer.push(fillOf(written * chunkBytes));
    expect(await rows()).toEqual([row('c', 0)]);
    await writer.discard();
    expect([await rows(), await chunks(), await toDelete()]).toEqual([[], [], []]);
  });

  test('for a bucket have a row before their object', async () => {
    let before: unknown;
    onPut = async () => void (before = await rows());
    const writer = toBucket();
    const reused = Buffer.from('abc');
    await writer.push(reused);
    reused.write('xyz');
    await writer.push(reused);
    expect(writer.sizeBytes).toBe(6);
    expect(await writer.finish()).toEqual({
      contentId: 'c',
      sizeBytes: 6,
      hasRow: true,
      isObject: true,
      writtenChunks: 0,
      tail: [],
    });
    expect(before).toEqual([row('c', 0, 5, 1)]);
    expect(inBucket.get('c')?.toString()).toBe('abcxyz');
    expect(await chunks()).toEqual([]);
  });

  test('for a bucket may be none', async () => {
    await toBucket().finish();
    expect([inBucket.get('c')?.length, await rows()]).toEqual([0, [row('c', 0, 5, 1)]]);
  });

  test('for a bucket wait until it takes them', async () => {
    const gate = Promise.withResolvers<undefined>();
    onPut = () => gate.promise;
    const writer = toBucket();
    let isTaken = false;
    const pushing = writer.push(fillOf(1_000_000)).then(() => (isTaken = true));
    await expect.poll(rows).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    gate.resolve(undefined);
    await pushing;
    await writer.finish();
    expect(inBucket.get('c')?.length).toBe(1_000_000);
  });

  test('for a bucket that fails do not wait any longer', async () => {
    const gate = Promise.withResolvers<undefined>();
    onPut = () => gate.promise;
    const writer = toBucket();
    const pushing = writer.push(fillOf(1_000_000));
    outage = new Error('the bucket is away');
    gate.resolve(undefined);
    await expect(pushing).rejects.toThrow('the bucket is away');
    await expect(writer.push(Buffer.from('a'))).rejects.toThrow('the bucket is away');
    await expect(writer.finish()).rejects.toThrow('the bucket is away');
    await writer.discard();
    expect([await rows(), await toDelete()]).toEqual([[], ['c']]);
  });

  test('for a bucket are discarded, and leave no object', async () => {
    const untouched = toBucket();
    await untouched.discard();
    expect(await toDelete()).toEqual([]);
    const writer = toBucket();
    await writer.push(Buffer.from('abc'));
    await writer.discard();
    expect([[...inBucket.keys()], await rows(), await toDelete()]).toEqual([[], [], ['c']]);
  });

  test('for a bucket that has them are discarded too', async () => {
    const writer = toBucket();
    await writer.push(Buffer.from('abc'));
    await writer.finish();
    await writer.discard();
    expect([await rows(), await toDelete()]).toEqual([[], ['c']]);
    await deleteObjects({ db, objects });
    expect([[...inBucket.keys()], await toDelete()]).toEqual([[], []]);
  });
});
