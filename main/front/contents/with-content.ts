import { JsonPieces } from '../answer.ts';
import { readContent, type ContentStorage } from './contents.ts';

/**
 * A view with the member ContentBase64 added.
 * @param view an object with at least one member.
 */
export function withContent(
  storage: ContentStorage,
  view: object,
  content: { readonly content_id: string; readonly size_bytes: number },
): JsonPieces {
  const { content_id: id, size_bytes: sizeBytes } = content;
  return contentAnswer(view, readContent(storage, id, sizeBytes), sizeBytes);
}

/**
 * Works like `withContent`, for bytes from another source.
 * @param sizeBytes undefined if it is not known before the end.
 */
export function contentAnswer(
  view: object,
  chunks: AsyncGenerator<Buffer, void, undefined>,
  sizeBytes: number | undefined,
): JsonPieces {
  const head = Buffer.from(`${JSON.stringify(view).slice(0, -1)},"ContentBase64":"`);
  const wholeBytes =
    sizeBytes === undefined ? undefined : head.length + Math.ceil(sizeBytes / 3) * 4 + tail.length;
  return new JsonPieces(wholeBytes, aroundContent(head, chunks));
}

const tail = Buffer.from('"}');

async function* aroundContent(
  head: Buffer,
  chunks: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  const base64 = encode(chunks);
  try {
    // The first piece is read before the answer begins, because an unreadable content can be
    // reported only before any byte is sent.
    const first = await base64.next();
    yield head;
    if (!first.done) {
      yield first.value;
      yield* base64;
    }
    yield tail;
  } finally {
    await base64.return();
  }
}

/** Base64 of bytes in pieces of any length. */
async function* encode(
  chunks: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // Three bytes become four characters. The remaining bytes wait for the next chunk.
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}
