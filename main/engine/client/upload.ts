import { DeskError } from '#shared/desk/errors.ts';
import type { UploadSource } from './partner-client.ts';
import type { StreamedBody } from './request.ts';

const suffix = Buffer.from('"}');

/** The JSON text before the content: the content comes last, so that it can be streamed. */
function prefixOf(source: UploadSource): Buffer {
  const { fileName, contentType, isSalvageSale } = source;
  const head = JSON.stringify({
    FileName: fileName,
    ContentType: contentType,
    IsSalvageSale: isSalvageSale,
  });
  return Buffer.from(`${head.slice(0, -1)},"ContentBase64":"`);
}

/** Size in bytes of the body of X13 for this source. */
export function uploadBodyBytes(source: UploadSource): number {
  return prefixOf(source).length + Math.ceil(source.sizeBytes / 3) * 4 + suffix.length;
}

/** Bytes that become one piece of base64: whole groups of three. */
const plainBytes = 3 * 24 * 1024;

/**
 * Base64 in two buffers that are used again and again: new ones for each piece would have all of the
 * memory looked through, again and again, for what is no longer used.
 */
function createEncoder() {
  const plain = Buffer.allocUnsafe(plainBytes);
  const encoded = Buffer.allocUnsafe((plainBytes / 3) * 4);
  let filled = 0;
  return {
    /** How many bytes of the chunk, from there on, it has taken. */
    fill(chunk: Buffer, from: number): number {
      const taken = chunk.copy(plain, filled, from);
      filled += taken;
      return taken;
    },
    isFull: () => filled === plainBytes,
    /** What was filled in; good until the next time. */
    encode(): Buffer {
      const length = encoded.write(plain.toString('base64', 0, filled), 'latin1');
      filled = 0;
      return encoded.subarray(0, length);
    },
  };
}

/**
 * The body of X13, made from the source's stream while it leaves.
 * @param onProgress bytes of the file, not of its base64, that the connection has taken
 */
export function uploadBody(
  source: UploadSource,
  onProgress?: (sentBytes: number) => void,
): StreamedBody {
  return {
    sizeBytes: uploadBodyBytes(source),
    async *pieces() {
      yield { bytes: prefixOf(source) };
      const stream = source.open();
      const encoder = createEncoder();
      let read = 0;
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          for (let at = 0; at < chunk.length;) {
            const taken = encoder.fill(chunk, at);
            at += taken;
            read += taken;
            if (!encoder.isFull()) continue;
            const sent = read;
            yield { bytes: encoder.encode(), taken: () => onProgress?.(sent) };
          }
        }
      } finally {
        stream.destroy();
      }
      if (read !== source.sizeBytes) {
        throw new DeskError('internal', { reason: 'a file of another size than announced' });
      }
      yield { bytes: encoder.encode(), taken: () => onProgress?.(read) };
      yield { bytes: suffix };
    },
  };
}
