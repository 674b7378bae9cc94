import type { Kysely } from 'kysely';
import { z } from 'zod';
import { isSameId, opaqueIdSchema } from '#shared/api/conventions.ts';
import { parseJson } from '#shared/lib/parse-json.ts';
import {
  documentAnswer,
  pageAnswer,
  submissionAnswer,
  type TolerantPage,
  type UnreadableItem,
  unreadableItem,
} from '../../partner/answers/answers.ts';
import { readAll } from '../../partner/pull/list-reading.ts';
import { deleteContent } from '../../front/contents/contents.ts';
import type { CasesTable, GatewayTables } from '../tables.ts';
import type { Upstream } from '../upstream.ts';

const lists = {
  documents: { operation: 'X6', item: documentAnswer },
  reports: { operation: 'X10', item: submissionAnswer },
} as const;
export type ListName = keyof typeof lists;

/**
 * The result of a reading. A list that has unreadable items, or of which items are missing, is
 * stored and passed on, but does not count as read. If a change of the case was sent during the
 * reading, nothing is stored.
 */
export type Reading = 'whole' | 'unreadable' | 'incomplete' | 'overtaken';

const rawItem = z.looseObject({
  Id: opaqueIdSchema,
  SizeBytes: z.int().nonnegative().catch(0),
});

interface ListItem {
  readonly id: string;
  /** The item as the partner sent it. The laptop reports what it cannot read. */
  readonly bodyJson: string;
  readonly sizeBytes: number;
  /** Whether the item matches the specification. */
  readonly isReadable: boolean;
}

const claimSchema = z.object({ ClaimId: opaqueIdSchema });

/** Whether an item names another case, so that its id must not lead to the case that was read. */
function isForeign(sent: unknown, caseId: string): boolean {
  const found = claimSchema.safeParse(sent);
  return found.success && !isSameId(found.data.ClaimId, caseId);
}

/**
 * A page whose items are all passed on, even those that the gateway cannot read. One without a
 * usable id, or of another case, has its place in the store under the id of its case.
 */
function rawPage(item: z.ZodType, caseId: string) {
  return pageAnswer(z.unknown()).transform((page): TolerantPage<ListItem> => {
    const items: ListItem[] = [];
    const unreadable: UnreadableItem[] = [];
    for (const sent of page.items) {
      const raw = rawItem.safeParse(sent);
      if (!raw.success) {
        const odd = unreadableItem(sent, raw.error);
        const { json: bodyJson } = odd;
        if (bodyJson === null) unreadable.push(odd);
        else items.push({ id: `${caseId} ${odd.id}`, bodyJson, sizeBytes: 0, isReadable: false });
        continue;
      }
      // The content is left out, because X7 returns it.
      const { ContentBase64: _, ...body } = sent as object & { ContentBase64?: unknown };
      const { Id: id, SizeBytes: sizeBytes } = raw.data;
      const bodyJson = JSON.stringify(body);
      if (isForeign(sent, caseId)) {
        items.push({ id: `${caseId} ${id}`, bodyJson, sizeBytes, isReadable: false });
        continue;
      }
      items.push({ id, bodyJson, sizeBytes, isReadable: item.safeParse(sent).success });
    }
    return { ...page, items, unreadable };
  });
}

/**
 * Stores the submission that a change was answered with, for the operations whose path does not name
 * the case.
 * @param body the partner's answer
 */
