import { parentPort, workerData } from 'node:worker_threads';
import type { LimitedWorkerData } from './limited-thread.ts';

// Entry of each limited thread. It loads the script that reads files, and says when that is done:
// a busy machine may take long for it, which says nothing about a file.

// Only limited-thread.ts starts this file.
const { entry } = workerData as LimitedWorkerData;
await import(/* @vite-ignore */ entry);
parentPort?.postMessage('loaded');
