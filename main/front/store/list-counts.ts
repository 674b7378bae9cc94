/*
 * The totals of lists, so that a total is found without reading the list. There is one row for each
 * owner and each combination of the filtered values, and the triggers of the database keep the rows
 * up to date.
 */
import { type CreateTableBuilder, sql, type Kysely, type RawBuilder } from 'kysely';
import {
  type AskedFilters,
  type CountedColumn,
  countedColumns,
  countedComparisons,
} from '#shared/api/list-filters.ts';
import { slot } from './compiled-queries.ts';
import { isPostgres } from './store.ts';

export type CountsTable = Record<CountedColumn | 'owner', string> & { records: number };

/** The owner of the list that contains a record. */
export interface ListOwner {
  /** The column with the owner; undefined if all share one list. */
  readonly column?: string;
  /** A column that must have this value. */
  readonly only?: { readonly column: string; readonly value: number };
}

/**
 * Creates the table of counts for a table, with its triggers.
 * @param table an empty table that has all of `countedColumns`
 */
export async function createListCounts(
  db: Kysely<unknown>,
  table: string,
  owners: readonly ListOwner[],
): Promise<void> {
  const counts = `${table}_counts`;
  const key = ['owner', ...countedColumns] as const;
  let creation: CreateTableBuilder<string, string> = db.schema.createTable(counts);
  for (const name of key) creation = creation.addColumn(name, 'text', (column) => column.notNull());
  await creation
    .addColumn('records', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${counts}_key`, [...key])
    .execute();
  const count = (row: 'old' | 'new', change: 1 | -1) =>
    sql.join(
      owners.map((owner) => countOne(counts, owner, row, change)),
      sql` `,
    );
  const columns = [
    ...countedColumns,
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
  const counted = sql.raw(countedColumns.join(', '));
  return sql`insert into ${sql.table(counts)} as stored
    (owner, ${counted}, records)
    select ${owner}, ${sql.join(countedColumns.map(of))}, ${sql.lit(change)}
    where ${sql.join(conditions, sql` and `)}
    on conflict (owner, ${counted})
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

/**
 * The total of an owner's list as a scalar, for filters that `isCounted` accepts. Their values are
 * slots.
 * @param counts the name of the table of counts
 */
export function countedTotal(
  counts: string,
  owner: string,
  filters: AskedFilters,
): RawBuilder<number> {
  const conditions = countedComparisons(filters).map(
    ({ column, name }) => sql`${sql.ref(column)} = ${slot(name)}`,
  );
  return sql<number>`(select cast(coalesce(sum(records), 0) as bigint) from ${sql.table(counts)}
    where ${sql.join([sql`owner = ${owner}`, ...conditions], sql` and `)})`;
}
