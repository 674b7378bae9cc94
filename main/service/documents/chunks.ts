import type { Kysely } from 'kysely';
import type { Database } from '../store/tables.ts';

/** Bytes of a chunk: a multiple of three, which base64 encodes without a rest. */
export const chunkBytes = 192 * 1024;

/** Writes chunks of a content that has its row in `contents`. */
export async function insertChunks(
  db: Kysely<Database>,
  contentId: string,
  firstPosition: number,
  chunks: readonly Buffer[],
): Promise<void> {
  if (chunks.length === 0) return;
  // One statement: outside a transaction each is a sync of the disk.
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
 * The bytes of a content, a chunk at a time.
 * @throws where the content is deleted meanwhile, so that half of it is never taken for all.
 */
export async function* readChunks(
  db: Kysely<Database>,
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
