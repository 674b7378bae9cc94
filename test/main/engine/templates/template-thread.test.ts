import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { templateFieldOf, templateFields } from '#shared/desk/reports/template-fields.ts';
import type { FillData, FilledRow } from '#main/engine/templates/docx/fill-data.ts';
import { TemplateThread } from '#main/engine/templates/template-thread.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { makeJpeg } from '../../../support/sample-files.ts';
import {
  makeDocx,
  paragraph,
  partOf,
  pictureBytesOf,
  picturesOf,
  table,
  textBox,
  textsOf,
} from '../../../support/word-documents.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { laterRefusalOf } from '../../../support/refusals.ts';

const thread = new TemplateThread(faultLog);
afterAll(() => thread.end());

const data = (values: FilledRow, lists: FillData['lists'] = {}): FillData => ({
  language: 'de',
  values,
  lists,
  pictures: [{ bytes: Uint8Array.from(makeJpeg()), format: 'image/jpeg', width: 20, height: 10 }],
});
const fill = (docx: Uint8Array<ArrayBuffer>, given: FillData) =>
  thread.fill('t.docx', Uint8Array.from(docx), given);
const findingsOf = async (docx: Uint8Array<ArrayBuffer>) =>
  (await thread.check('t.docx', Uint8Array.from(docx))).findings;
const picture = { picture: 0, altText: 'Front' };

it('says of a template that it could not be checked, and not that it is too large, if no thread starts', async () => {
  const log = { error: () => undefined };
  const nowhere = new TemplateThread(log, new URL('https://desk.example/worker.mjs'));
  const bytes = Uint8Array.from(makeDocx(paragraph('a')));
  await expect(nowhere.check('t.docx', bytes)).rejects.toMatchObject({
    problem: { code: 'file_unchecked', params: { fileName: 't.docx' } },
  });
});

