import {
  decodePDFRawStream,
  PDFAcroTerminal,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib';
import sax from 'sax';
import { buttonKindOf, chosenStateOf, inherited, isChosen, isHidden } from './pdf-forms.ts';

// A form may have its answers a second time, in the XML of XFA (Adobe's XML Forms Architecture 3.3,
// chapter 4). Adobe's programs show those; the viewer, and most other readers, those of the fields.

const name = (text: string) => PDFName.of(text);

/** The text of an element of the data that has no other element. */
interface XfaValue {
  readonly name: string;
  readonly text: string;
}

/** No form of an office has as many. */
const valuesMax = 20_000;

/**
 * Whether the XML of a form has answers that its fields lack. A field with another answer does not
 * count, because the two write dates and amounts differently.
 * @throws if the XML cannot be read
 */
export function hasMoreInXfa(pdf: PDFDocument): boolean {
  const form = pdf.catalog.lookup(name('AcroForm'));
  if (!(form instanceof PDFDict) || !form.has(name('XFA'))) return false;
  const values = valuesIn(xmlOf(form)).filter(({ text }) => text !== '');
  const fields = shownFields(pdf);
  const byName = Map.groupBy(fields, (field) => field.name);
  const isMissing = ({ name: key, text }: XfaValue) => {
    const own = byName.get(key) ?? [];
    const texts = own.filter((field) => !field.isButton);
    if (texts.length > 0 && texts.every((field) => !field.hasAnswer)) return true;
    const buttons = own.filter((field) => field.isButton);
    return buttons.some(({ states }) => states.includes(text)) && !buttons.some(isAnswered);
  };
  if (values.some(isMissing)) return true;
  // The names differ where the data follow a schema.
  return fields.every((field) => !field.hasAnswer) && values.some(({ text }) => !isOff(text));
}

const isOff = (text: string) => /^(?:0|false|no|off)$/i.test(text);
const isAnswered = (field: { readonly hasAnswer: boolean }) => field.hasAnswer;

/** The fields that can be seen, each under its own name without those above it. */
function shownFields(pdf: PDFDocument) {
  const all = pdf.catalog.getAcroForm()?.getAllFields() ?? [];
  return all.flatMap(([field]) => {
    if (!(field instanceof PDFAcroTerminal)) return [];
    const widgets = field.getWidgets().map(({ dict }) => dict);
    const [first] = widgets;
    if (!first || widgets.every(isHidden)) return [];
    const isButton = inherited(first, 'FT') === name('Btn');
    if (isButton && buttonKindOf(first) === null) return [];
    return {
      name: (field.getPartialName() ?? '').replace(/\[\d+\]$/, ''),
      isButton,
      states: isButton ? widgets.map(chosenStateOf) : [],
      hasAnswer: isButton ? widgets.some(isChosen) : hasValue(first),
    };
  });
}

function hasValue(widget: PDFDict): boolean {
  const value = inherited(widget, 'V');
  if (value instanceof PDFString || value instanceof PDFHexString) return value.decodeText() !== '';
  return value instanceof PDFArray ? value.size() > 0 : value !== undefined;
}

/** The XML of the data, or the whole of it if it is not in parts (ISO 32000-1, 12.7.8). */
function xmlOf(form: PDFDict): string {
  const xfa = form.lookup(name('XFA'));
  if (xfa instanceof PDFStream) return textOf(xfa);
  if (!(xfa instanceof PDFArray)) return '';
  const labels = Array.from({ length: xfa.size() }, (_, at) => xfa.lookup(at));
  const at = labels.findIndex((one) => one instanceof PDFString && one.asString() === 'datasets');
  return textOf(at < 0 ? undefined : labels[at + 1]);
}

function textOf(stream: unknown): string {
  if (!(stream instanceof PDFRawStream)) return '';
  return new TextDecoder().decode(decodePDFRawStream(stream).decode());
}

interface OpenElement {
  readonly name: string;
  text: string;
  hasOthers: boolean;
}

/** The values of the element `data` of `datasets`. */
function valuesIn(xml: string): XfaValue[] {
  const values: XfaValue[] = [];
  const path: OpenElement[] = [];
  const isData = () => path.slice(0, -1).some((one) => one.name === 'data');
  const parser = sax.parser(true);
  parser.onopentag = ({ name: tag }) => {
    const above = path.at(-1);
    // A formatted text belongs to the field around it.
    if (above && !isFormatted(tag)) above.hasOthers = true;
    path.push({ name: tag.replace(/^.*:/, ''), text: '', hasOthers: false });
  };
  const addText = (text: string) => {
    const field = path.findLast((one) => !isFormatted(one.name));
    if (field) field.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const isInData = isData();
    const closed = path.pop();
    const isValue = closed && isInData && !closed.hasOthers && !isFormatted(closed.name);
    if (isValue && values.length < valuesMax)
      values.push({ name: closed.name, text: closed.text.trim() });
  };
  parser.onerror = (error) => {
    throw error;
  };
  if (xml !== '') parser.write(xml).close();
  return values;
}

/** The elements of XHTML that a text of several lines or letters has. */
const isFormatted = (tag: string) => /^(?:body|p|span|b|i|br|ul|ol|li)$/.test(tag);
