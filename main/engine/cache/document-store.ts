import type { Database } from '../database/sqlite.ts';
import { seqPerMs } from './case-store.ts';
import { DocumentIndex } from './document-index.ts';
import { ownCondition } from './own-cases.ts';
import { ScanStore } from './scan-store.ts';
import { visibleText } from '#shared/lib/visible-text.ts';

/** A document of a case, as the server listed it. */
export interface DocumentInput {
  readonly id: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

export interface DocumentRecord extends DocumentInput {
  readonly caseId: string;
  /** The content on this laptop; null if it is not stored. */
  readonly blobId: string | null;
}

/** A case whose list of documents or contents must be fetched. */
export interface CaseToFetch {
  readonly caseId: string;
  /** Whether the list is missing or older than the case's last change. */
  readonly listIsStale: boolean;
}

interface DocumentRow {
  number: number;
  case_id: string;
  id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  created_at: string;
  blob_id: string | null;
}

type ListedRow = DocumentInput & { readonly caseId: string; readonly position: number };

/** A content on this laptop, with the values that decide how long it stays. */
export interface StoredContent {
  readonly caseId: string;
  readonly id: string;
  readonly blobId: string;
  readonly sizeBytes: number;
  readonly status: string;
  readonly inspectionDate: string | null;
  /** The time of the case's last change, in ms. */
  readonly changedAtMs: number;
}

/** The documents that the server listed, and which of them are on the laptop. */
export class DocumentStore {
  /** Words of the documents, for the search. */
  readonly index: DocumentIndex;
  readonly scans: ScanStore;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.index = new DocumentIndex(db);
    this.scans = new ScanStore(db, this.index);
  }

