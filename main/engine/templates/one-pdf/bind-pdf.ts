import {
  degrees,
  PDFArray,
  PDFDict,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFObjectCopier,
  PDFPage,
  type PDFPageLeaf,
  PDFRef,
  rgb,
} from '@cantoo/pdf-lib';
import { createPdfWriter, type PdfWriter } from '#shared/pdf/sheet-text.ts';
import { carryFiles } from './carried-files.ts';
import { drawFields } from './draw-fields.ts';
import { giveEachPageItsOwn } from './own-pages.ts';
import type { BindOrder, BindRefusal, BoundPart, BoundWords } from './one-pdf-thread.ts';
import { reducePhotos } from './reduce-photos.ts';

/** A part cannot be bound. */
export class BindFault extends Error {
  readonly refusal: BindRefusal;
  readonly at: number;

  constructor(refusal: BindRefusal, at: number, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
    this.at = at;
  }
}

const name = (text: string) => PDFName.of(text);

interface Bookmark {
  readonly title: string;
  readonly page: PDFPage;
}

/**
 * The report with a list of its annexes, the annexes, a number on each page, and a bookmark for each
 * part. Nothing of the files runs afterwards: scripts and actions are left out.
 * @throws {BindFault}
 */
export async function bindPdf(order: BindOrder): Promise<Uint8Array<ArrayBuffer>> {
  const { report, annexes, words, photoEdge } = order;
  const pdf = await open(report, 0);
  const annexDocuments: PDFDocument[] = [];
  for (const [at, annex] of annexes.entries()) annexDocuments.push(await open(annex, at + 1));
  // It describes the report alone, and claims a standard that the annexes may not keep.
  pdf.catalog.delete(name('Metadata'));
  // Its own page numbers would go on through the annexes, next to those that are written here.
  pdf.catalog.delete(name('PageLabels'));
  const writer = await createPdfWriter(pdf, null);
  const [first] = pdf.getPages();
  const bookmarks: Bookmark[] = first ? [{ title: words.report, page: first }] : [];
  const listPages = addListPages(pdf, annexes.length);
  const places: { title: string; from: number; to: number }[] = [];
  if (listPages[0]) bookmarks.push({ title: words.annexes, page: listPages[0] });
  const layers: Layers = { known: layersOf(pdf), copied: [] };
  for (const [at, document] of annexDocuments.entries()) {
    const from = pdf.getPageCount() + 1;
    const pages = addPages(pdf, document, layers);
    const title = `${at + 1}  ${annexes[at]?.title ?? ''}`;
    if (pages[0]) bookmarks.push({ title, page: pages[0] });
    places.push({ title: annexes[at]?.title ?? '', from, to: pdf.getPageCount() });
  }
  if (layers.copied.length > 0) setLayers(pdf, layers);
  carryFiles(pdf, annexDocuments);
  await writeList(listPages, places, { words, writer });
  numberPages(pdf, writer.font);
  setBookmarks(pdf, bookmarks);
  pdf.setTitle(words.title);
  if (photoEdge !== null) await reducePhotos(pdf, photoEdge);
  return Uint8Array.from(await pdf.save({ useObjectStreams: true }));
}

/** A part without its form, scripts and actions. @throws {BindFault} */
async function open({ bytes }: BoundPart, at: number): Promise<PDFDocument> {
  const pdf = await load(bytes, at);
  const form = pdf.catalog.lookup(name('AcroForm'));
  if (form instanceof PDFDict) {
    if (isSigned(pdf)) throw new BindFault('annex_signed', at);
    try {
      await drawFields(pdf);
    } catch (cause) {
      throw new BindFault('annex_form', at, { cause });
    }
  }
  for (const entry of ['OpenAction', 'AA', 'URI', 'Collection']) pdf.catalog.delete(name(entry));
  const names = pdf.catalog.lookup(name('Names'));
  if (names instanceof PDFDict) names.delete(name('JavaScript'));
  for (const page of pdf.getPages()) disarm(page.node);
  return pdf;
}

async function load(bytes: Uint8Array, at: number): Promise<PDFDocument> {
  try {
    // Many programs protect their PDFs against changes by an owner's password; the reader's is empty.
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false, password: '' });
    giveEachPageItsOwn(pdf);
    if (pdf.getPageCount() > 0) return pdf;
  } catch (cause) {
    throw new BindFault('annex_unreadable', at, { cause });
  }
  throw new BindFault('annex_unreadable', at);
}

/** A signature ends with the first change, so a signed file is not bound. */
function isSigned(pdf: PDFDocument): boolean {
  return pdf.context.enumerateIndirectObjects().some(([, object]) => {
    if (!(object instanceof PDFDict)) return false;
    const kind = object.lookup(name('FT')) ?? object.lookup(name('Type'));
    return (kind === name('Sig') && object.has(name('V'))) || object.has(name('ByteRange'));
  });
}

