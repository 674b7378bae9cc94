import { watched } from '#main/log/long-work.ts';
import { wordsToIndex } from '#shared/lib/words.ts';
import { isSameId } from '#shared/api/conventions.ts';
import { digestPayload } from '#shared/payload/digest.ts';
import { aheadMs, timeOf } from '#shared/lib/timestamps.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';
import type { Database } from '../database/sqlite.ts';
import { OlderReadings, type ReadingTimes } from './older-readings.ts';
import { changesOf, changesSchema, type RecordChange } from './case-changes.ts';
import {
  digestColumns,
  keyColumns,
  recordOf,
  searchText,
  sentColumns,
  visibleInput,
  type CaseInput,
  type CaseRecord,
  type CaseRow,
  type GoneReason,
} from './case-records.ts';

/** The number of readings of a case whose changes are stored. */
const storedChangesMax = 200;
/** The number of values of `cases.seq` for each millisecond of LastChangedAt. */
export const seqPerMs = 1024;

/** The columns of `CaseRow`. */
const selectRows = `
  SELECT c.*,
    (SELECT count(*) FROM documents d WHERE d.case_id = c.id) AS document_count,
    (SELECT count(*) FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NOT NULL)
      AS documents_on_laptop`;

/**
 * The latest moment that has a separate number, because `cases.seq` must stay a safe integer. Later
 * moments share it.
 */
const latestSeqMs = Date.UTC(2200, 0);

type KnownRow = CaseRow & { seq: number; payload_json: string };

/** The cases that the server returned. */
export class CaseStore {
  readonly older: OlderReadings;
  readonly #db: Database;
  readonly #statements;
  /** The statement is prepared with the first row, whose members are its columns. */
  #upsertCase: ReturnType<Database['prepare']> | null = null;

  constructor(db: Database) {
    this.#db = db;
    this.older = new OlderReadings(db);
    this.#statements = prepareStatements(db);
  }

