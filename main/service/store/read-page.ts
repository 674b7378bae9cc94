import { sql, type SelectQueryBuilder } from 'kysely';
import { pageOffset, type PageRequest } from '../../front/request-schemas.ts';
import type { Database } from './tables.ts';

/** A page of what was selected, the newest first, and how many there are. */
export async function readPage<Table extends keyof Database, Row>(
  selected: SelectQueryBuilder<Database, Table, Row>,
  page: PageRequest,
) {
  const { total } = await selected
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await selected
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`)
    .limit(page.size)
    .offset(pageOffset(page))
    .execute();
  return { total, rows };
}
