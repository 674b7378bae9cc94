import { appendFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClientLogEntry } from '../../partner/requests/signed-request.ts';

const retainedEntries = 500;

const lineSchema = z.object({
  at: z.iso.datetime(),
  operation: z.string().regex(/^[A-Za-z0-9]{1,20}$/),
  method: z.string().regex(/^[A-Z]{1,10}$/),
  status: z.int().nullable(),
  problem: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .nullable(),
  // The id is stored only if it is a UUID, because any other text could contain anything.
  correlationId: z.uuid().nullable(),
  durationMs: z.number(),
});
type Line = z.infer<typeof lineSchema>;

/**
 * The last requests, stored in the home, so that a bundle after a crash contains the requests
 * before it: operation, status, duration, correlation id. There are two files, the present one and
 * the one before. They are not encrypted, because they contain nothing about cases or persons.
 */
export class RequestLog {
  readonly #file: string;
  readonly #before: string;
  readonly #now: () => number;
  #lines: number;

  constructor(home: string, now: () => number) {
    this.#file = join(home, 'requests.log');
    this.#before = join(home, 'requests.1.log');
    this.#now = now;
    this.#lines = this.#read(this.#file).length;
  }

  /** Adds a request. It never fails, because a failure must not affect the request. */
  add(entry: ClientLogEntry): void {
    const { correlationId, ...rest } = entry;
    const line = lineSchema.safeParse({
      at: new Date(this.#now()).toISOString(),
      ...rest,
      correlationId: z.uuid().safeParse(correlationId).data ?? null,
    });
    if (!line.success) return;
    try {
      if (this.#lines >= retainedEntries) {
        renameSync(this.#file, this.#before);
        this.#lines = 0;
      }
      appendFileSync(this.#file, `${JSON.stringify(line.data)}\n`, { mode: 0o600 });
      this.#lines += 1;
    } catch {
      // A full or read-only disk is reported elsewhere.
    }
  }

  /** The newest requests, oldest first, without a line that a crash cut off. */
  get entries(): readonly Line[] {
    return [...this.#read(this.#before), ...this.#read(this.#file)].slice(-retainedEntries);
  }

  #read(file: string): Line[] {
    try {
      return readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((text) => parseLine(text) ?? []);
    } catch {
      return [];
    }
  }
}

function parseLine(text: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
