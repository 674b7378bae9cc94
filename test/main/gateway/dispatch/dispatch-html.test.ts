import { createHash } from 'node:crypto';
import { Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';
import { caseStatuses } from '#shared/api/case-words.ts';
import { dispatchTexts, wordFor } from '#shared/i18n/catalogue.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { dispatchFilters, nobody } from '#main/gateway/dispatch/dispatch-cases.ts';
import {
  addressOf,
  dispatchPage,
  pagePolicy,
  signInPage,
} from '#main/gateway/dispatch/dispatch-html.ts';

/* The dispatcher's page as a browser reads it. */

function open(page: string) {
  const window = new Window();
  onTestFinished(() => window.happyDOM.close());
  const { document } = window;
  document.write(page);
  const textsOf = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
  /** The value and the text of each option of a field, and the chosen values. */
  const options = (name: string) => {
    const found = [...document.querySelectorAll(`select[name=${name}] option`)];
    return {
      all: found.map((each) => [each.getAttribute('value'), each.textContent]),
      chosen: found
        .filter((each) => each.hasAttribute('selected'))
        .map((each) => each.getAttribute('value')),
    };
  };
  const attribute = (selector: string, name: string) =>
    document.querySelector(selector)?.getAttribute(name);
  return { page, document, textsOf, options, attribute };
}

const people = [
  { id: 'one', name: 'Anna', cases: 2 },
  { id: 'two', name: 'Beat', cases: 0 },
];
const row = (id: string, more: object = {}) => ({
  id,
  external_key: `K-${id}`,
  category: 'special',
  status: 'Accepted',
  postal_code: '8001',
  responsible: 'Clara',
  assigned: ['Anna', 'Beat'],
  ...more,
});

function show(query: object = {}, more: object = {}, language: Language = 'en') {
  const filters = dispatchFilters.parse(query);
  const cases = [row('a'), row('b', { assigned: [] })];
  const view = { name: 'Lead', filters, total: 2, cases, people, ...more };
  return open(dispatchPage(language, view));
}

test.each(languages)('dispatch page: both pages are in one language (%s)', (language) => {
  const t = dispatchTexts[language];
  for (const { document, textsOf } of [open(signInPage(language, false)), show({}, {}, language)]) {
    expect(document.documentElement.lang).toBe(language);
    expect([textsOf('title'), textsOf('h1')]).toEqual([[t.title], [t.title]]);
  }
});

test('dispatch page: the page of a code asks for it alone, and says if it was wrong', () => {
  const t = dispatchTexts.en;
  const { document, textsOf, attribute } = open(signInPage('en', false));
  expect(attribute('form', 'method')).toBe('post');
  expect(attribute('form', 'action')).toBe('/dispatch/sign-in');
  const [field, ...others] = document.querySelectorAll('form input');
  expect(others).toEqual([]);
  expect([field?.getAttribute('name'), field?.getAttribute('autocomplete')]).toEqual([
    'code',
    'off',
  ]);
  expect([textsOf('form label'), textsOf('form button'), textsOf('main > p')]).toEqual([
    [t.code],
    [t.signIn],
    [t.codeHelp],
  ]);
  expect(textsOf('[role=alert]')).toEqual([]);
  expect(open(signInPage('en', true)).textsOf('[role=alert]')).toEqual([t.codeWrong]);
});

test('dispatch page: each case is a row with its words, its people and a field of its own', () => {
  const { textsOf, document } = show();
  const t = dispatchTexts.en;
  expect(textsOf('tbody tr:first-child > *')).toEqual([
    '',
    'K-a',
    wordFor('en', 'caseStatus', 'Accepted'),
    wordFor('en', 'category', 'special'),
    '8001',
    'Clara',
    'Anna, Beat',
  ]);
  expect(textsOf('tbody tr:last-child > *').at(-1)).toBe('');
  expect(textsOf('thead th')).toHaveLength(6);
  const fields = [...document.querySelectorAll('tbody input')];
  expect(
    fields.map((each) =>
      ['type', 'name', 'value', 'aria-label'].map((of) => each.getAttribute(of)),
    ),
  ).toEqual(['a', 'b'].map((id) => ['checkbox', 'case', id, `${t.choose} K-${id}`]));
  expect(textsOf('[role=status]')).toEqual([`${t.found}: 2`]);
  expect(show({}, { cases: [], total: 0 }).textsOf('[role=status]')).toEqual([t.none]);
});

test('dispatch page: the fields of the filter have the values that it has, and no other', () => {
  const t = dispatchTexts.en;
  const without = show();
  expect(without.attribute('input[name=q]', 'value')).toBe('');
  expect(without.options('status').all).toEqual([
    ['', t.anyStatus],
    ...caseStatuses.map((status) => [status, wordFor('en', 'caseStatus', status)]),
  ]);
  expect(without.options('person').all).toEqual([
    ['', t.anyone],
    [nobody, t.nobody],
    ['one', 'Anna (2)'],
    ['two', 'Beat (0)'],
  ]);
  expect([without.options('status').chosen, without.options('person').chosen]).toEqual([
    [''],
    [''],
  ]);

  const found = show({ q: 'VW "Golf"', status: 'Accepted', person: 'two' });
  expect(found.attribute('input[name=q]', 'value')).toBe('VW "Golf"');
  expect(found.options('status').chosen).toEqual(['Accepted']);
  expect(found.options('person').chosen).toEqual(['two']);
  expect(show({ person: nobody }).options('person').chosen).toEqual([nobody]);
});

test('dispatch page: chosen cases are assigned to a person by name, and nobody is chosen beforehand', () => {
  const t = dispatchTexts.en;
  const { options, document, attribute, textsOf } = show({ q: 'Golf', person: 'two', page: 2 });
  expect(attribute('form:has(table)', 'method')).toBe('post');
  expect(attribute('form:has(table)', 'action')).toBe('/dispatch/assign');
  expect(options('client')).toEqual({
    all: [
      ['one', 'Anna (2)'],
      ['two', 'Beat (0)'],
    ],
    chosen: [],
  });
  const actions = [...document.querySelectorAll('.act button')];
  expect(
    actions.map((each) => [
      each.getAttribute('name'),
      each.getAttribute('value'),
      each.textContent,
    ]),
  ).toEqual([
    ['action', 'assign', t.assign],
    ['action', 'remove', t.remove],
  ]);
  const back = 'q=Golf&status=&person=two&page=2';
  expect(attribute('input[type=hidden][name=back]', 'value')).toBe(back);
  expect(attribute('header form', 'method')).toBe('post');
  expect(attribute('header form', 'action')).toBe('/dispatch/sign-out');
  expect(textsOf('header span')).toEqual(['Lead']);
});

test('dispatch page: links lead to the pages that there are, with the same filter', () => {
  const t = dispatchTexts.en;
  const links = (page: number, total: number) =>
    [...show({ q: 'a&b', page }, { total }).document.querySelectorAll('nav a')].map((link) => [
      link.textContent.trim(),
      link.getAttribute('href'),
    ]);
  const to = (page: number) => `/dispatch?q=a%26b&status=&person=&page=${String(page)}`;
  expect(links(1, 100)).toEqual([]);
  expect(links(1, 101)).toEqual([[t.next, to(2)]]);
  expect(links(2, 200)).toEqual([[t.previous, to(1)]]);
  expect(links(2, 201)).toEqual([
    [t.previous, to(1)],
    [t.next, to(3)],
  ]);
  expect(addressOf(dispatchFilters.parse({}))).toBe('q=&status=&person=&page=1');
});

test('dispatch page: what others have typed is text, wherever it stands', () => {
  const evil = `<b a='1' c="2">&\u202e`;
  const { page, document, textsOf } = show(
    { q: evil, person: evil },
    {
      name: evil,
      people: [{ id: evil, name: evil, cases: 1 }],
      cases: [
        row(evil, {
          external_key: evil,
          status: evil,
          category: evil,
          postal_code: evil,
          responsible: evil,
          assigned: [evil],
        }),
      ],
    },
  );
  expect(document.querySelectorAll('b, [a], [c]')).toHaveLength(0);
  expect([page.includes('<b a='), page.includes('\u202e')]).toEqual([false, false]);
  // A sign that would turn the rest of the line around is shown.
  const shown = evil.replace('\u202e', '\ufffd');
  expect(textsOf('tbody tr > *')).toEqual(['', shown, shown, shown, shown, shown, shown]);
  expect(document.querySelector('tbody input')?.getAttribute('value')).toBe(shown);
});

test('dispatch page: it has no script, and its policy allows its own style and forms alone', () => {
  const style = /<style>([^]*)<\/style>/.exec(show().page)?.[1] ?? '';
  expect(style).toContain('prefers-color-scheme: dark');
  const hash = createHash('sha256').update(style).digest('base64');
  expect(pagePolicy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]);
});