  /**
   * Stores cases as the server returned them. If a case is older than the stored one, it changes
   * nothing, unless the stored one is dated ahead of the server's time, or a second reading
   * confirms the older state.
   * @param times of the request, if it may count as such a reading
   * @returns the ids of the cases that are new or changed
   */
  upsert(cases: readonly CaseInput[], serverNowMs = Infinity, times?: ReadingTimes): string[] {
    return this.#db.transaction(() =>
      cases.flatMap((given) => {
        const id = this.#knownId(given.id);
        const isNews = watched('store a case', given.payloadJson.length, () =>
          this.#upsertOne(given, id, serverNowMs, times),
        );
        return isNews ? id : [];
      }),
    )();
  }

  #upsertOne(given: CaseInput, id: string, serverNowMs: number, times?: ReadingTimes): boolean {
    this.#statements.markReadable.run(given.id);
    const input = { ...visibleInput(given), id };
    const known = this.#statements.known.get(input.id);
    const sent = sentColumns(input);
    if (known) {
      const knownMs = timeOf(known.last_changed_at);
      if (timeOf(input.lastChangedAt) >= knownMs) this.older.forget(input.id);
      else if (knownMs <= serverNowMs + aheadMs) {
        if (!times || !this.older.isConfirmed(input.id, input.lastChangedAt, times)) return false;
      }
      if (isSame(known, sent, input.payloadJson)) return false;
    }
    const payload = parsePayload(input.payloadJson);
    if (known) {
      this.#saveChanges(input, changesOf(known, input, payload));
      this.#statements.deleteSearch.run(known.seq);
    }
    const digest = digestPayload(input.category, payload ?? input.payloadJson);
    const seq = this.#freeSeq(Math.min(timeOf(input.lastChangedAt), latestSeqMs));
    this.#upsertRow({
      id: input.id,
      seq,
      ...sent,
      ...digestColumns(digest),
      ...keyColumns(input, digest),
      gone_reason: null,
      gone_at: null,
    });
    this.#statements.upsertPayload.run(input.id, input.payloadJson);
    this.#statements.insertSearch.run(seq, wordsToIndex(searchText(input, digest)));
    return true;
  }

  /** A GUID may be in upper case in one answer and in lower case in another. */
  #knownId(id: string): string {
    const { isKnown } = this.#statements;
    const written = [id, id.toLowerCase(), id.toUpperCase()];
    return written.find((one) => isSameId(one, id) && isKnown.get(one)) ?? id;
  }

  #upsertRow(row: Readonly<Record<string, string | number | null>>): void {
    const names = Object.keys(row);
    this.#upsertCase ??= this.#db.prepare(
      `INSERT INTO cases (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})
       ON CONFLICT (id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join()}`,
    );
    this.#upsertCase.run(row);
  }

  #saveChanges({ id, lastChangedAt }: CaseInput, changes: readonly RecordChange[]): void {
    if (changes.length === 0) return;
    this.#statements.insertChanges.run(id, lastChangedAt, JSON.stringify(changes));
    this.#statements.deleteOldChanges.run({ id, max: storedChangesMax });
  }

  /** The changes from one reading of a case to the next, newest first. */
  history(id: string): { at: string; changes: RecordChange[] }[] {
    return this.#statements.changes
      .all(id)
      .map(({ at, changes }) => ({ at, changes: changesSchema.parse(JSON.parse(changes)) }));
  }

  /**
   * The first free number at this moment. Several cases of one moment (an import) get consecutive
   * numbers.
   */
  #freeSeq(ms: number): number {
    for (let start = ms * seqPerMs; ; start += seqPerMs) {
      const last = this.#statements.lastSeq.get(start, start + seqPerMs) ?? null;
      if (last === null) return start;
      if (last + 1 < start + seqPerMs) return last + 1;
    }
  }

  /** Finds a case by its id, or by an ExternalKey that only one case has. */
  find(ref: string): CaseRecord | null {
    const row = this.#statements.byId.get(ref);
    if (row) return recordOf(row);
    const [found, second] = this.#statements.byExternalKey.all(ref);
    return found && !second ? recordOf(found) : null;
  }

  /** The status of a case, without the rest of its record. */
  statusOf(id: string): string | null {
    return this.#statements.status.get(id) ?? null;
  }

  /** The number of cases with this ExternalKey. */
  countOfKey(externalKey: string): number {
    return this.#statements.countOfKey.get(externalKey) ?? 0;
  }

  /** The records with these ids, in the order of the ids. */
  byIds(ids: readonly string[]): CaseRecord[] {
    return this.#statements.byIds.all(JSON.stringify(ids)).map(recordOf);
  }

  payloadJson(id: string): string {
    return this.#statements.payload.get(id) ?? '';
  }

  /** Marks a case that a direct read no longer returns, with the reason. The case stays stored. */
  markGone(id: string, reason: GoneReason, atMs: number): boolean {
    return this.#statements.markGone.run(reason, Math.round(atMs), id, reason).changes > 0;
  }

  /** Removes the mark, because a direct read returned the case again. */
  markBack(id: string): boolean {
    return this.#statements.markBack.run(id).changes > 0;
  }

  /**
   * The cases in these statuses whose last change is before a moment, and those that the partner no
   * longer returned before it.
   */
  pastSince(ms: number, statuses: readonly string[]): string[] {
    const find = this.#db.prepare<[number, string, number], string>(
      `SELECT id FROM cases
       WHERE seq < ? AND status IN (SELECT value FROM json_each(?)) OR gone_at < ?`,
    );
    return find.pluck().all(Math.round(ms * seqPerMs), JSON.stringify(statuses), ms);
  }

  /**
   * Removes cases with all their data in the cache. @returns the contents that may be unused now
   */
  remove(caseIds: readonly string[]): string[] {
    return this.#db.transaction(() => {
      const ids = JSON.stringify(caseIds);
      const ofCases = 'IN (SELECT value FROM json_each(?))';
      const documents = this.#db
        .prepare<[string], { number: number; blobId: string | null }>(
          `SELECT number, blob_id AS blobId FROM documents WHERE case_id ${ofCases}`,
        )
        .all(ids);
      const unindex = this.#db.prepare('DELETE FROM document_search WHERE rowid = ?');
      for (const { number } of documents) unindex.run(number);
      const seqs = this.#db
        .prepare<[string], number>(`SELECT seq FROM cases WHERE id ${ofCases}`)
        .pluck();
      for (const seq of seqs.all(ids)) this.#statements.deleteSearch.run(seq);
      for (const table of [
        'documents',
        'reports',
        'case_changes',
        'case_payloads',
        'unreadable_records',
        'older_readings',
      ])
        this.#db.prepare(`DELETE FROM ${table} WHERE case_id ${ofCases}`).run(ids);
      this.#db.prepare(`DELETE FROM cases WHERE id ${ofCases}`).run(ids);
      return [...new Set(documents.flatMap(({ blobId }) => blobId ?? []))];
    })();
  }

  count(): number {
    return this.#statements.count.get() ?? 0;
  }

  /**
   * The number of cases that are dated ahead of the server's time, with the external key of the
   * first.
   */
  ahead(serverNowMs: number): { count: number; externalKey: string | null } {
    const found = this.#statements.ahead.get((serverNowMs + aheadMs) * seqPerMs);
    return found ?? { count: 0, externalKey: null };
  }
}

