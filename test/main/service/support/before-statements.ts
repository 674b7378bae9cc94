import { QueryCreator, SqliteAdapter, type CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '#main/service/store/tables.ts';

/**
 * The store, whose statements that read wait until `before` is done; transactions and what asks for
 * a connection of its own go to the store as they are.
 * @param before told each statement's SQL.
 */
export function beforeStatements(
  db: Kysely<Database>,
  before: (sql: string) => Promise<void>,
): Kysely<Database> {
  const own = db.getExecutor();
  const executeQuery = async (query: CompiledQuery) => {
    await before(query.sql);
    return own.executeQuery(query);
  };
  const isFile = own.adapter instanceof SqliteAdapter;
  const executor = instead(own, {
    executeQuery,
    // Of our own adapter, statements are answered at once, with nothing between them.
    ...(isFile && { adapter: new SqliteAdapter() }),
  });
  const creator = new QueryCreator<Database>({ executor });
  return instead(db, {
    executeQuery,
    getExecutor: () => executor,
    selectFrom: creator.selectFrom.bind(creator),
  });
}

/** An object of which some members are others. */
function instead<Whole extends object>(whole: Whole, members: object): Whole {
  const others = new Map<string | symbol, unknown>(Object.entries(members));
  return new Proxy(whole, {
    get(target, key) {
      if (others.has(key)) return others.get(key);
      const value: unknown = Reflect.get(target, key, target);
      // Members that are private to the object are not to be had from its proxy.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
