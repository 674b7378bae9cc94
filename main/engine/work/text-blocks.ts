import { z } from 'zod';
import {
  checkBlock,
  type TextBlock,
  type Texts,
  type TextsChange,
  textsSchema,
} from '#shared/desk/text-blocks.ts';
import type { Database } from '../database/sqlite.ts';

const storedListSchema = z.array(z.object({ category: z.string(), entries: z.string() }));

/** Text blocks, checklists and their ticks: on this laptop only, in its backups, never sent. */
export class TextBlocks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): Texts {
    const blocks = this.#db
      .prepare<[], TextBlock>(
        'SELECT id, name, text FROM text_blocks ORDER BY name COLLATE NOCASE, id',
      )
      .all();
    const lists = storedListSchema.parse(
      this.#db.prepare('SELECT category, entries FROM checklists').all(),
    );
    const checklists = Object.fromEntries(
      lists.map(({ category, entries }): [string, unknown] => [category, JSON.parse(entries)]),
    );
    return textsSchema.parse({ blocks, checklists });
  }

  /** @throws {DeskError} text_block_invalid; nothing is stored then */
  save({ blocks = [], checklists = {} }: TextsChange): void {
    for (const block of blocks) checkBlock(block);
    this.#db.transaction(() => {
      for (const { id, name, text } of blocks)
        this.#db
          .prepare('INSERT OR REPLACE INTO text_blocks (id, name, text) VALUES (?, ?, ?)')
          .run(id, name, text);
      for (const [category, entries] of Object.entries(checklists)) {
        if (entries === null)
          this.#db.prepare('DELETE FROM checklists WHERE category = ?').run(category);
        else
          this.#db
            .prepare('INSERT OR REPLACE INTO checklists (category, entries) VALUES (?, ?)')
            .run(category, JSON.stringify(entries));
      }
    })();
  }

  /** Removing one that is gone is no error. */
  remove(id: string): void {
    this.#db.prepare('DELETE FROM text_blocks WHERE id = ?').run(id);
  }

  ticks(caseId: string): string[] {
    return this.#db
      .prepare<[string], string>('SELECT entry FROM checklist_ticks WHERE case_id = ?')
      .pluck()
      .all(caseId);
  }

  tick(caseId: string, entry: string, isDone: boolean): void {
    this.#db
      .prepare(
        isDone
          ? 'INSERT OR IGNORE INTO checklist_ticks (case_id, entry) VALUES (?, ?)'
          : 'DELETE FROM checklist_ticks WHERE case_id = ? AND entry = ?',
      )
      .run(caseId, entry);
  }
}