it('says of a template that it takes too much memory, also if the order before it failed', async () => {
  const source = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ kind }) => {
      if (kind === 'clean') throw new TypeError();
      const all = [];
      for (;;) all.push(new Array(1e6).fill(0.5));
    });`;
  const log = { error: () => undefined };
  const entry = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const failing = new TemplateThread(log, entry);
  const bytes = Uint8Array.from(makeDocx(paragraph('a')));
  const orders = [
    failing.make('one.docx', { kind: 'clean', bytes: bytes.slice() }),
    failing.check('two.docx', bytes),
  ];
  const refusals = await Promise.all(orders.map(laterRefusalOf));
  expect(refusals).toEqual(['file_unchecked', 'template_refused']);
});

/** Prefixes of names that no element declares. */
function undeclaredIn(xml: string): string[] {
  const used = [...xml.matchAll(/<(\w+):|\s(\w+):\w+=/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  return [...new Set(used)].filter(
    (prefix) => prefix !== 'xmlns' && prefix !== 'xml' && !xml.includes(`xmlns:${prefix}=`),
  );
}

describe('a filled template', () => {
  it('has the values where Word split the field over runs, also with spaces in the braces', async () => {
    const body = paragraph('Name: {insu', 'red.na', 'me}!') + paragraph('{ insured.name }');
    const filled = await fill(makeDocx(body), data({ 'insured.name': 'Meier & <Söhne>' }));
    expect(textsOf(filled)).toEqual(['Name: Meier & <Söhne>!', 'Meier & <Söhne>']);
  });

  it('has them in header, footer, footnote, endnote and text box', async () => {
    const one = paragraph('{case.', 'key}');
    const parts = { header: one, footer: one, footnotes: one, endnotes: one };
    const filled = await fill(
      makeDocx(textBox('{case', '.key}'), parts),
      data({ 'case.key': 'K-1' }),
    );
    for (const part of Object.keys(parts))
      expect(textsOf(filled, `word/${part}.xml`), part).toEqual(['K-1']);
    expect(partOf(filled)).not.toContain('case');
    expect(partOf(filled).match(/K-1/g)).toHaveLength(2);
  });

  it('repeats rows of a table and paragraphs, with fields of the case inside', async () => {
    const body =
      table(['{#persons}{name}', '{side}{/persons}']) +
      paragraph('{#documents}') +
      paragraph('{name} ({case.key})') +
      paragraph('{/documents}');
    const lists = {
      persons: [
        { name: 'Anna', side: 'A' },
        { name: 'Beat', side: 'B' },
      ],
      documents: [{ name: 'a.pdf' }, { name: 'b.pdf' }],
    };
    const filled = await fill(makeDocx(body), data({ 'case.key': 'K-1' }, lists));
    expect(textsOf(filled).filter((text) => text !== '')).toEqual([
      'Anna',
      'A',
      'Beat',
      'B',
      'a.pdf (K-1)',
      'b.pdf (K-1)',
    ]);
  });

  it('has no empty lines in place of those that were only marks', async () => {
    const lines = ['A', '{#persons}', '{#name}', '{name}', '{/name}', '{/persons}', '{#case.key}'];
    const body = [...lines, 'B', '{/case.key}', '', 'C'].map((line) => paragraph(line)).join('');
    const cell = `<w:tbl><w:tr><w:tc>${paragraph('{#persons}')}${paragraph('{/persons}')}</w:tc></w:tr></w:tbl>`;
    const lists = { persons: [{ name: '1' }, { name: '' }, { name: '2' }] };
    const filled = await fill(makeDocx(body + cell), data({ 'case.key': '' }, lists));
    // The empty line of the author stays, and a cell has a paragraph.
    expect(textsOf(filled)).toEqual(['A', '1', '2', '', 'C', '']);
    expect(partOf(filled)).not.toContain('mark-line');
    const shown = await fill(makeDocx(body), data({ 'case.key': 'K' }, { persons: [] }));
    expect(textsOf(shown)).toEqual(['A', 'B', '', 'C']);
  });

  it('has nothing of a list without entries, and of a condition without a value', async () => {
    const body =
      paragraph('{#persons}{name}{/persons}') +
      paragraph('{#insured.phone}Phone {insured.phone}{/insured.phone}') +
      paragraph('{#category.fraud}Fraud{/category.fraud}') +
      paragraph('End');
    const given = data({ 'insured.phone': '', 'category.fraud': false }, { persons: [] });
    const filled = await fill(makeDocx(body), given);
    expect(textsOf(filled).join('')).toBe('End');
  });

  it('has each picture once, at its place and with its text', async () => {
    const body = paragraph('{#photos}{photo}{caption}{/photos}');
    const photos = [
      { photo: picture, caption: 'One' },
      { photo: picture, caption: 'Two' },
      { photo: '', caption: 'No picture' },
    ];
    const filled = await fill(makeDocx(body), data({}, { photos }));
    expect(picturesOf(filled)).toHaveLength(1);
    expect(undeclaredIn(partOf(filled))).toEqual([]);
    expect(partOf(filled).match(/<w:drawing>/g)).toHaveLength(2);
    expect(textsOf(filled).join('')).toBe('OneTwoNo picture');
  });

  it('declares the names of pictures that the template had none of', async () => {
    const bare = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const body = paragraph('{#photos}{photo}{/photos}');
    const document = `<w:document ${bare}><w:body>${body}</w:body></w:document>`;
    const docx = makeDocx('', { more: { 'word/document.xml': document } });
    const filled = await fill(docx, data({}, { photos: [{ photo: picture }] }));
    expect(undeclaredIn(partOf(filled))).toEqual([]);
  });

  it('prints any text unchanged, in the document and in a list', async () => {
    const body = paragraph('{insured.name}') + paragraph('{#persons}{name}{/persons}');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        async (text, other) => {
          const lists = { persons: [{ name: `${other}{insured.name}` }] };
          const filled = await fill(makeDocx(body), data({ 'insured.name': text }, lists));
          const clean = (value: string) =>
            value
              .toWellFormed()
              .replaceAll(/\r\n?/g, '\n')
              .replaceAll(/(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu, '');
          expect(textsOf(filled)).toEqual([clean(text), clean(`${other}{insured.name}`)]);
        },
      ),
      {
        numRuns: smokeOrLong(25, 300),
        examples: [
          ['{#photos}', '{/x}'],
          ['a\nb', '</w:t>'],
          ['\u0000\ud800', ']]>'],
        ],
      },
    );
  });
});

describe('the check of a template', () => {
  it('finds nothing in one with every field', async () => {
    const body = templateFields
      .filter(({ list, kind }) => list === null && kind !== 'list')
      .map(({ name, kind }) => paragraph(kind === 'flag' ? `{#${name}}x{/${name}}` : `{${name}}`))
      .join('');
    const lists = templateFields
      .filter(({ kind }) => kind === 'list')
      .map(({ name }) => {
        const fields = templateFields.filter(({ list, kind }) => list === name && kind !== 'flag');
        const inner = fields.map((field) => `{${field.name}}`).join('');
        return paragraph(`{#${name}}${inner}{/${name}}`);
      })
      .join('');
    expect(await findingsOf(makeDocx(body + lists))).toEqual([]);
  });

  it('names unknown fields, open lists and single braces with their places', async () => {
    const body =
      paragraph('Dear {insured.nmae},') +
      paragraph('{caption} outside of the photos') +
      paragraph('{#photos}{caption}') +
      paragraph('a } b') +
      paragraph('{/persons}');
    const docx = makeDocx(body, {
      header: paragraph('{constructor} {__proto__}'),
      footnotes: paragraph('{#case.key} never ends'),
    });
    expect(await findingsOf(docx)).toMatchObject([
      { fault: 'brace', part: 'document', near: 'a } b' },
      { fault: 'unknown', field: '{insured.nmae}', part: 'document', near: 'Dear {insured.nmae},' },
      { fault: 'unknown', field: '{caption}', part: 'document' },
      { fault: 'unopened', field: '{/persons}', part: 'document' },
      { fault: 'unclosed', field: '{#photos}', part: 'document' },
      { fault: 'unknown', field: '{constructor}', part: 'header' },
      { fault: 'unknown', field: '{__proto__}', part: 'header' },
      { fault: 'unclosed', field: '{#case.key}', part: 'footnote' },
    ]);
  });

  it('refuses a list or condition where a text stands, and a text on a picture', async () => {
    const onPicture =
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="{case.key}"/></wp:inline></w:drawing></w:r></w:p>';
    const docx = makeDocx(paragraph('{photos} {category.fraud}') + onPicture);
    expect(await findingsOf(docx)).toMatchObject([
      { fault: 'alone', field: '{photos}' },
      { fault: 'alone', field: '{category.fraud}' },
      { fault: 'alone', field: '{case.key}' },
    ]);
  });

  it('finds a list that begins in one cell and ends behind the table', async () => {
    const body = table(['{#persons}', 'x']) + paragraph('{name}{/persons}');
    const findings = await findingsOf(makeDocx(body));
    expect(findings).toMatchObject([{ fault: 'place', reason: 'table', field: '{#persons}' }]);
  });

  it('knows a field by the innermost list', () => {
    expect(templateFieldOf('name', ['persons', 'documents'])?.list).toBe('documents');
    expect(templateFieldOf('name', [])).toBeUndefined();
    expect(templateFieldOf('case.key', ['persons'])?.list).toBeNull();
  });
});

