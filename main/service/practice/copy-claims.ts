import { sql, type Kysely } from 'kysely';
import { inspectionTypeOf } from '#shared/payload/inspection-type.ts';
import { searchText } from '../../front/search-text.ts';
import { isPostgres } from '../../front/store/store.ts';
import { externalKey } from '../claims/create-claim.ts';
import type {
  ClaimDocumentsTable,
  ClaimPayloadsTable,
  ClaimsTable,
  Database,
  SubmissionDocumentsTable,
  SubmissionsTable,
} from '../store/tables.ts';
import type { ClaimPlan } from './plan.ts';

/*
 * Practice claims in large numbers: the records of an example under ids, numbers and times of their
 * own. The contents of documents are shared. No operation deletes them, because a document can only
 * be deleted from a draft, and no practice claim has one.
 */

interface EventRow {
  readonly claim_id: string;
  readonly position: number;
  readonly at: number;
  readonly name: string;
  readonly by: string;
  readonly detail: string;
}

/** A claim with all its records, as the operations have written them. */
export interface Example {
  readonly claim: ClaimsTable;
  readonly events: readonly EventRow[];
  readonly submissions: readonly SubmissionsTable[];
  readonly claimDocuments: readonly ClaimDocumentsTable[];
  readonly submissionDocuments: readonly SubmissionDocumentsTable[];
}

/** A further claim that is not written yet. */
export interface CopiedClaim extends Example {
  readonly payload: Omit<ClaimPayloadsTable, 'payload_literal'> & {
    readonly payload_literal: string;
  };
}

export async function loadExample(db: Kysely<Database>, id: string): Promise<Example> {
  const ofClaim = sql<boolean>`claim_id = ${id}`;
  return {
    claim: await db.selectFrom('claims').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    events: await db.selectFrom('events').selectAll().where(ofClaim).execute(),
    submissions: await db.selectFrom('submissions').selectAll().where(ofClaim).execute(),
    claimDocuments: await db.selectFrom('claim_documents').selectAll().where(ofClaim).execute(),
    submissionDocuments: await db
      .selectFrom('submission_documents')
      .selectAll()
      .where(ofClaim)
      .execute(),
  };
}

/** @param number the number of the new claim */
export function copyClaim(
  example: Example,
  { id, history, draft, random }: ClaimPlan,
  number: number,
): CopiedClaim {
  const ids = newIds(example, id, random.fork('copy'));
  const idOf = (old: string) => ids.get(old) ?? old;
  const { claim } = example;
  const lastAt = Math.max(history.createdAt, history.steps.at(-1)?.at ?? 0);
  const timeOf = newTimes(example, history.createdAt, lastAt);
  const orNull = (at: number | null) => (at === null ? null : timeOf(at));
  const key = externalKey(number, history.createdAt);
  const payloadJson = JSON.stringify(draft.payload);
  const document = <Row extends ClaimDocumentsTable>(row: Row): Row => ({
    ...row,
    id: idOf(row.id),
    claim_id: id,
    file_name: row.file_name.replace(claim.external_key, key),
    created_at: timeOf(row.created_at),
  });
  return {
    claim: {
      ...claim,
      number,
      id,
      external_key: key,
      inspection_type: inspectionTypeOf(claim.category, draft.payload),
      hail_drive_in_accepted: draft.hailDriveIn ? 1 : 0,
      created_at: timeOf(claim.created_at),
      last_changed_at: timeOf(claim.last_changed_at),
      completed_at: orNull(claim.completed_at),
      last_report_approved_at: orNull(claim.last_report_approved_at),
    },
    payload: {
      claim_number: number,
      payload_literal: JSON.stringify(payloadJson),
      search_text: searchText(key, draft.payload),
    },
    events: example.events.map((event) => ({
      ...event,
      claim_id: id,
      at: timeOf(event.at),
      detail: idOf(event.detail),
    })),
    submissions: example.submissions.map((submission) => ({
      ...submission,
      id: idOf(submission.id),
      claim_id: id,
      submitted_at: orNull(submission.submitted_at),
      created_at: timeOf(submission.created_at),
      updated_at: timeOf(submission.updated_at),
    })),
    claimDocuments: example.claimDocuments.map(document),
    submissionDocuments: example.submissionDocuments.map((row) => ({
      ...document(row),
      submission_id: idOf(row.submission_id),
    })),
  };
}

function newIds(example: Example, id: string, random: ClaimPlan['random']): Map<string, string> {
  const { claim, submissions, claimDocuments, submissionDocuments } = example;
  const records = [...submissions, ...claimDocuments, ...submissionDocuments];
  return new Map([[claim.id, id], ...records.map((row) => [row.id, random.uuid()] as const)]);
}

/**
 * The times of an example stretched between two others, in the same order. As in the example, no
 * two changes have the same time.
 */
function newTimes(
  { claim, events }: Example,
  firstAt: number,
  lastAt: number,
): (at: number) => number {
  const times = [...new Set([claim.created_at, ...events.map(({ at }) => at)])].toSorted(
    (one, other) => one - other,
  );
  const [from = 0, to = 0] = [times.at(0), times.at(-1)];
  const ratio = to > from ? (lastAt - firstAt) / (to - from) : 0;
  const stretched = new Map<number, number>();
  let before = firstAt - 1;
  for (const at of times) {
    before = Math.max(before + 1, firstAt + Math.floor((at - from) * ratio));
    stretched.set(at, before);
  }
  return (at) => {
    const found = stretched.get(at);
    if (found === undefined) throw new Error('a record was changed without an event');
    return found;
  };
}

/** Writes claims with all their records, in the transaction `db`. */
export async function insertCopies(
  db: Kysely<Database>,
  copies: readonly CopiedClaim[],
): Promise<void> {
  const last = copies.at(-1);
  if (!last) return;
  const bytes = isPostgres(db)
    ? (text: string) => `\\x${Buffer.from(text).toString('hex')}`
    : String;
  await insertRows(
    db,
    'claims',
    copies.map(({ claim }) => claim),
  );
  await insertRows(
    db,
    'claim_payloads',
    copies.map(({ payload }) => ({ ...payload, payload_literal: bytes(payload.payload_literal) })),
  );
  await insertRows(
    db,
    'events',
    copies.flatMap(({ events }) => events),
  );
  await insertRows(
    db,
    'submissions',
    copies.flatMap(({ submissions }) => submissions),
  );
  await insertRows(
    db,
    'claim_documents',
    copies.flatMap((copy) => copy.claimDocuments),
  );
  await insertRows(
    db,
    'submission_documents',
    copies.flatMap((copy) => copy.submissionDocuments),
  );
  await db
    .updateTable('counters')
    .set({ value: last.claim.number })
    .where('name', '=', 'claims')
    .execute();
}

/**
 * Inserts rows of equal members, which the database reads from one JSON text. It takes a fraction
 * of the time of a statement with a parameter for each value.
 */
async function insertRows(
  db: Kysely<Database>,
  table: keyof Database,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const json = JSON.stringify(rows);
  if (isPostgres(db)) {
    await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
      from json_populate_recordset(null::${sql.table(table)}, ${json})`.execute(db);
    return;
  }
  const values = names.map((name) => {
    const value = sql`value ->> ${sql.lit(`$.${name}`)}`;
    return name === 'payload_literal' ? sql`cast(${value} as blob)` : value;
  });
  await sql`insert into ${sql.table(table)} (${columns}) select ${sql.join(values)}
    from json_each(${json})`.execute(db);
}
