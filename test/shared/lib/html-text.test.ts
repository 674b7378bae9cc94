import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOfHtml } from '#shared/lib/html-text.ts';

const word = fc.stringMatching(/^[A-Za-z0-9.']{1,8}$/);
const rows = fc.array(fc.array(word, { minLength: 2, maxLength: 5 }), {
  minLength: 1,
  maxLength: 6,
});
/** Ways in which programs write a cell and a table. */
const ways = fc.record({
  cell: fc.constantFrom('%', '<p class=MsoNormal>%</p>', '<div>%</div>', ' <b>%</b>\n', '<span>%'),
  tag: fc.constantFrom('td', 'th', 'TD'),
  body: fc.constantFrom('%', '<thead>%</thead>', '<tbody>%</tbody>', '<caption></caption>%'),
  outside: fc.constantFrom('%', '<table><tr><td>%</td></tr></table>', '<center>%</center>'),
});

it('keeps the cells of a table apart, a line for each row', () => {
  fc.assert(
    fc.property(rows, ways, (cells, { cell, tag, body, outside }) => {
      const lines = cells.map(
        (row) =>
          `<tr>${row.map((one) => `<${tag}>${cell.replace('%', one)}</${tag}>`).join('')}</tr>`,
      );
      const table = `<table>${body.replace('%', lines.join(''))}</table>`;
      const text = textOfHtml(`<p>Offerte</p>${outside.replace('%', table)}<p>Ende</p>`);
      const shown = text.split('\n').filter((line) => line !== '');
      expect(shown).toEqual(['Offerte', ...cells.map((row) => row.join('\t')), 'Ende']);
    }),
  );
});

it.each([
  [
    'a cell over two columns',
    '<tr><td colspan=2>Total</td><td>750.00</td></tr>',
    'Total\t\t750.00',
  ],
  ['an empty cell', '<tr><td>1</td><td></td><td>750.00</td></tr>', '1\t\t750.00'],
  ['a layout around one text', '<tr><td></td><td>Text</td><td></td></tr>', 'Text'],
  ['cells without a row', '<td>Pos. 1</td><td>250.00</td>', 'Pos. 1\n250.00'],
  [
    'two tables side by side',
    '<tr><td><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table></td><td>5</td></tr>',
    '1\t2\n3\t4\n5',
  ],
  [
    'lines in a cell',
    '<tr><td>Kotflügel<br>links</td><td>250.00</td></tr>',
    'Kotflügel\nlinks\t250.00',
  ],
  ['an endless cell', '<tr><td colspan=999999999>a</td><td>b</td></tr>', `a${'\t'.repeat(50)}b`],
])('shows %s', (_, inner, text) => {
  expect(textOfHtml(`<table>${inner}</table>`)).toBe(text);
});

it('ends for tables in tables without end', () => {
  expect(textOfHtml('<table><tr><td>1'.repeat(20_000)).length).toBeLessThan(2_000_000);
});
