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
      let read = 0;
      let pending = Buffer.alloc(0);
      const stream = source.open();
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          read += chunk.length;
          const joined = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
          const whole = joined.length - (joined.length % 3);
          // A copy: the stream may use its buffer again.
          pending = Buffer.from(joined.subarray(whole));
          const sent = read - pending.length;
          yield {
            bytes: Buffer.from(joined.toString('base64', 0, whole)),
            taken: () => onProgress?.(sent),
          };
        }
      } finally {
        stream.destroy();
      }
      if (read !== source.sizeBytes) {
        throw new DeskError('internal', { reason: 'a file of another size than announced' });
      }
      const sent = read;
      yield { bytes: Buffer.from(pending.toString('base64')), taken: () => onProgress?.(sent) };
      yield { bytes: suffix };
    },
  };
}
