import type { z } from 'zod';
import type { Database } from './sqlite.ts';

/** A small value that a store retains for the module that declares it. */
export interface StoredValue<Value> {
  /** The name in the store, which is different for each value. */
  readonly name: string;
  /** Reads the stored text. @throws if the text is invalid */
  readonly parse: (text: string) => Value;
  readonly format: (value: Value) => string;
}

/** A value that is stored as JSON. */
export function jsonValue<Value>(name: string, schema: z.ZodType<Value>): StoredValue<Value> {
  return {
    name,
    parse: (text) => schema.parse(JSON.parse(text)),
    format: (value) => JSON.stringify(value),
  };
}

/** A text that is stored unchanged. */
export function textValue(name: string): StoredValue<string> {
  return { name, parse: (text) => text, format: (text) => text };
}

/** A moment, in milliseconds since 1970, that is stored in ISO 8601. */
export function timeValue(name: string): StoredValue<number> {
  return {
    name,
    parse(text) {
      const ms = Date.parse(text);
      if (Number.isNaN(ms)) throw new Error(`the stored value "${name}" is no time`);
      return ms;
    },
    format: (ms) => new Date(ms).toISOString(),
  };
}

/** The small values of one database, in a table with the columns `name` and `value`. */
export class StoredValues {
  readonly #db: Database;
  readonly #table: 'state' | 'local_values';

  constructor(db: Database, table: 'state' | 'local_values') {
    this.#db = db;
    this.#table = table;
  }

  /** The value; null until it is set. */
  get<Value>({ name, parse }: StoredValue<Value>): Value | null {
    const text = this.#db
      .prepare<[string], string>(`SELECT value FROM ${this.#table} WHERE name = ?`)
      .pluck()
      .get(name);
    return text === undefined ? null : parse(text);
  }

  set<Value>({ name, format }: StoredValue<Value>, value: Value): void {
    this.#db
      .prepare(
        `INSERT INTO ${this.#table} (name, value) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET value = excluded.value`,
      )
      .run(name, format(value));
  }

  remove({ name }: Pick<StoredValue<unknown>, 'name'>): void {
    this.#db.prepare(`DELETE FROM ${this.#table} WHERE name = ?`).run(name);
  }
}
