import { expect, it } from 'vitest';
import { trimEndOf } from '#shared/lib/trim-end.ts';

it.each([
  ['https://host/path//', '/', 'https://host/path'],
  ['a. .', '. ', 'a'],
  ['///', '/', ''],
  ['', '/', ''],
  ['a/b', '/', 'a/b'],
])('takes unwanted characters from the end of %j alone', (text, unwanted, expected) => {
  expect(trimEndOf(text, unwanted)).toBe(expected);
});
