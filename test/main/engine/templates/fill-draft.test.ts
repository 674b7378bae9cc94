import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { formatAmount, formatDay } from '#shared/i18n/format.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { findOffice } from '#main/engine/templates/make-pdf.ts';
import { readTemplateName } from '#main/engine/templates/template-library.ts';
import { smallPdf } from '../../../support/pdf-files.ts';
import { makeDetailedJpeg, makeJpeg } from '../../../support/sample-files.ts';
import {
  makeDocx,
  paragraph,
  partOf,
  pictureBytesOf,
  picturesOf,
  textsOf,
} from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
const vault = testKeychain();
let home: string;
let desk: Engine;
let visited: CaseSummary;
let draftId: string;
/** Whether a test takes LibreOffice away. */
let isOfficeGone = false;
const officeHere = () => (isOfficeGone ? null : findOffice());
const open = (policy: DeskPolicy = {}) =>
  openTestEngine({ home, vault, policy, practice: starter, findOffice: officeHere });
const file = (fileName: string, bytes: Uint8Array) => ({
  fileName,
  content: Readable.from([bytes]),
});

beforeEach(async () => {
  isOfficeGone = false;
  home = join(testFolder(), 'home');
  desk = await open();
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress', category: 'vehicle' });
  const [found] = items;
  if (!found) throw new Error('practice has no vehicle in progress');
  visited = found;
  draftId = (await desk.reports.createDraft({ id: visited.id })).id;
});

