import { contentOf, textPieces } from './paragraphs.ts';
import { headNote, joinNote, tailNote } from './shape-marks.ts';
import { element, type XmlElement } from './xml-tree.ts';

const tableNote = 'no-paragraph-behind';

/** Notes tables behind which the author has no paragraph: none is put there. */
export function noteTables(root: XmlElement): void {
  for (const one of root.all())
    if (one.is('w:tbl') && one.next?.is('w:p') !== true) one.notes.set(tableNote, '1');
}

/** The end of a section, which has the size of its pages. */
export const isSectionEnd = (paragraph: XmlElement): boolean =>
  paragraph.find('w:pPr', 'w:sectPr') !== undefined;

export const isBareRow = (row: XmlElement): boolean =>
  row.all().every((one) => !one.is('w:p') || contentOf(one).length === 0);

/** Joins what was divided, and gives cells, tables, headers and text boxes what they must not lack. */
export function tidy(root: XmlElement): void {
  for (const one of root.all()) if (one.notes.has(joinNote)) join(one);
  for (const one of root.all().reverse()) {
    if (one.is('w:tr') && !hasWithin(one, 'w:tc')) one.remove();
    else if (one.is('w:sdtContent') && one.elements.length === 0) one.parent?.remove();
    else if (one.is('w:tbl') && !hasWithin(one, 'w:tr')) one.remove();
  }
  for (const one of [...root.all(), root]) {
    if (one.is('w:tc', 'w:txbxContent', 'w:hdr', 'w:ftr', 'w:footnote', 'w:endnote')) {
      const last = one.elements.findLast((child) => !child.is('w:tcPr', 'w:bookmarkEnd'));
      if (!last || last.is('w:tbl')) one.append(element('w:p'));
    } else if (one.is('w:tbl')) separate(one);
  }
}

function join(paragraph: XmlElement): void {
  const isNext = paragraph.notes.get(joinNote) === 'next';
  paragraph.notes.delete(joinNote);
  const other = isNext ? paragraph.next : paragraph.previous;
  const isEmpty = contentOf(paragraph).length === 0 && !isSectionEnd(paragraph);
  if (!other?.is('w:p')) {
    const hasNeighbour = [paragraph.next, paragraph.previous].some((one) => one?.is('w:p'));
    if (other && isEmpty && textPieces(paragraph).length === 0 && hasNeighbour) paragraph.remove();
    return;
  }
  const belongs = other.notes.has(joinNote) || other.notes.has(isNext ? headNote : tailNote);
  if (!belongs) {
    if (isEmpty) paragraph.remove();
    return;
  }
  const [into, from] = isNext ? [paragraph, other] : [other, paragraph];
  for (const child of from.elements) if (!child.is('w:pPr')) into.append(child);
  const further = from.notes.get(joinNote);
  if (isNext && further !== undefined) into.notes.set(joinNote, further);
  from.remove();
}

/** Two tables without a paragraph between them would become one, and a page ends with a paragraph. */
function separate(table: XmlElement): void {
  if (table.notes.has(tableNote)) return;
  const { next, parent } = table;
  const isLast = parent?.is('w:body') === true && (!next || next.is('w:sectPr'));
  if (next?.is('w:tbl') === true || isLast) parent?.insert(element('w:p'), next);
}

/** Rows of a table, or cells of a row, also in content controls. */
function hasWithin(node: XmlElement, name: string): boolean {
  return node.elements.some(
    (child) =>
      child.is(name) ||
      (!child.is('w:tblPr', 'w:tblGrid', 'w:trPr', 'w:tcPr', 'w:tbl', 'w:tc', 'w:tr') &&
        hasWithin(child, name)),
  );
}
