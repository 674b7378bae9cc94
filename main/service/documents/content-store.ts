import type { Kysely } from 'kysely';
import type { Database } from '../store/tables.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { readChunks } from './chunks.ts';
import type { ContentWriter } from './content-writer.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { ObjectWriter } from './objects/object-writer.ts';

/** Where the bytes of documents are. */
export interface ContentPlaces {
  /** Not a transaction. */
  readonly db: Kysely<Database>;
  /** The bucket for what is uploaded; without one it goes into the store. */
  readonly objects: ObjectStore | undefined;
}

/** Puts a new content aside. */
export function createContentWriter(
  { db, objects }: ContentPlaces,
  contentId: string,
  createdAt: number,
): ContentWriter {
  return objects
    ? new ObjectWriter(db, objects, contentId, createdAt)
    : new ChunkWriter(db, contentId, createdAt);
}

/**
 * The bytes of a content, wherever they are, in pieces of any length.
 * @throws {Error} if the content is deleted meanwhile, so that half of it never counts as all.
 */
export async function* readContent(
  { db, objects }: ContentPlaces,
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

async function* readObject(
  objects: ObjectStore,
  id: string,
  sizeBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let readBytes = 0;
  for await (const piece of await objects.open(id)) {
    // A byte stream without an encoding gives buffers.
    const bytes = piece as Buffer;
    readBytes += bytes.length;
    yield bytes;
  }
  if (readBytes !== sizeBytes) throw new Error('the object is not as long as the document');
}

/**
 * Deletes the objects that no document refers to any more. Outside any transaction: a bucket can
 * be slow. Several processes may do it at the same time.
 */
export async function removeDoomedObjects({ db, objects }: ContentPlaces): Promise<void> {
  if (!objects) return;
  const doomed = await db.selectFrom('doomed_objects').select('content_id').execute();
  for (const { content_id: id } of doomed) {
    await objects.remove(id);
    await db.deleteFrom('doomed_objects').where('content_id', '=', id).execute();
  }
}

/** Whether documents are in a bucket, without which the service could not give them out. */
export async function hasContentsInObjects(db: Kysely<Database>): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('id')
    .where('in_objects', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
