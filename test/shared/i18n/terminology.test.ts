import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

const uses = (text: string, word: string) => {
  const at = text.indexOf(word);
  if (at < 0) return false;
  const around = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
  return around.every((sign) => !/[\p{L}\p{N}-]/u.test(sign));
};

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
