import { watched } from '#main/log/long-work.ts';
import { indexedText, indexedWords, wordsFoundIn, wordsToIndex } from '#shared/lib/words.ts';
import type { SuggestedTotal } from '#shared/desk/reports/documents.ts';
import { type DocumentEstimate, estimateSchema } from '#shared/desk/reports/positions.ts';
import { amountMaxRappen } from '#shared/api/limits.ts';
import type { FoundTotal, PageBox } from '#shared/lib/find-totals.ts';
import { printedReference, type QrBill } from '#shared/lib/qr-bill.ts';
import type { Estimate } from '#shared/lib/positions.ts';
import { visibleJson } from '#shared/lib/visible-text.ts';
import type { Database } from '../database/sqlite.ts';
import { visibleText } from '#shared/lib/visible-text.ts';
import { placeOf } from './place-of-words.ts';

/** A content whose text is not in the index yet. */
export interface UnreadDocument {
  readonly caseId: string;
  readonly id: string;
  readonly contentType: string;
  readonly blobId: string;
}

/**
 * The most hits in documents that a search reads; the documents that arrived last are read first.
 * Without a limit, a word that is in every file's name would look up the case of every document.
 */
const hitsMax = 1000;

/** The result of reading a content. */
export interface ReadContent {
  readonly blobId: string;
  readonly text: string;
  /** The pages without text, counted from 1. They may be scans. */
  readonly scannedPages: readonly number[];
  /** The pages with the text of a QR-bill, counted from 1. */
  readonly billPages: readonly number[];
  readonly totals: readonly PageTotal[];
  readonly estimate: Estimate | null;
}

/** A document that a search found. */
export interface FoundDocument {
  readonly number: number;
  readonly id: string;
  readonly fileName: string;
  /** Whether some of the words are in recognized text only. */
  readonly isRecognized: boolean;
}

interface FoundRow extends Omit<FoundDocument, 'isRecognized'> {
  readonly caseId: string;
  readonly layerText: string | null;
}

/** The number of attempts to read a content that failed, or that the process did not survive. */
const triesMax = 3;

/** The names and texts of the documents in `document_search`, and the state of their reading. */
export class DocumentIndex {
  readonly #db: Database;
  readonly totals: DocumentTotals;
  readonly estimates: DocumentEstimates;
  readonly #statements;

