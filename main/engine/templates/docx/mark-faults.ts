import { findFaults } from './check-template.ts';
import { commentAuthor } from './comment-author.ts';
import { DocxRefusal } from './docx-package.ts';
import { textElement } from './paragraphs.ts';
import { verifyFilled } from './verify-docx.ts';
import { readVerified } from './verify-parts.ts';
import { element, printable, type XmlElement } from './xml-tree.ts';

/** The comments of a marked copy. */
export interface Marking {
  /** One sentence for each finding of `checkTemplate`, in their order. */
  readonly sentences: readonly string[];
  /** When it was checked, in ISO form. */
  readonly at: string;
}

/**
 * A copy of a template with a comment of Word at each of its faults. The copy is read by the verifier
 * before anybody gets it.
 * @throws {DocxRefusal}
 */
export function markFaults(bytes: Uint8Array, { sentences, at }: Marking): Uint8Array<ArrayBuffer> {
  const {
    read: { pack },
    faults,
  } = findFaults(bytes);
  const main = pack.tree(pack.main);
  const comments = element('w:comments');
  for (const [index, { node }] of faults.entries()) {
    const id = String(index);
    comments.append(commentOf(id, at, sentences[index] ?? ''));
    surround(main, node, id);
  }
  pack.addPart('comments', comments);
  const made = pack.save();
  const [flaw] = verifyFilled(made, bytes, new Set());
  if (flaw || commentsIn(made) !== faults.length)
    throw new DocxRefusal('template_damaged', flaw ? `${flaw.part}: ${flaw.what}` : 'comments');
  return made;
}

const commentOf = (id: string, at: string, sentence: string): XmlElement =>
  element(
    'w:comment',
    { 'w:id': id, 'w:author': commentAuthor, 'w:date': at, 'w:initials': 'AD' },
    element('w:p', {}, element('w:r', {}, textElement(printable(sentence)))),
  );

/** Puts the two ends of a comment around a run or a paragraph. */
function surround(main: XmlElement, node: XmlElement | null, id: string): void {
  const ends = [
    element('w:commentRangeStart', { 'w:id': id }),
    element('w:commentRangeEnd', { 'w:id': id }),
    element('w:r', {}, element('w:commentReference', { 'w:id': id })),
  ] as const;
  const place = placeFor(main, node);
  const { parent } = place;
  const [start, end, reference] = ends;
  if (place.is('w:p')) {
    place.insert(
      start,
      place.elements.find((one) => !one.is('w:pPr')),
    );
    place.append(end, reference);
  } else if (parent) {
    parent.insert(start, place);
    const behind = place.next;
    parent.insert(end, behind);
    parent.insert(reference, behind);
  }
}

/**
 * The run of a field, else its paragraph. Word has comments in the main text only, and none in text
 * boxes: a fault elsewhere is at the paragraph with the box, or at the first paragraph.
 */
function placeFor(main: XmlElement, node: XmlElement | null): XmlElement {
  if (!node || !main.contains(node)) return firstParagraph(main);
  let box: XmlElement | null = null;
  for (let one: XmlElement | null = node; one; one = one.parent)
    if (one.is('w:drawing', 'w:pict', 'w:object', 'mc:AlternateContent')) box = one;
  const inText = box ?? node;
  if (!box && inText.is('w:r', 'w:p')) return inText;
  return inText.up('w:p') ?? firstParagraph(main);
}

function firstParagraph(main: XmlElement): XmlElement {
  const found = main.all().find((one) => one.is('w:p') && one.up('w:txbxContent') === null);
  if (found) return found;
  const made = element('w:p');
  const body = main.find('w:body') ?? main;
  body.insert(made, body.elements[0]);
  return made;
}

/** As another reader counts them. */
function commentsIn(bytes: Uint8Array): number {
  const read = readVerified(bytes);
  if ('flaw' in read) return -1;
  const part = read.relations(read.main).find(({ type }) => type === 'comments')?.target;
  const written = part === undefined || part === null ? [] : (read.trees.get(part)?.elements ?? []);
  const text = read.trees.get(read.main)?.all() ?? [];
  const named = new Set(
    text.filter((one) => one.is('w:commentReference')).map((one) => one.get('w:id')),
  );
  return written.filter((one) => named.has(one.get('w:id'))).length;
}
