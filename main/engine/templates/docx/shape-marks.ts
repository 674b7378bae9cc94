import { contentOf } from './paragraphs.ts';
import { childUnder } from './places.ts';
import type { Tag } from './tags.ts';
import type { XmlElement } from './xml-tree.ts';

/** A paragraph that was divided and becomes one again with the one behind or before it. */
export const joinNote = 'join';
/** The paragraph that it may be joined with. */
export const headNote = 'head';
export const tailNote = 'tail';

/**
 * Before anything is repeated: a list that is a whole bullet repeats the bullet, and a mark within a
 * paragraph gets a paragraph of which the whole is repeated.
 * @param kindOf the kind of tag that a run is
 */
export function shapeMarks(
  opens: readonly Tag[],
  kindOf: (run: XmlElement | null) => Tag['kind'] | undefined,
): void {
  const isMark = (run: XmlElement | null) => {
    const kind = kindOf(run);
    return kind !== undefined && kind !== 'value';
  };
  const around = (paragraph: XmlElement, run: XmlElement) => {
    const content = contentOf(paragraph);
    const at = content.findIndex((one) => one.up('w:r') === run);
    const texts = (list: readonly XmlElement[]) => list.filter((one) => !isMark(one.up('w:r')));
    return { before: texts(content.slice(0, at)), behind: texts(content.slice(at + 1)) };
  };
  for (const open of opens) {
    const { close, otherwise } = open;
    const paragraph = open.node.up('w:p');
    if (!close || !paragraph) continue;
    if (open.level === 'inline') {
      const marks = paragraph.all().filter(isMark);
      const isWholeBullet =
        paragraph.find('w:pPr', 'w:numPr') !== undefined &&
        !otherwise &&
        open.common === paragraph &&
        marks[0] === open.node &&
        marks.at(-1) === close.node &&
        around(paragraph, open.node).before.length === 0 &&
        around(paragraph, close.node).behind.length === 0;
      if (isWholeBullet) {
        open.level = 'blocks';
        open.common = paragraph.parent;
      }
    } else if (open.level === 'blocks') {
      for (const mark of [open, otherwise]) divideBefore(mark, around);
      divideBehind(close, around);
      divideBefore(otherwise, around);
    }
  }
}

type Around = (
  paragraph: XmlElement,
  run: XmlElement,
) => { before: readonly XmlElement[]; behind: readonly XmlElement[] };

/** before | mark … */
function divideBefore(mark: Tag | null, around: Around): void {
  const paragraph = mark?.node.up('w:p');
  if (!mark || !paragraph) return;
  const { before, behind } = around(paragraph, mark.node);
  if (before.length === 0) return;
  const head = paragraph.clone(false);
  const properties = paragraph.find('w:pPr')?.clone();
  properties?.find('w:sectPr')?.remove();
  if (properties) head.append(properties);
  const top = childUnder(paragraph, mark.node);
  for (const child of paragraph.elements) {
    if (child === top) break;
    if (!child.is('w:pPr')) head.append(child);
  }
  head.notes.set(joinNote, 'next');
  if (behind.length > 0) paragraph.notes.set(headNote, '1');
  paragraph.parent?.insert(head, paragraph);
}

/** … mark | behind */
function divideBehind(mark: Tag, around: Around): void {
  const paragraph = mark.node.up('w:p');
  const top = paragraph && childUnder(paragraph, mark.node);
  if (!paragraph || !top) return;
  const { before, behind } = around(paragraph, mark.node);
  if (behind.length === 0) return;
  const tail = paragraph.clone(false);
  const properties = paragraph.find('w:pPr');
  if (properties) tail.append(properties.clone());
  const children = paragraph.elements;
  for (const child of children.slice(children.indexOf(top) + 1)) tail.append(child);
  properties?.find('w:sectPr')?.remove();
  tail.notes.set(joinNote, 'previous');
  if (before.length > 0) paragraph.notes.set(tailNote, '1');
  paragraph.parent?.insert(tail, paragraph.next);
}
