/*
 * The bytes of documents: chunks in the store, or an object in a bucket. A content has a row in
 * `contents`, which is written before the first byte is stored.
 *
 * staged (stored = 0) --storeContent--> stored = 1 --deleteContent--> no row
 * |                                                            ^
 * +--discardContent, or the purge after an hour----------------+
 *
 * The transaction that deletes the row of an object adds the object to `objects_to_delete`. So
 * every object has a row, and every document has its content.
 */
import type { Expression, ExpressionBuilder, Kysely, SqlBool, Transaction } from 'kysely';
import type { ContentTables } from '../store/tables.ts';
import type { ObjectStore } from './s3-store.ts';

/**
 * The number of bytes in a chunk. It is a multiple of three, so that the base64 of each chunk is
 * complete.
 */
export const chunkBytes = 192 * 1024;

/** The places for the bytes of documents. */
export interface ContentStorage {
  /** The database; it must not be a transaction. */
  readonly db: Kysely<ContentTables>;
  /** The bucket for uploads. Without a bucket, uploads are stored in the store. */
  readonly objects: ObjectStore | undefined;
}

/** The content of a document that does not exist yet. */
export interface StagedContent {
  readonly contentId: string;
  readonly sizeBytes: number;
  /** Whether it has a row in `contents`. */
  readonly hasRow: boolean;
  /** Whether its bytes are an object in a bucket. */
  readonly isObject: boolean;
  /** The number of chunks that are already in the store. */
  readonly writtenChunks: number;
  /** The chunks that are still in memory and follow the written ones. */
  readonly tail: readonly Buffer[];
}

/** Stages bytes while they arrive, with a few megabytes in memory. */
export interface ContentWriter {
  readonly sizeBytes: number;
  push(bytes: Uint8Array): Promise<void>;
  /** Completes the content, for `storeContent` or `discardContent`. */
  finish(): Promise<StagedContent>;
  /** Discards the content, also after a failure. */
  discard(): Promise<void>;
}

/** A staged content of bytes in memory. */
export function contentOf(contentId: string, bytes: Buffer): StagedContent {
  const tail: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    tail.push(bytes.subarray(at, at + chunkBytes));
  }
  const sizeBytes = bytes.length;
  return { contentId, sizeBytes, hasRow: false, isObject: false, writtenChunks: 0, tail };
}

/** Inserts the row of a content that is to be staged. */
export async function beginContent(
  db: Kysely<ContentTables>,
  contentId: string,
  { at, isObject }: { readonly at: number; readonly isObject: boolean },
): Promise<void> {
  await db
    .insertInto('contents')
    .values({ id: contentId, stored: 0, created_at: at, in_objects: isObject ? 1 : 0 })
    .execute();
}

/** Writes chunks of a content whose row exists. */
export async function insertChunks(
  db: Kysely<ContentTables>,
  contentId: string,
  firstPosition: number,
  chunks: readonly Buffer[],
): Promise<void> {
  if (chunks.length === 0) return;
  // All chunks are one statement, because outside a transaction each statement syncs the disk.
  await db
    .insertInto('content_chunks')
    .values(
      chunks.map((bytes, index) => ({
        content_id: contentId,
        position: firstPosition + index,
        bytes,
      })),
    )
    .execute();
}

/**
 * Writes the remaining chunks and marks the content as stored.
 * @param db the transaction that inserts the document's row.
 * @throws {Error} if the content was purged since it was staged.
 */
export async function storeContent(
  db: Kysely<ContentTables>,
  content: StagedContent,
  at: number,
): Promise<void> {
  const { contentId, hasRow, writtenChunks } = content;
  if (hasRow) {
    const { numUpdatedRows } = await db
      .updateTable('contents')
      .set({ stored: 1 })
      .where('id', '=', contentId)
      .where('stored', '=', 0)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new Error('the content was purged before it was stored');
  } else {
    await db.insertInto('contents').values({ id: contentId, stored: 1, created_at: at }).execute();
  }
  await insertChunks(db, contentId, writtenChunks, content.tail);
}

