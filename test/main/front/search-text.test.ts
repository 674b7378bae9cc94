import { expect, test } from 'vitest';
import { searchTerms, searchText } from '#main/front/search-text.ts';

test('search text: the key and every text and number of a payload, none of them joined', () => {
  const payload = {
    a: 'Straße',
    b: [1, { c: 'X y', d: -2.5, e: true, f: null }],
    g: { h: { i: 'tief' } },
  };
  const values = searchText('K-1', payload).split('\n');
  expect(values[0]).toBe('k-1');
  expect(values.toSorted()).toEqual(['-2.5', '1', 'k-1', 'strasse', 'tief', 'x y']);
});

test.each(['text', 7])('search text: a payload may be a value alone: %s', (payload) => {
  expect(searchText('k', payload)).toBe(`k\n${payload}`);
});

test.each([null, undefined, true])('search text: a payload may be none: %s', (payload) => {
  expect(searchText('k', payload)).toBe('k');
});

test('search text: a payload may be nested deeper than the stack', () => {
  let payload: unknown = 'deep';
  for (let depth = 0; depth < 100_000; depth += 1) payload = [payload];
  expect(searchText('k', payload)).toBe('k\ndeep');
});

test('search text: has what a database can store, in the key and in the payload', () => {
  expect(searchText('a\0b', ['c\0\ud800d'])).toBe('a b\nc \ufffdd');
});

test('search terms: are split at white space, folded, and each there once', () => {
  expect(searchTerms(' Zürich  zürich\tA-B\n c\0d \u00a0E')).toEqual([
    'zurich',
    'a-b',
    'c',
    'd',
    'e',
  ]);
  expect(searchTerms('')).toEqual([]);
  expect(searchTerms(' \n ')).toEqual([]);
  expect(searchTerms('a\ud800')).toEqual(['a\ufffd']);
});
