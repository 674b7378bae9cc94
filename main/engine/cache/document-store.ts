import type { Database } from '../database/sqlite.ts';
import { placesPerMs } from './case-store.ts';
import { DocumentIndex } from './document-index.ts';

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
  /** Of the content on this laptop; null where it is not here. */
  readonly blobId: string | null;
}

/** A case whose documents have to be brought here, wholly or in part. */
export interface CaseToFetch {
  readonly caseId: string;
  /** The list itself is missing or older than the case's last change. */
  readonly listIsStale: boolean;
}

interface DocumentRow {
  case_id: string;
  id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  created_at: string;
  blob_id: string | null;
}

/** A content on this laptop, with what tells how long it stays. */
export interface KeptContent {
  readonly caseId: string;
  readonly id: string;
  readonly blobId: string;
  readonly sizeBytes: number;
  readonly status: string;
  readonly inspectionDate: string | null;
  /** The case's last change, ms. */
  readonly changedAtMs: number;
}

/** The documents that the server listed, and which of them are on the laptop. */
export class DocumentStore {
  /** Words of the documents, for the search. */
  readonly index: DocumentIndex;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.index = new DocumentIndex(db);
  }

  /**
   * Replaces the list of a case; contents that are here already stay where the document is still
   * the same one.
   * @param lastChangedAt of the case when the list was asked for
   */
  replaceList(
    caseId: string,
    documents: readonly DocumentInput[],
    read: { listedAt: string; lastChangedAt: string },
  ): void {
    this.#db.transaction(() => {
      const before = new Map(this.list(caseId).items.map((item) => [item.id, item]));
      this.#db.prepare('DELETE FROM documents WHERE case_id = ?').run(caseId);
      const insert = this.#db.prepare(
        'INSERT OR IGNORE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      );
      documents.forEach((document, position) => {
        const { id, fileName, contentType, sizeBytes, createdAt } = document;
        const known = before.get(id);
        const blobId = known?.sizeBytes === sizeBytes ? known.blobId : null;
        insert.run(caseId, id, position, fileName, contentType, sizeBytes, createdAt, blobId);
      });
      this.index.setNames(caseId, documents);
      for (const { id, blobId } of before.values()) {
        if (blobId !== null && this.find(caseId, id)?.blobId === null) {
          this.index.setText(caseId, id, null);
        }
      }
      this.#db
        .prepare('UPDATE cases SET documents_listed_at = ?, documents_listed_for = ? WHERE id = ?')
        .run(read.listedAt, read.lastChangedAt, caseId);
    })();
  }

  list(caseId: string): { items: DocumentRecord[]; listedAt: string | null } {
    const rows = this.#db
      .prepare<[string], DocumentRow>('SELECT * FROM documents WHERE case_id = ? ORDER BY position')
      .all(caseId);
    const state = this.#db
      .prepare<[string], { documents_listed_at: string | null }>(
        'SELECT documents_listed_at FROM cases WHERE id = ?',
      )
      .get(caseId);
    return { items: rows.map(recordOf), listedAt: state?.documents_listed_at ?? null };
  }

  find(caseId: string, id: string): DocumentRecord | null {
    const row = this.#db
      .prepare<[string, string], DocumentRow>(
        'SELECT * FROM documents WHERE case_id = ? AND id = ?',
      )
      .get(caseId, id);
    return row ? recordOf(row) : null;
  }

  /** Names the content of a document, or forgets it (null) where it turned out damaged. */
  setBlob(caseId: string, id: string, blobId: string | null): void {
    this.#db.transaction(() => {
      this.#db
        .prepare('UPDATE documents SET blob_id = ? WHERE case_id = ? AND id = ?')
        .run(blobId, caseId, id);
      if (blobId === null) this.index.setText(caseId, id, null);
    })();
  }

  /** Documents of a case whose content is not here. */
  missing(caseId: string): DocumentRecord[] {
    return this.list(caseId).items.filter(({ blobId }) => blobId === null);
  }

  /** How many contents of these cases are not here. */
  countMissing(caseIds: readonly string[]): number {
    const found = this.#db
      .prepare<[string], { count: number }>(
        `SELECT count(*) AS count FROM json_each(?) wanted
           JOIN documents d ON d.case_id = wanted.value WHERE d.blob_id IS NULL`,
      )
      .get(JSON.stringify(caseIds));
    return found?.count ?? 0;
  }

  /**
   * Cases that something is missing of, those inspected soonest first, then the newest.
   * @param due first and last inspection day (YYYY-MM-DD) that make a case due, beside the
   * statuses that do; null asks for every case
   * @param closed cases in these statuses are left out if they changed last before the moment (ms)
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
           AND NOT (c.seq < @closedBefore
             AND c.status IN (SELECT value FROM json_each(@closedStatuses)))
           AND (c.documents_listed_for IS NOT c.last_changed_at OR EXISTS (
             SELECT 1 FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NULL))
         ORDER BY c.inspection_date >= @today DESC, c.inspection_date, c.seq DESC`,
      )
      .all({
        today: due?.from ?? '',
        closedBefore: Math.round((closed?.beforeMs ?? 0) * placesPerMs),
        closedStatuses: JSON.stringify(closed?.statuses ?? []),
        ...(due && { from: due.from, to: due.to, statuses: JSON.stringify(due.statuses) }),
      })
      .map(({ id, stale }) => ({ caseId: id, listIsStale: stale === 1 }));
  }

  /** Every content on this laptop. */
  kept(): KeptContent[] {
    return this.#db
      .prepare<[number], KeptContent>(
        `SELECT d.case_id AS caseId, d.id, d.blob_id AS blobId, d.size_bytes AS sizeBytes, c.status,
           c.inspection_date AS inspectionDate, c.seq / ? AS changedAtMs
         FROM documents d JOIN cases c ON c.id = d.case_id WHERE d.blob_id IS NOT NULL`,
      )
      .all(placesPerMs);
  }

  /** Whether any document has this content. */
  isNamed(blobId: string): boolean {
    return this.#db.prepare('SELECT 1 FROM documents WHERE blob_id = ?').get(blobId) !== undefined;
  }

  blobIds(): Set<string> {
    const rows = this.#db
      .prepare<[], { blob_id: string }>(
        'SELECT DISTINCT blob_id FROM documents WHERE blob_id IS NOT NULL',
      )
      .all();
    return new Set(rows.map(({ blob_id }) => blob_id));
  }
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
