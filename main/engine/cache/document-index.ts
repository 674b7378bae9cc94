import type { Database } from '../database/sqlite.ts';
import { SearchVocabulary } from './search-vocabulary.ts';

/** A content whose text is not in the index yet. */
export interface UnreadDocument {
  readonly caseId: string;
  readonly id: string;
  readonly contentType: string;
  readonly blobId: string;
}

interface UnreadInput {
  readonly contentTypes: readonly string[];
  readonly resting: readonly string[];
  readonly limit: number;
}

/**
 * Hits in documents that a search looks at, so that it stays quick at each key: those in the
 * documents that were entered here last, whatever the age of their cases.
 */
const placesMax = 1000;

/** Tries to read a content that came to nothing, or that the process did not live through. */
const triesMax = 3;

/** Words of the documents' names and texts, apart from the cases' own. */
export class DocumentIndex {
  readonly #statements;
  readonly #vocabulary: SearchVocabulary;

  constructor(db: Database) {
    this.#vocabulary = new SearchVocabulary(db, 'document_search');
    this.#statements = {
      ofCase: db.prepare<[string], { place: number; id: string; fileName: string }>(
        `SELECT place, document_id AS id, file_name AS fileName FROM document_texts
         WHERE case_id = ?`,
      ),
      find: db.prepare<[string, string], { place: number; fileName: string }>(
        `SELECT place, file_name AS fileName FROM document_texts
         WHERE case_id = ? AND document_id = ?`,
      ),
      insert: db.prepare<[{ caseId: string; id: string; fileName: string }]>(
        `INSERT INTO document_texts (case_id, document_id, file_name, case_place)
         SELECT @caseId, @id, @fileName, seq FROM cases WHERE id = @caseId`,
      ),
      remove: db.prepare<[number]>('DELETE FROM document_texts WHERE place = ?'),
      setTextOf: db.prepare<[string | null, number]>(
        'UPDATE document_texts SET text_of = ?, tried = NULL, tries = 0 WHERE place = ?',
      ),
      countTry: db.prepare<[{ caseId: string; id: string; blobId: string }]>(
        `UPDATE document_texts SET tries = iif(tried IS @blobId, tries, 0) + 1, tried = @blobId
         WHERE case_id = @caseId AND document_id = @id`,
      ),
      uncountTry: db.prepare<[string, string]>(
        'UPDATE document_texts SET tries = tries - 1 WHERE case_id = ? AND document_id = ?',
      ),
      enter: db.prepare<[number, string]>(
        'INSERT INTO document_search (rowid, text) VALUES (?, ?)',
      ),
      leave: db.prepare<[number]>('DELETE FROM document_search WHERE rowid = ?'),
      unread: db.prepare<
        [{ contentTypes: string; resting: string; limit: number; triesMax: number }],
        UnreadDocument
      >(
        `SELECT d.case_id AS caseId, d.id, d.content_type AS contentType, d.blob_id AS blobId
         FROM documents d
           JOIN document_texts t ON t.case_id = d.case_id AND t.document_id = d.id
         WHERE d.blob_id IS NOT NULL AND t.text_of IS NOT d.blob_id
           AND d.content_type IN (SELECT value FROM json_each(@contentTypes))
           AND (t.tried IS NOT d.blob_id OR t.tries = 0 OR t.tries < @triesMax
             AND t.tried NOT IN (SELECT value FROM json_each(@resting)))
         LIMIT @limit`,
      ),
      places: db
        .prepare<[string, number], number>(
          `SELECT t.case_place FROM document_search s CROSS JOIN document_texts t ON t.place = s.rowid
           WHERE s.document_search MATCH ? ORDER BY s.rowid DESC LIMIT ?`,
        )
        .pluck(),
      // The hits are found once, not again for each document of the cases.
      foundIn: db.prepare<[string, string], { caseId: string; id: string; fileName: string }>(
        `SELECT t.case_id AS caseId, t.document_id AS id, t.file_name AS fileName
         FROM json_each(?) wanted CROSS JOIN document_texts t ON t.case_id = wanted.value
         WHERE t.place IN (SELECT rowid FROM document_search WHERE document_search MATCH ?)
         ORDER BY wanted.key, t.place`,
      ),
    };
  }

  /** The documents of a case are these now; the text of one that stays is kept. */
  setNames(caseId: string, documents: readonly { id: string; fileName: string }[]): void {
    const wanted = new Map(documents.map(({ id, fileName }) => [id, fileName]));
    for (const { place, id, fileName } of this.#statements.ofCase.all(caseId)) {
      if (wanted.get(id) === fileName) {
        wanted.delete(id);
        continue;
      }
      this.#statements.leave.run(place);
      this.#statements.remove.run(place);
    }
    for (const [id, fileName] of wanted) {
      const { lastInsertRowid } = this.#statements.insert.run({ caseId, id, fileName });
      this.#statements.enter.run(Number(lastInsertRowid), fileName);
    }
  }

  /** Enters what a content says; null takes it out again, and leaves the name. */
  setText(caseId: string, id: string, read: { blobId: string; text: string } | null): void {
    const found = this.#statements.find.get(caseId, id);
    if (!found) return;
    const { place, fileName } = found;
    this.#statements.leave.run(place);
    this.#statements.enter.run(place, `${fileName} ${read?.text ?? ''}`);
    this.#statements.setTextOf.run(read?.blobId ?? null, place);
  }

  /** Notes that a content is about to be read; `setText` forgets it again. */
  countTry(caseId: string, id: string, blobId: string): void {
    this.#statements.countTry.run({ caseId, id, blobId });
  }

  /** Takes the last try back: it was broken off through no fault of the content. */
  uncountTry(caseId: string, id: string): void {
    this.#statements.uncountTry.run(caseId, id);
  }

  /**
   * Contents on the laptop of these types whose text is not known, and which were not tried three
   * times.
   * @param resting contents that are left out if they were tried at all
   */
  unread({ contentTypes, resting, limit }: UnreadInput): UnreadDocument[] {
    return this.#statements.unread.all({
      contentTypes: JSON.stringify(contentTypes),
      resting: JSON.stringify(resting),
      limit,
      triesMax,
    });
  }

  /**
   * Places of the cases that have a document with all of the words, oldest first, and whether these
   * are all of them.
   */
  places(q: string): { places: number[]; isWhole: boolean } {
    const match = this.#vocabulary.expression(q);
    const hits = match === null ? [] : this.#statements.places.all(match, placesMax + 1);
    const places = new Set(hits.slice(0, placesMax));
    return { places: [...places].sort((a, b) => a - b), isWhole: hits.length <= placesMax };
  }

  /** Which documents of these cases have all of the words, by case; none where it has none. */
  foundIn(
    caseIds: readonly string[],
    q: string,
  ): ReadonlyMap<string, { id: string; fileName: string }[]> {
    const match = this.#vocabulary.expression(q);
    const rows = match === null ? [] : this.#statements.foundIn.all(JSON.stringify(caseIds), match);
    return Map.groupBy(rows, ({ caseId }) => caseId);
  }
}
