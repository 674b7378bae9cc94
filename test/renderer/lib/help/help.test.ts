import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskErrorCodes } from '#shared/desk/contract/errors.ts';
import { errorSentences, loadWindowTexts, statementTexts, words } from '#shared/i18n/catalogue.ts';
import { type Language, languages } from '#shared/i18n/language.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { wordsOf } from '#shared/lib/words.ts';
import { helpOfPage, problemsOfHelp } from '../../../../renderer/lib/help/help-place.ts';
import { pictureUrl } from '../../../../renderer/lib/help/help-pictures.ts';
import { loadHelp } from '../../../../renderer/lib/help/load-help.ts';
import {
  readHelp,
  sectionsOf,
  textsOf,
  wordingOf,
} from '../../../../renderer/lib/help/read-help.ts';
import { searchHelp } from '../../../../renderer/lib/help/search-help.ts';
import { maxPictureBytes, picturedSections } from '../../../support/help-pictures.ts';
import { root } from '../../../support/processes.ts';
import { questions } from './questions.ts';

const idsOf = async (language: Language) =>
  (await loadHelp(language)).parts.map(({ sections }) => sections.map(({ id }) => id));

test.each(languages)(
  'the help in %s has every part and every section, in one order',
  async (language) => {
    const ids = await idsOf(language);
    expect(ids).toEqual(await idsOf('de'));
    expect(ids.length).toBe(5);
    expect(new Set(ids.flat()).size).toBe(ids.flat().length);
  },
);

test.each(languages)('each section in %s says something in short paragraphs', async (language) => {
  const help = await loadHelp(language);
  expect(help.title).not.toBe('');
  expect(help.intro).not.toBe('');
  for (const section of sectionsOf(help)) {
    expect(section.title, section.id).not.toBe('');
    expect(wordsOf(section.words).length, section.id).toBeGreaterThan(5);
    expect(section.blocks.length, section.id).toBeGreaterThan(0);
    for (const text of section.blocks.flatMap(textsOf))
      expect(text.split(/\s+/).length, `${language} ${section.id}`).toBeLessThanOrEqual(60);
  }
});

/** All texts at the leaves of a tree. */
const leaves = (tree: unknown): string[] =>
  typeof tree === 'string' ? [tree] : Object.values(tree as object).flatMap(leaves);

test.each(languages)('what the help quotes in %s stands in the window so', async (language) => {
  const shown = [
    ...leaves(await loadWindowTexts[language]()),
    ...leaves(statementTexts[language].entry),
    ...Object.values(errorSentences[language]),
    ...Object.values(words[language].suppliedTemplates),
  ].join('\n');
  const help = await loadHelp(language);
  const texts = sectionsOf(help).map((section) => `${section.title} ${wordingOf(section)}`);
  const quoted = texts.flatMap((text) =>
    [...text.matchAll(/«([^»]+)»|“([^”]+)”/g)].map(
      ([, foreign, english]) => foreign ?? english ?? '',
    ),
  );
  expect(quoted.length).toBeGreaterThan(30);
  expect(quoted.filter((label) => !shown.includes(label))).toEqual([]);
});

test.each(languages)(
  'the help in %s has each of its pictures, small, light and dark',
  async (language) => {
    const sections = sectionsOf(await loadHelp(language)).filter(({ picture }) => picture);
    expect(sections.map(({ id }) => id).sort()).toEqual([...picturedSections].sort());
    const docs = join(root, 'docs');
    for (const { id, picture } of sections) {
      expect(picture?.path).toBe(`images/help/${language}/${id}.webp`);
      expect(picture?.alt, id).not.toBe('');
      for (const isDark of [false, true]) {
        const name = `${id}${isDark ? '-dark' : ''}.webp`;
        const bytes = readFileSync(join(docs, 'images/help', language, name));
        expect(typeByContent(bytes), name).toBe('image/webp');
        expect(bytes.length, name).toBeLessThan(maxPictureBytes);
        expect(pictureUrl(picture?.path ?? '', isDark), name).toContain(name);
      }
    }
    const files = readdirSync(join(docs, 'images/help', language));
    expect(files.length, 'pictures that no section shows').toBe(2 * sections.length);
  },
);

test('every problem and every page leads to a section', async () => {
  const ids = new Set((await idsOf('de')).flat());
  const known = Object.values(problemsOfHelp).flat();
  expect([...known].sort()).toEqual([...deskErrorCodes].sort());
  const places = [...Object.keys(problemsOfHelp), ...Object.values(helpOfPage)];
  expect(places.filter((id) => !ids.has(id))).toEqual([]);
});

test.each(languages)('the search answers a tired user in %s', async (language) => {
  const sections = sectionsOf(await loadHelp(language));
  const asked = Object.entries(questions[language]);
  expect(asked.length).toBeGreaterThanOrEqual(20);
  const missed = asked.flatMap(([question, id]) => {
    const found = searchHelp(sections, question, 3).map((section) => section.id);
    return found.includes(id) ? [] : [`${question} → ${found.join(', ')}, not ${id}`];
  });
  expect(missed).toEqual([]);
});

test('a question without a word of the help has no answer', async () => {
  expect(searchHelp(sectionsOf(await loadHelp('de')), 'xyzzy qwertz')).toEqual([]);
});

test('a paragraph outside of every section is a fault of the guide', () => {
  expect(() => readHelp('# Guide\n\nIntro.\n\n## Part\n\nLost.')).toThrow('no section for: Lost.');
});

test('a table of the guide has two columns, in which a bar may stand', () => {
  const table = '| What | How |\n| --- | --- |\n| rounded | `{a \\| chf}` |';
  const { parts } = readHelp(`# Guide\n\nIntro.\n\n## Part\n\n### One\n\n${table}`);
  expect(parts[0]?.sections[0]?.blocks).toEqual([
    { kind: 'table', head: ['What', 'How'], rows: [['rounded', '{a | chf}']] },
  ]);
});

test.each(languages)('the pages about templates in %s have the same examples', async (language) => {
  const codes = async (one: Language) =>
    sectionsOf(await loadHelp(one))
      .flatMap(({ blocks }) => blocks.filter((block) => block.kind === 'table'))
      .map(({ rows }) => rows.map(([, how]) => fieldsOf(how)));
  expect(await codes(language)).toEqual(await codes('de'));
});
/** The fields of an example without the words of the language. */
const fieldsOf = (example: string) =>
  [...example.matchAll(/\{[#^/]?\s*([\w.]*)/g)]
    .map(([, name]) => name)
    .filter((name) => !['else', 'sonst', 'sinon', 'altrimenti'].includes(name ?? ''));
