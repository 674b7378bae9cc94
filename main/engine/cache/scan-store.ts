import type {
  RecognizedPage,
  ScanFault,
  ScannedDocument,
  ScannedPage,
} from '#shared/desk/reports/scans.ts';
import { pageTextMax } from '#shared/desk/reports/scans.ts';
import { parseQrBill } from '#shared/lib/qr-bill.ts';
import type { Database } from '../database/sqlite.ts';
import type { DocumentIndex } from './document-index.ts';

type DocumentRef = Pick<ScannedPage, 'caseId' | 'documentId'>;

/**
 * The number of attempts to recognize a page. The limit stops a page that makes the window crash.
 */
const triesMax = 3;
/** The most characters of all pages of a document, as for a PDF with text. */
const charsMax = 10 * pageTextMax;

/** The pages without text of the contents on this laptop, and their recognized text. */
export class ScanStore {
  readonly #db: Database;
  readonly #index: DocumentIndex;
  readonly #statements;

  constructor(db: Database, index: DocumentIndex) {
    this.#db = db;
    this.#index = index;
    this.#statements = prepare(db);
  }

  /**
   * The page to look at next: QR-bills, then the newest documents first, and PDFs before photos;
   * null if none is left. It counts the attempt.
   * @param asked the document that the user chose; its pages are tried again even after three
   *   attempts
   * @param billsOf the case of which only the pages with a QR-bill are meant
   */
  next(asked?: DocumentRef, billsOf?: string): ScannedPage | null {
    return this.#db.transaction(() => {
      const found = this.#statements.next.get({
        caseId: asked?.caseId ?? null,
        documentId: asked?.documentId ?? null,
        billsOf: billsOf ?? null,
        triesMax,
      });
      if (!found) return null;
      const { number, hasText, ...page } = found;
      this.#statements.countTry.run(number, page.page);
      return { ...page, hasText: hasText === 1 };
    })();
  }

  /** Adds the text of a page to the search. @returns whether the content is still this one */
  recognize({ text, totals, bills = [], pages = 1, ...page }: RecognizedPage): boolean {
    return this.#db.transaction(() => {
      const document = this.#statements.document.get(page);
      if (!document) return false;
      const { number, fileName, layerText } = document;
      if (this.#statements.setText.run(text, number, page.page).changes === 0) return false;
      for (let other = 2; other <= pages; other += 1) this.#statements.insert.run(number, other);
      this.#index.totals.add(
        number,
        totals.map((total) => ({ ...total, page: page.page })),
      );
      for (const { payload, box } of bills) {
        const bill = parseQrBill(payload);
        if (bill) this.#index.totals.addBill(number, { page: page.page, box, bill });
      }
      if (page.hasText) return true;
      const texts = this.#statements.texts.all(number);
      const words = [fileName, layerText ?? '', ...texts].join(' ').slice(0, charsMax);
      this.#index.remove(number);
      this.#index.add(number, words);
      return true;
    })();
  }

  /** Stores why a page cannot be recognized, so that it is not tried again. */
  refuse(page: ScannedPage, fault: ScanFault): boolean {
    const document = this.#statements.document.get(page);
    if (!document) return false;
    return this.#statements.setFault.run(fault, document.number, page.page).changes > 0;
  }

  /** The documents of a case that have pages without text. */
  of(caseId: string): ScannedDocument[] {
    return this.#statements.ofCase.all({ caseId, triesMax });
  }

  /** The number of pages that are still to be recognized. */
  countWaiting(): number {
    return this.#statements.countWaiting.get({ triesMax }) ?? 0;
  }
}

const isWaiting = 's.text IS NULL AND s.fault IS NULL AND s.tries < @triesMax';

function prepare(db: Database) {
  return {
    next: db.prepare<
      [
        {
          caseId: string | null;
          documentId: string | null;
          billsOf: string | null;
          triesMax: number;
        },
      ],
      Omit<ScannedPage, 'hasText'> & { number: number; hasText: number }
    >(
      `SELECT s.number, s.page, d.case_id AS caseId, d.id AS documentId, d.blob_id AS contentId,
         d.content_type AS contentType, s.has_text AS hasText
       FROM scanned_pages s CROSS JOIN documents d ON d.number = s.number
       WHERE s.text IS NULL AND s.fault IS NULL
         AND iif(@documentId IS NULL, s.tries < @triesMax,
           d.case_id = @caseId AND d.id = @documentId)
         AND (@billsOf IS NULL OR s.has_text = 1 AND d.case_id = @billsOf)
       ORDER BY s.tries >= @triesMax, s.has_text DESC, d.content_type <> 'application/pdf', s.number DESC, s.page
       LIMIT 1`,
    ),
    countTry: db.prepare<[number, number]>(
      'UPDATE scanned_pages SET tries = tries + 1 WHERE number = ? AND page = ?',
    ),
    document: db.prepare<
      [Pick<ScannedPage, 'caseId' | 'documentId' | 'contentId'>],
      { number: number; fileName: string; layerText: string | null }
    >(
      `SELECT number, file_name AS fileName, layer_text AS layerText FROM documents
       WHERE case_id = @caseId AND id = @documentId AND blob_id = @contentId`,
    ),
    setText: db.prepare<[string, number, number]>(
      'UPDATE scanned_pages SET text = ?, fault = NULL WHERE number = ? AND page = ?',
    ),
    setFault: db.prepare<[string, number, number]>(
      'UPDATE scanned_pages SET fault = ? WHERE number = ? AND page = ? AND text IS NULL',
    ),
    insert: db.prepare<[number, number]>(
      'INSERT OR IGNORE INTO scanned_pages (number, page) VALUES (?, ?)',
    ),
    texts: db
      .prepare<[number], string>(
        'SELECT text FROM scanned_pages WHERE number = ? AND text IS NOT NULL ORDER BY page',
      )
      .pluck(),
    ofCase: db.prepare<[{ caseId: string; triesMax: number }], ScannedDocument>(
      `SELECT d.id AS documentId, sum(${isWaiting}) AS waiting,
         ifnull(sum(s.text <> ''), 0) AS recognized, ifnull(sum(s.text = ''), 0) AS blank,
         sum(s.text IS NULL AND NOT (${isWaiting})) AS refused,
         max(iif(s.text IS NOT NULL OR ${isWaiting}, NULL, coalesce(s.fault, 'gave_up'))) AS fault
       FROM documents d JOIN scanned_pages s ON s.number = d.number
       WHERE d.case_id = @caseId AND s.has_text = 0 GROUP BY d.number ORDER BY d.position`,
    ),
    countWaiting: db
      .prepare<[{ triesMax: number }], number>(
        `SELECT count(*) FROM scanned_pages s WHERE s.has_text = 0 AND ${isWaiting}`,
      )
      .pluck(),
  };
}
