import { describe, expect, it } from 'vitest';
import { checkTemplate } from '#main/engine/templates/docx/check-template.ts';
import type { FillData } from '#main/engine/templates/docx/fill-data.ts';
import { fillTemplate } from '#main/engine/templates/docx/fill-template.ts';
import { readTemplate } from '#main/engine/templates/docx/read-template.ts';
import { flawsOf } from '#main/engine/templates/docx/verify-docx.ts';
import { makeJpeg } from '../../../support/sample-files.ts';
import { makeDocx, paragraph, partOf, textsOf } from '../../../support/word-documents.ts';

const photo = (caption: string, group: string, at: number) => ({
  photo: { picture: at, altText: caption },
  caption,
  group,
  number: { number: at + 1, text: String(at + 1) },
  time: { date: `2026-03-0${9 - at}T08:00`, text: '' },
  fileName: '',
});
const data: FillData = {
  language: 'de',
  values: {
    'case.key': 'K-1',
    'insured.name': 'Meier',
    'insured.phone': '',
    'amounts.approved': { number: 12345.6, text: 'CHF 12’345.60' },
    'amounts.estimate': { number: 15000, text: 'CHF 15’000.00' },
    incidentDate: { date: '2026-03-09', text: '09.03.2026' },
    remarks: 'eins\nzwei',
    hasPhotos: true,
  },
  lists: {
    photos: [photo('Front', 'Schaden', 0), photo('Heck', 'Übersicht', 1)],
    persons: [],
    checklist: [
      { entry: 'A', answer: 'offen', isDone: false },
      { entry: 'B', answer: 'erledigt', isDone: true },
    ],
  },
  pictures: [
    { bytes: Uint8Array.from(makeJpeg()), format: 'image/jpeg', width: 4000, height: 3000 },
    { bytes: Uint8Array.from(makeJpeg()), format: 'image/jpeg', width: 3000, height: 4000 },
  ],
};
function filled(body: string): Uint8Array<ArrayBuffer> {
  const docx = makeDocx(body);
  expect(checkTemplate(docx).findings).toEqual([]);
  const made = fillTemplate(readTemplate(docx), data);
  expect(flawsOf(made, null)).toEqual([]);
  return made;
}
const textOf = (...lines: readonly string[]) =>
  textsOf(filled(lines.map((line) => paragraph(line)).join('')));
const cm = (emu: string | undefined) => Math.round(Number(emu) / 36_000) / 10;
const sizesOf = (docx: Uint8Array) =>
  [...partOf(docx).matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g)].map(([, width, height]) => [
    cm(width),
    cm(height),
  ]);

describe('the syntax of templates', () => {
  it('has an other case, in four languages and over paragraphs', () => {
    expect(textOf('{#insured.phone}T{else}no phone{/insured.phone}')).toEqual(['no phone']);
    expect(textOf('{#persons}', '{name}', '{sonst}', 'niemand', '{/persons}')).toEqual(['niemand']);
    expect(textOf('{#insured.name}M{sinon}x{/}{#insured.phone}y{altrimenti}z{/}')).toEqual(['Mz']);
    expect(textOf('{^insured.phone}no phone{/insured.phone}')).toEqual(['no phone']);
  });

  it('has comparisons, whose end repeats their words or is short', () => {
    expect(textOf('{#amounts.approved > 5000 and not insured.phone}high{/}')).toEqual(['high']);
    expect(textOf('{#checklist}{entry}{#isDone}!{else}?{/isDone}{/checklist}')).toEqual(['A?B!']);
  });

  it('filters and orders lists', () => {
    expect(textOf('{#photos | where: group = „Schaden“}{caption}{/photos}')).toEqual(['Front']);
    expect(textOf('{#photos | sort: time}{caption} {/}')).toEqual(['Heck Front ']);
  });

  it('sizes pictures by the field, and not over the room', () => {
    const body = (field: string) => paragraph(`{#photos | limit: 1}{${field}}{/photos}`);
    expect(sizesOf(filled(body('photo | width: 6cm')))).toEqual([[6, 4.5]]);
    expect(sizesOf(filled(body('photo | height: 30 mm')))).toEqual([[4, 3]]);
    expect(sizesOf(filled(body('photo | box: 6cm, 3cm')))).toEqual([[4, 3]]);
    expect(sizesOf(filled(body('photo | width: 90cm')))[0]?.[0]).toBeLessThan(17);
  });

  it('gives a placeholder picture the photo, in its place and size', () => {
    const frame = (descr: string) =>
      `<w:p><w:r><w:t>{#photos | limit: 1}</w:t></w:r><w:r><w:drawing><wp:inline><wp:extent cx="1800000" cy="1800000"/><wp:docPr id="1" name="p" descr="${descr}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="p"><a:blip/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r><w:r><w:t>{/photos}</w:t></w:r></w:p>`;
    const made = filled(frame('{photo}'));
    expect(sizesOf(made)).toEqual([[5, 3.8]]);
    expect(partOf(made)).toContain('descr="Front"');
    expect(partOf(made)).toMatch(/<a:blip [^>]*r:embed="rIdDesk1"/);
  });

  it('breaks lines of a justified paragraph without tearing them apart', () => {
    const justified = paragraph('{remarks}').replace(
      '<w:p>',
      '<w:p><w:pPr><w:jc w:val="both"/></w:pPr>',
    );
    expect(textsOf(filled(justified))).toEqual(['eins\t\nzwei']);
  });

  it('has a list with a condition in one bullet', () => {
    const bullet = (text: string) =>
      paragraph(text).replace(
        '<w:p>',
        '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
      );
    expect(textsOf(filled(bullet('{#checklist}{entry}{#isDone} ok{/isDone}{/checklist}')))).toEqual(
      ['A', 'B ok'],
    );
  });
});

describe('a fault in a template', () => {
  it.each([
    ['{Case.Key}', { fault: 'unknown', suggestion: 'case.key' }],
    ['{caption}', { fault: 'unknown', suggestion: '#photos' }],
    ['{amounts.approved |}', { fault: 'syntax', reason: 'filter' }],
    ['{amounts.approved | money}', { fault: 'syntax', reason: 'filter' }],
    ['{1 +}', { fault: 'syntax', reason: 'syntax' }],
    ['{photos}', { fault: 'alone' }],
    ['{else}', { fault: 'unopened' }],
    ['{#photos}{caption}', { fault: 'unclosed', field: '{#photos}' }],
  ])('%s is named with what is meant', (text, finding) => {
    const heading = paragraph('Schaden').replace(
      '<w:p>',
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>',
    );
    const found = checkTemplate(makeDocx(heading + paragraph(text))).findings;
    expect(found).toMatchObject([{ ...finding, place: { heading: 'Schaden', table: null } }]);
  });

  it('has the number of its table and row', () => {
    const row = `<w:tr><w:tc>${paragraph('x')}</w:tc></w:tr>`;
    const body = `<w:tbl>${row}</w:tbl>${paragraph('')}<w:tbl>${row}${row.replace('>x<', '>{nothing}<')}</w:tbl>`;
    expect(checkTemplate(makeDocx(body)).findings).toMatchObject([{ place: { table: 2, row: 2 } }]);
  });
});
