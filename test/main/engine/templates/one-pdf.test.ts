import { join } from 'node:path';
import { Readable } from 'node:stream';
import { decodePDFRawStream, PDFArray, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import type { Engine } from '#main/engine/engine.ts';
import { bindPdf } from '#main/engine/templates/one-pdf/bind-pdf.ts';
import { findFlaw } from '#main/engine/templates/one-pdf/find-flaw.ts';
import { lookAtPdf } from '#main/engine/templates/one-pdf/look-at-pdf.ts';
import { missingWord } from '#main/engine/templates/one-pdf/printed-words.ts';
import { protectedPdf, scanPdf, smallPdf } from '../../../support/pdf-files.ts';
import { makeDetailedJpeg, makeNoise } from '../../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
const words = {
  title: 'Gutachten',
  about: 'SF-1',
  report: 'Bericht',
  annexes: 'Beilagen',
  page: 'Seite',
};
const part = (title: string, bytes: Uint8Array) => ({ title, bytes: Uint8Array.from(bytes) });
const bind = (...annexes: ReturnType<typeof part>[]) =>
  bindPdf({
    kind: 'bind',
    report: part('Gutachten.pdf', smallPdf('Der Bericht')),
    annexes,
    words,
    photoEdge: null,
  });

/** A PDF of several pages, made by the library that binds. */
async function pagesOf(texts: readonly string[], change?: (pdf: PDFDocument) => void) {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont('Helvetica');
  for (const text of texts) pdf.addPage([300, 400]).drawText(text, { x: 20, y: 300, font });
  change?.(pdf);
  return await pdf.save();
}

describe('the one PDF', () => {
  it('has report, list and annexes in their order, numbered, with bookmarks', async () => {
    const invoice = await pagesOf(['Rechnung eins', 'Rechnung zwei']);
    const bound = await bind(part('Kalkulation.pdf', smallPdf('KV 1')), part('R.pdf', invoice));
    const { pages, bookmarks } = await lookAtPdf(bound);
    expect(pages.map((text) => /\d \/ 5$/.exec(text.trim())?.[0])).toEqual(
      [1, 2, 3, 4, 5].map((number) => `${number} / 5`),
    );
    expect(pages[0]).toContain('Der Bericht');
    expect(pages[1]).toMatch(/Beilagen.*Kalkulation\.pdf.*Seite 3.*R\.pdf.*Seite 4–5/);
    expect([pages[2], pages[3], pages[4]].join()).toMatch(/KV 1.*Rechnung eins.*Rechnung zwei/);
    expect(bookmarks).toEqual([
      { title: 'Bericht', page: 0 },
      { title: 'Beilagen', page: 1 },
      { title: '1  Kalkulation.pdf', page: 2 },
      { title: '2  R.pdf', page: 3 },
    ]);
  });

  it('numbers a turned page where it is shown, and lists a hundred annexes', async () => {
    const turned = await pagesOf(['quer'], (pdf) => {
      pdf.getPage(0).node.set(PDFName.of('Rotate'), pdf.context.obj(90));
    });
    const { pages } = await lookAtPdf(await bind(part('T.pdf', turned)));
    expect(pages[2]).toMatch(/quer.*3 \/ 3/);
    const many = Array.from({ length: 100 }, (_, at) => part(`B${at}.pdf`, smallPdf(`B${at}`)));
    const seen = await lookAtPdf(await bind(...many));
    expect(seen.pages).toHaveLength(1 + 4 + 100);
    expect(seen.bookmarks.at(-1)).toEqual({ title: '100  B99.pdf', page: 104 });
  });

  it('shows what was typed into the form of an annex, and hides its hidden layers', async () => {
    const form = await pagesOf(['Formular'], (pdf) => {
      const field = pdf.getForm().createTextField('betrag');
      field.setText('1234.50');
      field.addToPage(pdf.getPage(0), { x: 20, y: 200, width: 200, height: 20 });
    });
    const layer = await pagesOf(['Ebene'], ({ context, catalog }) => {
      const group = context.register(context.obj({ Type: 'OCG', Name: 'hidden' }));
      catalog.set(
        PDFName.of('OCProperties'),
        context.obj({ OCGs: [group], D: { OFF: [group], Order: [] } }),
      );
    });
    const bound = await bind(part('F.pdf', form), part('L.pdf', layer));
    expect((await lookAtPdf(bound)).pages[2]).toContain('1234.50');
    const { catalog } = await PDFDocument.load(bound);
    const layers = catalog.lookup(PDFName.of('OCProperties'));
    expect(String(layers)).toMatch(/OCGs \[ \d+ 0 R \][^]*OFF \[ \d+ 0 R \]/);
    expect(catalog.has(PDFName.of('AcroForm'))).toBe(false);
  });

  /** Two pages, of which the tree names the first a second time, behind the other. */
  const twicePdf = () =>
    pagesOf(['eins', 'zwei'], (pdf) => {
      const tree = pdf.catalog.Pages();
      tree.Kids().push(pdf.getPage(0).ref);
      tree.set(PDFName.of('Count'), pdf.context.obj(3));
    });
  const numbersOf = (pages: readonly string[]) => pages.map((text) => text.match(/\d+ \/ \d+/g));

  it('writes one number on a page that a part uses twice', async () => {
    const report = part('Gutachten.pdf', await twicePdf());
    const annexes = [part('Z.pdf', await twicePdf())];
    const bound = await bindPdf({ kind: 'bind', report, annexes, words, photoEdge: null });
    const seen = await lookAtPdf(bound);
    expect(numbersOf(seen.pages)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => [`${number} / 7`]));
    const letters = seen.pages.map((text) => /eins|zwei/.exec(text)?.[0] ?? '');
    expect(letters).toEqual(['eins', 'zwei', 'eins', '', 'eins', 'zwei', 'eins']);
    expect(seen.bookmarks.map(({ page }) => page)).toEqual([0, 3, 4]);
  });

  it('draws the fields on each page that shares them, and one number', async () => {
    const shared = await pagesOf(['eins', 'zwei'], (pdf) => {
      const [first, second] = pdf.getPages();
      const field = pdf.getForm().createTextField('betrag');
      field.setText('1234.50');
      if (first) field.addToPage(first, { x: 20, y: 200, width: 200, height: 20 });
      // The lists are objects to which both pages lead.
      for (const key of ['Annots', 'Contents'].map((text) => PDFName.of(text))) {
        const list = first?.node.lookup(key, PDFArray);
        const ref = pdf.context.register(list ?? pdf.context.obj([]));
        for (const page of [first, second]) page?.node.set(key, ref);
      }
      second?.node.set(PDFName.of('Resources'), first?.node.Resources() ?? pdf.context.obj({}));
    });
    const { pages } = await lookAtPdf(await bind(part('F.pdf', shared)));
    expect(numbersOf(pages)).toEqual([1, 2, 3, 4].map((number) => [`${number} / 4`]));
    expect(pages.map((text) => text.match(/1234\.50/g)?.length ?? 0)).toEqual([0, 0, 1, 1]);
  });

  it('has the files that its parts carry, and no page labels of the report', async () => {
    const carrying = async (...names: string[]) => {
      const pdf = await PDFDocument.load(await pagesOf(['x']));
      for (const name of names) await pdf.attach(Buffer.from(name), name);
      pdf.catalog.set(PDFName.of('PageLabels'), pdf.context.obj({ Nums: [0, { S: 'r' }] }));
      return await pdf.save();
    };
    const report = part('Gutachten.pdf', await carrying('own.xml'));
    const annexes = [
      part('A.pdf', await carrying('a.xml', 'kalkulation.txt')),
      part('B.pdf', await carrying('a.xml')),
    ];
    const bound = await bindPdf({ kind: 'bind', report, annexes, words, photoEdge: null });
    const { files } = await lookAtPdf(bound);
    expect(files).toEqual(['own.xml', 'a.xml', 'kalkulation.txt', 'a.xml']);
    const { catalog } = await PDFDocument.load(bound);
    expect(catalog.has(PDFName.of('PageLabels'))).toBe(false);
  });

  it('lists an annex with letters that the font of the list lacks', async () => {
    const title = 'Rechnung Nikolić Şahin Dvořák.pdf';
    const seen = await lookAtPdf(await bind(part(title, smallPdf('KV 1'))));
    expect(seen.pages[1]).toContain('Rechnung Nikolic Sahin Dvorák.pdf');
    const sources = [{ title, pages: ['KV 1'], files: [] }];
    const report = { title: 'Gutachten.pdf', pages: ['Der Bericht'], files: [] };
    expect(findFlaw(seen, report, sources, words)).toBeNull();
  });

  it('numbers a page whose visible part is larger than its paper', async () => {
    const larger = await pagesOf(['x'], (pdf) => pdf.getPage(0).setCropBox(-50, -50, 500, 600));
    const page = (await PDFDocument.load(await bind(part('L.pdf', larger)))).getPage(2);
    const contents = page.node.normalizedEntries().Contents;
    const last = contents?.lookup(contents.size() - 2, PDFRawStream);
    const drawn = Buffer.from(last ? decodePDFRawStream(last).decode() : []).toString('latin1');
    const places = Array.from(drawn.matchAll(/([\d.-]+) ([\d.-]+) (?:cm|Tm)/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter(([x = 0, y = 0]) => x > 300 || y < 0)).toEqual([]);
  });

  it('starts nothing when it is opened or clicked', async () => {
    const armed = await pagesOf(['x'], (pdf) => {
      const { context, catalog } = pdf;
      const script = context.obj({ S: 'JavaScript', JS: 'app.alert(1)' });
      catalog.set(PDFName.of('OpenAction'), script);
      const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A: script };
      const { node } = pdf.getPage(0);
      node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(link))]));
      node.set(PDFName.of('AA'), context.obj({ O: script }));
    });
    const report = part('Gutachten.pdf', armed);
    const order = { kind: 'bind', report, annexes: [part('A.pdf', armed)], words } as const;
    const bound = await PDFDocument.load(await bindPdf({ ...order, photoEdge: null }));
    const all = [bound.catalog, ...bound.getPages().map(({ node }) => node)].map(String).join();
    const linked = bound.getPages().map(({ node }) => String(node.Annots()?.lookup(0)));
    expect(all + linked.join()).not.toMatch(/OpenAction|JavaScript|\/AA/);
  });

  it('binds a PDF that is only protected against changes, and neither locked nor signed ones', async () => {
    const owned = await pagesOf(['geschützt'], (pdf) => {
      pdf.encrypt({ ownerPassword: 'owner', userPassword: '' });
    });
    expect((await lookAtPdf(await bind(part('O.pdf', owned)))).pages[2]).toContain('geschützt');
    const locked = await protectedPdf('secret');
    await expect(bind(part('P.pdf', locked))).rejects.toMatchObject({
      refusal: 'annex_unreadable',
      at: 1,
    });
    const signed = await pagesOf(['signiert'], ({ context, catalog }) => {
      const value = context.register(
        context.obj({ Type: 'Sig', ByteRange: [0, 1, 2, 3], Filter: 'Adobe.PPKLite' }),
      );
      const field = context.register(context.obj({ FT: 'Sig', T: 'sig', V: value }));
      catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }));
    });
    await expect(bind(part('S.pdf', signed))).rejects.toMatchObject({ refusal: 'annex_signed' });
  });
});

