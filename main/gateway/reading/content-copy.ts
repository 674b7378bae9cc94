import { randomUUID } from 'node:crypto';
import { originOf } from '#shared/lib/error-origin.ts';
import { createContentWriter } from '../../front/contents/content-writer.ts';
import type { StagedContent } from '../../front/contents/contents.ts';
import type { GatewayContext } from '../context.ts';

export type CopyParts = Pick<GatewayContext, 'db' | 'objects' | 'clock' | 'log'>;

/**
 * A copy of bytes that are passed on to a client. A copy that cannot be stored is logged and
 * discarded, and the bytes are still passed on.
 */
export function createContentCopy({ db, objects, clock, log }: CopyParts) {
  const writer = createContentWriter({ db, objects }, randomUUID(), clock.now());
  let isStored = false;
  let hasFailed = false;
  const unlessFailed = async (work: () => Promise<void>) => {
    if (hasFailed) return;
    await work().catch((error: unknown) => {
      hasFailed = true;
      log.warn(originOf(error), 'a document was not stored');
    });
  };
  return {
    push: (bytes: Uint8Array) => unlessFailed(() => writer.push(bytes)),
    /** Completes the copy. `store` makes it visible and returns true, or false if it is not needed. */
    store: (store: (content: StagedContent) => Promise<boolean>) =>
      unlessFailed(async () => {
        isStored = await store(await writer.finish());
      }),
    /** Discards the copy unless it was stored. */
    async end(): Promise<void> {
      if (isStored) return;
      await writer.discard().catch((error: unknown) => {
        log.error(originOf(error), 'not discarded');
      });
    },
  };
}
