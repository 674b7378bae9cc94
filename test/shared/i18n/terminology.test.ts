import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { words } from '#shared/i18n/catalogue.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { allTexts } from './all-texts.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/terminology.md'), 'utf8');

/** Texts for IT may name the partner's service and the machine as IT does. */
const forIt = /^(commandLineHints|dispatchTexts)\./;

/** The words of the column "not", by language. */
function replacedWords(language: Language): string[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/);
    const own = cells[6]?.split(';').find((part) => part.trim().startsWith(`${language}: `));
    return own === undefined ? [] : own.trim().slice(4).split(', ');
  });
}

const usesAs = (text: string, word: string) => {
  const at = text.indexOf(word);
  if (at < 0) return false;
  const around = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
  return around.every((sign) => !/[\p{L}\p{N}-]/u.test(sign));
};

/** At the beginning of a sentence too. */
const uses = (text: string, word: string) =>
  usesAs(text, word) || usesAs(text, word.charAt(0).toUpperCase() + word.slice(1));

test.each(languages)('no text in %s uses a word that was replaced', async (language) => {
  const replaced = replacedWords(language);
  expect(replaced.length).toBeGreaterThan(10);
  const texts = await allTexts(language);
  expect(texts.length).toBeGreaterThan(1000);
  const found = texts
    .filter(([key]) => !forIt.test(key))
    .flatMap(([key, text]) =>
      replaced.filter((word) => uses(text, word)).map((word) => [key, word]),
    );
  expect(found).toEqual([]);
});

/** The columns of the table that have a language. */
const columns = ['de', 'en', 'fr', 'it'] satisfies Language[];

test.each(columns)('a status of a case has the name of the table in %s', (language) => {
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const nameOf = (code: string) => {
    const row = rows.find((cells) => cells[1]?.split(', ').includes(code));
    return row?.[columns.indexOf(language) + 2]?.split(/[;(]/)[0]?.trim();
  };
  const names = Object.entries(words[language].caseStatus).filter(
    ([code]) => nameOf(code) !== undefined,
  );
  expect(names.length).toBeGreaterThan(6);
  expect(names.map(([code]) => [code, nameOf(code)])).toEqual(names);
});
