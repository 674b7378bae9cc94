import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { flawsOf, verifyFilled } from '#main/engine/templates/docx/verify-docx.ts';
import { makeDocx, paragraph, table } from '../../../support/word-documents.ts';

const sized = (cx: number, cy: number, id = 1) =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${id}" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:blip/></a:graphic></wp:inline></w:drawing></w:r>`;
const cell = (inner: string, width = 2000) =>
  `<w:tbl><w:tblGrid><w:gridCol w:w="${width}"/></w:tblGrid><w:tr><w:tc>${inner}</w:tc></w:tr></w:tbl>${paragraph('')}`;
const emu = (twips: number) => twips * 635;

function without(docx: Uint8Array, name: string): Uint8Array {
  const { [name]: _, ...parts } = unzipSync(docx);
  return zipSync(parts);
}
function replaced(docx: Uint8Array, name: string, from: string, to: string): Uint8Array {
  const parts = unzipSync(docx);
  const text = strFromU8(parts[name] ?? new Uint8Array());
  expect(text).toContain(from);
  return zipSync({ ...parts, [name]: strToU8(text.replace(from, to)) });
}
const plain = makeDocx(paragraph('a'), { header: paragraph('b') });
const rels = 'word/_rels/document.xml.rels';

describe('the verifier of filled documents finds', () => {
  it.each<[string, Uint8Array, string]>([
    ['what is no archive', strToU8('x'), 'archive'],
    ['a part that is not well formed', replaced(plain, 'word/header.xml', '</w:p>', ''), 'xml'],
    ['a document without its text', without(plain, 'word/document.xml'), 'main'],
    [
      'a part that has no type',
      zipSync({ ...unzipSync(plain), 'word/a.bin': strToU8('x') }),
      'content-type',
    ],
    ['a relation to no part', replaced(plain, rels, 'header.xml', 'other.xml'), 'relation'],
    [
      'two relations of one name',
      replaced(
        plain,
        rels,
        '<Relationship ',
        '<Relationship Id="p0" Type="t" Target="header.xml"/><Relationship ',
      ),
      'relation',
    ],
    [
      'a name of a relation that does not exist',
      makeDocx('<w:p><w:hyperlink r:id="none"/></w:p>'),
      'relation',
    ],
    ['a tag in the text', makeDocx(paragraph('{case', '.key}')), 'left'],
    ['a mark in the text', makeDocx(paragraph('{#photos}')), 'left'],
    ['a tag in a header', makeDocx('', { header: paragraph('{case.key}') }), 'left'],
    [
      'a tag in a field of Word',
      makeDocx(
        '<w:p><w:r><w:instrText>IF {case</w:instrText></w:r><w:r><w:instrText>.key}</w:instrText></w:r></w:p>',
      ),
      'left',
    ],
    [
      'a tag in an attribute',
      makeDocx('<w:p><w:r><w:pict><w:x string="{case.key}"/></w:pict></w:r></w:p>'),
      'left',
    ],
    [
      'a tag in another part',
      makeDocx('', { more: { 'docProps/core.xml': '<a>{case.key}</a>' } }),
      'left',
    ],
    ['a table without rows', makeDocx('<w:tbl><w:tblPr/></w:tbl>'), 'table'],
    ['a row without cells', makeDocx('<w:tbl><w:tr/></w:tbl>'), 'table'],
    [
      'a row that is wider than its table',
      makeDocx(`<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid>${table(['a', 'b']).slice(7)}`),
      'table',
    ],
    ['a cell without a paragraph', makeDocx('<w:tbl><w:tr><w:tc/></w:tr></w:tbl>'), 'cell'],
    [
      'a cell that ends with a table',
      makeDocx(`<w:tbl><w:tr><w:tc>${table(['a'])}</w:tc></w:tr></w:tbl>`),
      'cell',
    ],
    ['an empty header', makeDocx('', { header: '' }), 'block'],
    ['properties behind the text', makeDocx('<w:p><w:r/><w:pPr/></w:p>'), 'order'],
    ['something behind the last section', makeDocx(`<w:sectPr/>${paragraph('a')}`), 'order'],
    ['a paragraph in a paragraph', makeDocx(`<w:p>${paragraph('a')}</w:p>`), 'nesting'],
    ['a run in the body', makeDocx('<w:r/>'), 'nesting'],
    [
      'two drawings of one number',
      makeDocx(`<w:p>${sized(9, 9)}${sized(9, 9)}</w:p>`),
      'drawing-id',
    ],
    [
      'a note that does not exist',
      makeDocx('<w:p><w:r><w:footnoteReference w:id="7"/></w:r></w:p>'),
      'note',
    ],
    ['a picture of no size', makeDocx(`<w:p>${sized(0, 9)}</w:p>`), 'picture-size'],
    [
      'a picture wider than its cell',
      makeDocx(cell(`<w:p>${sized(emu(2500), 9)}</w:p>`)),
      'picture-wide',
    ],
    [
      'a picture wider than the page',
      makeDocx(`<w:p>${sized(emu(12000), 9)}</w:p>`),
      'picture-wide',
    ],
    [
      'a picture higher than the page',
      makeDocx(`<w:p>${sized(9, emu(16000))}</w:p>`),
      'picture-high',
    ],
    [
      'a picture in a line of an exact height',
      makeDocx(
        `<w:p><w:pPr><w:spacing w:line="240" w:lineRule="exact"/></w:pPr>${sized(9, emu(1000))}</w:p>`,
      ),
      'picture-high',
    ],
  ])('%s', (_, bytes, rule) => {
    expect(flawsOf(bytes, null).map((flaw) => flaw.rule)).toContain(rule);
  });

  it('nothing in a sound document', () => {
    const body = cell(`<w:p>${sized(emu(1900), 9)}</w:p>`) + paragraph('no {field: at all');
    expect(
      flawsOf(makeDocx(body, { header: paragraph('b'), footnotes: paragraph('c') }), null),
    ).toEqual([]);
  });
});

describe('a filled document', () => {
  it('may have what its template has itself, and braces in a text of the case', () => {
    const template = makeDocx(`<w:tbl><w:tblPr/></w:tbl>${paragraph('{case.key}')}`);
    const filled = makeDocx(`<w:tbl><w:tblPr/></w:tbl>${paragraph('{subject}')}`);
    expect(verifyFilled(filled, template, new Set(['{case.key}']))).toEqual([]);
    expect(verifyFilled(filled, template, new Set(['{subject}']))).toMatchObject([
      { rule: 'left', part: 'word/document.xml', what: '{subject}' },
    ]);
  });
});
