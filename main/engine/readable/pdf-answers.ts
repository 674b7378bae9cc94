import { PDFArray, PDFBool, PDFDict, type PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { buttonKindOf, isHidden, isUnseen, needsPictures, widgetsOf } from './pdf-forms.ts';
import { hasMoreInXfa } from './pdf-xfa.ts';

const name = (text: string) => PDFName.of(text);

/** A form of XFA alone, which the viewer shows as a page that asks for another program. */
function isOtherForm(pdf: PDFDocument): boolean {
  const form = pdf.catalog.lookup(name('AcroForm'));
  if (!(form instanceof PDFDict) || !form.has(name('XFA'))) return false;
  const fields = form.lookup(name('Fields'));
  const isEmpty = !(fields instanceof PDFArray) || fields.size() === 0;
  return isEmpty || pdf.catalog.lookup(name('NeedsRendering')) === PDFBool.True;
}

/** Whether a form has answers that the viewer does not show, or not for certain. */
export function hasUnseenAnswers(pdf: PDFDocument): boolean {
  if (!pdf.catalog.has(name('AcroForm'))) return false;
  try {
    if (isOtherForm(pdf) || hasMoreInXfa(pdf)) return true;
    const arePicturesNeeded = needsPictures(pdf);
    const buttons = pdf
      .getPages()
      .flatMap(({ node }) => widgetsOf(node))
      .filter(({ dict }) => buttonKindOf(dict) !== null && !isHidden(dict));
    return buttons.some(({ dict }) => isUnseen(dict, arePicturesNeeded));
  } catch {
    // Nobody can say what a form answers whose parts this reader cannot follow.
    return true;
  }
}
