import { watched } from '#main/log/long-work.ts';
import { searchMaxLength } from '#shared/payload/digest.ts';
import type { CaseHit } from '#shared/desk/cases/cases.ts';
import { indexedText, indexedWords, wordsFoundIn } from '#shared/lib/words.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import type { Database } from '../database/sqlite.ts';
import { type DocumentIndex, searchExpression } from './document-index.ts';
import type { CaseRecord } from './case-records.ts';
import { excerptAround } from './place-of-words.ts';

/** Finds cases by the words of the cases and of their documents. */
export class CaseSearch {
  readonly #documents: DocumentIndex;
  readonly #clear;
  readonly #insertCases;
  readonly #insertFound;
  readonly #insertIds;
  /** Returns the ids of further cases for a search, by data that are not in the cache. */
  also: (q: string) => readonly string[] = () => [];

  constructor(db: Database, documents: DocumentIndex) {
    this.#documents = documents;
    // The table is in memory (temp_store). It is filled once for the page and its counts.
    db.exec('CREATE TEMP TABLE hits (seq INTEGER PRIMARY KEY)');
    this.#clear = db.prepare('DELETE FROM temp.hits');
    this.#insertCases = db.prepare<[string]>(
      'INSERT INTO temp.hits SELECT rowid FROM case_search WHERE case_search MATCH ?',
    );
    this.#insertFound = db.prepare<[string]>(
      'INSERT OR IGNORE INTO temp.hits SELECT value FROM json_each(?)',
    );
    this.#insertIds = db.prepare<[string]>(
      `INSERT OR IGNORE INTO temp.hits
       SELECT seq FROM cases WHERE id IN (SELECT value FROM json_each(?))`,
    );
  }

  /**
   * Fills `temp.hits` with the `cases.seq` of the cases that have all words of `q`, that have a
   * document with all of them, or that are among the further ones.
   * @returns null, and no hits, if `q` has no words; `isWhole` is false if more documents match
   *   than a search reads
   */
  find(q = ''): { isWhole: boolean } | null {
    const match = searchExpression(q);
    if (match === null) return null;
    const { seqs, isWhole } = this.#documents.casesWith(match);
    this.#clear.run();
    this.#insertCases.run(match);
    this.#insertFound.run(JSON.stringify(seqs));
    this.#insertIds.run(JSON.stringify(this.also(q)));
    return { isWhole };
  }
}

/** The most hits of a case that are shown. More would explain nothing. */
const hitsMax = 2;
/** The most texts of a payload that are searched. No ordinary payload has as many. */
const textsMax = 2000;
/** The number of characters that are searched in a payload that cannot be parsed. */
const unreadableMaxLength = 20_000;

/**
 * The places in a case that contain the words of a search. Values that the row in the list shows
 * (key, party, subject, plate, place) are left out, because the window marks them itself.
 */
export const searchHits = (
  record: CaseRecord,
  payloadJson: string,
  q: string,
  note: string,
): CaseHit[] =>
  watched('find words in a case', payloadJson.length, () => hitsOf(record, payloadJson, q, note));

function hitsOf(record: CaseRecord, payloadJson: string, q: string, note: string): CaseHit[] {
  let open = indexedWords(q);
  const explain = (text: string): boolean => {
    const found = wordsFoundIn(indexedText(text), open);
    open = open.filter((word) => !found.includes(word));
    return found.length > 0;
  };
  for (const shown of [
    record.externalKey,
    record.partyName,
    record.subject,
    record.licensePlate,
    record.place,
  ]) {
    explain(shown);
  }
  const hits: CaseHit[] = [];
  // The search covers the fields that the partner limits, and as much of the payload as is in the
  // index.
  let left = 2 * searchMaxLength;
  for (const { text, ...place } of textsOf(record, payloadJson, note)) {
    if (open.length === 0 || hits.length === hitsMax || left <= 0) break;
    const wanted = open;
    const searched = text.slice(0, left);
    left -= text.length;
    if (explain(searched)) hits.push({ ...place, text: excerptAround(searched, wanted) });
  }
  return hits;
}

type Place = Pick<CaseHit, 'field' | 'section'>;

function* textsOf(
  record: CaseRecord,
  payloadJson: string,
  note: string,
): Generator<Place & { text: string }> {
  yield { field: 'insurer', text: record.insurer.name };
  yield { field: 'responsible', text: record.insurer.responsible.name };
  yield { field: 'comment', text: record.expertComment };
  yield { field: 'note', text: note };
  const payload = parsePayload(payloadJson);
  if (payload === null) yield { field: 'payload', text: payloadJson.slice(0, unreadableMaxLength) };
  const rest: { readonly place: Place; readonly value: unknown }[] = [
    { place: { field: '' }, value: payload },
  ];
  for (let count = 0; rest.length > 0 && count < textsMax; count += 1) {
    const { place, value } = rest.pop() ?? { place: { field: '' }, value: null };
    if (typeof value === 'string' || typeof value === 'number')
      yield { ...place, text: String(value) };
    else if (typeof value === 'object' && value !== null) {
      // The members of a list are found under the name of the list.
      const inner = Array.isArray(value)
        ? value.map((each: unknown) => ({ place, value: each }))
        : Object.entries(value).map(([field, each]: [string, unknown]) => ({
            place: { field, ...sectionOf(place) },
            value: each,
          }));
      rest.push(...inner.slice(0, textsMax).reverse());
    }
  }
}

/** The top member of the payload that contains a place; empty at the top itself. */
const sectionOf = ({ field, section }: Place): Pick<Place, 'section'> =>
  field === '' ? {} : { section: section ?? field };
