import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DeskError } from '#shared/desk/errors.ts';
import { ContentReader, isContentError, type ContentReceiver } from '#shared/lib/content-reader.ts';
import { discardBody, foreignAnswer, mayBeJson, parseJsonObject } from './read-answer.ts';
import type { Answer, StreamedBody } from './transport.ts';

/** The rest of such an answer is file names and times. */
const maxRestBytes = 16 * 1024 * 1024;

/**
 * Streams an answer whose contents go to `receiver`.
 * @returns the JSON with each content's number in its place
 * @throws {DeskError} captive_portal, connection_lost, answer_invalid; and what the receiver throws
 */
export async function scanAnswer(
  answer: Answer,
  context: { host: string; operation: string },
  receiver: ContentReceiver,
): Promise<unknown> {
  const { host, operation } = context;
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    throw foreignAnswer(answer, host);
  }
  const reader = new ContentReader(receiver, { maxRestBytes, isCanonical: false });
  try {
    for await (const chunk of answer.body) await reader.write(chunk);
  } catch (error) {
    if (!isContentError(error)) throw error;
    throw new DeskError('answer_invalid', { operation, detail: error.message }, { cause: error });
  }
  return parseJsonObject(Buffer.from(reader.rest()).toString(), answer, host, operation);
}

/** The hash and size of a content that streamed past. */
export interface ContentDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A receiver that stores the hash and size of each content, in order. */
export function createDigester(): { receiver: ContentReceiver; digests: ContentDigest[] } {
  const digests: ContentDigest[] = [];
  let hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    digests,
    receiver: {
      begin() {
        hash = createHash('sha256');
        sizeBytes = 0;
      },
      data(bytes) {
        hash.update(bytes);
        sizeBytes += bytes.length;
      },
      end() {
        digests.push({ sha256: hash.digest('hex'), sizeBytes });
      },
    },
  };
}

/** What one upload sends. `open` is called once per attempt and streams from the start. */
export interface UploadSource {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly isSalvageSale: boolean;
  open(): Readable;
}

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
  const encoded = (plain: Buffer, sentBytes: number) => ({
    bytes: Buffer.from(plain.toString('base64')),
    taken: () => onProgress?.(sentBytes),
  });
  return {
    sizeBytes: uploadBodyBytes(source),
    async *pieces() {
      yield { bytes: prefixOf(source) };
      const stream = source.open();
      let read = 0;
      /** Less than a whole group of three bytes. */
      let rest = Buffer.alloc(0);
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          read += chunk.length;
          const plain = Buffer.concat([rest, chunk]);
          const whole = plain.length - (plain.length % 3);
          rest = plain.subarray(whole);
          yield encoded(plain.subarray(0, whole), read - rest.length);
        }
      } finally {
        stream.destroy();
      }
      if (read !== source.sizeBytes) {
        throw new DeskError('internal', { reason: 'a file of another size than announced' });
      }
      yield encoded(rest, read);
      yield { bytes: suffix };
    },
  };
}
