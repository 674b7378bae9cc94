import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import {
  jsonValue,
  type StoredValue,
  StoredValues,
  textValue,
  timeValue,
} from '#main/engine/database/stored-values.ts';
import { testFolder } from '../support/test-engine.ts';

function openValues() {
  const file = join(testFolder(), 'values.db');
  const db = openDatabase({ file, keyHex: 'ab'.repeat(32), durability: 'normal' });
  onTestFinished(() => void db.close());
  db.exec('CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const put = (name: string, value: string) =>
    db.prepare('INSERT INTO state VALUES (?, ?)').run(name, value);
  const textOf = (name: string) =>
    db.prepare('SELECT value FROM state WHERE name = ?').pluck().get(name);
  return { values: new StoredValues(db, 'state'), put, textOf };
}

const limit = jsonValue('limit', z.object({ days: z.int().nullable() }));
const cursor = textValue('cursor');
const last = timeValue('last');

/** @param text what is in the store, so that an earlier version's value stays readable */
function expectTurn<Value>(value: StoredValue<Value>, given: Value, text: string): void {
  const { values, textOf } = openValues();
  expect(values.get(value)).toBeNull();
  values.set(value, given);
  values.set(value, given);
  expect(values.get(value)).toEqual(given);
  expect(textOf(value.name)).toBe(text);
  values.remove(value);
  expect(values.get(value)).toBeNull();
}

function expectRefusal<Value>(value: StoredValue<Value>, text: string, message: string): void {
  const { values, put } = openValues();
  put(value.name, text);
  expect(() => values.get(value)).toThrow(message);
}

describe('a stored value', () => {
  it('is absent, is set, is set again and is removed', () => {
    expectTurn(limit, { days: 30 }, '{"days":30}');
    expectTurn(cursor, '2026-03-01T08:00:00+01:00', '2026-03-01T08:00:00+01:00');
    expectTurn(last, Date.UTC(2026, 2, 1), '2026-03-01T00:00:00.000Z');
  });

  it('is not taken from a text that is none', () => {
    expectRefusal(limit, '{"days":"many"}', 'expected number');
    expectRefusal(limit, 'no JSON', 'is not valid JSON');
    expectRefusal(last, 'yesterday', 'is no time');
  });
});
