import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchTokens } from '#main/service/store/search-tokens.ts';

/** What FTS5 makes of a text, in its order. */
function fts5Tokens(database: Sqlite.Database, text: string): unknown[] {
  database.exec('delete from texts');
  database.prepare('insert into texts values (?)').run(text);
  return database.prepare('select term from words order by offset').pluck().all();
}

function openTokenizer(): Sqlite.Database {
  const database = new Sqlite(':memory:');
  database.exec(`
    create virtual table texts using fts5(text, tokenize='unicode61 remove_diacritics 2');
    create virtual table words using fts5vocab(texts, 'instance')`);
  return database;
}

const character = (min: number, max: number) =>
  fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
/** Latin letters with every usual accent, also as marks of their own, and what parts words. */
const latin = fc.oneof(
  character(0x20, 0xb4),
  character(0xb6, 0x17e),
  fc.constantFrom('u\u0308', 'E\u0301\u0327', '\ue000'),
);
const greekOrCyrillic = fc.oneof(
  character(0x391, 0x398),
  character(0x410, 0x44f),
  fc.constantFrom(' ', 'ς', 'Σ'),
);
const texts = fc.oneof(
  fc.string({ unit: latin, maxLength: 40 }),
  fc.string({ unit: greekOrCyrillic, maxLength: 40 }),
);

test('q: the same words as FTS5 finds', () => {
  const database = openTokenizer();
  fc.assert(
    fc.property(texts, (text) => {
      expect(searchTokens(text)).toEqual(fts5Tokens(database, text));
    }),
    { numRuns: 500 },
  );
  database.close();
});

test('q: accents and case are gone, what is no letter or figure parts words', () => {
  expect(searchTokens('Noëmi ZÜRCHER, ZH-123 456 \u{e000} ΟΔΟΣ')).toEqual([
    'noemi',
    'zurcher',
    'zh',
    '123',
    '456',
    '\u{e000}',
    'οδοσ',
  ]);
  expect(searchTokens('« -- »')).toEqual([]);
});
