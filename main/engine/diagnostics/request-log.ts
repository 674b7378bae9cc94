import { appendFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClientLogEntry } from '../../partner/signed-request.ts';

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
  // Made by the desk or by the partner's server; anything else could be anything.
  correlationId: z.uuid().nullable(),
  durationMs: z.number(),
});
type Line = z.infer<typeof lineSchema>;

/**
 * The last requests, stored in the home so that a bundle written after a crash has those that led
 * to it: operation, status, duration, correlation id. The two files (the current one and the one
 * before) are not encrypted, because nothing of a case or of anybody in it is among them.
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

  /** Never fails, because no request may fail for it. */
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

  /** The newest ones, oldest first, without a line that a crash cut off. */
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