/** Adds a template; its id. */
async function add(name: string, docx: Uint8Array): Promise<string> {
  const { template } = await desk.files.addTemplate(file(name, docx));
  if (!template) throw new Error('the template has faults');
  return template.id;
}
async function bytesOf(engine: Engine, attachmentId: string): Promise<Buffer> {
  const { stream } = await engine.files.openAttachment(draftId, attachmentId);
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a template of the office', () => {
  it('of the same file name is its next version, which the document names', async () => {
    const templateId = await add('Gutachten.docx', makeDocx(paragraph('Alt {case.key}')));
    const first = await desk.templates.fill({ draftId, templateId });
    expect(first.attachments[0]?.details.filled?.templateVersion).toBe(1);
    const changed = makeDocx(paragraph('Neu {case.key}'));
    expect(await add('gutachten.docx', changed)).toBe(templateId);
    // The same file again is no other version.
    await add('Gutachten.docx', changed);
    await desk.templates.remove({ templateId });
    await desk.templates.restore({ templateId });
    const own = (await desk.templates.list()).items.filter(({ source }) => source === 'own');
    expect(own).toMatchObject([{ id: templateId, version: 2, fileName: 'Gutachten.docx' }]);
    const replaces = first.attachments[0]?.id ?? '';
    const second = await desk.templates.fill({ draftId, templateId, replaces });
    expect(second.attachments[0]?.details.filled?.templateVersion).toBe(2);
    expect(textsOf(await bytesOf(desk, replaces)).join('')).toContain('Neu');
  });

  it('is stored with the language and category of its name, and can be changed', async () => {
    const templateId = await add('Gutachten.vehicle.fr.docx', makeDocx(paragraph('{case.key}')));
    const choices = { name: 'Expertise', language: 'it', category: null } as const;
    expect((await desk.templates.list()).items[0]).toMatchObject({
      name: 'Gutachten',
      language: 'fr',
      category: 'vehicle',
      source: 'own',
    });
    await desk.templates.change({ templateId, ...choices });
    await desk.templates.remove({ templateId });
    expect((await desk.templates.list()).items.filter(({ source }) => source === 'own')).toEqual(
      [],
    );
    await desk.templates.restore({ templateId });
    expect((await desk.templates.list()).items[0]).toMatchObject(choices);
  });

  it('is not stored if a field is unknown, which is named', async () => {
    const added = await desk.files.addTemplate(file('a.docx', makeDocx(paragraph('{nothing}'))));
    expect(added).toMatchObject({ template: null, findings: [{ field: '{nothing}' }] });
    expect((await desk.templates.list()).items.some(({ source }) => source === 'own')).toBe(false);
  });

  it.each([
    [
      'a.docm',
      makeDocx(paragraph('x')),
      { code: 'template_refused', params: { rule: 'template_macros' } },
    ],
    ['a.pdf', Buffer.from('%PDF-1.4'), { code: 'template_refused' }],
    ['a.docx', Buffer.from('no archive'), { code: 'template_refused' }],
    ['a.docx', Buffer.alloc(0), { code: 'file_empty' }],
    ['a.docx', Buffer.alloc(60 * 1024 * 1024), { code: 'file_too_large' }],
  ])('is refused: %s', async (name, bytes, error) => {
    await expect(desk.files.addTemplate(file(name, bytes))).rejects.toMatchObject(error);
  });

  it('comes from the folder of the organization, with what is wrong in it', async () => {
    const folder = join(home, '..', 'office');
    mkdirSync(folder);
    writeFileSync(join(folder, 'Bericht.de.docx'), makeDocx(paragraph('{case.key}')));
    writeFileSync(join(folder, 'Faulty.docx'), makeDocx(paragraph('{#photos}')));
    writeFileSync(
      join(folder, 'Macros.docm'),
      makeDocx(paragraph('x'), { more: { 'word/vbaProject.bin': 'x' } }),
    );
    writeFileSync(join(folder, '~$Bericht.de.docx'), 'lock file of Word');
    await desk.close();
    desk = await open({ templateFolder: folder });
    // The list does not wait long for a folder that is still read.
    const listed = async () =>
      (await desk.templates.list()).items.filter(({ source }) => source === 'office');
    await expect.poll(listed).toMatchObject([
      { name: 'Bericht', findings: [], problem: null },
      { name: 'Faulty', findings: [{ fault: 'unclosed' }] },
      { name: 'Macros', problem: { code: 'template_refused' } },
    ]);
    const filled = await desk.templates.fill({ draftId, templateId: 'office:Bericht.de.docx' });
    expect(filled.attachments).toHaveLength(1);
    const faulty = desk.templates.fill({ draftId, templateId: 'office:Faulty.docx' });
    await expect(faulty).rejects.toMatchObject({ code: 'template_faulty' });
    expect(await desk.templates.folder()).toEqual({ folder, folderProblem: null });
    rmSync(folder, { recursive: true });
    const unreachable = { code: 'template_folder_unreachable', params: { folder } };
    expect(await desk.templates.list()).toMatchObject({ folderProblem: unreachable });
    expect(await desk.templates.folder()).toEqual({ folder, folderProblem: unreachable });
    const gone = desk.templates.fill({ draftId, templateId: 'office:Bericht.de.docx' });
    await expect(gone).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it('has language and category at the end of its name, in any order', () => {
    expect(readTemplateName('A.b.fr.fraud.docx', 'de')).toEqual({
      name: 'A.b',
      language: 'fr',
      category: 'fraud',
    });
    expect(readTemplateName('fr.docx', 'de')).toEqual({
      name: 'fr',
      language: 'de',
      category: null,
    });
  });
});

describe('a report that is filled', () => {
  it('has the values of the case as the desk shows them, in the language of the template', async () => {
    await desk.cases.setAmounts({ id: visited.id, approvedRappen: 1_234_560 });
    const appraiser = { name: 'Ada Muster', office: '', address: '', phone: '', email: '' };
    await desk.templates.setAppraiser(appraiser);
    const lines = ['{case.key}', '{party.name}', '{vehicle.plate}', '{incidentDate}'];
    const more = ['{amounts.approved}', '{case.category}', '{appraiser.name}'];
    const body = [...lines, ...more].map((line) => paragraph(line)).join('');
    const templateId = await add('Rapport.fr.docx', makeDocx(body));
    const { attachments } = await desk.templates.fill({ draftId, templateId });
    const [made] = attachments;
    if (!made) throw new Error('nothing was filled');
    expect(textsOf(await bytesOf(desk, made.id))).toEqual([
      visited.externalKey,
      visited.partyName,
      visited.licensePlate,
      formatDay(visited.incidentDate ?? ''),
      formatAmount(1_234_560, 'fr'),
      'Véhicule',
      'Ada Muster',
    ]);
    expect(made).toMatchObject({
      fileName: `Rapport ${visited.externalKey}.docx`,
      details: { kind: 'report', filled: { templateId, templateName: 'Rapport', savedAt: null } },
    });
  });

  it('has the signatures of the appraiser and of the party, and no photo of them', async () => {
    const body =
      '{appraiser.signature | height: 1.5cm}{#party.signature}signed{/}{party.signature}';
    const templateId = await add('S.de.docx', makeDocx(paragraph(body, '{photos | count}')));
    const unsigned = await desk.templates.preview({ draftId, templateId });
    expect(unsigned.missing.map(({ name }) => name)).toEqual([
      'appraiser.signature',
      'party.signature',
      'photos',
    ]);
    const [before] = (await desk.templates.fill({ draftId, templateId })).attachments;
    expect(picturesOf(await bytesOf(desk, before?.id ?? ''))).toEqual([]);
    expect(textsOf(await bytesOf(desk, before?.id ?? ''))).toEqual(['0']);

    const { picture } = await desk.files.setSignature(file('s.jpg', makeDetailedJpeg(1200, 600)));
    expect(picture).toMatch(/^data:image\/jpeg;base64,/);
    const signed = await desk.files.addAttachment(draftId, file('party.jpg', makeJpeg()));
    const details = { group: 'signature' } as const;
    await desk.reports.updateAttachment({ draftId, attachmentId: signed.id, details });
    await desk.files.addAttachment(draftId, file('front.jpg', makeJpeg()));
    expect(await desk.templates.preview({ draftId, templateId })).toMatchObject({ missing: [] });
    const replaces = before?.id;
    const [made] = (await desk.templates.fill({ draftId, templateId, replaces })).attachments;
    const bytes = await bytesOf(desk, made?.id ?? '');
    expect(picturesOf(bytes)).toHaveLength(2);
    expect(textsOf(bytes)).toEqual(['signed1']);
  });

  it('keeps the signature in a backup, and removes it on request', async () => {
    const stored = await desk.files.setSignature(file('s.jpg', makeDetailedJpeg(1200, 600)));
    const backup = { file: join(home, '..', 'signed.backup'), passphrase: 'a long passphrase' };
    await desk.tools.backUp(backup);
    expect(await desk.templates.removeSignature()).toEqual({ picture: null });
    expect(await desk.templates.signature()).toEqual({ picture: null });
    await desk.tools.restore(backup);
    expect(await desk.templates.signature()).toEqual(stored);
  });

  it('takes no signature that is no picture, or whose kind no document shows', async () => {
    for (const [name, bytes, code] of [
      ['s.pdf', smallPdf('signature'), 'file_type_not_allowed'],
      ['s.webp', Buffer.from('RIFF\x04\0\0\0WEBP'), 'file_type_not_allowed'],
      ['s.png', Buffer.from('no picture'), 'file_type_mismatch'],
    ] as const)
      await expect(desk.files.setSignature(file(name, bytes)), name).rejects.toMatchObject({
        code,
      });
    expect(await desk.templates.signature()).toEqual({ picture: null });
  });

  it('has the photos in their order with captions, and names what is missing before', async () => {
    const captions = ['Front', '', 'Rear'];
    for (const [at, caption] of captions.entries()) {
      const added = await desk.files.addAttachment(draftId, file(`p${at}.jpg`, makeJpeg()));
      await desk.reports.updateAttachment({
        draftId,
        attachmentId: added.id,
        details: { caption },
      });
    }
    const webp = Buffer.from('RIFF\x04\0\0\0WEBP');
    await desk.files.addAttachment(draftId, file('old.webp', webp));
    const templateId = await add(
      'Fotos.de.docx',
      makeDocx(paragraph('{appraiser.name}{#photos}{photo}{number} {caption}; {/photos}')),
    );
    expect(await desk.templates.preview({ draftId, templateId })).toEqual({
      missing: [
        expect.objectContaining({ name: 'appraiser.name', entries: 1 }),
        expect.objectContaining({ name: 'caption', list: 'photos', entries: 2 }),
      ],
      unplaceable: ['old.webp'],
      photos: 4,
    });
    const { attachments } = await desk.templates.fill({ draftId, templateId });
    const bytes = await bytesOf(desk, attachments[0]?.id ?? '');
    expect(textsOf(bytes).join('')).toBe('1 Front; 2 ; 3 Rear; 4 ; ');
    expect(picturesOf(bytes)).toHaveLength(3);
  });

  it('with photos that are more than a document can have is refused, or does not read them', async () => {
    const placed = await add('A.docx', makeDocx(paragraph('{#photos}{photo}{/photos}')));
    const named = await add('B.docx', makeDocx(paragraph('{#photos}{caption}{/photos}')));
    const large = makeJpeg(26 * 1024 * 1024);
    for (const name of ['a.jpg', 'b.jpg']) {
      const photo = { ...file(name, large), isSeen: true };
      await desk.files.addAttachment(draftId, photo);
    }
    const filling = desk.templates.fill({ draftId, templateId: placed });
    await expect(filling).rejects.toMatchObject({ code: 'file_too_large' });
    // Nothing was made.
    expect((await desk.reports.getDraft({ draftId })).attachments).toHaveLength(2);
    const { attachments } = await desk.templates.fill({ draftId, templateId: named });
    expect(picturesOf(await bytesOf(desk, attachments[0]?.id ?? ''))).toEqual([]);
  });

  it('has photos as large as its page shows them', async () => {
    const large = makeDetailedJpeg(1600, 1200);
    // Together more than a document can have.
    const padding = Buffer.alloc(26 * 1024 * 1024);
    for (const name of ['a.jpg', 'b.jpg']) {
      const bytes = Buffer.concat([large, Buffer.from(name), padding]);
      await desk.files.addAttachment(draftId, { ...file(name, bytes), isSeen: true });
    }
    const body = makeDocx(paragraph('{#photos}{photo}{caption}{/photos}'));
    const templateId = await add('B.docx', body);
    const { attachments } = await desk.templates.fill({ draftId, templateId });
    const document = await bytesOf(desk, attachments[0]?.id ?? '');
    expect(document.length).toBeLessThan(2 * 1024 * 1024);
    expect(partOf(document).match(/<w:drawing>/g)).toHaveLength(2);
    // 220 pixels an inch of 605 x 400 at 96 an inch.
    expect(pictureBytesOf(document).map(imageSizeOf)).toContainEqual({ width: 1223, height: 917 });
  });

  it('takes the place of the one before, or stands next to it under another name', async () => {
    const templateId = await add('B.docx', makeDocx(paragraph('{case.key}')));
    const first = await desk.templates.fill({ draftId, templateId });
    const [made] = first.attachments;
    const again = await desk.templates.fill({ draftId, templateId, replaces: made?.id ?? '' });
    expect(again.attachments.map(({ id }) => id)).toEqual([made?.id]);
    const both = await desk.templates.fill({ draftId, templateId });
    expect(both.attachments.map(({ fileName }) => fileName)).toEqual([
      `B ${visited.externalKey} 2.docx`,
      `B ${visited.externalKey}.docx`,
    ]);
  });

  it('does not replace what was saved while it is filled', async () => {
    const templateId = await add('B.docx', makeDocx(paragraph('{case.key}')));
    const [made] = (await desk.templates.fill({ draftId, templateId })).attachments;
    const attachmentId = made?.id ?? '';
    const filling = desk.templates.fill({ draftId, templateId, replaces: attachmentId });
    // It has read the draft by then.
    await setImmediate();
    const saved = file('B.docx', makeDocx(paragraph('saved meanwhile')));
    await Promise.allSettled([filling, desk.files.replaceAttachment(draftId, attachmentId, saved)]);
    expect(textsOf(await bytesOf(desk, attachmentId)).join('')).toBe('saved meanwhile');
  });

  it('and its template are in a backup', async () => {
    const templateId = await add('B.docx', makeDocx(paragraph('{case.key}')));
    await desk.templates.fill({ draftId, templateId });
    const backup = { file: join(home, '..', 'work.backup'), passphrase: 'a long passphrase' };
    await desk.tools.backUp(backup);
    await desk.close();
    home = join(testFolder(), 'other');
    desk = await open();
    await desk.sync.run({ documents: 'none' });
    await desk.tools.restore(backup);
    const listed = (await desk.templates.list()).items.find(({ source }) => source === 'own');
    expect(listed).toMatchObject({ id: templateId, name: 'B' });
    await desk.close();
    desk = await open();
    const refilled = await desk.templates.fill({ draftId, templateId });
    expect(refilled.attachments).toHaveLength(2);
  });
});

describe('the list of all fields', () => {
  it('has the values of a case', async () => {
    const { items } = await desk.templates.fields({ id: visited.id, language: 'de' });
    const valueOf = (name: string) => items.find((field) => field.name === name)?.value;
    expect(valueOf('case.key')).toBe(visited.externalKey);
    expect(valueOf('vehicle.plate')).toBe(visited.licensePlate);
    const without = await desk.templates.fields({ language: 'de' });
    expect(without.items.every(({ value }) => value === '')).toBe(true);
  });
});

describe('the PDF of a filled report', () => {
  const office = findOffice();

  it('is not made without LibreOffice, which is named', async () => {
    const templateId = await add('B.docx', makeDocx(paragraph('{case.key}')));
    const [made] = (await desk.templates.fill({ draftId, templateId })).attachments;
    isOfficeGone = true;
    const making = desk.templates.makePdf({ draftId, attachmentId: made?.id ?? '' });
    await expect(making).rejects.toMatchObject({ code: 'pdf_program_missing' });
    expect((await desk.templates.list()).makesPdf).toBe(false);
  });

  const title = 'is sent in place of the document, and names its content';
  if (office === null) it.skip(`${title}: LibreOffice is not installed`);
  else
    it(title, async () => {
      const templateId = await add('B.docx', makeDocx(paragraph('{case.key}')));
      const [made] = (await desk.templates.fill({ draftId, templateId })).attachments;
      if (!made) throw new Error('nothing was filled');
      const making = desk.templates.makePdf({ draftId, attachmentId: made.id });
      const [document, pdf] = (await making).attachments;
      expect(document?.details.isWithheld).toBe(true);
      expect(pdf).toMatchObject({
        contentType: 'application/pdf',
        details: { pdfOf: { attachmentId: made.id, sha256: made.sha256 }, isWithheld: false },
      });
      const { id } = await desk.reports.submitDraft({ draftId });
      const { steps } = await desk.queue.get({ id });
      const files = steps.flatMap(({ kind, fileName }) => (kind === 'document' ? [fileName] : []));
      expect(files).toEqual([pdf?.fileName]);
    });

  it('is sent next to the document if the user chooses both, and one of them must be', async () => {
    const templateId = await add('B.docx', makeDocx(paragraph('{case.key}')));
    const [made] = (await desk.templates.fill({ draftId, templateId })).attachments;
    const attachmentId = made?.id ?? '';
    const withhold = (isWithheld: boolean) =>
      desk.reports.updateAttachment({ draftId, attachmentId, details: { isWithheld } });
    await withhold(true);
    const submitting = desk.reports.submitDraft({ draftId });
    await expect(submitting).rejects.toMatchObject({ code: 'draft_without_documents' });
    await withhold(false);
    expect((await desk.reports.submitDraft({ draftId })).steps).toHaveLength(3);
  });
});
