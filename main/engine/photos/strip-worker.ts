import { parentPort } from 'node:worker_threads';
import { strippedPicture } from '#shared/photos/strip-picture.ts';
import { isDamagedJpeg } from './jpeg-damage.ts';
import { isDecodableWebp } from './webp-codec.ts';
import type { StripOrder, StripReport } from './picture-stripper.ts';

// Entry of the thread that strips pictures; picture-stripper.ts limits memory and time.

async function reportOn(order: StripOrder): Promise<StripReport> {
  const { bytes, contentType, isAlone } = order;
  const { bytes: stripped, isSame, takenAt, looksDamaged } = strippedPicture(bytes, contentType);
  const isComplainedOf = stripped !== null && isAlone && (await isDamaged(order, stripped));
  // A window may take it later, and says then what was found here.
  const found = { takenAt, looksDamaged: looksDamaged || isComplainedOf };
  // What is the same is in the store already.
  return stripped === null || isComplainedOf
    ? { bytes: null, isBare: false, ...found }
    : { bytes: isSame ? null : stripped, isBare: true, ...found };
}

/** Whether a decoder complains of the pixels. */
async function isDamaged(
  { bytes, contentType }: StripOrder,
  stripped: Uint8Array,
): Promise<boolean> {
  return contentType === 'image/webp'
    ? !(await isDecodableWebp(stripped))
    : await isDamagedJpeg(bytes, contentType);
}

parentPort?.on('message', (order: StripOrder) => {
  void reportOn(order).then((report) => parentPort?.postMessage(report));
});
