import { parentPort } from 'node:worker_threads';
import { readExif } from '#shared/photos/read-exif.ts';
import type { CaptureReport } from './capture-reader.ts';

// Entry of the thread that reads times of capture; capture-reader.ts limits memory and time.

parentPort?.on('message', (head: Uint8Array<ArrayBuffer>) => {
  const report: CaptureReport = readExif(head.buffer).takenAt;
  parentPort?.postMessage(report);
});
