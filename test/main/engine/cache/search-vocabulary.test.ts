import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { SearchVocabulary } from '#main/engine/cache/search-vocabulary.ts';
import { openDatabase, type Database } from '#main/engine/database/sqlite.ts';

const keyHex = 'ab'.repeat(32);
let dir: string;
let db: Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  db = openDatabase({ file: join(dir, 'x.db'), keyHex, durability: 'normal' });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true });
});

function enter(texts: readonly string[]): SearchVocabulary {
  db.exec(`
    DROP TABLE IF EXISTS temp.case_search_terms;
    DROP TABLE IF EXISTS case_search;
    CREATE VIRTUAL TABLE case_search USING fts5 (
      text, content='', contentless_delete=1, prefix='1 2 3',
      tokenize='unicode61 remove_diacritics 2', detail='none')`);
  const insert = db.prepare('INSERT INTO case_search (text) VALUES (?)');
  for (const text of texts) insert.run(text);
  return new SearchVocabulary(db, 'case_search');
}

const rowsOf = (match: string | null) =>
  db.prepare('SELECT rowid FROM case_search WHERE case_search MATCH ?').pluck().all(match);

const enterOne = (text: string) =>
  db.prepare('INSERT INTO case_search (text) VALUES (?)').run(text);

const wordOf = (end: fc.Arbitrary<string>) => end.map((text) => `berd${text}`);

describe('words named in full', () => {
  it('find what their beginning finds, however often each of them comes', () => {
    const rare = wordOf(fc.nat({ max: 200 }).map(String));
    const frequent = wordOf(fc.constantFrom('', 'a', 'aa', 'ab', 'Ä', 'o', 'o9', 'z', '𝒳', 'ł'));
    const text = fc.oneof(
      { weight: 3, arbitrary: frequent },
      { weight: 2, arbitrary: rare },
      { weight: 1, arbitrary: fc.constantFrom('berb', 'berc', 'bere', 'c') },
    );
    const beginning = fc.constantFrom('berd', 'berda', 'berdo', 'berd1', 'berdz', 'bere', 'berf');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 400, size: 'max' }), beginning, (texts, q) => {
        expect(rowsOf(enter(texts).expression(q))).toEqual(rowsOf(`"${q}"*`));
      }),
      { numRuns: 60 },
    );
  });

  it('find what their beginning finds, asked letter by letter and while more is entered', () => {
    const frequent = wordOf(fc.constantFrom('', 'a', 'ab', 'abc', 'Ä', 'o9', 'z'));
    const rare = wordOf(fc.nat({ max: 200 }).map((number) => `a${number}`));
    const asked = fc.constantFrom(
      'berd',
      'berda',
      'berdab',
      'berdabc',
      'berda1',
      'berda12',
      'bere',
    );
    const step = fc.oneof(
      { weight: 4, arbitrary: asked.map((q) => ({ q })) },
      { weight: 1, arbitrary: fc.oneof(frequent, rare).map((text) => ({ text })) },
    );
    const texts = fc.array(
      fc.oneof({ weight: 1, arbitrary: frequent }, { weight: 4, arbitrary: rare }),
      { maxLength: 200, size: 'max' },
    );
    fc.assert(
      fc.property(texts, fc.array(step, { minLength: 5, maxLength: 30 }), (before, steps) => {
        const vocabulary = enter(before);
        for (const one of steps) {
          if ('text' in one) enterOne(one.text);
          else expect(rowsOf(vocabulary.expression(one.q))).toEqual(rowsOf(`"${one.q}"*`));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are not read again for the next letter, nor for the same word, until something is entered', () => {
    const vocabulary = enter(['stossstange stossfänger', 'stossen']);
    expect(vocabulary.expression('stos')).toBe('("stossen" OR "stossfanger" OR "stossstange")');
    // Taken out behind its back, so that reading again would show.
    const aside = openDatabase({ file: join(dir, 'x.db'), keyHex, durability: 'normal' });
    aside.exec('DELETE FROM case_search');
    aside.close();
    expect(vocabulary.expression('stoss')).toBe('("stossen" OR "stossfanger" OR "stossstange")');
    expect(vocabulary.expression('stosss')).toBe('("stossstange")');
    enterOne('Stosskante');
    expect(vocabulary.expression('stoss')).toBe('("stosskante")');
  });

  it('are all there where the word before had too many to be named', () => {
    const words = (letter: string, count: number) =>
      Array.from({ length: count }, (_, index) => `stoss${letter}${index}`);
    const vocabulary = enter([...words('a', 60), ...words('b', 30)]);
    expect(vocabulary.expression('stoss')).toBe('"stoss"*');
    expect(vocabulary.expression('stossb')).toMatch(/^\((?:"\w+"(?: OR )?){30}\)$/);
  });

  it('are the terms themselves, each once, and the beginning where there are too many', () => {
    const often = Array.from({ length: 50 }, () => 'stossstange stossfänger stossen');
    expect(enter(often).expression('stoss')).toBe('("stossen" OR "stossfanger" OR "stossstange")');
    const each = Array.from({ length: 60 }, (_, index) => `stoss${index}`);
    expect(enter([...often, ...each]).expression('stoss')).toMatch(/^\((?:"\w+"(?: OR )?){63}\)$/);
    const more = Array.from({ length: 70 }, (_, index) => `stoss${index}`);
    expect(enter([...often, ...more]).expression('stoss')).toBe('"stoss"*');
  });
});