describe('the check of a bound PDF', () => {
  const report = { title: 'Gutachten.pdf', pages: ['Der Bericht'], files: ['own.xml'] };
  const annex = { title: 'KV.pdf', pages: ['Teil eins', 'Teil zwei'], files: ['a.xml'] };
  const whole = {
    pages: ['Der Bericht 1 / 4', 'Beilagen 1 KV.pdf Seite 3–4 2 / 4', 'Teil eins 3', 'Teil zwei 4'],
    bookmarks: [
      { title: 'Bericht', page: 0 },
      { title: 'Beilagen', page: 1 },
      { title: '1  KV.pdf', page: 2 },
    ],
    files: ['own.xml', 'a.xml'],
  };
  const find = (seen: typeof whole) => findFlaw(seen, report, [annex], words);

  it('finds nothing in a whole one', () => {
    expect(find(whole)).toBeNull();
  });

  it.each([
    ['a page is missing', { ...whole, pages: whole.pages.slice(0, 2) }],
    [
      'two pages are exchanged',
      { ...whole, pages: [0, 1, 3, 2].map((at) => whole.pages[at] ?? '') },
    ],
    ['a page is empty', { ...whole, pages: whole.pages.with(0, '1 / 4') }],
    ['an annex is not in the list', { ...whole, pages: whole.pages.with(1, 'Beilagen') }],
    ['a file that a part carries is missing', { ...whole, files: ['own.xml'] }],
    ['a bookmark is missing', { ...whole, bookmarks: whole.bookmarks.slice(1) }],
    [
      'a bookmark leads elsewhere',
      { ...whole, bookmarks: whole.bookmarks.with(2, { title: '1  KV.pdf', page: 3 }) },
    ],
  ])('finds that %s', (_, seen) => {
    expect(find(seen)).toEqual(expect.any(String));
  });

  it('finds a value of the case that the document has and its PDF lacks', () => {
    const document = 'Müller AG, 8000 Zürich, Versicherungsnummer 12.345';
    const find = (printed: string) =>
      missingWord(['Müller AG', '12.345', 'nicht im Dokument'], document, printed);
    expect(find('Mül- ler  AG … Versicherungs-\nnummer 12.345')).toBeNull();
    expect(find('M ller AG Versicherungsnummer 12.345')).toBe('Müller');
    expect(find('Müller AG')).toBe('12.345');
  });
});

