import { sql, type SelectQueryBuilder } from 'kysely';
import type { Page } from '#shared/api/conventions.ts';
import { pageOffset, type PageRequest } from '../../front/request-schemas.ts';
import type { Database } from './tables.ts';

/** One page of a selection, newest first. */
export async function readPage<Table extends keyof Database, Row, Item>(
  selected: SelectQueryBuilder<Database, Table, Row>,
  page: PageRequest,
  view: (row: Row) => Item,
): Promise<Page<Item>> {
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
  return { Total: total, Page: page.page, Size: page.size, Items: rows.map((row) => view(row)) };
}