const harmlessActions = [name('URI'), name('GoTo')];

/** What a click or an opening would start. */
function disarm(page: PDFPageLeaf): void {
  page.delete(name('AA'));
  for (const annotation of annotationsOf(page)) {
    annotation.delete(name('AA'));
    const action = annotation.lookup(name('A'));
    const isHarmless =
      action instanceof PDFDict && harmlessActions.some((one) => one === action.lookup(name('S')));
    if (!isHarmless) annotation.delete(name('A'));
  }
}

function annotationsOf(page: PDFPageLeaf): PDFDict[] {
  const list = page.lookup(name('Annots'));
  if (!(list instanceof PDFArray)) return [];
  return list.asArray().flatMap((one) => {
    const found = one instanceof PDFRef ? page.context.lookup(one) : one;
    return found instanceof PDFDict ? [found] : [];
  });
}

interface Layers {
  readonly known: readonly PDFDict[];
  /** Of the annexes, as they are in the PDF that is made. */
  readonly copied: PDFDict[];
}

const layersOf = (pdf: PDFDocument): PDFDict[] => {
  const found = pdf.catalog.lookup(name('OCProperties'));
  return found instanceof PDFDict ? [found] : [];
};

/** Copies all pages of an annex to the end. */
function addPages(pdf: PDFDocument, from: PDFDocument, layers: Layers): PDFPage[] {
  const copier = PDFObjectCopier.for(from.context, pdf.context);
  const pages = from.getPages().map(({ node }) => {
    // Links within the annex, and tags that lead to its other pages, would bring all of them again.
    for (const entry of ['B', 'StructParents', 'Tabs']) node.delete(name(entry));
    for (const annotation of annotationsOf(node)) {
      for (const entry of ['P', 'Parent', 'StructParent', 'Dest']) annotation.delete(name(entry));
      const action = annotation.lookup(name('A'));
      if (action instanceof PDFDict && action.lookup(name('S')) === name('GoTo'))
        annotation.delete(name('A'));
    }
    const leaf = copier.copy(node);
    const page = PDFPage.of(leaf, pdf.context.register(leaf), pdf);
    return pdf.addPage(page);
  });
  for (const found of layersOf(from)) layers.copied.push(copier.copy(found));
  return pages;
}

/** Without them, layers that an annex hides would be shown. */
function setLayers(pdf: PDFDocument, { known, copied }: Layers): void {
  const groups: PDFRef[] = [];
  const hidden = new Set<PDFRef>();
  for (const one of [...known, ...copied]) {
    const own = refsIn(one.lookup(name('OCGs')));
    groups.push(...own);
    const settings = one.lookup(name('D'));
    if (!(settings instanceof PDFDict)) continue;
    const shown = new Set(refsIn(settings.lookup(name('ON'))));
    const isHidden = settings.lookup(name('BaseState')) === name('OFF');
    for (const ref of isHidden ? own.filter((group) => !shown.has(group)) : []) hidden.add(ref);
    for (const ref of refsIn(settings.lookup(name('OFF')))) hidden.add(ref);
  }
  const D = pdf.context.obj({ OFF: [...hidden], Order: [] });
  pdf.catalog.set(name('OCProperties'), pdf.context.obj({ OCGs: groups, D }));
}

const refsIn = (list: unknown): PDFRef[] =>
  list instanceof PDFArray ? list.asArray().filter((one) => one instanceof PDFRef) : [];

/** A4 in points. */
const paper = { width: 595, height: 842, margin: 57 };
const rowHeight = 24;
const headHeight = 64;
const rowsOnPage = Math.floor((paper.height - 2 * paper.margin - headHeight) / rowHeight);

function addListPages(pdf: PDFDocument, annexes: number): PDFPage[] {
  const pages = Math.ceil(annexes / rowsOnPage);
  return Array.from({ length: pages }, () => pdf.addPage([paper.width, paper.height]));
}

