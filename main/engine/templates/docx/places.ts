import type { TemplatePlace } from '#shared/desk/reports/templates.ts';
import { paragraphText } from './paragraphs.ts';
import type { XmlElement } from './xml-tree.ts';

/** Styles of headings in the languages of Word. */
export const headingStyle = /^(?:heading|berschrift|überschrift|titre|titolo|title|titel)/i;
const headingMax = 60;

/** The heading above, the table and the row: what one looks for in Word. */
export function placeOf(node: XmlElement | null): TemplatePlace {
  const place: { heading: string | null; table: number | null; row: number | null } = {
    heading: null,
    table: null,
    row: null,
  };
  const row = node?.up('w:tr');
  const table = row?.up('w:tbl');
  if (row && table) {
    place.row = table.elements.filter((one) => one.is('w:tr')).indexOf(row) + 1;
    place.table =
      rootOf(table)
        .all()
        .filter((one) => one.is('w:tbl'))
        .indexOf(table) + 1;
  }
  for (let one = topOf(node); one; one = one.previous) {
    const style = one.is('w:p') ? (one.find('w:pPr', 'w:pStyle')?.get('w:val') ?? '') : '';
    if (!headingStyle.test(style)) continue;
    place.heading = paragraphText(one).slice(0, headingMax);
    break;
  }
  return place;
}

function rootOf(node: XmlElement): XmlElement {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

function topOf(node: XmlElement | null): XmlElement | undefined {
  for (let one = node; one; one = one.parent)
    if (one.parent?.is('w:body', 'w:hdr', 'w:ftr')) return one;
  return undefined;
}

/** The child of an element in which another one lies. */
export function childUnder(ancestor: XmlElement, node: XmlElement): XmlElement | null {
  let child: XmlElement | null = node;
  while (child && child.parent !== ancestor) child = child.parent;
  return child;
}
