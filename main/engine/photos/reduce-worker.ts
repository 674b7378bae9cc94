import { parentPort } from 'node:worker_threads';
import type { ReduceOrder, ReduceReport } from './picture-reducer.ts';
import { reduceJpeg } from './reduce-jpeg.ts';

// Entry of the thread that reduces pictures; picture-reducer.ts limits memory and time. An error ends
// it: what the codec's memory contains then is unknown.

// Only picture-reducer.ts starts this file.
parentPort?.on('message', ({ bytes, box }: ReduceOrder) => {
  void reduceJpeg(bytes, box).then((reduced) => {
    const report: ReduceReport = { bytes: reduced ?? bytes };
    parentPort?.postMessage(report, [report.bytes.buffer]);
  });
});
