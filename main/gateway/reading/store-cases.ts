import type { Kysely } from 'kysely';
import { z } from 'zod';
import { isSameId, opaqueIdSchema } from '#shared/api/conventions.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { inspectionTypeOf } from '#shared/payload/inspection-type.ts';
import { searchText } from '../../front/search-text.ts';
import type { CasesTable, GatewayTables } from '../tables.ts';

const textOrEmpty = z.string().catch('');
const timeOrNull = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .nullable()
  .catch(null);

const caseSchema = z.looseObject({
  Id: opaqueIdSchema,
  ExternalKey: textOrEmpty,
  Category: textOrEmpty,
  Status: textOrEmpty,
  PayloadJson: textOrEmpty,
  CreatedAt: timeOrNull,
  UpdatedAt: timeOrNull,
  LastChangedAt: timeOrNull,
  Insurer: z
    .object({ Responsible: z.object({ Name: textOrEmpty }) })
    .catch({ Responsible: { Name: '' } }),
});

/**
 * A case from the partner. Only its id is checked; the rest is passed on unchanged, and the laptop
 * reports what it cannot read.
 */
export const partnerCase = z.looseObject({}).transform((raw, context) => {
  const found = caseSchema.safeParse(raw);
  if (found.success) return { raw, fields: found.data };
  context.issues.push({ code: 'custom', message: 'is no case', input: null });
  return z.NEVER;
});
type PartnerCase = z.output<typeof partnerCase>;

/** Checks the answer to X2. An answer about another case is invalid. */
export const partnerCaseOf = (id: string) =>
  partnerCase.refine(({ fields }) => isSameId(fields.Id, id), { path: ['Id'] });

/** The partner's time of a case's last change; empty if it has none. */
export function stampOf({ LastChangedAt, UpdatedAt, CreatedAt }: PartnerCase['fields']): string {
  return LastChangedAt ?? UpdatedAt ?? CreatedAt ?? '';
}

/**
 * Stores cases from the partner. A changed case gets a LastChangedAt that no client can have seen
 * yet; an unchanged case retains its LastChangedAt. A state older than the stored one is ignored.
 * @param db the transaction
 * @param askedAt when the partner was asked, by the gateway's clock
 * @returns the number of changed cases
 */
