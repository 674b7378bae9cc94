import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { commentAuthor } from '#main/engine/templates/docx/comment-author.ts';
import { findOffice } from '#main/engine/templates/make-pdf.ts';
import { lookAtPdf } from '#main/engine/templates/one-pdf/look-at-pdf.ts';
import { flawsOf } from '#main/engine/templates/docx/verify-docx.ts';
import type { Engine, FileStream } from '#main/engine/engine.ts';
import type { PageBlock } from '#shared/desk/reports/template-workshop.ts';
import {
  makeDocx,
  paragraph,
  partOf,
  table,
  textBox,
  textsOf,
} from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
const vault = testKeychain();
let desk: Engine;
/** Whether a test has LibreOffice, if it is on this machine. */
let hasOffice = false;
beforeEach(async () => {
  hasOffice = false;
  const home = join(testFolder(), 'home');
  const office = () => (hasOffice ? findOffice() : null);
  desk = await openTestEngine({ home, vault, practice: starter, findOffice: office });
});

const add = (fileName: string, bytes: Uint8Array) =>
  desk.files.addTemplate({ fileName, content: Readable.from([bytes]) });
async function bytesOf({ stream }: FileStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
const marked = async (lookId: string) => bytesOf(await desk.files.openMarkedTemplate(lookId));
const linesOf = (blocks: readonly PageBlock[]): string[] =>
  blocks.flatMap((block) =>
    block.kind === 'line'
      ? block.pieces.map(({ text, kind }) => (kind === 'fault' ? `[${text}]` : text)).join('')
      : block.rows.map((row) => row.map((cell) => linesOf(cell).join('/')).join(' | ')),
  );
/** The comments and what each stands at, by a reader of XML that knows neither. */
function commentsOf(docx: Uint8Array): { at: string; text: string }[] {
  const text = partOf(docx);
  return [
    ...partOf(docx, 'word/comments1.xml').matchAll(/<w:comment w:id="(\d+)"(.*?)<\/w:comment>/gs),
  ].map(([, id = '', body = '']) => {
    const range = text.split(`<w:commentRangeStart w:id="${id}"/>`)[1] ?? '';
    const inner = range.split(`<w:commentRangeEnd w:id="${id}"/>`)[0] ?? '';
    return { at: wordsOf(inner), text: wordsOf(body) };
  });
}
const wordsOf = (xml: string) =>
  [...xml.matchAll(/<w:t[ >][^<]*<\/w:t>|<w:t>[^<]*<\/w:t>/g)]
    .map(([found]) => found.replaceAll(/<[^>]*>/g, ''))
    .join('');

describe('a template that is looked at', () => {
  it('is filled with samples: each field with its own name, two entries of each list', async () => {
    const body =
      paragraph('Fall {case.key}: {amounts.approved | number: 0}') +
      table(['{#photos}{photo}', '{number} {caption}{/photos}']);
    const { lookId, template, findings } = await add(
      'Gut.de.docx',
      makeDocx(body, { header: paragraph('{insurer.name}') }),
    );
    expect(template?.name).toBe('Gut');
    expect(findings).toEqual([]);
    const page = await desk.templates.page({ lookId });
    expect(page).toMatchObject({ hasPages: false, problem: null });
    expect(linesOf(page.blocks)).toEqual([
      'Versicherer',
      'Fall Schadennummer: 12’346',
      ' | 1 Legende',
      ' | 2 Legende',
    ]);
    expect(JSON.stringify(page.blocks).split('"picture"')).toHaveLength(3);
  });

  it('with faults shows what can be filled, and each fault as it stands in the template', async () => {
    const body =
      paragraph('{case.key} {insured.nmae}') +
      paragraph('{#persons}{name}') +
      paragraph('{/photos} {#if');
    const { lookId, template, findings } = await add('Falsch.docx', makeDocx(body));
    expect(template).toBeNull();
    expect(findings.map(({ fault }) => fault).sort()).toEqual([
      'brace',
      'unclosed',
      'unknown',
      'unopened',
    ]);
    const { blocks } = await desk.templates.page({ lookId });
    expect(linesOf(blocks)).toEqual([
      'Schadennummer [{insured.nmae}]',
      '[{#persons}]',
      '[{/photos} {#if]',
    ]);
  });

  const title = 'has pages if LibreOffice is here';
  if (findOffice() === null) it.skip(`${title}: LibreOffice is not installed`);
  else
    it(title, async () => {
      hasOffice = true;
      const { lookId } = await add('Gut.docx', makeDocx(paragraph('{case.key} {nothing}')));
      expect((await desk.templates.page({ lookId })).hasPages).toBe(true);
      const pdf = await bytesOf(await desk.files.openTemplatePages(lookId));
      const { pages } = await lookAtPdf(Uint8Array.from(pdf));
      expect(pages.join().replaceAll(/\s+/g, ' ')).toContain('Schadennummer {nothing}');
    });

  it('is forgotten with its workspace, and unknown numbers are refused', async () => {
    const lookId = '00000000-0000-4000-8000-000000000000';
    await expect(desk.templates.page({ lookId })).rejects.toMatchObject({
      code: 'template_not_found',
    });
    await expect(desk.files.openMarkedTemplate(lookId)).rejects.toMatchObject({
      code: 'template_not_found',
    });
  });
});

describe('a copy with the faults marked', () => {
  it('has a comment at each fault, with what is meant; one outside of the text says where it is', async () => {
    const body =
      paragraph('Sehr geehrte {insured.nmae},') +
      table(['{vehicle.licensePlate}', 'x']) +
      textBox('{unknown.box}');
    const { lookId } = await add('Brief.docx', makeDocx(body, { header: paragraph('{Case.Kye}') }));
    const copy = await marked(lookId);
    expect(flawsOf(copy, new Set())).toEqual([]);
    const comments = commentsOf(copy);
    expect(comments.slice(0, 2)).toEqual([
      {
        at: '{insured.nmae}',
        text: '{insured.nmae}: Dieses Feld gibt es hier nicht. Gemeint ist wohl {insured.name}.',
      },
      { at: '{vehicle.licensePlate}', text: expect.stringContaining('{vehicle.plate}') as string },
    ]);
    expect(comments[2]?.text).toContain('{unknown.box}');
    expect(comments[3]?.at).toContain('Sehr geehrte');
    expect(comments[3]?.text).toMatch(/^Kopfzeile: \{Case\.Kye\}/);
    expect(partOf(copy, 'word/comments1.xml')).toContain(`w:author="${commentAuthor}"`);
  });

  it('is corrected and added: the comments are not named as the author’s, others are', async () => {
    const { lookId } = await add('Brief.docx', makeDocx(paragraph('{insured.nmae}')));
    const copy = await marked(lookId);
    const again = await add('Brief.docx', copy);
    expect(again.findings).toHaveLength(1);
    expect(again.removed).toEqual([]);
    expect(commentsOf(await marked(again.lookId))).toHaveLength(1);
  });

  it.for(['07-watermark.docx', '41-if-field.docx'])(
    'of %s is a sound document with every finding',
    async (name) => {
      const bytes = readFileSync(join(import.meta.dirname, 'inputs', name));
      const { findings, lookId } = await add(name, bytes);
      expect(findings.length).toBeGreaterThan(0);
      const copy = await marked(lookId);
      expect(flawsOf(copy, new Set())).toEqual([]);
      expect(commentsOf(copy)).toHaveLength(findings.length);
    },
  );
});

describe('a stored template', () => {
  const withComment = makeDocx(
    '<w:p><w:commentRangeStart w:id="1"/><w:r><w:t>{case.key}</w:t></w:r><w:commentRangeEnd w:id="1"/>' +
      '<w:ins w:id="5" w:author="Ada"><w:r><w:t> neu</w:t></w:r></w:ins></w:p>',
  );
  it('is offered without what no report shows, as its next version', async () => {
    const added = await add('Gutachten.docx', withComment);
    expect([...added.removed].sort()).toEqual(['changes', 'comments']);
    const templateId = added.template?.id ?? '';
    const clean = await desk.templates.removeUnseen({ templateId });
    expect(clean).toMatchObject({
      removed: [],
      findings: [],
      template: { id: templateId, version: 2 },
    });
    const { blocks } = await desk.templates.page({ lookId: clean.lookId });
    expect(linesOf(blocks)).toEqual(['Schadennummer neu']);
  });

  it('is saved as it was added, also one that comes with the desk', async () => {
    const { lookId } = await add('A.docx', withComment);
    expect((await bytesOf(await desk.files.openTemplateFile(lookId))).equals(withComment)).toBe(
      true,
    );
    const { items } = await desk.templates.list();
    const supplied = items.find(({ fileName }) => fileName === 'examples.de.docx');
    expect(supplied?.name).toBe('Beispiele für Vorlagen');
    const looked = await desk.templates.look({ templateId: supplied?.id ?? '' });
    const copy = await bytesOf(await desk.files.openTemplateFile(looked.lookId));
    expect(copy).toHaveLength(supplied?.sizeBytes ?? 0);
  });

  it('has its versions, of which an earlier one is taken again', async () => {
    const templateId =
      (await add('B.docx', makeDocx(paragraph('eins {case.key}')))).template?.id ?? '';
    await add('B.docx', makeDocx(paragraph('zwei {case.key}')));
    const list = async () =>
      (await desk.templates.versions({ templateId })).items.map(({ version, isCurrent }) => [
        version,
        isCurrent,
      ]);
    expect(await list()).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(await desk.templates.takeVersion({ templateId, version: 1 })).toMatchObject({
      version: 3,
    });
    expect(await list()).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    const { lookId } = await desk.templates.look({ templateId });
    expect(linesOf((await desk.templates.page({ lookId })).blocks)).toEqual(['eins Schadennummer']);
    const missing = desk.templates.takeVersion({ templateId, version: 9 });
    await expect(missing).rejects.toMatchObject({ code: 'template_not_found' });
    await desk.sync.run({ documents: 'none' });
    const { items } = await desk.cases.list({ status: 'InProgress', category: 'vehicle' });
    const { id: draftId } = await desk.reports.createDraft({ id: items[0]?.id ?? '' });
    const draft = await desk.templates.fill({ draftId, templateId });
    expect(draft.attachments[0]?.details.filled?.templateVersion).toBe(3);
    const filled = await bytesOf(
      await desk.files.openAttachment(draftId, draft.attachments[0]?.id ?? ''),
    );
    expect(textsOf(filled)[0]).toMatch(/^eins /);
  });
});
