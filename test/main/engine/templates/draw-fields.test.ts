import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFStream } from '@cantoo/pdf-lib';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { pdfReadingOnly } from '#shared/lib/pdf-options.ts';
import { bindPdf } from '#main/engine/templates/one-pdf/bind-pdf.ts';
import { lookAtPdf } from '#main/engine/templates/one-pdf/look-at-pdf.ts';
import { smallPdf } from '../../../support/pdf-files.ts';
import { formPdf, formText, type FormState } from '../../../support/pdf-forms.ts';

const name = (text: string) => PDFName.of(text);
const words = { title: 'G', about: 'SF-1', report: 'Bericht', annexes: 'Beilagen', page: 'Seite' };
const part = (title: string, bytes: Uint8Array) => ({ title, bytes: Uint8Array.from(bytes) });
const bind = (annex: Uint8Array) =>
  bindPdf({
    kind: 'bind',
    report: part('Gutachten.pdf', smallPdf('Der Bericht')),
    annexes: [part('F.pdf', annex)],
    words,
    photoEdge: null,
  });
const annexPage = 3;

/** The number of paths on the annex's page; the mark of a button is at least one more. */
async function pathsOf(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const loading = getDocument({ data: bytes.slice(), ...pdfReadingOnly });
  const page = await (await loading.promise).getPage(annexPage);
  const { fnArray } = await page.getOperatorList();
  await loading.destroy();
  return fnArray.filter((one) => one === OPS.constructPath).length;
}

/** The fonts of the fields that were drawn on the annex's page. */
async function fontsOf(bytes: Uint8Array): Promise<unknown[]> {
  const { node } = (await PDFDocument.load(bytes)).getPage(annexPage - 1);
  const { XObject: pictures } = node.normalizedEntries();
  return pictures.keys().flatMap((key) => {
    const { dict } = pictures.lookup(key, PDFStream);
    const fonts = dict.lookup(name('Resources'), PDFDict).lookup(name('Font'), PDFDict);
    return fonts.keys().map((font) => fonts.lookup(font));
  });
}

const written = ['text', 'dropdown', 'list'] as const;
const buttons = ['check', 'radio'] as const;