function prepareStatements(db: Database) {
  return {
    known: db.prepare<[string], KnownRow>(
      `SELECT c.*, p.payload_json FROM cases c JOIN case_payloads p ON p.case_id = c.id
       WHERE c.id = ?`,
    ),
    isKnown: db.prepare<[string], 1>('SELECT 1 FROM cases WHERE id = ?').pluck(),
    byId: db.prepare<[string], CaseRow>(`${selectRows} FROM cases c WHERE c.id = ?`),
    byExternalKey: db.prepare<[string], CaseRow>(
      `${selectRows} FROM cases c WHERE c.external_key = ? LIMIT 2`,
    ),
    status: db.prepare<[string], string>('SELECT status FROM cases WHERE id = ?').pluck(),
    countOfKey: db
      .prepare<[string], number>('SELECT count(*) FROM cases WHERE external_key = ?')
      .pluck(),
    byIds: db.prepare<[string], CaseRow>(
      `${selectRows} FROM json_each(?) wanted CROSS JOIN cases c ON c.id = wanted.value
       ORDER BY wanted.key`,
    ),
    payload: db
      .prepare<[string], string>('SELECT payload_json FROM case_payloads WHERE case_id = ?')
      .pluck(),
    lastSeq: db
      .prepare<[number, number], number | null>(
        'SELECT max(seq) FROM cases WHERE seq >= ? AND seq < ?',
      )
      .pluck(),
    upsertPayload: db.prepare<[string, string]>(
      `INSERT INTO case_payloads VALUES (?, ?)
       ON CONFLICT DO UPDATE SET payload_json = excluded.payload_json`,
    ),
    insertChanges: db.prepare<[string, string, string]>(
      'INSERT INTO case_changes (case_id, at, changes) VALUES (?, ?, ?)',
    ),
    deleteOldChanges: db.prepare<[{ id: string; max: number }]>(
      `DELETE FROM case_changes WHERE case_id = @id AND id NOT IN (
         SELECT id FROM case_changes WHERE case_id = @id ORDER BY id DESC LIMIT @max)`,
    ),
    changes: db.prepare<[string], { at: string; changes: string }>(
      'SELECT at, changes FROM case_changes WHERE case_id = ? ORDER BY id DESC',
    ),
    insertSearch: db.prepare<[number, string]>(
      'INSERT INTO case_search (rowid, text) VALUES (?, ?)',
    ),
    deleteSearch: db.prepare<[number]>('DELETE FROM case_search WHERE rowid = ?'),
    markGone: db.prepare<[string, number, string, string]>(
      `UPDATE cases SET gone_reason = ?, gone_at = coalesce(gone_at, ?)
       WHERE id = ? AND gone_reason IS NOT ?`,
    ),
    markBack: db.prepare<[string]>(
      `UPDATE cases SET gone_reason = NULL, gone_at = NULL
       WHERE id = ? AND gone_reason IS NOT NULL`,
    ),
    count: db.prepare<[], number>('SELECT count(*) FROM cases').pluck(),
    markReadable: db.prepare<[string]>(
      "DELETE FROM unreadable_records WHERE list = 'cases' AND id = ?",
    ),
    ahead: db.prepare<[number], { count: number; externalKey: string | null }>(
      'SELECT count(*) AS count, min(external_key) AS externalKey FROM cases WHERE seq > ?',
    ),
  };
}

function isSame(
  known: KnownRow,
  sent: ReturnType<typeof sentColumns>,
  payloadJson: string,
): boolean {
  const stored: Readonly<Record<string, unknown>> = known;
  return (
    known.gone_reason === null &&
    known.payload_json === payloadJson &&
    Object.entries(sent).every(([name, value]) => stored[name] === value)
  );
}
