import { twips } from './paragraphs.ts';
import type { XmlElement } from './xml-tree.ts';

/** What there is for a picture, in twips. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** Of a picture whose field asks for no size: two of them and their captions fit on a page. */
  readonly usualHeight: number;
}

/** Of the height of a page. */
const usualPart = 0.43;
const least = 200;
type Box = Pick<Room, 'width' | 'height'>;

const holders = ['w:tc', 'w:txbxContent', 'w:body', 'w:hdr', 'w:ftr', 'w:footnote', 'w:endnote'];

/** The room of a paragraph: of its cell, text box or page, without its indents. */
export function roomOf(paragraph: XmlElement, sections: readonly XmlElement[]): Room {
  const holder = paragraph.up(...holders);
  const page = pageRoom(paragraph, sections);
  const room = holder?.is('w:tc')
    ? cellRoom(holder, page)
    : holder?.is('w:txbxContent')
      ? boxRoom(holder, page)
      : page;
  const indents = paragraph.find('w:pPr', 'w:ind');
  const indent = (...names: readonly string[]) => {
    const written = names.map((name) => indents?.get(name) ?? '').find((one) => one !== '');
    return Math.max(0, twips(written ?? '0') || 0);
  };
  const width = room.width - indent('w:left', 'w:start') - indent('w:right', 'w:end');
  const usual = holder?.is('w:tc', 'w:txbxContent') ? width : room.height * usualPart;
  return {
    width: Math.max(least, Math.floor(width)),
    height: Math.max(least, Math.floor(room.height)),
    usualHeight: Math.max(least, Math.floor(Math.min(usual, width, room.height))),
  };
}

const measure = (node: XmlElement | undefined, name: string, otherwise: number): number => {
  const found = twips(node?.get(`w:${name}`) ?? '');
  return Number.isFinite(found) ? Math.abs(found) : otherwise;
};

/** Of the page, or of one of its columns. A4 if the document does not say. */
function pageRoom(paragraph: XmlElement, sections: readonly XmlElement[]): Box {
  const section = sectionOf(paragraph, sections);
  const [size, margins] = [section?.find('w:pgSz'), section?.find('w:pgMar')];
  const columns = section?.find('w:cols');
  const width =
    measure(size, 'w', 11906) -
    measure(margins, 'left', 1440) -
    measure(margins, 'right', 1440) -
    measure(margins, 'gutter', 0);
  const count = Math.max(1, measure(columns, 'num', 1));
  return {
    width: (width - (count - 1) * measure(columns, 'space', 720)) / count,
    height:
      measure(size, 'h', 16838) - measure(margins, 'top', 1440) - measure(margins, 'bottom', 1440),
  };
}

/** The end of a section stands behind its text; a header belongs to the last one. */
function sectionOf(paragraph: XmlElement, sections: readonly XmlElement[]): XmlElement | undefined {
  const body = paragraph.up('w:body');
  if (!body) return sections.at(-1);
  const topOf = (node: XmlElement): XmlElement => {
    let top = node;
    while (top.parent && top.parent !== body) top = top.parent;
    return top;
  };
  const order = body.elements;
  const at = order.indexOf(topOf(paragraph));
  return sections.find((section) => order.indexOf(topOf(section)) >= at) ?? sections.at(-1);
}

function boxRoom(content: XmlElement, page: Box): Box {
  const shape = content.up('wp:inline', 'wp:anchor', 'v:shape', 'v:rect', 'v:roundrect');
  const extent = shape?.find('wp:extent');
  if (extent)
    return {
      width: Number(extent.get('cx')) / 635 - 288,
      height: Number(extent.get('cy')) / 635 - 144,
    };
  const width = /(?:^|;)\s*width:([\d.]{1,10}(?:pt|in|cm|mm))/.exec(shape?.get('style') ?? '')?.[1];
  return width === undefined ? page : { ...page, width: twips(width) - 288 };
}

function cellRoom(cell: XmlElement, page: Box): Box {
  const row = cell.up('w:tr');
  const table = row?.up('w:tbl');
  if (!row || !table) return page;
  const side = (name: string) => {
    const own = cell.find('w:tcPr', 'w:tcMar', name) ?? table.find('w:tblPr', 'w:tblCellMar', name);
    return measure(own, 'w', 108);
  };
  const width = cellWidth(cell, row, table);
  const height = row.find('w:trPr', 'w:trHeight');
  const isExact = height?.get('w:hRule') === 'exact';
  return {
    width: width > 0 ? width - side('w:left') - side('w:right') : page.width,
    height: isExact ? measure(height, 'val', page.height) : page.height,
  };
}

/** Of the cell itself, else of its columns in the grid. */
function cellWidth(cell: XmlElement, row: XmlElement, table: XmlElement): number {
  const own = cell.find('w:tcPr', 'w:tcW');
  const isInTwips = own?.get('w:type') === 'dxa' || own?.get('w:type') === '';
  const width = isInTwips ? measure(own, 'w', 0) : 0;
  if (width > 0) return width;
  const span = (one: XmlElement) => measure(one.find('w:tcPr', 'w:gridSpan'), 'val', 1) || 1;
  let column = measure(row.find('w:trPr', 'w:gridBefore'), 'val', 0);
  for (const one of row.all()) {
    if (one === cell) break;
    if (one.is('w:tc') && one.up('w:tr') === row) column += span(one);
  }
  const grid = (table.find('w:tblGrid')?.elements ?? []).map((one) => measure(one, 'w', 0));
  return grid.slice(column, column + span(cell)).reduce((sum, one) => sum + one, 0);
}
