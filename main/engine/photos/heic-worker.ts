import { parentPort } from 'node:worker_threads';
import { HeicError } from '#shared/photos/decode-heic.ts';
import { looksDamagedHeic } from '#shared/photos/heic-damage.ts';
import { makeHeic } from './make-heic.ts';
import type { HeicReport } from './heic-maker.ts';

// Entry of the thread that makes JPEGs of HEICs; heic-maker.ts limits memory and time. An error of the
// decoder itself ends it: what its memory contains then is unknown.

async function reportOn(bytes: Uint8Array<ArrayBuffer>): Promise<HeicReport> {
  // Nobody would see it before it is sent.
  if (looksDamagedHeic(bytes)) return 'damaged';
  try {
    return await makeHeic(bytes);
  } catch (error) {
    if (error instanceof HeicError) return null;
    throw error;
  }
}

// Only heic-maker.ts starts this file.
parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  void reportOn(bytes).then((report) => parentPort?.postMessage(report));
});