/**
 * Deletes a staged content. A stored content is not deleted.
 * @param db must not be a transaction.
 */
export async function discardContent(
  db: Kysely<ContentTables>,
  content: StagedContent,
): Promise<void> {
  if (!content.hasRow) return;
  const { contentId } = content;
  if (!content.isObject) {
    await db.deleteFrom('contents').where('id', '=', contentId).where('stored', '=', 0).execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('contents')
      .select('stored')
      .where('id', '=', contentId)
      .executeTakeFirst();
    if (row?.stored === 1) return;
    // The object is deleted even if the purge has deleted the row, because bytes may have reached
    // the bucket since.
    await transaction
      .insertInto('objects_to_delete')
      .values({ content_id: contentId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction.deleteFrom('contents').where('id', '=', contentId).execute();
  });
}

/**
 * Deletes a stored content, to which no document may refer.
 * @param db a transaction
 */
export function deleteContent(db: Kysely<ContentTables>, contentId: string): Promise<void> {
  return deleteContents(db, (where) => where('id', '=', contentId));
}

/**
 * Deletes staged contents whose uploads ended in a crash.
 * @param before only contents that were begun before this time, in milliseconds since 1970.
 */
export function purgeStagedContents(db: Transaction<ContentTables>, before: number): Promise<void> {
  return deleteContents(db, (where) =>
    where.and([where('stored', '=', 0), where('created_at', '<', before)]),
  );
}

async function deleteContents(
  db: Kysely<ContentTables>,
  which: (where: ExpressionBuilder<ContentTables, 'contents'>) => Expression<SqlBool>,
): Promise<void> {
  await db
    .insertInto('objects_to_delete')
    .columns(['content_id'])
    .expression((from) =>
      from.selectFrom('contents').select('id').where(which).where('in_objects', '=', 1),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom('contents').where(which).execute();
}

/**
 * Deletes the objects of deleted contents. It uses no transaction, because a bucket can be slow,
 * and several processes may run it at the same time.
 */
export async function deleteObjects({ db, objects }: ContentStorage): Promise<void> {
  if (!objects) return;
  const rows = await db.selectFrom('objects_to_delete').select('content_id').execute();
  for (const { content_id: id } of rows) {
    await objects.remove(id);
    await db.deleteFrom('objects_to_delete').where('content_id', '=', id).execute();
  }
}

/** Whether any content is in a bucket. */
export async function hasContentsInObjects(db: Kysely<ContentTables>): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('id')
    .where('in_objects', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The bytes of a content, in pieces of any length.
 * @throws {Error} if the content is deleted during the read, so that a caller never mistakes a part
 *   for the whole.
 */
export async function* readContent(
  { db, objects }: ContentStorage,
  contentId: string,
  sizeBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  const content = await db
    .selectFrom('contents')
    .select('in_objects')
    .where('id', '=', contentId)
    .executeTakeFirst();
  if (content?.in_objects !== 1) yield* readChunks(db, contentId, sizeBytes);
  else if (objects) yield* readObject(objects, contentId, sizeBytes);
  else throw new Error('the content is in a bucket, and the service was started without one');
}

async function* readChunks(
  db: Kysely<ContentTables>,
  contentId: string,
  sizeBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let readBytes = 0;
  for (let position = 0; readBytes < sizeBytes; position++) {
    const chunk = await db
      .selectFrom('content_chunks')
      .select('bytes')
      .where('content_id', '=', contentId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!chunk) throw new Error('the content was deleted while it was read');
    readBytes += chunk.bytes.length;
    yield chunk.bytes;
  }
}

async function* readObject(
  objects: ObjectStore,
  id: string,
  sizeBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let readBytes = 0;
  for await (const piece of await objects.open(id)) {
    // A byte stream without an encoding returns buffers.
    const bytes = piece as Buffer;
    readBytes += bytes.length;
    yield bytes;
  }
  if (readBytes !== sizeBytes) throw new Error('the object is not as long as the document');
}
