import type { Flaw, FlawRule } from './flaws.ts';
import type { VerifiedDocument } from './verify-parts.ts';
import type { XmlElement } from './xml-tree.ts';

const emuPerTwip = 635;
const unitTwips: Readonly<Record<string, number>> = { pt: 20, in: 1440, cm: 567, mm: 56.7 };
/** A rounding of a program is no picture that is cut. */
const tolerance = (twips: number) => twips * 1.01 + 20;

/** Pictures in the line of a text that are cut, or stand over their cell or page. */
export function pictureFlaws({ trees, main }: VerifiedDocument): Flaw[] {
  const flaws: Flaw[] = [];
  const sections =
    trees
      .get(main)
      ?.all()
      .filter((one) => one.is('w:sectPr')) ?? [];
  for (const [part, root] of trees) {
    if (!root.name.startsWith('w:')) continue;
    const found = (rule: FlawRule, what: string) => flaws.push({ rule, part, what });
    const order = new Map(root.all().map((one, at) => [one, at]));
    for (const one of order.keys()) {
      const isPicture = one.is('wp:inline') && one.all().some((child) => child.is('a:blip'));
      if (!isPicture || one.up('mc:Fallback')) continue;
      const at = order.get(one) ?? 0;
      const section = sections.find((end) => (order.get(end) ?? -1) > at) ?? sections.at(-1);
      checkPicture(one, pageOf(section), found);
    }
  }
  return flaws;
}

interface Box {
  readonly width: number;
  readonly height: number;
}

function checkPicture(
  inline: XmlElement,
  page: Box,
  found: (rule: FlawRule, what: string) => void,
): void {
  const extent = inline.find('wp:extent');
  const width = Number(extent?.get('cx')) / emuPerTwip;
  const height = Number(extent?.get('cy')) / emuPerTwip;
  const shown = `${Math.round(width)} x ${Math.round(height)}`;
  if (!(width > 0) || !(height > 0)) {
    found('picture-size', shown);
    return;
  }
  const paragraph = inline.up('w:p');
  const indent = paragraph?.find('w:pPr', 'w:ind');
  const side = (...names: readonly string[]) => {
    const written = names.map((name) => indent?.get(name) ?? '').find((one) => one !== '');
    return Math.max(0, number(written ?? '0') || 0);
  };
  const room = boxOf(inline, page);
  const free = room.width - side('w:left', 'w:start') - side('w:right', 'w:end');
  if (width > tolerance(free)) found('picture-wide', `${shown} in ${Math.round(free)}`);
  if (height > tolerance(Math.min(room.height, page.height)))
    found('picture-high', `${shown} in ${Math.round(room.height)}`);
  const spacing = paragraph?.find('w:pPr', 'w:spacing');
  if (spacing?.get('w:lineRule') === 'exact' && height > number(spacing.get('w:line')))
    found('picture-high', 'a line of an exact height');
}

function number(text: string): number {
  const match = /^(-?[\d.]{1,12})(pt|in|cm|mm)?$/.exec(text);
  return match ? Number(match[1]) * (unitTwips[match[2] ?? ''] ?? 1) : Number.NaN;
}
const orElse = (text: string | undefined, otherwise: number): number => {
  const found = number(text ?? '');
  return Number.isFinite(found) ? Math.abs(found) : otherwise;
};

function pageOf(section: XmlElement | undefined): Box {
  const [size, margins] = [section?.find('w:pgSz'), section?.find('w:pgMar')];
  const columns = section?.find('w:cols');
  const count = orElse(columns?.get('w:num'), 1) || 1;
  const margin = (name: string, otherwise = 1440) => orElse(margins?.get(`w:${name}`), otherwise);
  const width =
    orElse(size?.get('w:w'), 12240) - margin('left') - margin('right') - margin('gutter', 0);
  return {
    width: (width - (count - 1) * orElse(columns?.get('w:space'), 720)) / count,
    height: orElse(size?.get('w:h'), 16838) - margin('top') - margin('bottom'),
  };
}

/** The cell around it, else the page. A text box grows or clips as its author set. */
function boxOf(inline: XmlElement, page: Box): Box {
  const holder = inline.up('w:tc', 'w:txbxContent', 'w:body', 'w:hdr', 'w:ftr', 'w:footnote');
  if (holder?.is('w:txbxContent')) return { width: Infinity, height: Infinity };
  const row = holder?.is('w:tc') ? holder.up('w:tr') : null;
  const table = row?.up('w:tbl');
  if (!holder || !row || !table) return page;
  const own = holder.find('w:tcPr', 'w:tcW');
  const width = ['dxa', ''].includes(own?.get('w:type') ?? '-') ? orElse(own?.get('w:w'), 0) : 0;
  const wide = width || gridWidth(holder, row, table);
  const height = row.find('w:trPr', 'w:trHeight');
  return {
    width: wide || page.width,
    height: height?.get('w:hRule') === 'exact' ? orElse(height.get('w:val'), Infinity) : Infinity,
  };
}

function gridWidth(cell: XmlElement, row: XmlElement, table: XmlElement): number {
  const span = (one: XmlElement) => orElse(one.find('w:tcPr', 'w:gridSpan')?.get('w:val'), 1);
  const cells = row.all().filter((one) => one.is('w:tc') && one.up('w:tr') === row);
  const before = cells.slice(0, cells.indexOf(cell)).reduce((sum, one) => sum + span(one), 0);
  const start = before + orElse(row.find('w:trPr', 'w:gridBefore')?.get('w:val'), 0);
  const grid = (table.find('w:tblGrid')?.elements ?? []).map((one) => orElse(one.get('w:w'), 0));
  return grid.slice(start, start + span(cell)).reduce((sum, one) => sum + one, 0);
}