async function writeList(
  pages: readonly PDFPage[],
  places: readonly { title: string; from: number; to: number }[],
  { words, writer: { font, bold, write } }: { words: BoundWords; writer: PdfWriter },
): Promise<void> {
  const width = paper.width - 2 * paper.margin;
  const x = paper.margin;
  const grey = rgb(0.78, 0.82, 0.84);
  for (const [number, on] of pages.entries()) {
    const top = paper.height - paper.margin;
    const heading = { x, y: top, width, height: 26, largest: 16, smallest: 10, font: bold };
    await write(on, words.annexes, heading);
    const about = { x, y: top - 26, width, height: 14, largest: 9, smallest: 6, font };
    await write(on, words.about, about);
    const here = places.slice(number * rowsOnPage, (number + 1) * rowsOnPage);
    for (const [at, { title, from, to }] of here.entries()) {
      const y = top - headHeight - at * rowHeight;
      const line = { y: y + 6, height: rowHeight - 4, largest: 10, smallest: 7, font };
      await write(on, String(number * rowsOnPage + at + 1), { ...line, x, width: 24 });
      await write(on, title, { ...line, x: x + 28, width: width - 128 });
      const range = from === to ? String(from) : `${from}–${to}`;
      await write(on, `${words.page} ${range}`, { ...line, x: x + width - 90, width: 90 });
      const end = { x: x + width, y: y - rowHeight + 10 };
      on.drawLine({ start: { x, y: end.y }, end, thickness: 0.5, color: grey });
    }
  }
}

const numberSize = 8;

/** At the lower right of each page as it is shown, on white, because a scan may be dark there. */
function numberPages(pdf: PDFDocument, font: PDFFont): void {
  const pages = pdf.getPages();
  for (const [at, page] of pages.entries()) {
    const text = `${at + 1} / ${pages.length}`;
    const width = font.widthOfTextAtSize(text, numberSize);
    const { point, shown, turn } = shownPlane(page);
    const corner = point(shown.width - width - 22, 10);
    const start = point(shown.width - width - 18, 13);
    const rotate = degrees(turn);
    const size = { width: width + 8, height: numberSize + 5 };
    page.drawRectangle({ ...corner, ...size, rotate, color: rgb(1, 1, 1) });
    page.drawText(text, { ...start, size: numberSize, font, rotate, color: rgb(0.3, 0.34, 0.37) });
  }
}

/** The part of a page that readers show: what is outside of its paper is not (14.11.2). */
function shownBox(page: PDFPage) {
  const [crop, paper] = [page.getCropBox(), page.getMediaBox()];
  const [x, y] = [Math.max(crop.x, paper.x), Math.max(crop.y, paper.y)];
  const width = Math.min(crop.x + crop.width, paper.x + paper.width) - x;
  const height = Math.min(crop.y + crop.height, paper.y + paper.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : paper;
}

/** A page as the viewer shows it, and where a point of it is in the page's own coordinates. */
function shownPlane(page: PDFPage) {
  const { x, y, width, height } = shownBox(page);
  const turn = (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270;
  const isTurned = turn === 90 || turn === 270;
  const shown = isTurned ? { width: height, height: width } : { width, height };
  const point = (right: number, up: number): { x: number; y: number } =>
    ({
      0: { x: x + right, y: y + up },
      90: { x: x + width - up, y: y + right },
      180: { x: x + width - right, y: y + height - up },
      270: { x: x + up, y: y + height - right },
    })[turn];
  return { point, shown, turn };
}

/** A bookmark for each part; those that the report has of its own stand under its own. */
function setBookmarks(pdf: PDFDocument, bookmarks: readonly Bookmark[]): void {
  const { context, catalog } = pdf;
  const before = catalog.lookup(name('Outlines'));
  const refs = bookmarks.map(() => context.nextRef());
  const root = context.nextRef();
  for (const [at, { title, page }] of bookmarks.entries()) {
    const own = refs[at];
    if (!own) continue;
    const item = context.obj({ Parent: root, Dest: [page.ref, 'Fit'] });
    item.set(name('Title'), PDFHexString.fromText(title));
    const [prev, next] = [refs[at - 1], refs[at + 1]];
    if (prev) item.set(name('Prev'), prev);
    if (next) item.set(name('Next'), next);
    if (at === 0 && before instanceof PDFDict) adopt(item, own, before);
    context.assign(own, item);
  }
  const [first, last] = [refs[0], refs.at(-1)];
  if (!first || !last) return;
  context.assign(
    root,
    context.obj({ Type: 'Outlines', First: first, Last: last, Count: refs.length }),
  );
  catalog.set(name('Outlines'), root);
  catalog.set(name('PageMode'), name('UseOutlines'));
}

const bookmarksMax = 2000;

/** The bookmarks of the report become those of its own bookmark, folded. */
function adopt(item: PDFDict, own: PDFRef, before: PDFDict): void {
  const [first, last] = [before.get(name('First')), before.get(name('Last'))];
  if (!(first instanceof PDFRef) || !(last instanceof PDFRef)) return;
  item.set(name('First'), first);
  item.set(name('Last'), last);
  let count = 0;
  for (let ref: unknown = first; ref instanceof PDFRef && count < bookmarksMax; count += 1) {
    const one = item.context.lookup(ref);
    if (!(one instanceof PDFDict)) break;
    one.set(name('Parent'), own);
    ref = one.get(name('Next'));
  }
  item.set(name('Count'), PDFNumber.of(-count));
}
