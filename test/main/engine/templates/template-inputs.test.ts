import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '#main/engine/templates/docx/check-template.ts';
import { fillTemplate } from '#main/engine/templates/docx/fill-template.ts';
import { readTemplate } from '#main/engine/templates/docx/read-template.ts';
import { trialData, trialEntries } from '#main/engine/templates/docx/trial-data.ts';
import { verifyFilled } from '#main/engine/templates/docx/verify-docx.ts';
import { partOf, picturesOf, textsOf } from '../../../support/word-documents.ts';

/*
 * Templates of the kinds that offices have, each of which came out wrong once, or was refused without
 * a reason. What they are stands in the names; `x` is the value of every field.
 */

const folder = join(import.meta.dirname, 'inputs');
const read = (name: string) => Uint8Array.from(readFileSync(join(folder, `${name}.docx`)));
const filledWith = (name: string, entries: (typeof trialEntries)[number]) =>
  fillTemplate(readTemplate(read(name)), trialData(entries));

/** The paragraphs without an entry, with one, and with two. */
const texts: Readonly<Record<string, readonly [string[], string[], string[]]>> = {
  '01-list-own-lines': [
    ['vor', 'nach'],
    ['vor', 'x: x', 'nach'],
    ['vor', 'x: x', 'x: x', 'nach'],
  ],
  '05-tracked-change-in-field': [['Schaden  Ende'], ['Schaden x Ende'], ['Schaden x Ende']],
  '07-list-text-after': [
    [' Ende', 'nach'],
    ['x: x Ende', 'nach'],
    ['x: xx: x Ende', 'nach'],
  ],
  '09-page-break-in-mark': [
    ['Ende'],
    ['', 'Blatt x', 'Ende'],
    ['', 'Blatt x', '', 'Blatt x', 'Ende'],
  ],
  '10-attached-template-mac': [['Schaden '], ['Schaden x'], ['Schaden x']],
  '11-bound-title': [
    ['Gutachten ', 'Text '],
    ['Gutachten x', 'Text x'],
    ['Gutachten x', 'Text x'],
  ],
  '13-row-marks-own-rows': [[], ['x', 'x'], ['x', 'x', 'x', 'x']],
  '17-table-only-row-empty': [
    ['vor', 'nach'],
    ['vor', 'x', 'x', 'nach'],
    ['vor', 'x', 'x', 'x', 'x', 'nach'],
  ],
  '25-altchunk': [
    ['Schaden ', 'Eingefügt '],
    ['Schaden x', 'Eingefügt x'],
    ['Schaden x', 'Eingefügt x'],
  ],
  '30-split-over-hyperlink': [[''], ['x'], ['x']],
  '33-sdt-row': [
    ['a', 'b'],
    ['a', 'b', 'x', 'x'],
    ['a', 'b', 'x', 'x', 'x', 'x'],
  ],
  '36-ins-split': [[''], ['x'], ['x']],
  '59-sdt-in-loop': [[], ['Foto x'], ['Foto x', 'Foto x']],
  '99-list-own-lines-empty': [['nach'], ['x', 'nach'], ['x', 'x', 'nach']],
};
const sound = [
  ...Object.keys(texts),
  '06-documented-photo-table',
  'attached-0',
  'office-building',
  'office-invoice',
  'office-letter-fr',
  'root-media',
];
const refused = ['07-watermark', '23-strict', '41-if-field'];

it('no template of the folder is forgotten', () => {
  const names = readdirSync(folder).map((name) => name.replace('.docx', ''));
  expect([...sound, ...refused].sort()).toEqual(names.sort());
});

describe.each(sound)('the template %s', (name) => {
  it('is added, and no flaw is in what it is filled with', () => {
    const template = read(name);
    expect(checkTemplate(template).findings).toEqual([]);
    for (const entries of trialEntries) {
      const filled = filledWith(name, entries);
      const tags = readTemplate(template).parts.flatMap((part) => part.tags.map(({ raw }) => raw));
      expect(verifyFilled(filled, template, new Set(tags))).toEqual([]);
    }
  });
  const expected = texts[name];
  if (expected)
    it('has the paragraphs of no, one and two entries', () => {
      expect(trialEntries.map((entries) => textsOf(filledWith(name, entries)))).toEqual(expected);
    });
});

it('photos are as wide as the cell that the documentation shows, whole and in their proportions', () => {
  const filled = filledWith('06-documented-photo-table', 2);
  expect(picturesOf(filled)).toHaveLength(2);
  const sizes = [...partOf(filled).matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g)].map(
    ([, width, height]) => Number(width) / Number(height),
  );
  expect(sizes.map((ratio) => ratio.toFixed(2))).toEqual(['1.33', '0.75']);
});

it('a document made from a company template loses that connection, its comments and changes', () => {
  expect(checkTemplate(read('10-attached-template-mac')).removed).toEqual(['attachedTemplate']);
  expect(checkTemplate(read('attached-0')).removed.toSorted()).toEqual([
    'attachedTemplate',
    'changes',
    'comments',
  ]);
});

it('a page break in the line of a mark is repeated with its list', () => {
  const breaks = [0, 2] as const;
  expect(
    breaks.map(
      (entries) =>
        partOf(filledWith('09-page-break-in-mark', entries)).split('w:type="page"').length - 1,
    ),
  ).toEqual(breaks);
});

it('the title in the properties is the filled one', () => {
  expect(partOf(filledWith('11-bound-title', 1), 'docProps/core.xml')).not.toContain('{');
});

it('a logo in a folder of its own stays when photos come', () => {
  const relations = partOf(filledWith('root-media', 2), 'word/_rels/document.xml.rels');
  const targets = [...relations.matchAll(/Target="([^"]*\.(?:png|jpe?g))"/g)].map(([, one]) => one);
  expect(new Set(targets).size).toBe(targets.length);
  expect(targets).toContain('/media/image1.png');
});

it('a field that nothing fills is named with its place', () => {
  expect(checkTemplate(read('07-watermark')).findings).toMatchObject([
    { fault: 'place', field: '{case.key}', part: 'header', reason: 'drawing' },
  ]);
  expect(checkTemplate(read('41-if-field')).findings).toMatchObject([
    { fault: 'place', field: '{case.category}', reason: 'fieldCode' },
  ]);
});

it('the strict form of Word is refused with what to do', () => {
  expect(() => checkTemplate(read('23-strict'))).toThrow('template_other_format');
});
