import type { SuggestedTotal } from '#shared/desk/documents.ts';
import type { FoundTotal } from '#shared/lib/find-totals.ts';
import type { Database } from '../database/sqlite.ts';

/** A total and the page that it stands on, counted from 1. */
export interface PageTotal extends FoundTotal {
  readonly page: number;
}

/** Totals of a document that are kept. */
const keptMax = 20;
/** Totals of a case that are offered. */
const offeredMax = 20;

/** The totals that stand in the documents on this laptop. */
export class DocumentTotals {
  readonly #statements;

  constructor(db: Database) {
    this.#statements = {
      insert: db.prepare<[number, number, number, string, number, string]>(
        'INSERT OR IGNORE INTO document_totals VALUES (?, ?, ?, ?, ?, ?)',
      ),
      remove: db.prepare<[number]>('DELETE FROM document_totals WHERE number = ?'),
      of: db.prepare<[string, number], TotalRow>(
        `SELECT d.id AS documentId, d.file_name AS fileName, t.page, t.rappen, t.label, t.rank, t.box,
           s.page IS NOT NULL AS isRecognized
         FROM documents d JOIN document_totals t ON t.number = d.number
           LEFT JOIN scanned_pages s ON s.number = t.number AND s.page = t.page
         WHERE d.case_id = ? ORDER BY t.rank, d.number DESC, t.page DESC LIMIT ?`,
      ),
    };
  }

  /** @param number the row of the document */
  add(number: number, totals: readonly PageTotal[]): void {
    for (const { page, rappen, label, rank, box } of totals.slice(0, keptMax))
      this.#statements.insert.run(number, page, rappen, label, rank, JSON.stringify(box));
  }

  remove(number: number): void {
    this.#statements.remove.run(number);
  }

  /** Of all documents of a case: totals with tax first, of the newest document first. */
  of(caseId: string): SuggestedTotal[] {
    return this.#statements.of.all(caseId, offeredMax).map(({ box, isRecognized, ...total }) => ({
      ...total,
      isRecognized: isRecognized === 1,
      // Written by `add`.
      box: JSON.parse(box) as SuggestedTotal['box'],
    }));
  }
}

type TotalRow = Omit<SuggestedTotal, 'box' | 'isRecognized'> & {
  readonly box: string;
  readonly isRecognized: number;
};
