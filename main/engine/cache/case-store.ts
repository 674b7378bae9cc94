import { savingsRappen } from '#shared/lib/money.ts';
import { digestPayload } from '#shared/payload/digest.ts';
import type { Database } from '../database/sqlite.ts';
import {
  recordOf,
  type CaseInput,
  type CaseRecord,
  type CaseRow,
  type GoneReason,
} from './case-records.ts';
import { changesOf, changesSchema, type RecordChange } from './case-changes.ts';
import type { Facets } from './facets.ts';
import { joinedForms } from './search-terms.ts';
import { categoryRank, sortKey, statusRank } from './sort-key.ts';

/** Readings of a case whose changes are kept. */
const changesKept = 200;
/** Places per millisecond of LastChangedAt, see the first migration. */
export const placesPerMs = 1024;

/** What `CaseRow` has; a row has a third more, which only the database sorts by. */
const columns = `
  c.id, c.seq, c.external_key, c.category, c.status, c.created_at, c.updated_at, c.last_changed_at,
  c.expert_comment, c.archive_state, c.hail_drive_in_accepted, c.insurer_name, c.responsible_name,
  c.responsible_email, c.responsible_phone, c.cost_estimate_rappen, c.approved_rappen,
  c.policy_number, c.claim_type, c.inspection_type, c.inspection_date, c.incident_date,
  c.party_name, c.place, c.license_plate, c.subject, c.gone_reason, c.documents_listed_at,
  (SELECT count(*) FROM documents d WHERE d.case_id = c.id) AS document_count,
  (SELECT count(*) FROM documents d WHERE d.case_id = c.id AND d.blob_id IS NOT NULL)
    AS documents_on_laptop`;

/** The cases that the server told of. */
export class CaseStore {
  readonly #db: Database;
  readonly #facets: Facets;
  readonly #statements;

  constructor(db: Database, facets: Facets) {
    this.#db = db;
    this.#facets = facets;
    this.#statements = prepareStatements(db);
  }

  /**
   * Stores cases as the server gave them. One that is older than what is known already (an answer
   * overtaken by another) changes nothing.
   * @returns ids of the cases that are new or different now
   */
  upsert(cases: readonly CaseInput[]): string[] {
    try {
      return this.#db.transaction(() =>
        cases.filter((input) => this.#upsertOne(input)).map((input) => input.id),
      )();
    } catch (error) {
      this.#facets.forget();
      throw error;
    }
  }

