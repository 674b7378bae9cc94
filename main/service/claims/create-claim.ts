import type { Kysely } from 'kysely';
import type { Category } from '#shared/api/case-words.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { inspectionTypeOf } from '#shared/payload/inspection-type.ts';
import { type Act, recordEvent } from './change-claim.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';
import { searchText } from '../../front/search-text.ts';

export interface NewClaim {
  readonly id: string;
  readonly category: Category;
  /** The JSON text of an object. It is stored and returned byte for byte. */
  readonly payloadJson: string;
  readonly insurerOrganizationId: string;
  readonly hailDriveInAccepted?: boolean;
}

/** Creates a claim in the state Created, in the transaction `db`. The payload is not checked here. */
export async function createClaim(
  db: Kysely<Database>,
  claim: NewClaim,
  act: Act,
): Promise<ClaimsTable> {
  const number = await nextNumber(db);
  const payload: unknown = JSON.parse(claim.payloadJson);
  const row: ClaimsTable = {
    number,
    id: claim.id,
    external_key: externalKey(number, act.at),
    category: claim.category,
    status: 'Created',
    insurer_organization_id: claim.insurerOrganizationId,
    expert_organization_id: null,
    inspection_type: inspectionTypeOf(claim.category, payload),
    expert_comment: '',
    archived: 0,
    hail_drive_in_accepted: claim.hailDriveInAccepted === true ? 1 : 0,
    cost_estimate_rappen: null,
    approved_rappen: null,
    created_at: act.at,
    last_changed_at: act.at,
    completed_at: null,
    last_report_approved_at: null,
  };
  await db.insertInto('claims').values(row).execute();
  await db
    .insertInto('claim_payloads')
    .values({
      claim_number: number,
      payload_literal: Buffer.from(JSON.stringify(claim.payloadJson)),
      search_text: searchText(row.external_key, payload),
    })
    .execute();
  await recordEvent(db, row.id, { name: 'Created', detail: '', at: act.at, by: act.by });
  return row;
}

/** The counter is in a table, because SQLite has no sequences. */
async function nextNumber(db: Kysely<Database>): Promise<number> {
  const { value } = await db
    .insertInto('counters')
    .values({ name: 'claims', value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

/** The key: SF (Schadenfall), the year in Zurich, and the claim's number. */
export function externalKey(number: number, at: number): string {
  return `SF-${zurichDay(at).slice(0, 4)}-${String(number).padStart(6, '0')}`;
}