describe('one PDF of a draft', () => {
  let desk: Engine;
  let visited: CaseSummary;
  let draftId: string;
  beforeEach(async () => {
    const home = join(testFolder(), 'home');
    const options = { home, vault: testKeychain(), practice: starter, findOffice: () => null };
    desk = await openTestEngine(options);
    await desk.sync.run({ documents: 'none' });
    const { items } = await desk.cases.list({ status: 'InProgress', category: 'vehicle' });
    const [found] = items;
    if (!found) throw new Error('practice has no vehicle in progress');
    visited = found;
    draftId = (await desk.reports.createDraft({ id: visited.id })).id;
  });
  const add = (fileName: string, bytes: Uint8Array) =>
    desk.files.addAttachment(draftId, { fileName, content: Readable.from([bytes]) });
  const sentOf = (attachments: readonly Attachment[]) =>
    attachments.filter(({ details }) => !details.isWithheld).map(({ fileName }) => fileName);
  async function bytesOf(attachmentId: string): Promise<Uint8Array<ArrayBuffer>> {
    const { stream } = await desk.files.openAttachment(draftId, attachmentId);
    const pieces: Buffer[] = [];
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
    return Uint8Array.from(Buffer.concat(pieces));
  }

  it('is sent alone, shows its age, and leaves its parts to be sent when it is removed', async () => {
    const report = await add('Gutachten.pdf', smallPdf('Der Bericht'));
    const estimate = await add('KV.pdf', smallPdf('KV 1'));
    const photo = await add('front.jpg', makeDetailedJpeg(400, 300));
    const annexIds = [photo.id, estimate.id];
    const input = { draftId, reportId: report.id, annexIds };
    const { attachments } = await desk.templates.makeOnePdf(input);
    expect(sentOf(attachments)).toEqual(['Gutachten mit Beilagen.pdf']);
    const [bound] = attachments;
    expect(bound?.details.boundOf?.map(({ attachmentId }) => attachmentId)).toEqual([
      report.id,
      ...annexIds,
    ]);
    const { pages, bookmarks } = await lookAtPdf(await bytesOf(bound?.id ?? ''));
    expect(bookmarks.map(({ title }) => title)).toEqual([
      'Bericht',
      'Beilagen',
      '1  KV.pdf',
      '2  Fotos',
    ]);
    expect(pages.at(-1)).toContain('front.jpg');
    expect(pages[1]).toContain(visited.externalKey);

    const again = await desk.templates.makeOnePdf({ ...input, annexIds: [estimate.id] });
    expect(again.attachments).toHaveLength(4);
    // The photo is no longer in it, so it is sent by itself.
    expect(sentOf(again.attachments)).toEqual(['Gutachten mit Beilagen.pdf', 'front.jpg']);
    const removed = await desk.reports.removeAttachment({ draftId, attachmentId: bound?.id ?? '' });
    expect(sentOf(removed.attachments)).toEqual(['Gutachten.pdf', 'KV.pdf', 'front.jpg']);
    const back = await desk.reports.restoreAttachment({ draftId, attachmentId: bound?.id ?? '' });
    expect(sentOf(back.attachments)).toEqual(['Gutachten mit Beilagen.pdf', 'front.jpg']);
  });

  it('is reduced to a size, and refused with its size if that is not enough', async () => {
    const report = await add('Gutachten.pdf', smallPdf('Der Bericht'));
    const photos: string[] = [];
    for (const name of ['a.jpg', 'b.jpg'])
      photos.push((await add(name, makeDetailedJpeg(1600, 1200))).id);
    const input = { draftId, reportId: report.id, annexIds: photos };
    const large = (await desk.templates.makeOnePdf(input)).attachments[0]?.sizeBytes ?? 0;
    const maxBytes = Math.round(large * 0.6);
    const small = (await desk.templates.makeOnePdf({ ...input, maxBytes })).attachments[0];
    expect(small?.sizeBytes).toBeLessThanOrEqual(maxBytes);
    const annexIds = [(await add('noise.jpg', makeNoise(600, 450))).id];
    const making = desk.templates.makeOnePdf({ ...input, annexIds, maxBytes: 100_000 });
    await expect(making).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('names the file that cannot be a part, and leaves the draft as it is', async () => {
    const report = await add('Gutachten.pdf', smallPdf('Der Bericht'));
    const locked = await add('locked.pdf', await protectedPdf('secret'));
    const note = await add('note.txt', Buffer.from('text'));
    const scan = await add('scan.pdf', scanPdf(800, 800));
    const before = (await desk.reports.getDraft({ draftId })).attachments;
    for (const [id, rule] of [
      [locked.id, 'annex_unreadable'],
      [note.id, 'annex_kind'],
    ] as const)
      await expect(
        desk.templates.makeOnePdf({ draftId, reportId: report.id, annexIds: [scan.id, id] }),
      ).rejects.toMatchObject({ code: 'annex_not_bound', params: { rule } });
    expect((await desk.reports.getDraft({ draftId })).attachments).toEqual(before);
  });

  it('needs LibreOffice for a document, and names it', async () => {
    const content = Readable.from([makeDocx(paragraph('{case.key}'))]);
    const { template } = await desk.files.addTemplate({ fileName: 'G.de.docx', content });
    const filled = await desk.templates.fill({ draftId, templateId: template?.id ?? '' });
    const estimate = await add('KV.pdf', smallPdf('KV 1'));
    const reportId = filled.attachments[0]?.id ?? '';
    const making = desk.templates.makeOnePdf({ draftId, reportId, annexIds: [estimate.id] });
    await expect(making).rejects.toMatchObject({ code: 'pdf_program_missing' });
  });
});
