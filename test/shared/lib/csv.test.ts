import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf, csvText } from '#shared/lib/csv.ts';

describe('CSV', () => {
  it('quotes what would break a row, and defuses formulas', () => {
    expect(csvOf([['a;b', '=1+1', ' =1+1', 'say "x"', '−5']])).toBe(
      '\uFEFF"a;b";\'=1+1;\' =1+1;"say ""x""";−5\r\n',
    );
  });

  it.each([
    ['1-2', '1-2'],
    ['a=b', 'a=b'],
    ['anna@example.ch', 'anna@example.ch'],
    [' -5', "' -5"],
    ['\t5', '"\'\t5"'],
    ['a\tb', '"a\tb"'],
    ['a\nb', '"a\nb"'],
    ['a,b', '"a,b"'],
  ])('writes %j as %s', (text, cell) => {
    expect(csvText(text)).toBe(cell);
  });

  it('gives back every text, and begins none like a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '=', '+', '-', '@', '\t', ' =', '＝', '＋', '－', '＠', '﹦', ' ﹢'),
        (text, head) => {
          const cell = csvText(head + text);
          const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
          expect(read.replace(/^'/, '')).toBe((head + text).replace(/^'/, ''));
          expect(read).not.toMatch(/^\s*[=+\-@＝＋－＠﹦﹢﹣﹫]/);
          expect(cell.startsWith('"') || !/[;\r\n"]/.test(cell)).toBe(true);
        },
      ),
    );
  });
});
