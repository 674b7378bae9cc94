import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/processes.ts';

const text = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
const [, ...records] = text.split(/^## /m);
const wordsMax = 150;
const day = String.raw`2\d{3}-[01]\d-[0-3]\d`;
/** One that no longer holds says that first: superseded by which, or withdrawn, and when. */
const dated = new RegExp(
  `^${day}\\. (?:(?!Superseded|Withdrawn)|(?:Superseded by decision \\d+|Withdrawn) on ${day})`,
);

it('decisions are numbered without a gap, so that no number is used twice', () => {
  const numbers = records.map((record) => Number(/^\d+(?=\. )/.exec(record)?.[0]));
  expect(numbers).toEqual(records.map((_, index) => index + 1));
});

it.each(records.map((record) => [record.split('\n', 1)[0] ?? '', record] as const))(
  'decision “%s” says when it was decided, in at most 150 words',
  (_, record) => {
    const [, ...paragraphs] = record.trim().split('\n\n');
    const body = paragraphs.join(' ');
    expect(body).toMatch(dated);
    expect(body.split(/\s+/).length - 1).toBeLessThanOrEqual(wordsMax);
  },
);