  constructor(db: Database) {
    this.#db = db;
    this.totals = new DocumentTotals(db);
    this.estimates = new DocumentEstimates(db);
    this.#statements = {
      insert: db.prepare<[number | bigint, string]>(
        'INSERT INTO document_search (rowid, text) VALUES (?, ?)',
      ),
      delete: db.prepare<[number]>('DELETE FROM document_search WHERE rowid = ?'),
      find: db.prepare<[string, string], { number: number; fileName: string }>(
        'SELECT number, file_name AS fileName FROM documents WHERE case_id = ? AND id = ?',
      ),
      setIndexed: db.prepare<[string | null, string | null, number]>(
        `UPDATE documents SET indexed_blob_id = ?, layer_text = ?, tried_blob_id = NULL, tries = 0
         WHERE number = ?`,
      ),
      removeScans: db.prepare<[number]>('DELETE FROM scanned_pages WHERE number = ?'),
      insertScan: db.prepare<[number, number, 0 | 1]>(
        'INSERT INTO scanned_pages (number, page, has_text) VALUES (?, ?, ?)',
      ),
      countTry: db.prepare<[{ caseId: string; id: string; blobId: string }]>(
        `UPDATE documents SET tries = iif(tried_blob_id IS @blobId, tries, 0) + 1,
           tried_blob_id = @blobId
         WHERE case_id = @caseId AND id = @id`,
      ),
      uncountTry: db.prepare<[string, string]>(
        'UPDATE documents SET tries = tries - 1 WHERE case_id = ? AND id = ?',
      ),
      unread: db.prepare<
        [{ contentTypes: string; resting: string; limit: number; triesMax: number }],
        UnreadDocument
      >(
        `SELECT case_id AS caseId, id, content_type AS contentType, blob_id AS blobId
         FROM documents
         WHERE blob_id IS NOT NULL AND indexed_blob_id IS NOT blob_id
           AND content_type IN (SELECT value FROM json_each(@contentTypes))
           AND (tried_blob_id IS NOT blob_id OR tries = 0 OR tries < @triesMax
             AND tried_blob_id NOT IN (SELECT value FROM json_each(@resting)))
         LIMIT @limit`,
      ),
      casesWith: db
        .prepare<[string, number], number>(
          `SELECT c.seq FROM document_search s
             CROSS JOIN documents d ON d.number = s.rowid CROSS JOIN cases c ON c.id = d.case_id
           WHERE s.document_search MATCH ? ORDER BY s.rowid DESC LIMIT ?`,
        )
        .pluck(),
      foundIn: db.prepare<[string, string], FoundRow>(
        `SELECT d.case_id AS caseId, d.number, d.id, d.file_name AS fileName,
           iif(EXISTS (SELECT 1 FROM scanned_pages s WHERE s.number = d.number), d.layer_text, NULL)
             AS layerText
         FROM json_each(?) wanted CROSS JOIN documents d ON d.case_id = wanted.value
         WHERE d.number IN (SELECT rowid FROM document_search WHERE document_search MATCH ?)
         ORDER BY wanted.key, d.number`,
      ),
      textOf: db.prepare<[{ number: number; length: number }], { text: string }>(
        `SELECT substr(coalesce(layer_text, '') || ' ' || coalesce(
             (SELECT group_concat(s.text, ' ') FROM scanned_pages s WHERE s.number = d.number), ''
           ), 1, @length) AS text
         FROM documents d WHERE d.number = @number`,
      ),
    };
  }

  /** Adds a document with its name, and with its text if the text is known. */
  add(number: number | bigint, words: string): void {
    watched('index a document', words.length, () =>
      this.#statements.insert.run(number, wordsToIndex(words)),
    );
  }

  remove(number: number): void {
    this.#statements.delete.run(number);
  }

  /**
   * Stores the text of a content and the pages to be recognized. Null removes both and leaves the
   * name.
   */
  setText(caseId: string, id: string, read: ReadContent | null): void {
    this.#db.transaction(() => {
      const found = this.#statements.find.get(caseId, id);
      if (!found) return;
      const { number, fileName } = found;
      const {
        blobId = null,
        text = null,
        scannedPages = [],
        billPages = [],
        totals = [],
      } = read ?? {};
      this.estimates.set(number, read?.estimate ?? null);
      this.remove(number);
      this.add(number, [fileName, text].join(' '));
      this.#statements.setIndexed.run(blobId, text, number);
      this.#statements.removeScans.run(number);
      this.totals.remove(number);
      this.totals.add(number, totals);
      for (const page of scannedPages) this.#statements.insertScan.run(number, page, 0);
      for (const page of billPages) this.#statements.insertScan.run(number, page, 1);
    })();
  }

  /** Counts an attempt before a content is read; `setText` resets the count. */
  countTry(caseId: string, id: string, blobId: string): void {
    this.#statements.countTry.run({ caseId, id, blobId });
  }

  /** Takes the last attempt back, because it was interrupted through no fault of the content. */
  uncountTry(caseId: string, id: string): void {
    this.#statements.uncountTry.run(caseId, id);
  }

  /**
   * The contents on the laptop of these types whose text is unknown, with fewer than three
   * attempts.
   * @param query.resting contents that are left out if there was any attempt
   */
  unread(query: {
    readonly contentTypes: readonly string[];
    readonly resting: readonly string[];
    readonly limit: number;
  }): UnreadDocument[] {
    return this.#statements.unread.all({
      contentTypes: JSON.stringify(query.contentTypes),
      resting: JSON.stringify(query.resting),
      limit: query.limit,
      triesMax,
    });
  }

  /**
   * The `cases.seq` of the cases that have a document with all words, and whether these are all
   * such cases.
   * @param match see `searchExpression`
   */
  casesWith(match: string): { seqs: number[]; isWhole: boolean } {
    const hits = this.#statements.casesWith.all(match, hitsMax + 1);
    return { seqs: hits.slice(0, hitsMax), isWhole: hits.length <= hitsMax };
  }

  /**
   * The documents of these cases that have all of the words, by case. A case without one is absent.
   */
  foundIn(caseIds: readonly string[], q: string): ReadonlyMap<string, FoundDocument[]> {
    const match = searchExpression(q);
    const rows = match === null ? [] : this.#statements.foundIn.all(JSON.stringify(caseIds), match);
    const words = indexedWords(q);
    const found = rows.map(({ layerText, ...document }) => ({
      ...document,
      isRecognized:
        layerText !== null &&
        wordsFoundIn(indexedText(`${document.fileName} ${layerText}`), words).length < words.length,
    }));
    return Map.groupBy(found, ({ caseId }) => caseId);
  }

  /**
   * The words around a hit in the text of a found document. It is '' if the name has all words, or
   * if they are far behind in a long text.
   */
  placeIn({ number, fileName }: FoundDocument, q: string): string {
    const words = indexedWords(q);
    const inName = new Set(wordsFoundIn(indexedText(fileName), words));
    const wanted = words.filter((word) => !inName.has(word));
    if (wanted.length === 0) return '';
    const { text = '' } = this.#statements.textOf.get({ number, length: placeMaxLength }) ?? {};
    return watched('find the place in a document', text.length, () => placeOf(text, wanted));
  }
}

