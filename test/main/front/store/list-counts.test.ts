import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCompiled } from '#main/front/store/compiled-queries.ts';
import { countedTotal, createListCounts, type CountsTable } from '#main/front/store/list-counts.ts';
import { databaseKinds, openDatabase, type DatabaseForTest } from '../support/databases.ts';

/* Every total is what a count of the rows gives; over each kind of database. */

interface Note {
  id: number;
  status: string;
  category: string;
  inspection_type: string;
  person: string | null;
  hidden: number;
  text: string;
}
interface Tables {
  readonly notes: Note;
  readonly notes_counts: CountsTable;
}

describe.each(databaseKinds)('totals in %s:', (kind) => {
  let database: DatabaseForTest<Tables>;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    database = await openDatabase(kind);
    ({ db } = database);
    await db.schema
      .createTable('notes')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('inspection_type', 'text', (column) => column.notNull())
      .addColumn('person', 'text')
      .addColumn('hidden', 'integer', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute();
    // The cast is what a migration has: a database whose tables are not known yet.
    await createListCounts(db as unknown as Kysely<unknown>, 'notes', [
      { only: { column: 'hidden', value: 0 } },
      { column: 'person' },
    ]);
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    await db.deleteFrom('notes').execute();
    await db.deleteFrom('notes_counts').execute();
    await db
      .insertInto('notes')
      .values([note(1), note(2), note(3, { status: 'b' }), note(4, { person: 'q', hidden: 1 })])
      .execute();
  });

  const note = (id: number, changes: Partial<Note> = {}): Note => ({
    id,
    status: 'a',
    category: 'c',
    inspection_type: 'i',
    person: 'p',
    hidden: 0,
    text: '',
    ...changes,
  });
  const total = async (owner: string, filters: Readonly<Record<string, string>> = {}) => {
    const [found] = await runCompiled(db, { name: undefined, values: filters }, () =>
      db.selectNoFrom(countedTotal('notes_counts', owner, filters).as('total')).compile(),
    );
    return found?.total;
  };
  const change = (changes: Partial<Note>, id: number) =>
    db.updateTable('notes').set(changes).where('id', '=', id).execute();
  /** The totals of everybody, of p, and of q. */
  const totals = async () => [await total(''), await total('p'), await total('q')];

  test('each owner has its own, and one that is not there has none', async () => {
    expect(await totals()).toEqual([3, 3, 1]);
    expect(await total('nobody')).toBe(0);
  });

  test('a filter counts what it names, and filters together what they all name', async () => {
    await change({ category: 'd', inspection_type: 'j' }, 2);
    expect([await total('p', { status: 'a' }), await total('p', { status: 'b' })]).toEqual([2, 1]);
    expect([await total('p', { category: 'd' }), await total('p', { category: 'x' })]).toEqual([
      1, 0,
    ]);
    expect(await total('p', { inspectionType: 'j' })).toBe(1);
    expect(await total('p', { status: 'a', category: 'c' })).toBe(1);
    expect(await total('p', { status: 'b', category: 'd' })).toBe(0);
  });

  test.each([
    ['status', { status: 'b' }, [3, 3, 1], 2],
    ['owner', { person: 'q' }, [3, 2, 2], 1],
    ['being shown', { hidden: 1 }, [2, 3, 1], 1],
    ['loss of its owner', { person: null }, [3, 2, 1], 1],
    ['text', { text: 'new' }, [3, 3, 1], 1],
  ])('a row that changes its %s is counted once', async (_, changes, expected, ofStatusB) => {
    await change(changes, 1);
    expect(await totals()).toEqual(expected);
    expect(await total('p', { status: 'b' })).toBe(ofStatusB);
    await change({ status: 'a', person: 'p', hidden: 0 }, 1);
    expect(await totals()).toEqual([3, 3, 1]);
    expect(await total('p', { status: 'b' })).toBe(1);
  });

  test('a row that comes or goes is counted or not', async () => {
    await db
      .insertInto('notes')
      .values(note(5, { person: null }))
      .execute();
    expect(await totals()).toEqual([4, 3, 1]);
    await db.deleteFrom('notes').where('id', 'in', [1, 4]).execute();
    expect(await totals()).toEqual([3, 2, 0]);
  });

  test('a change of nothing that is counted writes no count', async () => {
    await db.deleteFrom('notes_counts').execute();
    await db.updateTable('notes').set({ text: 'new' }).execute();
    await db
      .updateTable('notes')
      .set({ status: sql.ref('status') })
      .execute();
    expect(await db.selectFrom('notes_counts').selectAll().execute()).toEqual([]);
  });

  test('one row of counts is that of an owner and its values', async () => {
    const rows = await db
      .selectFrom('notes_counts')
      .selectAll()
      .orderBy('owner')
      .orderBy('status')
      .execute();
    const row = (owner: string, status: string, records: number) => ({
      owner,
      status,
      category: 'c',
      inspection_type: 'i',
      records,
    });
    expect(rows).toEqual([
      row('', 'a', 2),
      row('', 'b', 1),
      row('p', 'a', 2),
      row('p', 'b', 1),
      row('q', 'a', 1),
    ]);
  });
});
