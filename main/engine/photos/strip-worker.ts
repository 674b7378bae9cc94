import { parentPort } from 'node:worker_threads';
import { strippedPicture } from '#shared/photos/strip-picture.ts';
import type { StripOrder, StripReport } from './picture-stripper.ts';

// Entry of the thread that strips pictures; picture-stripper.ts limits memory and time.

parentPort?.on('message', ({ bytes, contentType }: StripOrder) => {
  const { bytes: stripped, isSame, takenAt } = strippedPicture(bytes, contentType);
  // What is the same is in the store already.
  const report: StripReport = {
    bytes: isSame ? null : stripped,
    isBare: stripped !== null,
    takenAt,
  };
  parentPort?.postMessage(report);
});
