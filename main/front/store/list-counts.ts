/*
 * Totals of a list without reading it: one row for each owner and each combination of the values
 * that lists are filtered by, which the database keeps in step by triggers.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isPostgres } from './store.ts';

const filtered = ['status', 'category', 'inspection_type'] as const;

export interface CountsTable {
  owner: string;
  status: string;
  category: string;
  inspection_type: string;
  records: number;
}

/** Whose list a record is in. */
export interface ListOwner {
  /** Column with the owner; undefined if there is one list for all. */
  readonly column?: string;
  /** Column that must have this value. */
  readonly only?: { readonly column: string; readonly value: number };
}

/**
 * Creates the table of counts for a table, with its triggers.
 * @param table with the columns `status`, `category` and `inspection_type`; still empty
 */
export async function createListCounts(
  db: Kysely<unknown>,
  table: string,
  owners: readonly ListOwner[],
): Promise<void> {
  const counts = `${table}_counts`;
  await db.schema
    .createTable(counts)
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('inspection_type', 'text', (column) => column.notNull())
    .addColumn('records', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${counts}_key`, ['owner', ...filtered])
    .execute();
  const count = (row: 'old' | 'new', change: 1 | -1) =>
    sql.join(
      owners.map((owner) => countOne(counts, owner, row, change)),
      sql` `,
    );
  const columns = [
    ...filtered,
    ...owners.flatMap(({ column, only }) =>
      [column, only?.column].filter((name) => name !== undefined),
    ),
  ];
  const differs = sql.join(
    columns.map((name) => sql`old.${sql.ref(name)} is distinct from new.${sql.ref(name)}`),
    sql` or `,
  );
  const create = isPostgres(db) ? createPostgresTrigger : createSqliteTrigger;
  const on = { db, table };
  await create({ ...on, event: 'insert', body: count('new', 1) });
  await create({ ...on, event: 'delete', body: count('old', -1) });
  const watched = sql.join(columns.map((name) => sql.ref(name)));
  await create({
    ...on,
    event: 'update',
    of: watched,
    when: differs,
    body: sql`${count('old', -1)} ${count('new', 1)}`,
  });
}

function countOne(
  counts: string,
  { column, only }: ListOwner,
  row: 'old' | 'new',
  change: 1 | -1,
): RawBuilder<unknown> {
  const of = (name: string) => sql`${sql.raw(row)}.${sql.ref(name)}`;
  const owner = column === undefined ? sql.lit('') : of(column);
  const conditions = [
    ...(column === undefined ? [] : [sql`${owner} is not null`]),
    ...(only === undefined ? [] : [sql`${of(only.column)} = ${sql.lit(only.value)}`]),
  ];
  return sql`insert into ${sql.table(counts)} as stored
    (owner, status, category, inspection_type, records)
    select ${owner}, ${sql.join(filtered.map(of))}, ${sql.lit(change)}
    where ${sql.join(conditions, sql` and `)}
    on conflict (owner, status, category, inspection_type)
    do update set records = stored.records + excluded.records;`;
}

interface Trigger {
  readonly db: Kysely<unknown>;
  readonly table: string;
  readonly event: 'insert' | 'update' | 'delete';
  readonly of?: RawBuilder<unknown>;
  readonly when?: RawBuilder<unknown>;
  readonly body: RawBuilder<unknown>;
}

async function createSqliteTrigger({ db, table, event, of, when, body }: Trigger): Promise<void> {
  await sql`create trigger ${sql.table(`${table}_counts_${event}`)}
    after ${sql.raw(event)} ${of ? sql`of ${of}` : sql``} on ${sql.table(table)}
    ${when ? sql`when ${when}` : sql``} begin ${body} end`.execute(db);
}

async function createPostgresTrigger({ db, table, event, of, when, body }: Trigger): Promise<void> {
  const name = `${table}_counts_${event}`;
  await sql`create function ${sql.table(name)}() returns trigger language plpgsql as $count$
    begin ${body} return null; end $count$`.execute(db);
  await sql`create trigger ${sql.ref(name)}
    after ${sql.raw(event)} ${of ? sql`of ${of}` : sql``} on ${sql.table(table)} for each row
    ${when ? sql`when (${when})` : sql``} execute function ${sql.table(name)}()`.execute(db);
}

/** The values of a list that counts are stored for. */
export type CountedFilters = Readonly<
  Partial<Record<(typeof filtered)[number], string | undefined>>
>;

/** The total of an owner's list as a scalar. @param counts name of the table of counts */
export function countedTotal(
  counts: string,
  owner: string,
  filters: CountedFilters,
): RawBuilder<number> {
  const conditions = filtered.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`];
  });
  return sql<number>`(select cast(coalesce(sum(records), 0) as bigint) from ${sql.table(counts)}
    where ${sql.join([sql`owner = ${owner}`, ...conditions], sql` and `)})`;
}