export async function storeCases(
  db: Kysely<GatewayTables>,
  clock: Clock,
  cases: readonly PartnerCase[],
  askedAt: number,
): Promise<number> {
  if (cases.length === 0) return 0;
  const known = new Map(
    (
      await db
        .selectFrom('cases')
        .select(['id', 'body_json', 'partner_changed_at', 'changed_at', 'delisted'])
        .where(
          'id',
          'in',
          cases.map(({ fields }) => fields.Id),
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
    const before = known.get(fields.Id);
    const stamp = stampOf(fields);
    const isSame =
      before?.body_json === bodyJson &&
      before.partner_changed_at === stamp &&
      before.delisted === 0;
    const isOvertaken =
      before !== undefined &&
      before.changed_at >= askedAt &&
      Date.parse(stamp) < Date.parse(before.partner_changed_at);
    if (isSame || isOvertaken) continue;
    changed++;
    const payload = payloadOf(fields.PayloadJson);
    const row = {
      external_key: fields.ExternalKey,
      category: fields.Category,
      status: fields.Status,
      inspection_type: inspectionTypeOf(fields.Category, payload.whole),
      postal_code: payload.location.postalCode,
      responsible: fields.Insurer.Responsible.Name,
      created_at: Date.parse(fields.CreatedAt ?? stamp) || 0,
      changed_at: changedAt,
      partner_changed_at: stamp,
      body_json: bodyJson,
      search_text: searchText(fields.ExternalKey, payload.whole),
      delisted: 0,
    };
    await db
      .insertInto('cases')
      .values({
        id: fields.Id,
        ...row,
        latest_change: null,
        unsure_since: null,
        documents_as_of: null,
        reports_as_of: null,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    if (!before) await assignByRules(db, { id: fields.Id, ...row });
  }
  return changed;
}

type RuledCase = Pick<CasesTable, 'id' | 'category' | 'postal_code' | 'responsible'>;

/** Assigns a new case to the clients whose rules match. @param db the transaction */
async function assignByRules(db: Kysely<GatewayTables>, found: RuledCase): Promise<void> {
  const rules = await db.selectFrom('rules').selectAll().execute();
  const clients = rules
    .filter(
      (rule) =>
        (rule.category === '' || rule.category === found.category) &&
        (rule.responsible === '' || rule.responsible === found.responsible) &&
        // An empty text is before every other.
        rule.postal_from <= found.postal_code &&
        (rule.postal_to === '' ||
          (found.postal_code !== '' && found.postal_code <= rule.postal_to)),
    )
    .map((rule) => rule.client_id);
  for (const clientId of new Set(clients)) {
    await db.insertInto('assignments').values({ case_id: found.id, client_id: clientId }).execute();
  }
}

/**
 * A time after every change so far. With an earlier time a client's cursor would permanently miss
 * the change.
 */
export async function nextChangeAt(db: Kysely<GatewayTables>, clock: Clock): Promise<number> {
  const { last } = await db
    .selectFrom('cases')
    .select(({ fn }) => fn.max<number | null>('changed_at').as('last'))
    .executeTakeFirstOrThrow();
  return Math.max(clock.now(), (last ?? 0) + 1);
}

const payloadSchema = z
  .object({
    location: z.object({ postalCode: textOrEmpty }).catch({ postalCode: '' }),
  })
  .catch({ location: { postalCode: '' } });

function payloadOf(json: string) {
  let whole: unknown;
  try {
    whole = JSON.parse(json);
  } catch {
    whole = null;
  }
  return { whole, ...payloadSchema.parse(whole) };
}

/**
 * Assigns a case to a client, or removes the assignment. The case counts as changed, so that the
 * client's next poll returns it.
 * @returns false if there is no such case or client.
 */
export function assignCase(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { caseId, clientId, isRemoved }: AssignmentChange,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('cases')
      .innerJoin('clients', (join) => join.on('clients.client_id', '=', clientId))
      .select('cases.id')
      .where('cases.id', '=', caseId)
      .executeTakeFirst();
    if (!found) return false;
    if (isRemoved) {
      await transaction
        .deleteFrom('assignments')
        .where('case_id', '=', caseId)
        .where('client_id', '=', clientId)
        .execute();
      return true;
    }
    await transaction
      .insertInto('assignments')
      .values({ case_id: caseId, client_id: clientId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .updateTable('cases')
      .set({ changed_at: await nextChangeAt(transaction, clock) })
      .where('id', '=', caseId)
      .execute();
    return true;
  });
}

/**
 * Returns the ids of the cases with an Id or an ExternalKey. An Id goes before a key that reads
 * alike. The specification does not say that a key is unique.
 */
export async function caseIdsOf(db: Kysely<GatewayTables>, name: string): Promise<string[]> {
  const found = await db
    .selectFrom('cases')
    .select('id')
    .where((where) => where.or([where('id', '=', name), where('external_key', '=', name)]))
    .orderBy('id')
    .execute();
  const ids = found.map(({ id }) => id);
  return ids.includes(name) ? [name] : ids;
}

/**
 * Removes all assignments of a case, and assigns it to one client. It may be repeated without
 * effect.
 * @returns false if there is no such case
 */
export function handOverCase(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { caseId, clientId }: Pick<AssignmentChange, 'caseId' | 'clientId'>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('cases')
      .select('id')
      .where('id', '=', caseId)
      .where('delisted', '=', 0)
      .executeTakeFirst();
    if (!found) return false;
    const [first, ...others] = await transaction
      .selectFrom('assignments')
      .select('client_id')
      .where('case_id', '=', caseId)
      .execute();
    if (first?.client_id === clientId && others.length === 0) return true;
    await transaction.deleteFrom('assignments').where('case_id', '=', caseId).execute();
    await transaction
      .insertInto('assignments')
      .values({ case_id: caseId, client_id: clientId })
      .execute();
    await transaction
      .updateTable('cases')
      .set({ changed_at: await nextChangeAt(transaction, clock) })
      .where('id', '=', caseId)
      .execute();
    return true;
  });
}

export interface AssignmentChange {
  readonly caseId: string;
  readonly clientId: string;
  readonly isRemoved: boolean;
}