describe('a form in the one PDF', () => {
  it.each(
    written.flatMap((kind) =>
      (['all', 'none'] as const).flatMap((pictures) =>
        [false, true].map((needsPictures) => ({ kind, pictures, needsPictures })),
      ),
    ),
  )('shows the text: $kind, pictures: $pictures, needed: $needsPictures', async (form) => {
    const bound = await bind(await formPdf(form.kind, form));
    expect((await lookAtPdf(bound)).pages[2]).toContain(formText);
    // Without a font poppler draws nothing, while pdf.js takes another.
    expect(await fontsOf(bound)).toEqual([expect.any(PDFDict)]);
  });

  const shown: readonly FormState[] = [
    {},
    { state: 'none' },
    { value: 'none' },
    { pictures: 'names' },
    { pictures: 'names', state: 'none' },
    { needsPictures: true },
    { needsPictures: true, state: 'none' },
  ];
  it.each(buttons.flatMap((kind) => shown.map((state) => ({ kind, state }))))(
    'shows what is chosen: $kind, $state',
    async ({ kind, state }) => {
      const open = await formPdf(kind, { ...state, value: 'none', state: 'off' });
      const chosen = await formPdf(kind, state);
      expect(await pathsOf(await bind(chosen))).toBeGreaterThan(await pathsOf(await bind(open)));
    },
  );

  it.each<{ kind: 'check' | 'radio'; state: FormState }>([
    { kind: 'check', state: { state: 'off' } },
    { kind: 'check', state: { value: 'off' } },
    { kind: 'radio', state: { state: 'off' } },
    { kind: 'radio', state: { value: 'off' } },
    { kind: 'radio', state: { pictures: 'none' } },
    { kind: 'radio', state: { pictures: 'none', state: 'none' } },
    { kind: 'radio', state: { pictures: 'none', value: 'none' } },
    { kind: 'radio', state: { needsPictures: true, value: 'none' } },
  ])('is refused if an answer is not shown for certain: $kind, $state', async ({ kind, state }) => {
    const form = await formPdf(kind, state);
    await expect(bind(form)).rejects.toMatchObject({ refusal: 'annex_form', at: 1 });
  });

  it('is refused if its text has letters that cannot be written', async () => {
    const form = await PDFDocument.load(await formPdf('text', { pictures: 'none' }));
    const { dict } = form.getForm().getTextField('f').acroField;
    dict.set(name('V'), PDFHexString.fromText('Γειά'));
    const bytes = await form.save({ updateFieldAppearances: false });
    await expect(bind(bytes).then(() => 'bound')).rejects.toMatchObject({ refusal: 'annex_form' });
  });

  it('is refused if the picture of an answer has no size', async () => {
    const form = await PDFDocument.load(await formPdf('text'));
    const [widget] = form.getForm().getTextField('f').acroField.getWidgets();
    const picture = widget?.dict.lookup(name('AP'), PDFDict).lookup(name('N'), PDFStream);
    picture?.dict.delete(name('BBox'));
    const bytes = await form.save({ updateFieldAppearances: false });
    await expect(bind(bytes).then(() => 'bound')).rejects.toMatchObject({ refusal: 'annex_form' });
  });

  it('shows neither hidden fields nor passwords', async () => {
    for (const [key, value] of [
      ['F', 2],
      ['Ff', 1 << 13],
    ] as const) {
      const form = await PDFDocument.load(await formPdf('text', { pictures: 'none' }));
      const { acroField } = form.getForm().getTextField('f');
      const [widget] = acroField.getWidgets();
      (key === 'F' ? widget : acroField)?.dict.set(name(key), form.context.obj(value));
      const bound = await bind(await form.save({ updateFieldAppearances: false }));
      expect((await lookAtPdf(bound)).pages[2]).not.toContain(formText);
    }
  });

  it('has the long name of a choice, and a picture where its field is', async () => {
    const form = await PDFDocument.load(await formPdf('dropdown', { pictures: 'none' }));
    const { dict } = form.getForm().getDropdown('f').acroField;
    dict.set(name('V'), PDFHexString.fromText('CH'));
    const pair = ['CH', 'Schweiz'].map((one) => PDFHexString.fromText(one));
    dict.set(name('Opt'), form.context.obj([pair]));
    const bound = await bind(await form.save({ updateFieldAppearances: false }));
    expect((await lookAtPdf(bound)).pages[2]).toContain('Schweiz');
  });

  it('draws a picture of another size and place into its field', async () => {
    const pdf = await PDFDocument.load(await formPdf('text'));
    const [widget] = pdf.getForm().getTextField('f').acroField.getWidgets();
    const picture = pdf.context.formXObject([], {
      BBox: pdf.context.obj([100, 100, 150, 120]),
      Matrix: pdf.context.obj([0, 1, -1, 0, 0, 0]),
    });
    widget?.setNormalAppearance(pdf.context.register(picture));
    const bound = await bind(await pdf.save({ updateFieldAppearances: false }));
    const loading = getDocument({ data: bound.slice(), ...pdfReadingOnly });
    const page = await (await loading.promise).getPage(annexPage);
    const { fnArray, argsArray } = await page.getOperatorList();
    await loading.destroy();
    const at = fnArray.indexOf(OPS.paintFormXObjectBegin);
    const before = fnArray.slice(0, at).lastIndexOf(OPS.transform);
    // The picture is turned: -120 to -100 across, 100 to 150 up. Its field is 100 wide and 40 high.
    expect(argsArray[before]).toEqual([5, 0, 0, 0.8, 50 + 600, 300 - 80]);
  });
});
