import type { PageBlock, PageLine, PagePiece } from '#shared/desk/reports/template-workshop.ts';
import { headingStyle } from './places.ts';
import type { ReadTemplate } from './read-template.ts';
import { faultNote } from './fault-note.ts';
import type { XmlElement } from './xml-tree.ts';

const blocksMax = 1500;
const lineMax = 4000;

/** A document as lines and tables, headers first and footers last: what a window shows without Word. */
export function readPage({ parts }: ReadTemplate): PageBlock[] {
  const of = (...kinds: readonly string[]) => parts.filter(({ kind }) => kinds.includes(kind));
  const margin = (kind: string) =>
    of(kind).flatMap(({ root }) =>
      linesOf(root).map((line) => ({ ...line, style: 'margin' }) as const),
    );
  const text = of('document').flatMap(({ root }) => blocksOf(root.find('w:body') ?? root));
  const notes = of('footnote', 'endnote').flatMap(({ root }) => linesOf(root));
  return [...margin('header'), ...text, ...notes, ...margin('footer')].slice(0, blocksMax);
}

function blocksOf(root: XmlElement): PageBlock[] {
  return root.elements.flatMap((one): PageBlock[] => {
    if (one.is('w:p')) return lineOf(one);
    if (one.is('w:tbl')) return [{ kind: 'table', rows: rowsOf(one) }];
    // Content controls have their text inside.
    return one.is('w:sdt', 'w:sdtContent', 'w:customXml', 'w:smartTag') ? blocksOf(one) : [];
  });
}

const rowsOf = (table: XmlElement): PageLine[][][] =>
  within(table, 'w:tr').map((row) => within(row, 'w:tc').map((cell) => linesOf(cell)));

/** The nearest elements of a name, also behind content controls. */
const within = (root: XmlElement, name: string): XmlElement[] =>
  root.elements.flatMap((one) => {
    if (one.is(name)) return [one];
    return one.is('w:sdt', 'w:sdtContent', 'w:customXml') ? within(one, name) : [];
  });

/** Every paragraph, those of tables in it, too. */
const linesOf = (root: XmlElement): PageLine[] =>
  root
    .all()
    .filter((one) => one.is('w:p') && one.up('mc:Fallback') === null)
    .flatMap(lineOf);

function lineOf(paragraph: XmlElement): PageLine[] {
  const pieces: PagePiece[] = [];
  let length = 0;
  const add = (text: string, kind: PagePiece['kind']) => {
    const last = pieces.at(-1);
    length += text.length;
    if (length > lineMax) return;
    if (last?.kind === kind && kind !== 'picture')
      pieces[pieces.length - 1] = { kind, text: last.text + text };
    else pieces.push({ kind, text });
  };
  const visit = (node: XmlElement, isFault: boolean) => {
    for (const child of node.elements) {
      const kind = isFault || child.notes.has(faultNote) ? 'fault' : 'text';
      if (child.is('w:t')) add(child.text, kind);
      else if (child.is('w:tab')) {
        if (node.is('w:r')) add('\t', kind);
      } else if (child.is('w:br', 'w:cr')) add('\n', kind);
      else if (child.is('w:noBreakHyphen')) add('-', kind);
      else if (child.is('pic:pic', 'v:imagedata')) add('', 'picture');
      else if (!child.is('w:pPr', 'w:rPr', 'mc:Fallback', 'w:txbxContent'))
        visit(child, kind === 'fault');
    }
  };
  visit(paragraph, false);
  const boxes = paragraph
    .all()
    .filter((one) => one.is('w:txbxContent') && one.up('mc:Fallback') === null)
    .flatMap((box) => box.elements.filter((one) => one.is('w:p')).flatMap(lineOf));
  const isEmpty = pieces.every(({ kind, text }) => kind !== 'picture' && text.trim() === '');
  return isEmpty ? boxes : [{ kind: 'line', style: styleOf(paragraph), pieces }, ...boxes];
}

function styleOf(paragraph: XmlElement): PageLine['style'] {
  if (paragraph.find('w:pPr', 'w:numPr')) return 'item';
  const style = paragraph.find('w:pPr', 'w:pStyle')?.get('w:val') ?? '';
  if (/^list/i.test(style)) return 'item';
  return headingStyle.test(style) ? 'heading' : 'text';
}
