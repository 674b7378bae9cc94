import type { Document } from '#shared/api/document.ts';
import { JsonPieces } from '../front/answer.ts';
import { isoTime } from '../claims/iso-time.ts';
import type { ClaimDocumentsTable } from '../store/claim-tables.ts';
import { readContent, type ContentPlaces } from './content-store.ts';

/** A document without its content. */
export function documentView(row: ClaimDocumentsTable): Document {
  return {
    Id: row.id,
    FileName: row.file_name,
    ContentType: row.content_type,
    SizeBytes: row.size_bytes,
    CreatedAt: isoTime(row.created_at),
  };
}

/**
 * Bytes encoded at a time: a multiple of three, and so few that the text stays in the young
 * generation, where it costs next to nothing to be rid of it.
 */
const pieceBytes = 48 * 1024;

/**
 * A view with the member ContentBase64 added.
 * @param view an object with at least one member.
 */
export function withContent(
  places: ContentPlaces,
  view: object,
  content: Pick<ClaimDocumentsTable, 'content_id' | 'size_bytes'>,
): JsonPieces {
  const head = Buffer.from(`${JSON.stringify(view).slice(0, -1)},"ContentBase64":"`);
  const base64Bytes = Math.ceil(content.size_bytes / 3) * 4;
  return new JsonPieces(
    head.length + base64Bytes + tail.length,
    aroundContent(head, readContent(places, content.content_id, content.size_bytes)),
  );
}

const tail = Buffer.from('"}');

async function* aroundContent(
  head: Buffer,
  chunks: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    // Before anything is sent, so that a content that cannot be read is answered with a refusal.
    const first = await chunks.next();
    yield head;
    for (let next = first; !next.done; next = await chunks.next()) {
      const chunk = next.value;
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        yield Buffer.from(chunk.toString('base64', at, at + pieceBytes), 'latin1');
      }
    }
    yield tail;
  } finally {
    await chunks.return();
  }
}
