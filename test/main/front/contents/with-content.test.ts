import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { contentOf, storeContent } from '#main/front/contents/contents.ts';
import { contentAnswer, withContent } from '#main/front/contents/with-content.ts';
import { createContents } from '#main/front/store/front-schema.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import type { ContentTables } from '#main/front/store/tables.ts';

async function* chunksOf(
  bytes: Buffer,
  lengths: readonly number[],
  ended: () => void = () => undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let at = 0;
  await Promise.resolve();
  try {
    for (const length of lengths) {
      yield bytes.subarray(at, at + length);
      at += length;
    }
    if (at < bytes.length) yield bytes.subarray(at);
  } finally {
    ended();
  }
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const read = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString();
}

test.each([
  [0, []],
  [1, []],
  [2, [1]],
  [3, [1, 1]],
  [10, [1, 2, 4]],
  [10, [3, 0, 6]],
  [300, [100, 100, 100]],
])(
  'a content of %i bytes in pieces %j is one base64, and its size is known',
  async (size, lengths) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, index) => (index * 37) % 256));
    const { sizeBytes, pieces } = contentAnswer({ Name: 'ü' }, chunksOf(bytes, lengths), size);
    const text = await textOf(pieces);
    expect(JSON.parse(text)).toEqual({ Name: 'ü', ContentBase64: bytes.toString('base64') });
    expect(sizeBytes).toBe(Buffer.byteLength(text));
  },
);

test('an unknown size is not announced', async () => {
  const { sizeBytes, pieces } = contentAnswer(
    { a: 1 },
    chunksOf(Buffer.from('abc'), []),
    undefined,
  );
  expect(sizeBytes).toBeUndefined();
  expect(await textOf(pieces)).toBe('{"a":1,"ContentBase64":"YWJj"}');
});

test('a content that cannot be read fails before any byte', async () => {
  async function* broken(): AsyncGenerator<Buffer, void, undefined> {
    await Promise.resolve();
    yield* [];
    throw new Error('the disk is gone');
  }
  const { pieces } = contentAnswer({ a: 1 }, broken(), 3);
  await expect(pieces.next()).rejects.toThrow('the disk is gone');
});

test('a content whose reader goes away is closed', async () => {
  let isEnded = false;
  const bytes = Buffer.alloc(9);
  const { pieces } = contentAnswer(
    { a: 1 },
    chunksOf(bytes, [3, 3], () => (isEnded = true)),
    9,
  );
  await pieces.next();
  expect(isEnded).toBe(false);
  await pieces.return();
  expect(isEnded).toBe(true);
});

test('a content of the store is in the answer, whose size is known', async () => {
  const dialect = sqliteDialect(':memory:', { durability: 'process' });
  const db = new Kysely<ContentTables>({ dialect });
  await createContents(new Kysely<unknown>({ dialect }));
  await storeContent(db, contentOf('c', Buffer.from('abcd')), 0);
  const content = { content_id: 'c', size_bytes: 4 };
  const { sizeBytes, pieces } = withContent({ db, objects: undefined }, { a: 1 }, content);
  const text = await textOf(pieces);
  expect(text).toBe('{"a":1,"ContentBase64":"YWJjZA=="}');
  expect(sizeBytes).toBe(text.length);
  await db.destroy();
});
