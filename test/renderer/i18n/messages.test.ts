import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { submissionStatuses } from '#shared/api/submission.ts';
import { errorSentences, loadWindowTexts } from '#shared/i18n/catalogue.ts';
import { languages } from '#shared/i18n/language.ts';
import { payloadSections } from '#shared/payload/fields.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import * as words from '#shared/payload/values.ts';
import { createDeskI18n, showLanguage } from '#renderer/i18n/create-i18n.ts';

function leaves(tree: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'string'
        ? [[prefix + key, value] as const]
        : [...leaves(value as object, `${prefix}${key}.`)],
    ),
  );
}

const de = await loadWindowTexts.de();
const german = leaves(de);
const others = {
  en: leaves(await loadWindowTexts.en()),
  fr: leaves(await loadWindowTexts.fr()),
  it: leaves(await loadWindowTexts.it()),
};
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

/** Texts that are rightly the same in two languages. */
const international =
  /^(Appraiser Desk|–|Annexes|Online|Offline|Status|Scope|Passphrase|SHA-256|Documents?|Endnote|Image|Dokument|Pages?|Photos?|Foto|Licence|Inspection|Suggestions|Annotations|Conditions|Date|Client ID(?: \{id\})?|OK|Normale|NPA|File|Front|Text|Name|Note|Partner|Test|Total|Version \{version\}|Version \{n\}|(Document|Person|Revision|Révision) \{n(ame)?\}|\{n\}.*|Signature|Enter|Delete|Shift|SMS|E-mail)$/;

test.each(Object.entries(others))('%s has every text and no more', (_, texts) => {
  expect([...texts.keys()].sort()).toEqual([...german.keys()].sort());
});

test.each(Object.entries(others))('%s fills the same gaps and plurals', (_, texts) => {
  for (const [key, text] of german) {
    const translated = texts.get(key) ?? '';
    expect(placeholders(translated), key).toEqual(placeholders(text));
    expect(translated.split('|').length, key).toBe(text.split('|').length);
  }
});

test('no text is left in another language', () => {
  const pairs = [
    ['en', german],
    ['fr', german],
    ['it', german],
    ['fr', others.en],
    ['it', others.en],
    ['it', others.fr],
  ] as const;
  for (const [language, source] of pairs) {
    const same = [...others[language]].filter(
      ([key, text]) =>
        // The partner's values are often the same word (tram, drone).
        !key.startsWith('labels.') && source.get(key) === text && !international.test(text),
    );
    expect(same, language).toEqual([]);
  }
});

test('German is written as in Switzerland', () => {
  expect([...german].filter(([, text]) => /ß|„|“/.test(text))).toEqual([]);
});

test('French is written as in Switzerland: no space before a colon or inside guillemets', () => {
  const french = [...others.fr, ...Object.entries(errorSentences.fr)];
  expect(french.filter(([, text]) => /\s[:;?!](\s|$)|«\s|\s»/.test(text))).toEqual([]);
  expect(french.filter(([, text]) => /\bcas\b|\bportable/.test(text))).toEqual([]);
});

test('Italian addresses the user with Lei', () => {
  const plural = /\b(voi|vostr[aeio]|(ave|pote|dove|scegli|riprend)e?te|Salvate|Aprite\w*)\b/;
  const italian = [...others.it, ...Object.entries(errorSentences.it)];
  expect(italian.filter(([, text]) => plural.test(text))).toEqual([]);
});

test('one thing has one name', () => {
  const spoken = [...german, ...Object.entries(errorSentences.de)];
  expect(spoken.filter(([, text]) => /Übungsbereich|Fallnummer/.test(text))).toEqual([]);
});

test('every text is used', () => {
  const source = readdirSync('renderer', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|vue)$/.test(name) && name !== '')
    .map((name) => readFileSync(join('renderer', name), 'utf8'))
    // A field of a template has its name as a key.
    .concat(readFileSync('shared/desk/reports/template-fields.ts', 'utf8'))
    // The engine says findings in comments of Word, too.
    .concat(readFileSync('shared/desk/reports/finding-text.ts', 'utf8'))
    .join('\n');
  const named = new Set(
    [...source.matchAll(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/gi)].map(([, key]) => key),
  );
  // Keys put together: `nav.themes.${choice}`, word('caseStatus', ...).
  const prefixes = [
    ...[...source.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/gi)].map(([, prefix]) => prefix ?? ''),
    'caseStatus.',
    'category.',
    'estimates.',
    'reportStatus.',
    'returnReasons.',
    'labels.',
    // The engine gives them to the telephone's page as a whole.
    'telephone.page.',
    // The engine fills them into documents.
    'templates.answers.',
    ...['report', 'annexes', 'page', 'withAnnexes'].map((key) => `templates.onePdf.${key}`),
  ];
  const unused = [...german.keys()].filter(
    (key) => !named.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  expect(unused).toEqual([]);
});

test('every status and category has a name', () => {
  expect(Object.keys(de.caseStatus)).toEqual([...caseStatuses]);
  expect(Object.keys(de.category)).toEqual([...categories]);
  expect(Object.keys(de.reportStatus)).toEqual([...submissionStatuses]);
});

/** The values of each list in the schemas, those of conditional rules included. */
function enumsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, inner]: [string, unknown]) => {
    if (key === 'enum') return inner as string[];
    return typeof inner === 'object' && inner !== null ? enumsOf(inner) : [];
  });
}

test('every section, field and value of the payload has a name', () => {
  const { labels } = de;
  const sections = Object.values(payloadSections).flat();
  expect(new Set(Object.keys(labels.sections))).toEqual(new Set(sections.map(({ id }) => id)));
  const fields = sections.flatMap((section) => section.fields);
  // Words are found in a member of a postal address, too, and in the currency of a sum.
  const members = fields.flatMap(({ paths }) =>
    paths.map((path) => path.slice(path.lastIndexOf('.') + 1)),
  );
  expect(new Set(Object.keys(labels.fields))).toEqual(
    new Set([...fields.map(({ key }) => key), ...members]),
  );
  const values = new Set([
    ...enumsOf(payloadSchemas).filter(
      (value) => ![...words.countries, ...words.currencies].some((code) => code === value),
    ),
    // What insurers write in `claimType` of other categories, which is free text.
    'collision',
    'rear_end_collision',
  ]);
  expect(new Set(Object.keys(labels.values))).toEqual(values);
});

test.each(languages)('every count in %s has its form for 0, 1, 2, 5 and 21', async (language) => {
  const i18n = createDeskI18n();
  await showLanguage(i18n, language);
  const counted = [...leaves(await loadWindowTexts[language]())].filter(([, text]) =>
    text.includes(' | '),
  );
  expect(counted.length).toBeGreaterThan(20);
  for (const [key, text] of counted) {
    const [one, other] = text.split(' | ').map((form) => form.replaceAll(/\{\w+\}/g, '7'));
    const params: Record<string, string> = { n: '7' };
    for (const name of placeholders(text)) params[name ?? ''] = '7';
    for (const n of [0, 1, 2, 5, 21]) {
      const isOne = n === 1 || (n === 0 && language === 'fr');
      expect(i18n.global.t(key, params, n), `${key} ${n}`).toBe(isOne ? one : other);
    }
  }
});
