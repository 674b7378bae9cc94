import { describe, expect, it } from 'vitest';
import { currenciesOfLine, moneyOf } from '#shared/lib/document-currency.ts';

it.each([
  ['Total 12.50', []],
  ['Total CHF 12.50', ['CHF']],
  ['Total Fr. 12.50', ['CHF']],
  ['Total 12.50 Euro', ['EUR']],
  ['Total 12.50 euros', ['EUR']],
  ['Total € 12.50', ['EUR']],
  ['Total EUR 12.50', ['EUR']],
  ['Total Europcar 12.50', []],
  ['Total US-Dollar 12.50', ['USD']],
  ['Total $12.50', ['USD']],
  ['Total £ 12.50', ['GBP']],
  ['Total ¥ 1250.00', ['JPY']],
  ['Total CHF 12.50 / EUR 13.10', ['CHF', 'EUR']],
])('the line “%s” names %j', (line, named) => {
  expect(currenciesOfLine(line)).toEqual(named);
});

describe('the currency of a document', () => {
  it.each([
    [[], 'CHF'],
    [['Total 12.50'], 'CHF'],
    [['Alle Beträge in Euro', 'Total 12.50'], 'EUR'],
    [['Tous les montants en euros'], 'EUR'],
    // An emission standard and a company are no currency.
    [['Abgasnorm Euro 6', 'Euro Garage AG'], 'CHF'],
    [['Preise in USD'], 'USD'],
    [['Beträge in CHF', 'Wechselkurs EUR 0.95'], null],
    [['Beträge in CHF', 'Zahlbar auch in Euro'], null],
  ])('of %j is %s', (lines, currency) => {
    expect(moneyOf(lines).currency).toBe(currency);
  });
});

describe('a credit note', () => {
  it.each([
    '  Gutschrift  ',
    'Gutschrift Nr. 2026-17',
    'NOTE DE CRÉDIT',
    'Nota di credito 12',
    'Storno',
    'Credit note',
    `Gutschrift ${'1'.repeat(29)}`,
  ])('has the title “%s”', (title) => {
    expect(moneyOf(['Garage Meier', title]).isCredit).toBe(true);
  });

  it.each([
    'Gutschriften werden verrechnet',
    'Gutschrift 12.50',
    'Abzüglich Gutschrift',
    `Gutschrift ${'1'.repeat(30)}`,
    'Rechnung',
  ])('is not taken from the line “%s”', (line) => {
    expect(moneyOf([line]).isCredit).toBe(false);
  });
});
