/**
 * What the store knows of contents. Each has a row in `contents`, written before its first byte
 * leaves the process; its bytes are chunks in the store, or one object in a bucket.
 *
 * ```
 * on its way (kept = 0) --keepContent--> kept = 1 --deleteContent--> no row
 *     |                                                                ^
 *     +--discardContent, or the sweep after an hour--------------------+
 * ```
 *
 * Whatever takes away the row of an object enters the object in `doomed_objects`, in the same
 * transaction. So no document refers to an object that is not there, and no object is left over
 * that no row knows.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../store/tables.ts';
import { insertChunks } from './chunks.ts';
import type { StagedContent } from './content-writer.ts';

/** Begins the row of a content that is on its way. */
export async function beginContent(
  db: Kysely<Database>,
  contentId: string,
  { at, inObjects }: { readonly at: number; readonly inObjects: boolean },
): Promise<void> {
  await db
    .insertInto('contents')
    .values({ id: contentId, kept: 0, created_at: at, in_objects: inObjects ? 1 : 0 })
    .execute();
}

/**
 * Writes what is still in memory and marks the content as kept.
 * @param db the transaction in which the document's row is written too.
 * @throws where the content was swept away meanwhile.
 */
export async function keepContent(
  db: Kysely<Database>,
  content: StagedContent,
  at: number,
): Promise<void> {
  const { contentId, isBegun, writtenChunks } = content;
  if (isBegun) {
    const { numUpdatedRows } = await db
      .updateTable('contents')
      .set({ kept: 1 })
      .where('id', '=', contentId)
      .where('kept', '=', 0)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new Error('the content was swept away before it was kept');
  } else {
    await db.insertInto('contents').values({ id: contentId, kept: 1, created_at: at }).execute();
  }
  await insertChunks(db, contentId, writtenChunks, content.tail);
}

/**
 * Forgets a content that was put aside; one that is kept stays.
 * @param db not a transaction.
 */
export async function discardContent(db: Kysely<Database>, content: StagedContent): Promise<void> {
  if (!content.isBegun) return;
  const onItsWay = db
    .deleteFrom('contents')
    .where('id', '=', content.contentId)
    .where('kept', '=', 0);
  if (!content.inObjects) {
    await onItsWay.execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    const { contentId } = content;
    const row = await transaction
      .selectFrom('contents')
      .select('kept')
      .where('id', '=', contentId)
      .executeTakeFirst();
    if (row?.kept === 1) return;
    // Also where the sweep took the row: bytes may have come to the bucket after it.
    await transaction
      .insertInto('doomed_objects')
      .values({ content_id: contentId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction.deleteFrom('contents').where('id', '=', contentId).execute();
  });
}

/** Deletes a content with its bytes; the row that refers to it must be gone. */
export async function deleteContent(db: Kysely<Database>, contentId: string): Promise<void> {
  await db
    .insertInto('doomed_objects')
    .columns(['content_id'])
    .expression((from) =>
      from
        .selectFrom('contents')
        .select('id')
        .where('id', '=', contentId)
        .where('in_objects', '=', 1),
    )
    .execute();
  await db.deleteFrom('contents').where('id', '=', contentId).execute();
}

/**
 * Deletes what uploads left behind that never came to their end, because the process died.
 * @param db a transaction, so that an object is doomed exactly if its row goes.
 * @param before only what was begun earlier, milliseconds since 1970.
 */
export async function sweepStagedContents(
  db: Transaction<Database>,
  before: number,
): Promise<void> {
  await db
    .insertInto('doomed_objects')
    .columns(['content_id'])
    .expression((from) =>
      from
        .selectFrom('contents')
        .select('id')
        .where('kept', '=', 0)
        .where('created_at', '<', before)
        .where('in_objects', '=', 1),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom('contents').where('kept', '=', 0).where('created_at', '<', before).execute();
}