  #upsertOne(input: CaseInput): boolean {
    const known = this.#statements.known.get(input.id);
    if (known) {
      if (timeOf(input.lastChangedAt) < timeOf(known.last_changed_at)) return false;
      if (isSame(known, input)) return false;
      this.#keepChanges(known, input);
      this.#statements.deleteEntry.run(known.seq);
      this.#statements.deleteSearch.run(known.seq);
      this.#facets.delete(known.seq);
    }
    const payload = parseObject(input.payloadJson);
    const digest = digestPayload(input.category, payload);
    const seq = this.#freePlace(timeOf(input.lastChangedAt));
    const { responsible } = input.insurer;
    this.#statements.upsertCase.run({
      ...input,
      ...digest,
      seq,
      archiveState: Number(input.archiveState),
      hailDriveInAccepted: Number(input.hailDriveInAccepted),
      insurerName: input.insurer.name,
      statusRank: statusRank(input.status),
      categoryRank: categoryRank(input.category),
      savingsRappen: savingsRappen(input.costEstimateRappen, input.approvedRappen),
      partyKey: sortKey(digest.partyName),
      subjectKey: sortKey(digest.subject),
      plateKey: sortKey(digest.licensePlate),
      placeKey: sortKey(digest.place),
      insurerKey: sortKey(input.insurer.name),
      policyKey: sortKey(digest.policyNumber),
      inspectionTypeKey: sortKey(digest.inspectionType),
      responsibleName: responsible.name,
      responsibleEmail: responsible.email,
      responsiblePhone: responsible.phone,
    });
    this.#statements.upsertPayload.run(input.id, input.payloadJson);
    this.#statements.insertEntry.run(
      seq,
      input.status,
      input.category,
      digest.inspectionType,
      input.createdAt,
      digest.inspectionDate,
      input.externalKey,
    );
    const { status, category } = input;
    this.#facets.set(seq, { status, category, inspectionType: digest.inspectionType });
    this.#statements.insertSearch.run(
      seq,
      [
        input.externalKey,
        joinedForms(input.externalKey, digest.licensePlate, digest.policyNumber),
        input.insurer.name,
        responsible.name,
        input.expertComment,
        digest.searchText,
      ].join(' '),
    );
    return true;
  }

  #keepChanges(known: CaseRow & { payload_json: string }, input: CaseInput): void {
    const changes = changesOf(known, input);
    if (changes.length === 0) return;
    this.#statements.insertChanges.run(input.id, input.lastChangedAt, JSON.stringify(changes));
    this.#statements.forgetOldChanges.run({ id: input.id, kept: changesKept });
  }

  /** What changed from one reading of a case to the next, newest first. */
  history(id: string): { at: string; changes: RecordChange[] }[] {
    return this.#statements.changes
      .all(id)
      .map(({ at, changes }) => ({ at, changes: changesSchema.parse(JSON.parse(changes)) }));
  }

  /** The first free place at this moment; records of one moment (an import) stand one by one. */
  #freePlace(ms: number): number {
    for (let start = ms * placesPerMs; ; start += placesPerMs) {
      const last = this.#statements.lastPlace.get(start, start + placesPerMs)?.seq ?? null;
      if (last === null) return start;
      if (last + 1 < start + placesPerMs) return last + 1;
    }
  }

  /** By uuid or ExternalKey; the newest where a server gave one key twice. */
  find(ref: string): CaseRecord | null {
    const row = this.#statements.byId.get(ref) ?? this.#statements.byExternalKey.get(ref);
    return row ? recordOf(row) : null;
  }

  /** The records at these places, in the order of the places. */
  atPlaces(places: readonly number[]): CaseRecord[] {
    const rows = this.#statements.byPlaces.all(JSON.stringify(places));
    const byPlace = new Map(rows.map((row) => [row.seq, row]));
    return places.flatMap((seq) => {
      const row = byPlace.get(seq);
      return row ? [recordOf(row)] : [];
    });
  }

  /** Ids of the cases at these places, in the order of the places. */
  idsAt(places: readonly number[]): string[] {
    return this.#statements.idsAt.all(JSON.stringify(places));
  }

  payloadJson(id: string): string {
    return this.#statements.payload.get(id)?.payload_json ?? '';
  }

  /** Keeps a case that a direct read no longer gives, with the reason. */
  markGone(id: string, reason: GoneReason): boolean {
    return this.#statements.markGone.run(reason, id, reason).changes > 0;
  }

  /** A direct read gave the case again. */
  markBack(id: string): boolean {
    return this.#statements.markBack.run(id).changes > 0;
  }

  count(): number {
    return this.#statements.count.get()?.count ?? 0;
  }
}

