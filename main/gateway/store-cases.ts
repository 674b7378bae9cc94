import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import { caseAnswer } from '../engine/client/answers.ts';
import { searchText } from '../front/search-text.ts';
import type { CasesTable, GatewayTables } from './tables.ts';

/** A case as the partner sent it, checked as tolerantly as the desk does. */
export const partnerCase = z.looseObject({}).transform((raw, context) => {
  const found = caseAnswer.safeParse(raw);
  if (found.success) return { raw, fields: found.data };
  context.issues.push({ code: 'custom', message: 'is no case', input: null });
  return z.NEVER;
});
type PartnerCase = z.output<typeof partnerCase>;

/**
 * Stores cases as the partner has them now. A changed case gets a LastChangedAt that no client can
 * have seen yet; one that is as it was keeps its own.
 * @param db the transaction
 * @returns how many have changed
 */
export async function storeCases(
  db: Kysely<GatewayTables>,
  clock: Clock,
  cases: readonly PartnerCase[],
): Promise<number> {
  if (cases.length === 0) return 0;
  const known = new Map(
    (
      await db
        .selectFrom('cases')
        .select(['id', 'body_json', 'partner_changed_at', 'gone'])
        .where(
          'id',
          'in',
          cases.map(({ fields }) => fields.id),
        )
        .execute()
    ).map((row) => [row.id, row]),
  );
  const changedAt = await nextChangeAt(db, clock);
  let changed = 0;
  for (const { raw, fields } of cases) {
    const body = { ...raw };
    delete body['LastChangedAt'];
    const bodyJson = JSON.stringify(body);
    const before = known.get(fields.id);
    const isSame =
      before?.body_json === bodyJson &&
      before.partner_changed_at === fields.lastChangedAt &&
      before.gone === 0;
    if (isSame) continue;
    changed++;
    const payload = payloadOf(fields.payloadJson);
    const row = {
      external_key: fields.externalKey,
      category: fields.category,
      status: fields.status,
      inspection_type: payload.inspectionType,
      postal_code: payload.location.postalCode,
      responsible: fields.insurer.responsible.name,
      created_at: Date.parse(fields.createdAt),
      changed_at: changedAt,
      partner_changed_at: fields.lastChangedAt,
      body_json: bodyJson,
      search_text: searchText(fields.externalKey, payload.whole),
      gone: 0,
    };
    await db
      .insertInto('cases')
      .values({ id: fields.id, ...row, unsure: null, documents_as_of: null, reports_as_of: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    if (!before) await assignByRules(db, { id: fields.id, ...row });
  }
  return changed;
}

type RuledCase = Pick<CasesTable, 'id' | 'category' | 'postal_code' | 'responsible'>;

/** Assigns a new case to the clients whose rules it meets. @param db the transaction */
async function assignByRules(db: Kysely<GatewayTables>, found: RuledCase): Promise<void> {
  const rules = await db.selectFrom('rules').selectAll().execute();
  const clients = rules
    .filter(
      (rule) =>
        (rule.category === '' || rule.category === found.category) &&
        (rule.responsible === '' || rule.responsible === found.responsible) &&
        (rule.postal_from === '' || rule.postal_from <= found.postal_code) &&
        (rule.postal_to === '' ||
          (found.postal_code !== '' && found.postal_code <= rule.postal_to)),
    )
    .map((rule) => rule.client_id);
  for (const clientId of new Set(clients)) {
    await db.insertInto('assignments').values({ case_id: found.id, client_id: clientId }).execute();
  }
}

/** A time after every change so far: a client's cursor would miss an earlier one for good. */
export async function nextChangeAt(db: Kysely<GatewayTables>, clock: Clock): Promise<number> {
  const { last } = await db
    .selectFrom('cases')
    .select(({ fn }) => fn.max<number | null>('changed_at').as('last'))
    .executeTakeFirstOrThrow();
  return Math.max(clock.now(), (last ?? 0) + 1);
}

const textOrEmpty = z.string().catch('');
const payloadSchema = z
  .object({
    inspectionType: textOrEmpty,
    location: z.object({ postalCode: textOrEmpty }).catch({ postalCode: '' }),
  })
  .catch({ inspectionType: '', location: { postalCode: '' } });

function payloadOf(json: string) {
  let whole: unknown;
  try {
    whole = JSON.parse(json);
  } catch {
    whole = null;
  }
  return { whole, ...payloadSchema.parse(whole) };
}
