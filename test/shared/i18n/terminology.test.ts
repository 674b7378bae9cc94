import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { words } from '#shared/i18n/catalogue.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { type Place, places, type Source } from './places.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/terminology.md'), 'utf8');
const rows = page
  .split('\n')
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter((cells) => cells.length > 7);

interface OldWord {
  readonly concept: string;
  readonly word: string;
}

/** The words of the column "not", by language, each with the concept it was replaced for. */
const oldWords = (language: Language): OldWord[] =>
  rows.flatMap((cells) => {
    const own = cells[6]?.split(';').find((part) => part.trim().startsWith(`${language}: `));
    const named = own === undefined ? [] : own.trim().slice(4).split(', ');
    return named.map((word) => ({ concept: cells[1] ?? '', word }));
  });

/** A stem stands for every word that begins with it, however it is written; `=` is the word alone. */
function usedIn(text: string, { word }: OldWord): boolean {
  const isAlone = word.startsWith('=');
  const stem = (isAlone ? word.slice(1) : word).toLowerCase();
  const folded = text.toLowerCase();
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}-]/u.test(sign);
  for (let at = folded.indexOf(stem); at >= 0; at = folded.indexOf(stem, at + 1))
    if (!isPart(folded[at - 1]) && !(isAlone && isPart(folded[at + stem.length]))) return true;
  return false;
}

/** Texts for IT name the partner's service and the machine as IT does. */
const forIt = /^(commandLineHints|dispatchTexts|startTexts)\b/;

const faultsIn = (sources: readonly Source[], language: Language): string[] => {
  const old = oldWords(language);
  return sources
    .filter(({ name }) => !forIt.test(name))
    .flatMap(({ name, content, textsIn }) =>
      textsIn(content).flatMap((text) =>
        old
          .filter((one) => usedIn(text, one))
          .map(({ concept, word }) => `${name}: “${word}” (${concept}): ${text.slice(0, 120)}`),
      ),
    );
};

const names = Object.keys(places) as Place[];

test.each(languages)('the table names replaced words in %s', (language) => {
  expect(oldWords(language).length).toBeGreaterThan(20);
});

describe.each(names)('%s', (place) => {
  test.each(languages)('no text in %s uses a word that was replaced', async (language) => {
    const sources = await places[place](language);
    expect(faultsIn(sources, language)).toEqual([]);
  });

  test('a planted old word is found, in the plural and with a capital', async () => {
    const language = place === 'command line' || place === 'docs' ? 'en' : 'de';
    const planted = language === 'en' ? 'Laptops wait here.' : 'Anmeldecodes liegen hier.';
    const [source] = (await places[place](language)).filter(({ name }) => !forIt.test(name));
    if (!source) throw new Error(`${place} has no texts`);
    const isCode = source.name.endsWith('.ts');
    const content = isCode
      ? `${source.content}\nexport const planted = '${planted}';\n`
      : `${source.content}\n\n${planted}\n`;
    const found = faultsIn([{ ...source, content }], language);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(language === 'en' ? 'laptop' : 'Anmeldecode');
  });
});

/** The columns of the table that have a language. */
const columns = ['de', 'en', 'fr', 'it'] satisfies Language[];

test.each(columns)('a status of a case has the name of the table in %s', (language) => {
  const nameOf = (code: string) => {
    const row = rows.find((cells) => cells[1]?.split(', ').includes(code));
    return row?.[columns.indexOf(language) + 2]?.split(/[;(]/)[0]?.trim();
  };
  const known = Object.entries(words[language].caseStatus).filter(
    ([code]) => nameOf(code) !== undefined,
  );
  expect(known.length).toBeGreaterThan(6);
  expect(known.map(([code]) => [code, nameOf(code)])).toEqual(known);
});