describe('a file that is no template', () => {
  const link = (type: string, target: string) =>
    `<Relationship Id="x" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/>`;
  const body = paragraph('{case.key}');
  const macro = 'application/vnd.ms-word.document.macroEnabled.main+xml';
  const part = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  const field = (...texts: string[]) =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${texts.map(part).join('')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  it.each([
    ['not an archive', strToU8('no archive'), 'template_damaged'],
    ['cut off', makeDocx(body).slice(0, 700), 'template_damaged'],
    ['another archive', zipSync({ a: strToU8('b') }), 'template_damaged'],
    ['broken XML', makeDocx('<w:p><w:r>'), 'template_damaged'],
    [
      'with a DOCTYPE',
      makeDocx('', { more: { 'word/document.xml': '<!DOCTYPE a><a/>' } }),
      'template_damaged',
    ],
    ['with macros by its type', makeDocx(body, { mainType: macro }), 'template_macros'],
    ['with a project', makeDocx(body, { more: { 'word/vbaProject.bin': 'x' } }), 'template_macros'],
    ['with a field that starts a program', makeDocx(field('DDE', 'AUTO c:\\x')), 'template_active'],
    [
      'too many members',
      makeDocx(body, {
        more: Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`m${at}`, ''])),
      }),
      'template_too_large',
    ],
    [
      'a part of 40 MB',
      makeDocx(body, { more: { 'word/x.xml': ' '.repeat(40 * 1024 * 1024) } }),
      'template_too_large',
    ],
  ])('is refused: %s', async (_, bytes, rule) => {
    await expect(thread.check('t.docx', Uint8Array.from(bytes))).rejects.toMatchObject({
      code: 'template_refused',
      params: { fileName: 't.docx', rule },
    });
  });

  it('is refused if a field that starts a program is written in numbers', async () => {
    const docx = makeDocx(field(' &#68;DE&#x41;UTO c:\\x'));
    await expect(thread.check('t.docx', docx)).rejects.toMatchObject({
      params: { rule: 'template_active' },
    });
  });

  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  it.each([
    [
      'under another prefix',
      makeDocx(`<w:p><q:fldSimple xmlns:q="${word}" q:instr="DDEAUTO c"/></w:p>`),
      'template_active',
    ],
    ['in CDATA', makeDocx(field('<![CDATA[DDEAUTO c]]>')), 'template_active'],
  ])('is refused if such a field may stand %s', async (_, bytes, rule) => {
    const checking = thread.check('t.docx', Uint8Array.from(bytes));
    await expect(checking).rejects.toMatchObject({ params: { rule } });
  });

  it('is taken with fields of Word that only print, regardless of the words in them', async () => {
    const fields = field(' PAGE ') + field(' HYPERLINK "https://office.invalid/link/database" ');
    expect(await findingsOf(makeDocx(`${body}${fields}`))).toEqual([]);
  });

  it('is taken with a logo of 8 MB, which stays in what is filled', async () => {
    const logo = Buffer.concat([makeJpeg(), randomBytes(8 * 1024 * 1024)]);
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';
    const docx = makeDocx(body, {
      relations: `<Relationship Id="x" Type="${type}" Target="media/logo.jpeg"/>`,
      more: { 'word/media/logo.jpeg': logo },
    });
    expect(await findingsOf(docx)).toEqual([]);
    const filled = await fill(docx, data({ 'case.key': 'K' }));
    expect(pictureBytesOf(filled).map(({ length }) => length)).toEqual([logo.length]);
  });

  it('is taken with a link for the reader, and with the disk of its author', async () => {
    const relations =
      link('hyperlink', 'https://office.invalid') +
      link('attachedTemplate', 'file:///C:\\Users\\a\\Normal.dotm').replace('"x"', '"y"');
    expect(await findingsOf(makeDocx(body, { relations }))).toEqual([]);
  });

  it('does not stop the thread for the next one, regardless of its bytes', async () => {
    const whole = makeDocx(paragraph('{#photos}{photo}{/photos}'));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Uint8Array.from(whole);
        changed[at] = byte;
        const refusal = await laterRefusalOf(thread.check('t.docx', changed));
        expect(refusal ?? 'template_refused').toBe('template_refused');
      }),
      { numRuns: smokeOrLong(40, 500) },
    );
    expect(await findingsOf(whole)).toEqual([]);
  });
});
