import { describe, expect, it } from 'vitest';
import { evaluate, scopeOf, textOf } from '#main/engine/templates/docx/evaluate.ts';
import { FieldFault, parseExpression } from '#main/engine/templates/docx/expression.ts';
import { type FilledRow, printedText } from '#main/engine/templates/docx/fill-data.ts';
import { nearestField } from '#main/engine/templates/docx/nearest-field.ts';

const values: FilledRow = {
  'insured.phone': '',
  'insured.name': 'Meier',
  subject: 'Dach',
  'amounts.approved': { number: 12345.6, text: 'CHF 12’345.60' },
  'amounts.estimate': { number: 15000, text: 'CHF 15’000.00' },
  incidentDate: { date: '2026-03-09', text: '09.03.2026' },
  'category.fraud': true,
};
const photos: FilledRow[] = [
  {
    group: 'Schaden',
    number: { number: 2, text: '2' },
    caption: 'b',
    time: { date: '2026-03-09T14:05', text: '' },
  },
  {
    group: 'Übersicht',
    number: { number: 1, text: '1' },
    caption: 'a',
    time: { date: '2026-03-08T09:00', text: '' },
  },
  {
    group: 'Schaden',
    number: { number: 10, text: '10' },
    caption: 'c',
    time: { date: '2026-03-09T08:00', text: '' },
  },
];
const around = () => ({
  scopes: [scopeOf(values, { photos })],
  language: 'de' as const,
  budget: { entries: 10_000 },
});
const valueOf = (text: string) => evaluate(parseExpression(text), around());
const shown = (text: string) => textOf(valueOf(text), 'de');
const captions = (text: string) =>
  (valueOf(text) as readonly FilledRow[]).map(({ caption }) => printedText(caption)).join('');

describe('an expression in a field', () => {
  it.each([
    ['insured.name', 'Meier'],
    ['amounts.approved', 'CHF 12’345.60'],
    ['amounts.approved | number: 0', '12’346'],
    ['amounts.approved * 8.1% | round: 0.05 | chf', 'CHF\u00a01’000.00'],
    ['amounts.estimate - amounts.approved | chf', 'CHF\u00a02’654.40'],
    ['amounts.approved − amounts.estimate | number', '−2’654.40'],
    ['(1 + 2) × 3', '9'],
    ['2 + 3 * 4 - 6 / 2', '11'],
    ['0.1 + 0.2 | number: 1', '0.3'],
    ['1 / 0', ''],
    ['insured.name + 1', ''],
    ['incidentDate | date: "d. MMMM yyyy"', '9. März 2026'],
    ['incidentDate | date: „dddd, dd.MM.yy“', 'Montag, 09.03.26'],
    ['insured.name | upper', 'MEIER'],
    ['insured.phone | default: "–"', '–'],
    ['photos | count', '3'],
    ['photos | sum: number', '13'],
    ['(photos | sum: number) * 1.081 | number: 2', '14.05'],
    ['photos | where: group = "Schaden" | count', '2'],
    ['unknown.name', ''],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['amounts.approved > 5000 and not insured.phone', true],
    ['amounts.approved ≥ 12345.6 or insured.phone', true],
    ['insured.name = "Meier"', true],
    ['insured.name <> "Meier"', false],
    ['incidentDate < "2026-03-10"', true],
    ['not (category.fraud and insured.name)', false],
  ])('the condition %s', (text, expected) => {
    expect(valueOf(text)).toBe(expected);
  });

  it('filters and orders lists, by numbers and times and not by their texts', () => {
    expect(captions('photos | sort: number')).toBe('abc');
    expect(captions('photos | sort: time | reverse')).toBe('bca');
    expect(captions('photos | where: group = "Schaden" | sort: time | limit: 1')).toBe('c');
    expect(captions('photos | where: group != "Schaden" or number > 5')).toBe('ac');
  });

  it.each([
    'constructor',
    '__proto__',
    'insured.name.constructor',
    'toString',
    'photos.length',
    'photos | where: constructor',
  ])('finds no member of JavaScript: %s', (text) => {
    expect(textOf(valueOf(text), 'de')).toBe('');
  });

  it.each([
    'x = ',
    'x = 5 = 5',
    'f(x)',
    'x[0]',
    'x.y()',
    '`x`',
    'x; y',
    'x => x',
    '"open',
    'x | eval',
    'x | constructor',
    'x | date',
    'x | number: 1, 2',
    '1x',
    '{x}',
    '\\u0061',
    `${'('.repeat(20)}1${')'.repeat(20)}`,
    Array.from({ length: 80 }, () => '1').join('+'),
    'x'.repeat(301),
    '',
  ])('is refused if it is more than that: %s', (text) => {
    expect(() => parseExpression(text)).toThrow(FieldFault);
  });

  it('ends lists in lists in lists', () => {
    const inner =
      'photos | where: (photos | where: (photos | where: (photos | count) > 0 | count) > 0 | count) > 0';
    const few = { ...around(), budget: { entries: 20 } };
    expect(() => evaluate(parseExpression(inner), few)).toThrow(FieldFault);
  });
});

describe('the field that is probably meant', () => {
  it.each([
    ['Case.Key', 'case.key'],
    ['insured.nmae', 'insured.name'],
    ['vehicle.licensePlate', 'vehicle.plate'],
    ['vehicle.carMake', 'vehicle.make'],
    ['caption', '#photos'],
    ['something.else', null],
  ])('for %s', (name, expected) => {
    expect(nearestField(name, [])).toBe(expected);
  });
  it('within a list is one of the list', () => {
    expect(nearestField('captoin', ['photos'])).toBe('caption');
  });
});
