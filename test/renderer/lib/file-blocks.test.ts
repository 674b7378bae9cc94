import { expect, test } from 'vitest';
import { noDetails } from '#shared/photos/details.ts';
import { blocksOf, dropPlace, stepOf } from '#renderer/lib/file-blocks.ts';

/** `p` is a photo, every other letter is another file. */
const filesOf = (text: string) =>
  text.split('').map((letter, at) => ({
    id: String(at),
    fileName: letter,
    contentType: letter === 'p' ? 'image/jpeg' : 'application/pdf',
    sizeBytes: 1,
    sha256: String(at),
    isSalvageSale: false,
    details: noDetails,
  }));
const grouped = (text: string) => blocksOf(filesOf(text), ({ fileName }) => fileName === 'p');
/** Each block as its first position and its size. */
const shape = (text: string) =>
  grouped(text).map((block) => [block.index, block.kind === 'photos' ? block.photos.length : 0]);

test.each([
  ['', []],
  ['a', [[0, 0]]],
  [
    'appp',
    [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  ],
  [
    'appppb',
    [
      [0, 0],
      [1, 4],
      [5, 0],
    ],
  ],
  [
    'ppppapppppb',
    [
      [0, 4],
      [4, 0],
      [5, 5],
      [10, 0],
    ],
  ],
])(
  'consecutive photos of %j stand in groups, and every file stands in one block',
  (text, found) => {
    expect(shape(text)).toEqual(found);
  },
);

/** The order after a file has moved, as the list moves it. */
function moved(text: string, from: number, to: number): string {
  const letters = text.split('');
  if (to < 0 || to >= letters.length) return text;
  letters.splice(to, 0, ...letters.splice(from, 1));
  return letters.join('');
}

test.each([
  ['appppb', 0, 1, 'ppppab'],
  ['appppb', 2, -1, 'abpppp'],
  ['abc', 1, 1, 'acb'],
  ['abc', 1, -1, 'bac'],
  ['abc', 2, 1, 'abc'],
  ['abc', 0, -1, 'abc'],
] as const)('in %j block %d moves by %d over a whole group: %j', (text, at, by, expected) => {
  const blocks = grouped(text);
  expect(moved(text, blocks[at]?.index ?? -1, stepOf(blocks, at, by))).toBe(expected);
});

test.each([
  ['appppb', 0, 1, 'ppppab'],
  ['appppb', 5, 1, 'abpppp'],
  ['abc', 0, 2, 'bca'],
  ['abc', 2, 0, 'cab'],
] as const)(
  'in %j file %d that is dropped on block %d takes its place: %j',
  (text, from, on, expected) => {
    const block = grouped(text)[on];
    expect(block && moved(text, from, dropPlace(block, from))).toBe(expected);
  },
);