export async function storeSubmission(
  db: Kysely<GatewayTables>,
  caseId: string,
  body: Buffer,
): Promise<void> {
  const found = submissionAnswer.safeParse(parseJson(body.toString()));
  if (!found.success || !isSameId(found.data.caseId, caseId)) return;
  await db
    .insertInto('reports')
    .values({ id: found.data.id, case_id: caseId, position: 0, body_json: body.toString() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Reads a list of a case from the partner and stores it.
 * @param client the client whose turn is used; empty for the gateway itself
 * @param found the case before the reading
 */
export async function readList(
  {
    db,
    upstream,
  }: { readonly db: Kysely<GatewayTables>; readonly upstream: Pick<Upstream, 'read'> },
  client: string,
  found: CasesTable,
  list: ListName,
): Promise<Reading> {
  const { operation, item } = lists[list];
  const schema = rawPage(item, found.id);
  const read = await readAll(({ page, size }) =>
    upstream.read({ client }, schema, {
      operation,
      params: { caseId: found.id },
      query: { page: String(page), size: String(size) },
    }),
  );
  return db
    .transaction()
    .execute((transaction: Kysely<GatewayTables>) => storeList(transaction, found, list, read));
}

async function storeList(
  db: Kysely<GatewayTables>,
  found: CasesTable,
  list: ListName,
  { items, unreadable, isWhole }: Awaited<ReturnType<typeof readAll<ListItem>>>,
): Promise<Reading> {
  const now = await db
    .selectFrom('cases')
    .select('latest_change')
    .where('id', '=', found.id)
    .executeTakeFirst();
  if (now?.latest_change !== found.latest_change) return 'overtaken';
  // An item that was not read may still be listed.
  const removed = isWhole ? await deleteOthers(db, found.id, list, items) : [];
  for (const row of removed) {
    if ('content_id' in row && typeof row.content_id === 'string') {
      await deleteContent(db, row.content_id);
    }
  }
  if (list === 'reports') await deletePages(db, [...removed, ...items.filter(isDraft)]);
  else await deleteReplaced(db, items);
  for (const [position, { id, bodyJson, sizeBytes }] of items.entries()) {
    const row = { case_id: found.id, position, body_json: bodyJson };
    if (list === 'reports') {
      await db
        .insertInto('reports')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    } else {
      await db
        .insertInto('documents')
        .values({ id, ...row, size_bytes: sizeBytes, content_id: null })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    }
  }
  if (!isWhole || unreadable.length > 0) return 'incomplete';
  if (!items.every((item) => item.isReadable)) return 'unreadable';
  if (found.unsure_since === null) {
    await db
      .updateTable('cases')
      .set({ [`${list}_as_of`]: found.partner_changed_at })
      .where('id', '=', found.id)
      .execute();
  }
  return 'whole';
}

/** Deletes the items that a list no longer has. */
function deleteOthers(
  db: Kysely<GatewayTables>,
  caseId: string,
  list: ListName,
  items: readonly ListItem[],
) {
  return db
    .deleteFrom(list)
    .where('case_id', '=', caseId)
    .where('id', 'not in', [...items.map(({ id }) => id), ''])
    .returningAll()
    .execute();
}

const draftSchema = z.object({ Status: z.literal('Draft') });

/** Whether a report is a draft; again, if the partner was restored from a backup. */
const isDraft = ({ bodyJson }: ListItem) => draftSchema.safeParse(JSON.parse(bodyJson)).success;

/**
 * Deletes the contents of documents that the partner has replaced under their id: their size is
 * another than the one that was listed.
 */
async function deleteReplaced(
  db: Kysely<GatewayTables>,
  items: readonly ListItem[],
): Promise<void> {
  const sizes = new Map(items.map(({ id, sizeBytes }) => [id, sizeBytes]));
  const known = await db
    .selectFrom('documents')
    .select(['id', 'body_json', 'content_id'])
    .where('id', 'in', [...sizes.keys(), ''])
    .execute();
  for (const { id, body_json: bodyJson, content_id: contentId } of known) {
    if (contentId === null) continue;
    // The body has the listed size; the column has the size of the content.
    if (rawItem.parse(JSON.parse(bodyJson)).SizeBytes === sizes.get(id)) continue;
    await db.updateTable('documents').set({ content_id: null }).where('id', '=', id).execute();
    await deleteContent(db, contentId);
  }
}

/** Deletes the stored documents of reports. */
async function deletePages(
  db: Kysely<GatewayTables>,
  removed: readonly { readonly id: string }[],
): Promise<void> {
  const ids = removed.map(({ id }) => id);
  const pages = await db
    .deleteFrom('report_pages')
    .where('submission_id', 'in', [...ids, ''])
    .returning('content_id')
    .execute();
  for (const page of pages) await deleteContent(db, page.content_id);
}
