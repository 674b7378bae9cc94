import {
  concatTransformationMatrix,
  drawObject,
  PDFArray,
  PDFCheckBox,
  PDFDict,
  type PDFDocument,
  PDFDropdown,
  type PDFField,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFOptionList,
  type PDFPage,
  PDFRadioGroup,
  PDFRef,
  PDFStream,
  PDFString,
  PDFTextField,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib';
import { toNormalForm } from '#shared/lib/normal-form.ts';
import {
  buttonKindOf,
  inherited,
  isChosen,
  isHidden,
  isPassword,
  needsPictures,
  pictureOfState,
  widgetsOf,
} from '../../readable/pdf-forms.ts';
import { hasUnseenAnswers } from '../../readable/pdf-answers.ts';

const name = (text: string) => PDFName.of(text);

/**
 * Makes the fields of a form a part of their pages, as the viewer shows them, and takes the form out.
 * The library has a function for it, which follows the value of a button where readers follow its
 * state, draws hidden fields, and leaves out what it cannot draw.
 * @throws if an answer cannot be drawn
 */
export async function drawFields(pdf: PDFDocument): Promise<void> {
  if (hasUnseenAnswers(pdf)) throw new Error('an answer of the form is not shown for certain');
  makePictures(pdf);
  // The letters that the pictures use are in the file only then.
  await pdf.flush();
  for (const page of pdf.getPages())
    for (const { dict, entry } of widgetsOf(page.node)) {
      const list = page.node.lookup(name('Annots'));
      if (list instanceof PDFArray) list.remove(list.asArray().indexOf(entry));
      if (isHidden(dict)) continue;
      const picture = pictureOf(dict);
      const isDrawn = picture !== null && draw(page, dict, picture);
      if (!isDrawn && hasAnswer(dict)) throw new Error('an answer of the form cannot be drawn');
    }
  pdf.catalog.delete(name('AcroForm'));
}

/** Makes the pictures that the file leaves to the reader. */
function makePictures(pdf: PDFDocument): void {
  const areNeeded = needsPictures(pdf);
  const form = pdf.getForm();
  for (const field of form.getFields()) {
    const widgets = field.acroField.getWidgets().map(({ dict }) => dict);
    if (isWritten(field)) {
      if (areNeeded || widgets.some((one) => pictureOf(one) === null))
        writeText(field, widgets, form.getDefaultFont());
    } else if (isButton(field) && widgets.some(lacksMark)) field.defaultUpdateAppearances();
  }
}

type WrittenField = PDFTextField | PDFDropdown | PDFOptionList;

const isWritten = (field: PDFField): field is WrittenField =>
  field instanceof PDFTextField || field instanceof PDFDropdown || field instanceof PDFOptionList;

const isButton = (field: PDFField): field is PDFCheckBox | PDFRadioGroup =>
  field instanceof PDFCheckBox || field instanceof PDFRadioGroup;

/** @throws if the font lacks a letter, for which the library would write a question mark */
function writeText(field: WrittenField, widgets: readonly PDFDict[], font: PDFFont): void {
  for (const widget of widgets) widget.delete(name('AP'));
  const shown = shownTexts(field).map((text) => toNormalForm(text, 'NFC'));
  if (shown.join('') === '') return;
  const known = new Set(font.getCharacterSet());
  const all = field instanceof PDFOptionList ? [...shown, ...field.getOptions()] : shown;
  const letters = Array.from(all.join('').replaceAll(/\s/g, ''));
  if (letters.some((one) => !known.has(one.codePointAt(0) ?? 0)))
    throw new Error('the font lacks a letter of an answer');
  const values = shown.map((text) => PDFHexString.fromText(text));
  const { dict } = field.acroField;
  dict.set(name('V'), values.length === 1 && values[0] ? values[0] : dict.context.obj(values));
  field.defaultUpdateAppearances(font);
}

/** What is to be read of a field: of a choice its long name, and of a password nothing. */
function shownTexts(field: WrittenField): string[] {
  if (field instanceof PDFTextField)
    return isPassword(field.acroField.dict) ? [] : [field.getText() ?? ''];
  const options = field.acroField.getOptions();
  return field.getSelected().map((one) => {
    const option = options.find(({ value }) => value.decodeText() === one);
    return (option?.display ?? option?.value)?.decodeText() ?? one;
  });
}

const lacksMark = (widget: PDFDict): boolean => isChosen(widget) && pictureOfState(widget) === null;

function hasAnswer(widget: PDFDict): boolean {
  if (buttonKindOf(widget) !== null) return isChosen(widget);
  const kind = inherited(widget, 'FT');
  if (kind === name('Tx') && isPassword(widget)) return false;
  const value = inherited(widget, 'V');
  const words = value instanceof PDFArray ? value.asArray() : [value];
  const isText = (one: unknown): one is PDFString | PDFHexString =>
    one instanceof PDFString || one instanceof PDFHexString;
  return words.some((one) => one instanceof PDFStream || (isText(one) && one.decodeText() !== ''));
}

/** The picture that the file has of a field as it is. */
function pictureOf(widget: PDFDict): PDFRef | PDFStream | null {
  const pictures = widget.lookup(name('AP'));
  const found = pictures instanceof PDFDict ? pictures.get(name('N')) : undefined;
  const normal = found instanceof PDFRef ? widget.context.lookup(found) : found;
  if (!(normal instanceof PDFStream))
    return buttonKindOf(widget) === null ? null : pictureOfState(widget);
  return found instanceof PDFRef || found instanceof PDFStream ? found : null;
}

/**
 * Draws a field's picture, as a reader would (ISO 32000-2, 12.5.5, algorithm 8).
 * @returns false if the file does not say where, or how large the picture is
 */
function draw(page: PDFPage, widget: PDFDict, found: PDFRef | PDFStream): boolean {
  const { context } = page.doc;
  const picture = context.lookup(found);
  const place = numbersOf(widget.lookup(name('Rect')), 4);
  if (!(picture instanceof PDFStream) || !place) return false;
  const { dict } = picture;
  const box = numbersOf(dict.lookup(name('BBox')), 4);
  if (!box) return false;
  const matrix = numbersOf(dict.lookup(name('Matrix')), 6) ?? [1, 0, 0, 1, 0, 0];
  const [from, to] = [bounds(turned(box, matrix)), bounds(pairs(place))];
  if (from.width === 0 || from.height === 0) return true;
  const [across, up] = [to.width / from.width, to.height / from.height];
  dict.set(name('Type'), name('XObject'));
  dict.set(name('Subtype'), name('Form'));
  const layer = widget.get(name('OC'));
  if (layer) dict.set(name('OC'), layer);
  const ref = found instanceof PDFRef ? found : context.register(found);
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(
      across,
      0,
      0,
      up,
      to.left - from.left * across,
      to.bottom - from.bottom * up,
    ),
    drawObject(page.node.newXObject('Field', ref)),
    popGraphicsState(),
  );
  return true;
}

type Point = readonly [x: number, y: number];

function numbersOf(list: unknown, count: number): number[] | null {
  if (!(list instanceof PDFArray) || list.size() !== count) return null;
  const numbers = list.asArray().map((_, at) => list.lookup(at));
  const found = numbers.flatMap((one) => (one instanceof PDFNumber ? [one.asNumber()] : []));
  return found.length === count ? found : null;
}

/** The two corners of a rectangle. */
const pairs = ([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): Point[] => [
  [left, bottom],
  [right, top],
];

/** The four corners of a rectangle where a matrix puts them. */
function turned(
  [left = 0, bottom = 0, right = 0, top = 0]: readonly number[],
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
): Point[] {
  const corners: readonly Point[] = [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ];
  return corners.map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
}

function bounds(points: readonly Point[]) {
  const [across, up] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, bottom] = [Math.min(...across), Math.min(...up)];
  return { left, bottom, width: Math.max(...across) - left, height: Math.max(...up) - bottom };
}
