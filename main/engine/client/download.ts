import { createHash } from 'node:crypto';
import { DeskError } from '#shared/desk/errors.ts';
import { ContentReader, isContentError, type ContentReceiver } from '#shared/lib/content-reader.ts';
import { foreignAnswer, mayBeJson, parseJsonObject, discardBody } from './json-answer.ts';
import type { Answer } from './request.ts';

/** What stands beside the contents is file names and times. */
const maxRestBytes = 16 * 1024 * 1024;

/**
 * Streams an answer whose contents go to `receiver`.
 * @returns the JSON with each content's number in its place
 * @throws {DeskError} captive_portal, connection_lost, answer_invalid; whatever the receiver throws
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
  return parseJsonObject(Buffer.from(reader.rest()).toString(), answer, host);
}

/** The hash and size of a content that streamed past. */
export interface ContentDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A receiver that keeps of each content its hash and size, in order. */
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
