import { expect, it } from 'vitest';
import { excerptAround, placeOf } from '#main/engine/cache/place-of-words.ts';

const long = 'vorher '.repeat(20);

it.each([
  ['a short text whole, whatever it has', 'Beule  am\tDach ', ['dach'], 'Beule am Dach'],
  [
    'a text of 96 characters whole, wherever the word is',
    `${'vorher '.repeat(13)}Hagel`,
    ['hagel'],
    `${'vorher '.repeat(13)}Hagel`,
  ],
  [
    'the beginning of a longer one without the words',
    'x'.repeat(97),
    ['none'],
    `${'x'.repeat(96)} …`,
  ],
  [
    'a word near the beginning from the beginning',
    `${'x'.repeat(23)} Hagel ${long}`,
    ['hagel'],
    `${'x'.repeat(23)} Hagel ${long}`.slice(0, 96) + ' …',
  ],
  [
    'a later word with whole words before it',
    `${long}Hagel`,
    ['hagel'],
    '… vorher vorher vorher Hagel',
  ],
  [
    'the first of the words',
    `${long}Sturm und Hagel`,
    ['hagel', 'sturm'],
    '… vorher vorher vorher Sturm und Hagel',
  ],
  [
    'a word behind a long one from itself',
    `${'y'.repeat(50)}-Hagel ${long}`,
    ['hagel'],
    `… Hagel ${long}`.slice(0, 98) + ' …',
  ],
  [
    'a word at the end of a text without spaces from itself',
    `${'y-'.repeat(60)}Hagel`,
    ['hagel'],
    '… Hagel',
  ],
  [
    'a letter in two signs as one',
    `${long}Mu\u0308ller`,
    ['muller'],
    '… vorher vorher vorher Müller',
  ],
  ['a sign that turns the text around as what it is', 'a\u202eb', ['a'], 'a\ufffdb'],
])('shows %s', (_what, text, words, expected) => {
  expect(excerptAround(text, words)).toBe(expected);
});

it.each([
  ['Beule  am Dach', ['dach'], 'Beule am Dach'],
  ['Dach', ['dach'], 'Dach'],
  ['Beule am Dach', ['tür'], ''],
  [`${long}Hagel`, ['hagel'], '… vorher vorher vorher Hagel'],
])('the place in %j of %j is %j', (text, words, expected) => {
  expect(placeOf(text, words)).toBe(expected);
});
