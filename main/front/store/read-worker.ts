/** The thread of `read-thread.ts`: reads a SQLite file over a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { originOf } from '#shared/lib/error-origin.ts';
import type { ReadOrder, ReadReport, ReadThreadData } from './read-thread.ts';

// The casts are safe, because only read-thread.ts starts this file and sends orders to it.
const { file } = workerData as ReadThreadData;
const database = new Sqlite(file, { readonly: true });
const prepared = new LRUCache<string, Sqlite.Statement>({ max: 200 });

parentPort?.on('message', ({ id, text, parameters }: ReadOrder) => {
  parentPort?.postMessage(run(id, text, parameters));
});

function run(id: number, text: string, parameters: readonly unknown[]): ReadReport {
  try {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return { id, rows: statement.all(...parameters) };
  } catch (error) {
    return { id, failure: originOf(error) };
  }
}
