import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Cache } from '../cache/open-cache.ts';

const lineSchema = z.object({
  at: z.string(),
  event: z.enum(['cases-removed', 'documents-removed']),
  workspace: z.string(),
  /** The rule that was applied. */
  days: z.int(),
  cases: z.int(),
  documents: z.int(),
  /** Files of sent reports. */
  sentFiles: z.int(),
});
export type AuditLine = z.infer<typeof lineSchema>;
const linesSchema = z.array(lineSchema);

/**
 * The log of what retention removed: JSON lines with figures. It names no case, because an id would
 * tell who holds it whose case this was.
 */
export class RetentionAudit {
  readonly #file: string;
  readonly #cache: Cache;

  constructor(file: string, cache: Cache) {
    this.#file = file;
    this.#cache = cache;
  }

  /** Within the transaction that removes, so that no crash comes between the two. */
  note(line: AuditLine): void {
    this.#keep([...this.#noted(), line]);
  }

  /** Appends what was noted; a crash may repeat a line, and loses none. */
  write(): void {
    const lines = this.#noted();
    if (lines.length === 0) return;
    const handle = openSync(this.#file, 'a', 0o600);
    try {
      writeFileSync(handle, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    this.#keep([]);
  }

  #noted(): AuditLine[] {
    return linesSchema.parse(JSON.parse(this.#cache.pullState.text('retention-audit') ?? '[]'));
  }

  #keep(lines: readonly AuditLine[]): void {
    this.#cache.pullState.setText('retention-audit', JSON.stringify(lines));
  }
}