/** The number of characters of a document in which the place of a hit is looked for. */
const placeMaxLength = 100_000;

/**
 * The FTS5 expression of a search: every word of `q` must be the beginning of a word. It is null if
 * `q` has no words. The words are quoted, so that the user's text cannot use the syntax of FTS5.
 */
export function searchExpression(q: string): string | null {
  const words = indexedWords(q);
  return words.length === 0 ? null : words.map((word) => `"${word}"*`).join(' AND ');
}

/** A total and its page, counted from 1. */
export interface PageTotal extends FoundTotal {
  readonly page: number;
}

/** A QR-bill with the page on which it stands. */
export interface PageBill {
  readonly page: number;
  readonly box: PageBox;
  readonly bill: QrBill;
}

/** The most totals of a document that are stored. */
const totalsMax = 20;
/** The most totals of a case that are offered. */
const offeredMax = 20;

/** The totals in the documents on this laptop. */
export class DocumentTotals {
  readonly #statements;

  constructor(db: Database) {
    this.#statements = {
      insert: db.prepare<[number, number, number, string, string, number, string, 0 | 1, string]>(
        'INSERT OR IGNORE INTO document_totals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ),
      remove: db.prepare<[number]>('DELETE FROM document_totals WHERE number = ?'),
      of: db.prepare<[string, number], TotalRow>(
        `SELECT d.id AS documentId, d.file_name AS fileName, t.page, t.rappen, t.currency, t.label, t.rank, t.box,
           t.is_bill AS isBill, t.reference,
           s.page IS NOT NULL AS isRecognized
         FROM documents d JOIN document_totals t ON t.number = d.number
           LEFT JOIN scanned_pages s
             ON s.number = t.number AND s.page = t.page AND s.has_text = 0 AND t.is_bill = 0
         WHERE d.case_id = ? ORDER BY t.is_bill DESC, t.rank, d.number DESC, t.page DESC LIMIT ?`,
      ),
    };
  }

  /** @param number the row of the document */
  add(number: number, totals: readonly PageTotal[]): void {
    for (const { page, rappen, currency, label, rank, box } of totals.slice(0, totalsMax))
      this.#statements.insert.run(
        number,
        page,
        rappen,
        currency,
        visibleText(label),
        rank,
        JSON.stringify(box),
        0,
        '',
      );
  }

  /** Adds the amount of a QR-bill whose payload was checked. */
  addBill(number: number, { page, box, bill }: PageBill): void {
    const { rappen, currency, creditor } = bill;
    if (rappen === null || rappen > amountMaxRappen) return;
    const place = JSON.stringify(box);
    const reference = printedReference(bill);
    const label = visibleText(creditor);
    this.#statements.insert.run(number, page, rappen, currency, label, 0, place, 1, reference);
  }

  remove(number: number): void {
    this.#statements.remove.run(number);
  }

  /**
   * The totals in all documents of a case: first QR-bills, then totals with tax, and first those of
   * the newest document.
   */
  of(caseId: string): SuggestedTotal[] {
    return this.#statements.of
      .all(caseId, offeredMax)
      .map(({ box, isRecognized, isBill, ...total }) => ({
        ...total,
        isRecognized: isRecognized === 1,
        isBill: isBill === 1,
        // The cast is safe, because `add` wrote the value.
        box: JSON.parse(box) as SuggestedTotal['box'],
      }));
  }
}

type TotalRow = Omit<SuggestedTotal, 'box' | 'isRecognized' | 'isBill'> & {
  readonly box: string;
  readonly isRecognized: number;
  readonly isBill: number;
};

/** The lines of the estimates and invoices on this laptop. */
export class DocumentEstimates {
  readonly #statements;

  constructor(db: Database) {
    this.#statements = {
      insert: db.prepare<[number, string]>('INSERT INTO document_estimates VALUES (?, ?)'),
      remove: db.prepare<[number]>('DELETE FROM document_estimates WHERE number = ?'),
      of: db.prepare<[string], Omit<DocumentEstimate, 'estimate'> & { estimate: string }>(
        `SELECT d.id AS documentId, d.file_name AS fileName, e.estimate
         FROM documents d JOIN document_estimates e ON e.number = d.number
         WHERE d.case_id = ? ORDER BY d.position, d.number`,
      ),
    };
  }

  /** @param number the row of the document */
  set(number: number, estimate: Estimate | null): void {
    this.#statements.remove.run(number);
    if (estimate) this.#statements.insert.run(number, JSON.stringify(visibleJson(estimate)));
  }

  /** The documents of a case whose lines are known, in the order of the list. */
  of(caseId: string): DocumentEstimate[] {
    return this.#statements.of.all(caseId).map(({ estimate, ...document }) => ({
      ...document,
      estimate: estimateSchema.parse(JSON.parse(estimate)),
    }));
  }
}
