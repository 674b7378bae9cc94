import {
  type PDFDict,
  PDFBool,
  PDFDocument,
  PDFName,
  PDFNull,
  type PDFField,
} from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/** The fields of a form, each with an answer. */
export const formFields = ['text', 'check', 'radio', 'dropdown', 'list'] as const;
export type FormField = (typeof formFields)[number];

export interface FormState {
  /** The pictures of the field: none, or of a button only the names of its states. */
  readonly pictures?: 'all' | 'none' | 'names';
  /** The reader is to make the pictures itself. */
  readonly needsPictures?: boolean;
  /** Of a button: the value of its field. */
  readonly value?: 'chosen' | 'none' | 'off';
  /** Of a button: its own state. */
  readonly state?: 'chosen' | 'none' | 'off';
}

/** The text of each field that has one. */
export const formText = '1234.50';

/** Where the marks of buttons are drawn. The second radio button is beside the first. */
const box = { x: 50, y: 300, width: 100, height: 40, borderWidth: 0 };

/** Returns a form of one page and one field, which is filled as described. */
export async function formPdf(kind: FormField, state: FormState = {}): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const field = addField(pdf, kind);
  const { pictures = 'all', needsPictures = false, value = 'chosen' } = state;
  const { acroForm } = pdf.getForm();
  pdf.getForm().updateFieldAppearances();
  const isButton = kind === 'check' || kind === 'radio';
  for (const { dict } of field.acroField.getWidgets()) {
    dict.delete(name('MK'));
    if (pictures === 'none') dict.delete(name('AP'));
    if (pictures === 'names') forgetPictures(dict);
    if (isButton && state.state === 'none') dict.delete(name('AS'));
    if (isButton && state.state === 'off') dict.set(name('AS'), name('Off'));
  }
  if (value === 'none') field.acroField.dict.delete(name('V'));
  if (value === 'off') field.acroField.dict.set(name('V'), name('Off'));
  if (needsPictures) acroForm.dict.set(name('NeedAppearances'), PDFBool.True);
  return await pdf.save({ updateFieldAppearances: false });
}

function forgetPictures(widget: PDFDict): void {
  const states = widget.lookup(name('AP')) as PDFDict;
  const normal = states.lookup(name('N')) as PDFDict;
  for (const key of normal.keys()) normal.set(key, PDFNull);
}

function addField(pdf: PDFDocument, kind: FormField): PDFField {
  const page = pdf.addPage([300, 400]);
  const form = pdf.getForm();
  if (kind === 'text') {
    const field = form.createTextField('f');
    field.setText(formText);
    field.addToPage(page, box);
    return field;
  }
  if (kind === 'check') {
    const field = form.createCheckBox('f');
    field.addToPage(page, box);
    field.check();
    return field;
  }
  if (kind === 'radio') {
    const field = form.createRadioGroup('f');
    field.addOptionToPage('ja', page, box);
    field.addOptionToPage('nein', page, { ...box, x: 160 });
    field.select('ja');
    return field;
  }
  const field = kind === 'dropdown' ? form.createDropdown('f') : form.createOptionList('f');
  field.addOptions(['eins', formText]);
  field.addToPage(page, box);
  field.select(formText);
  return field;
}