function prepareStatements(db: Database) {
  return {
    known: db.prepare<[string], CaseRow & { payload_json: string }>(
      `SELECT c.*, p.payload_json FROM cases c JOIN case_payloads p ON p.case_id = c.id
       WHERE c.id = ?`,
    ),
    byId: db.prepare<[string], CaseRow>(`SELECT ${columns} FROM cases c WHERE c.id = ?`),
    byExternalKey: db.prepare<[string], CaseRow>(
      `SELECT ${columns} FROM cases c WHERE c.external_key = ? ORDER BY c.seq DESC LIMIT 1`,
    ),
    byPlaces: db.prepare<[string], CaseRow>(
      `SELECT ${columns} FROM json_each(?) place JOIN cases c ON c.seq = place.value`,
    ),
    idsAt: db
      .prepare<[string], string>(
        'SELECT c.id FROM json_each(?) place CROSS JOIN cases c ON c.seq = place.value ORDER BY place.key',
      )
      .pluck(),
    payload: db.prepare<[string], { payload_json: string }>(
      'SELECT payload_json FROM case_payloads WHERE case_id = ?',
    ),
    lastPlace: db.prepare<[number, number], { seq: number | null }>(
      'SELECT max(seq) AS seq FROM case_entries WHERE seq >= ? AND seq < ?',
    ),
    upsertCase: db.prepare(`
      INSERT INTO cases (
        id, seq, external_key, category, status, created_at, updated_at, last_changed_at,
        expert_comment, archive_state, hail_drive_in_accepted, insurer_name, responsible_name,
        responsible_email, responsible_phone, cost_estimate_rappen, approved_rappen, policy_number,
        claim_type, inspection_type, inspection_date, incident_date, party_name, place,
        license_plate, subject, status_rank, category_rank, savings_rappen, party_key,
        subject_key, plate_key, place_key, insurer_key, policy_key, inspection_type_key
      ) VALUES (
        @id, @seq, @externalKey, @category, @status, @createdAt, @updatedAt, @lastChangedAt,
        @expertComment, @archiveState, @hailDriveInAccepted, @insurerName, @responsibleName,
        @responsibleEmail, @responsiblePhone, @costEstimateRappen, @approvedRappen, @policyNumber,
        @claimType, @inspectionType, @inspectionDate, @incidentDate, @partyName, @place,
        @licensePlate, @subject, @statusRank, @categoryRank, @savingsRappen, @partyKey,
        @subjectKey, @plateKey, @placeKey, @insurerKey, @policyKey, @inspectionTypeKey
      )
      ON CONFLICT (id) DO UPDATE SET
        seq = excluded.seq, external_key = excluded.external_key, category = excluded.category,
        status = excluded.status, created_at = excluded.created_at,
        updated_at = excluded.updated_at, last_changed_at = excluded.last_changed_at,
        expert_comment = excluded.expert_comment, archive_state = excluded.archive_state,
        hail_drive_in_accepted = excluded.hail_drive_in_accepted,
        insurer_name = excluded.insurer_name, responsible_name = excluded.responsible_name,
        responsible_email = excluded.responsible_email,
        responsible_phone = excluded.responsible_phone,
        cost_estimate_rappen = excluded.cost_estimate_rappen,
        approved_rappen = excluded.approved_rappen, policy_number = excluded.policy_number,
        claim_type = excluded.claim_type, inspection_type = excluded.inspection_type,
        inspection_date = excluded.inspection_date, incident_date = excluded.incident_date,
        party_name = excluded.party_name, place = excluded.place,
        license_plate = excluded.license_plate, subject = excluded.subject,
        status_rank = excluded.status_rank, category_rank = excluded.category_rank,
        savings_rappen = excluded.savings_rappen, party_key = excluded.party_key,
        subject_key = excluded.subject_key, plate_key = excluded.plate_key, place_key = excluded.place_key,
        insurer_key = excluded.insurer_key, policy_key = excluded.policy_key,
        inspection_type_key = excluded.inspection_type_key, gone_reason = NULL
    `),
    upsertPayload: db.prepare<[string, string]>(
      `INSERT INTO case_payloads VALUES (?, ?)
       ON CONFLICT DO UPDATE SET payload_json = excluded.payload_json`,
    ),
    insertChanges: db.prepare<[string, string, string]>(
      'INSERT INTO case_changes (case_id, at, changes) VALUES (?, ?, ?)',
    ),
    forgetOldChanges: db.prepare<[{ id: string; kept: number }]>(
      `DELETE FROM case_changes WHERE case_id = @id AND id NOT IN (
         SELECT id FROM case_changes WHERE case_id = @id ORDER BY id DESC LIMIT @kept)`,
    ),
    changes: db.prepare<[string], { at: string; changes: string }>(
      'SELECT at, changes FROM case_changes WHERE case_id = ? ORDER BY id DESC',
    ),
    insertEntry: db.prepare<[number, string, string, string, string, string | null, string]>(
      'INSERT INTO case_entries VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    deleteEntry: db.prepare<[number]>('DELETE FROM case_entries WHERE seq = ?'),
    insertSearch: db.prepare<[number, string]>(
      'INSERT INTO case_search (rowid, text) VALUES (?, ?)',
    ),
    deleteSearch: db.prepare<[number]>('DELETE FROM case_search WHERE rowid = ?'),
    markGone: db.prepare<[string, string, string]>(
      'UPDATE cases SET gone_reason = ? WHERE id = ? AND gone_reason IS NOT ?',
    ),
    markBack: db.prepare<[string]>(
      'UPDATE cases SET gone_reason = NULL WHERE id = ? AND gone_reason IS NOT NULL',
    ),
    count: db.prepare<[], { count: number }>(
      'SELECT coalesce(sum(count), 0) AS count FROM case_counts',
    ),
  };
}

function isSame(known: CaseRow & { payload_json: string }, input: CaseInput): boolean {
  return (
    known.gone_reason === null &&
    known.last_changed_at === input.lastChangedAt &&
    known.updated_at === input.updatedAt &&
    known.created_at === input.createdAt &&
    known.external_key === input.externalKey &&
    known.category === input.category &&
    known.status === input.status &&
    known.expert_comment === input.expertComment &&
    known.archive_state === Number(input.archiveState) &&
    known.hail_drive_in_accepted === Number(input.hailDriveInAccepted) &&
    known.insurer_name === input.insurer.name &&
    known.responsible_name === input.insurer.responsible.name &&
    known.responsible_email === input.insurer.responsible.email &&
    known.responsible_phone === input.insurer.responsible.phone &&
    known.cost_estimate_rappen === input.costEstimateRappen &&
    known.approved_rappen === input.approvedRappen &&
    known.payload_json === input.payloadJson
  );
}

/** Milliseconds since 1970; a moment without a zone is UTC, one that cannot be read is 1970. */
export function timeOf(text: string): number {
  const zoned = /(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** The payload as an object; null where the text is anything else. */
export function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