  /**
   * Replaces the list of a case. If a document is still the same, its content and its text in the
   * search stay.
   * @param lastChangedAt the case's, when the list was requested
   */
  replaceList(
    caseId: string,
    documents: readonly DocumentInput[],
    read: { listedAt: string; lastChangedAt: string },
  ): void {
    const wanted = new Map(
      documents.map((document) => [
        document.id,
        {
          ...document,
          fileName: visibleText(document.fileName),
          contentType: visibleText(document.contentType),
        },
      ]),
    );
    this.#db.transaction(() => {
      const before = new Map(this.#rows(caseId).map((row) => [row.id, row]));
      for (const row of before.values()) {
        if (!isSame(row, wanted.get(row.id))) this.#remove(row.number);
      }
      for (const [position, document] of [...wanted.values()].entries()) {
        const known = before.get(document.id);
        const row = { ...document, caseId, position };
        if (known && isSame(known, document)) this.#update(row);
        else this.#insert(row, known?.size_bytes === document.sizeBytes ? known.blob_id : null);
      }
      this.#db
        .prepare('UPDATE cases SET documents_listed_at = ?, documents_listed_for = ? WHERE id = ?')
        .run(read.listedAt, read.lastChangedAt, caseId);
    })();
  }

  #rows(caseId: string): DocumentRow[] {
    return this.#db
      .prepare<[string], DocumentRow>('SELECT * FROM documents WHERE case_id = ? ORDER BY position')
      .all(caseId);
  }

  #insert(row: ListedRow, blobId: string | null): void {
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO documents
           (case_id, id, position, file_name, content_type, size_bytes, created_at, blob_id)
         VALUES (@caseId, @id, @position, @fileName, @contentType, @sizeBytes, @createdAt, @blobId)`,
      )
      .run({ ...row, blobId });
    this.index.add(lastInsertRowid, row.fileName);
  }

  #update(row: ListedRow): void {
    this.#db
      .prepare(
        `UPDATE documents SET position = @position, content_type = @contentType,
           created_at = @createdAt
         WHERE case_id = @caseId AND id = @id`,
      )
      .run(row);
  }

  #remove(number: number): void {
    this.index.remove(number);
    this.#db.prepare('DELETE FROM documents WHERE number = ?').run(number);
  }

  list(caseId: string): { items: DocumentRecord[]; listedAt: string | null } {
    const listedAt = this.#db
      .prepare<[string], string | null>('SELECT documents_listed_at FROM cases WHERE id = ?')
      .pluck()
      .get(caseId);
    return { items: this.#rows(caseId).map(recordOf), listedAt: listedAt ?? null };
  }

  find(caseId: string, id: string): DocumentRecord | null {
    const row = this.#db
      .prepare<[string, string], DocumentRow>(
        'SELECT * FROM documents WHERE case_id = ? AND id = ?',
      )
      .get(caseId, id);
    return row ? recordOf(row) : null;
  }

  /** Sets the content of a document, which also gives its size, or removes it (null). */
  setBlob(caseId: string, id: string, blobId: string | null, sizeBytes?: number): void {
    this.#db.transaction(() => {
      this.#db
        .prepare(
          `UPDATE documents SET blob_id = ?, size_bytes = coalesce(?, size_bytes)
           WHERE case_id = ? AND id = ?`,
        )
        .run(blobId, sizeBytes ?? null, caseId, id);
      if (blobId === null) this.index.setText(caseId, id, null);
    })();
  }

  /** The documents of a case whose content is not on this laptop. */
  missing(caseId: string): DocumentRecord[] {
    return this.list(caseId).items.filter(({ blobId }) => blobId === null);
  }

  /** The number of contents of these cases that are not on this laptop. */
  countMissing(caseIds: readonly string[]): number {
    const count = this.#db
      .prepare<[string], number>(
        `SELECT count(*) FROM json_each(?) wanted
           JOIN documents d ON d.case_id = wanted.value WHERE d.blob_id IS NULL`,
      )
      .pluck();
    return count.get(JSON.stringify(caseIds)) ?? 0;
  }

  /**
   * The cases with missing documents: first those with the earliest inspection, then the newest.
   * @param due the first and last inspection day (YYYY-MM-DD) that make a case due, in addition to
   *   its status; null selects every case
   * @param closed statuses with a moment (ms): cases in them whose last change was before it are
   *   left out
   */
  casesToFetch(
    due: { from: string; to: string; statuses: readonly string[] } | null,
    closed: { statuses: readonly string[]; beforeMs: number } | null,
  ): CaseToFetch[] {
    const filter =
      due === null
        ? ''
        : `AND (c.status IN (SELECT value FROM json_each(@statuses))
               OR c.inspection_date BETWEEN @from AND @to)`;
    return this.#db
      .prepare<[Record<string, string | number>], { id: string; stale: number }>(
        `SELECT c.id, c.documents_listed_for IS NOT c.last_changed_at AS stale FROM cases c
         WHERE c.gone_reason IS NULL ${filter}
           AND ${due === null ? 'TRUE' : ownCondition}
           AND NOT (c.seq < @closedBefore
             AND c.status IN (SELECT value FROM json_each(@closedStatuses)))
           AND (c.documents_listed_for IS NOT c.last_changed_at OR EXISTS (
             SELECT 1 FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NULL))
         ORDER BY c.inspection_date >= @today DESC, c.inspection_date, c.seq DESC`,
      )
      .all({
        today: due?.from ?? '',
        closedBefore: Math.round((closed?.beforeMs ?? 0) * seqPerMs),
        closedStatuses: JSON.stringify(closed?.statuses ?? []),
        ...(due && { from: due.from, to: due.to, statuses: JSON.stringify(due.statuses) }),
      })
      .map(({ id, stale }) => ({ caseId: id, listIsStale: stale === 1 }));
  }

  /** These cases in their order, with whether the list of each must be read again. */
  staleOf(caseIds: readonly string[]): CaseToFetch[] {
    return this.#db
      .prepare<[string], { id: string; stale: number }>(
        `SELECT c.id, c.documents_listed_for IS NOT c.last_changed_at AS stale
         FROM json_each(?) wanted JOIN cases c ON c.id = wanted.value ORDER BY wanted.key`,
      )
      .all(JSON.stringify(caseIds))
      .map(({ id, stale }) => ({ caseId: id, listIsStale: stale === 1 }));
  }

  /** Those of the cases whose list was never read. */
  neverListed(caseIds: readonly string[]): Set<string> {
    const ids = this.#db
      .prepare<[string], string>(
        `SELECT c.id FROM json_each(?) wanted JOIN cases c ON c.id = wanted.value
         WHERE c.documents_listed_at IS NULL`,
      )
      .pluck();
    return new Set(ids.all(JSON.stringify(caseIds)));
  }

  /** The number of lists that were read, and of the documents in them. */
  countListed(): { lists: number; documents: number } {
    const counts = this.#db
      .prepare<[], { lists: number; documents: number }>(
        `SELECT (SELECT count(*) FROM cases WHERE documents_listed_at IS NOT NULL) AS lists,
           (SELECT count(*) FROM documents) AS documents`,
      )
      .get();
    return counts ?? { lists: 0, documents: 0 };
  }

  /** Every content on this laptop. */
  storedContents(): StoredContent[] {
    return this.#db
      .prepare<[number], StoredContent>(
        `SELECT d.case_id AS caseId, d.id, d.blob_id AS blobId, d.size_bytes AS sizeBytes, c.status,
           c.inspection_date AS inspectionDate, c.seq / ? AS changedAtMs
         FROM documents d JOIN cases c ON c.id = d.case_id WHERE d.blob_id IS NOT NULL`,
      )
      .all(seqPerMs);
  }

  /** Whether any document has this content. */
  isNamed(blobId: string): boolean {
    return this.#db.prepare('SELECT 1 FROM documents WHERE blob_id = ?').get(blobId) !== undefined;
  }

  blobIds(): Set<string> {
    const blobIds = this.#db
      .prepare<[], string>('SELECT blob_id FROM documents WHERE blob_id IS NOT NULL')
      .pluck();
    return new Set(blobIds.all());
  }
}

/**
 * Whether a listed document is the stored one, so that its content and its text are still valid.
 */
function isSame(row: DocumentRow, document: DocumentInput | undefined): boolean {
  if (row.file_name !== document?.fileName) return false;
  return document.sizeBytes === 0 || row.size_bytes === document.sizeBytes;
}

function recordOf(row: DocumentRow): DocumentRecord {
  return {
    caseId: row.case_id,
    id: row.id,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at,
    blobId: row.blob_id,
  };
}
