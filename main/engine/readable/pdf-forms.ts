import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPageLeaf,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib';

// What the check boxes and radio buttons of a form answer (ISO 32000-2, 12.7.5.2). A file says it
// twice: by the state of each button (AS) and by the value of the field (V). Programs that fill forms
// often write one of them alone, and readers then show different things.

const name = (text: string) => PDFName.of(text);

/** A field of a form, as it stands on a page. */
export interface Widget {
  readonly dict: PDFDict;
  /** Its place in the list of the page. */
  readonly entry: PDFObject;
}

export function widgetsOf(page: PDFPageLeaf): Widget[] {
  const list = page.lookup(name('Annots'));
  if (!(list instanceof PDFArray)) return [];
  return list.asArray().flatMap((entry) => {
    const dict = entry instanceof PDFRef ? page.context.lookup(entry) : entry;
    const isField = dict instanceof PDFDict && dict.lookup(name('Subtype')) === name('Widget');
    return isField ? [{ dict, entry }] : [];
  });
}

/** The flags of an annotation that is not shown: Hidden and NoView (12.5.3). */
const hiddenFlags = 2 | 32;

export const isHidden = (widget: PDFDict): boolean =>
  (numberOf(widget.lookup(name('F'))) & hiddenFlags) !== 0;

const numberOf = (object: PDFObject | undefined): number =>
  object instanceof PDFNumber ? object.asNumber() : 0;

/** A field of a form is at most this deep in others. */
const depthMax = 32;

/** An entry of the field, which may stand at a field above it (12.7.4). */
export function inherited(widget: PDFDict, key: string): PDFObject | undefined {
  let field: PDFObject | undefined = widget;
  for (let depth = 0; field instanceof PDFDict && depth < depthMax; depth += 1) {
    const found = field.lookup(name(key));
    if (found) return found;
    field = field.lookup(name('Parent'));
  }
  return undefined;
}

const passwordFlag = 1 << 13;

/** Whether the value of a field of text is not to be read. */
export const isPassword = (field: PDFDict): boolean =>
  (numberOf(inherited(field, 'Ff')) & passwordFlag) !== 0;

const radioFlag = 1 << 15;
const pushFlag = 1 << 16;

type ButtonKind = 'check' | 'radio';

/** Null if it is no button that is chosen or not. */
export function buttonKindOf(widget: PDFDict): ButtonKind | null {
  const flags = numberOf(inherited(widget, 'Ff'));
  if (inherited(widget, 'FT') !== name('Btn') || flags & pushFlag) return null;
  return flags & radioFlag ? 'radio' : 'check';
}

export const needsPictures = (pdf: PDFDocument): boolean => {
  const form = pdf.catalog.lookup(name('AcroForm'));
  return form instanceof PDFDict && form.lookup(name('NeedAppearances')) === PDFBool.True;
};

/** A name, or a text that stands for one; null for nothing. */
function wordOf(object: PDFObject | undefined): string | null {
  const isText =
    object instanceof PDFName || object instanceof PDFString || object instanceof PDFHexString;
  return isText ? object.decodeText() || null : null;
}

/** The pictures of the button's states; null if it has none, or one for all states. */
function picturesOf(widget: PDFDict): PDFDict | null {
  const pictures = widget.lookup(name('AP'));
  const normal = pictures instanceof PDFDict ? pictures.lookup(name('N')) : undefined;
  return normal instanceof PDFDict ? normal : null;
}

const off = 'Off';

/** The name of the state in which the button is chosen; null if the file does not say it. */
export function chosenStateOf(widget: PDFDict): string | null {
  const states = picturesOf(widget)?.keys().map(wordOf) ?? [];
  return states.find((state) => state !== off) ?? null;
}

const stateOf = (widget: PDFDict): string | null => wordOf(widget.lookup(name('AS')));
const valueOf = (widget: PDFDict): string | null => wordOf(inherited(widget, 'V'));

/** Whether the value of the field means this button; null if the file does not say it. */
function isMeant(widget: PDFDict, value: string): boolean | null {
  if (value === off) return false;
  const state = stateOf(widget);
  const chosen = chosenStateOf(widget) ?? (state === off ? null : state);
  if (chosen === null) return buttonsOf(widget).length === 1 || null;
  return value === chosen || value === exportValueOf(widget, chosen);
}

/** What the value is called outside the file, if the states are only numbered (12.7.5.2.4). */
function exportValueOf(widget: PDFDict, state: string): string | null {
  const options = inherited(widget, 'Opt');
  if (!(options instanceof PDFArray)) return null;
  const at = buttonsOf(widget).indexOf(widget);
  const found = [at, Number.parseInt(state, 10)].find((one) => one >= 0 && one < options.size());
  return found === undefined ? null : wordOf(options.lookup(found));
}

/** All buttons of the field that this one belongs to. */
function buttonsOf(widget: PDFDict): PDFDict[] {
  const field = widget.has(name('T')) ? widget : widget.lookup(name('Parent'));
  const kids = field instanceof PDFDict ? field.lookup(name('Kids')) : undefined;
  if (!(kids instanceof PDFArray)) return [widget];
  return kids
    .asArray()
    .map((kid) => (kid instanceof PDFRef ? widget.context.lookup(kid) : kid))
    .filter((kid) => kid instanceof PDFDict);
}

/** Whether a button is shown as chosen: by its own state, and without one by the field's value. */
export function isChosen(widget: PDFDict): boolean {
  const [state, value] = [stateOf(widget), valueOf(widget)];
  if (state !== null) return state !== off;
  return value !== null && isMeant(widget, value) === true;
}

/** The picture of the state in which a button is; null if the file has none. */
export function pictureOfState(widget: PDFDict): PDFRef | PDFStream | null {
  const state = isChosen(widget) ? stateOf(widget) : off;
  const known = state !== null && hasState(widget, state) ? state : chosenStateOf(widget);
  const shown = state === off ? off : known;
  const pictures = picturesOf(widget);
  const key = pictures?.keys().find((one) => wordOf(one) === shown);
  if (!pictures || !key || !(pictures.lookup(key) instanceof PDFStream)) return null;
  const found = pictures.get(key);
  return found instanceof PDFRef || found instanceof PDFStream ? found : null;
}

/**
 * Whether the answer of a button is not shown, or not for certain: state and value differ, the file
 * does not say which button the value means, or pdf.js cannot draw the choice.
 */
export function isUnseen(widget: PDFDict, arePicturesNeeded: boolean): boolean {
  const [state, value] = [stateOf(widget), valueOf(widget)];
  const chosen = chosenStateOf(widget);
  const meant = value === null ? null : isMeant(widget, value);
  if (isChosen(widget)) {
    if (state !== null && chosen !== null && !hasState(widget, state)) return true;
    if (value === off) return true;
    if (meant === false && isMeantElsewhere(widget, value)) return true;
    if (buttonKindOf(widget) === 'check') return false;
    // pdf.js draws a radio button without a picture by its value, if its state has a name.
    const isDrawn = pictureOfState(widget) !== null && !arePicturesNeeded;
    return !isDrawn && (chosen === null || meant !== true);
  }
  if (value === null || value === off) return false;
  const isAnyChosen = buttonsOf(widget).some(isChosen);
  return !isAnyChosen && meant !== false;
}

const hasState = (widget: PDFDict, state: string): boolean =>
  picturesOf(widget)
    ?.keys()
    .some((key) => wordOf(key) === state) ?? false;

const isMeantElsewhere = (widget: PDFDict, value: string | null): boolean =>
  value !== null && buttonsOf(widget).some((one) => isMeant(one, value) === true);
