import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { ContentReader, isContentError, type ContentReceiver } from '#shared/lib/content-reader.ts';
import {
  discardBody,
  foreignAnswer,
  maxWeight,
  mayBeJson,
  parseJsonObject,
} from './read-answer.ts';
import type { Answer, StreamedBody } from '../requests/transport.ts';

/**
 * Streams an answer and passes its contents to `receiver`. Only file names and times are outside the
 * contents, so what is parsed there has the limit of a dense text.
 * @returns the JSON with each content replaced by its number
 * @throws {DeskError} captive_portal, connection_lost, answer_invalid; and errors of the receiver
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
  const reader = new ContentReader(receiver, { maxRestBytes: maxWeight, isCanonical: false });
  try {
    for await (const chunk of answer.body) await reader.write(chunk);
  } catch (error) {
    if (!isContentError(error)) throw error;
    throw new DeskError('answer_invalid', { operation, detail: error.message }, { cause: error });
  }
  return parseJsonObject(Buffer.from(reader.rest()).toString(), answer, host, operation);
}

/** The hash and size of a content that was streamed. */
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

/**
 * The content of one upload. `open` is called once per attempt and starts the stream from the
 * beginning.
 */
export interface UploadSource {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly isSalvageSale: boolean;
  open(): Readable;
}

const suffix = Buffer.from('"}');

/** The JSON text before the content. The content comes last, so that it can be streamed. */
function prefixOf(source: UploadSource): Buffer {
  const { fileName, contentType, isSalvageSale } = source;
  const head = JSON.stringify({
    FileName: fileName,
    ContentType: contentType,
    IsSalvageSale: isSalvageSale,
  });
  return Buffer.from(`${head.slice(0, -1)},"ContentBase64":"`);
}

/** The size in bytes of the body of X13 for this source. */
export function uploadBodyBytes(source: UploadSource): number {
  return prefixOf(source).length + Math.ceil(source.sizeBytes / 3) * 4 + suffix.length;
}

/**
 * The body of X13, which is created from the source's stream while it is sent.
 * @param onProgress receives the number of bytes of the file (not of its base64) that the
 *   connection has accepted
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
      /** The bytes that do not fill a group of three yet. */
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
