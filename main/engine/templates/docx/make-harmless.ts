import { convert } from 'html-to-text';
import type { RemovedThing } from '#shared/desk/reports/templates.ts';
import { acceptChanges, removeComments } from './accept-changes.ts';
import {
  activeElements,
  isKnownAttributeSpace,
  isKnownSpace,
  isPlainAddress,
  isPlainField,
  isRasterOrMetafile,
  neededByNobody,
  treatmentOf,
} from './allowed.ts';
import {
  type DocxPackage,
  DocxRefusal,
  type Relation,
  relationsOf,
  typesPart,
} from './docx-package.ts';
import { addressesOf, fieldCodesOf, fieldNameOf } from './field-codes.ts';
import { nearText } from './paragraphs.ts';
import { commentAuthor } from './comment-author.ts';
import { element, parseXml, type XmlElement } from './xml-tree.ts';

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/**
 * Leaves of a document what is on the lists of allowed.ts: removes what nobody misses, accepts
 * tracked changes, and drops every part that nothing refers to.
 * @returns what the author of the template may want to know
 * @throws {DocxRefusal} with the thing that is refused
 */
export function makeHarmless(pack: DocxPackage): Set<RemovedThing> {
  checkTypes(pack);
  const areOwn = areOwnComments(pack);
  const removed = new Set<RemovedThing>();
  const reached = new Set<string>();
  const cleaned = new Set<string>();
  const open: Reached[] = [{ part: '', content: 'text' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    reached.add(next.part);
    // A part may be referred to as more than one thing.
    const key = `${next.content} ${next.part}`;
    if (cleaned.has(key)) continue;
    cleaned.add(key);
    open.push(...cleanPart(pack, next, removed));
  }
  for (const name of pack.names) {
    const isRelations = name.endsWith('.rels');
    const isUsed = [...reached].some((part) => name === part || name === relationsOf(part));
    if (name !== typesPart && !isUsed) pack.remove(name);
    else if (isRelations && pack.relations(partOf(name)).length === 0) pack.remove(name);
  }
  if (areOwn) removed.delete('comments');
  return removed;
}

/** Comments that the desk wrote into a copy to mark its faults: their author knows them. */
function areOwnComments(pack: DocxPackage): boolean {
  const part = pack.relations(pack.main).find(({ type }) => type.endsWith('/comments'))?.target;
  if (part === undefined || part === null) return false;
  try {
    const comments = parseXml(pack.bytes(part)).elements;
    return comments.every((one) => one.get('w:author') === commentAuthor);
  } catch {
    // A part that cannot be read leaves the template, and is named as a comment.
    return false;
  }
}

/**
 * What a part is to the part that refers to it. What the archive declares about a part decides
 * nothing, because readers open a part by its relation.
 */
type Content = 'text' | 'data' | 'binary';
interface Reached {
  readonly part: string;
  readonly content: Content;
}
const contentOf = (kind: string): Content => {
  if (kind === 'image' || kind === 'font') return 'binary';
  return kind === 'customXml' || kind === 'customXmlProps' ? 'data' : 'text';
};

const partOf = (relations: string) => relations.replace('_rels/', '').replace(/\.rels$/, '');

function checkTypes(pack: DocxPackage): void {
  const declared = pack.tree(typesPart).elements.map((one) => one.get('ContentType'));
  const macros = declared.find((type) => /macroEnabled|vbaProject/i.test(type));
  if (macros !== undefined || pack.names.some((name) => /vbaProject|vbaData/i.test(name)))
    throw new DocxRefusal('template_macros');
  const type = pack.typeOf(pack.main);
  if (type === `${wordType}.template.main+xml`) throw new DocxRefusal('template_other_format');
  if (type !== `${wordType}.document.main+xml`) throw new DocxRefusal('template_damaged', type);
}

/** @returns the parts that it refers to */
function cleanPart(
  pack: DocxPackage,
  { part, content }: Reached,
  removed: Set<RemovedThing>,
): Reached[] {
  const tree = part !== '' && content !== 'binary' ? pack.tree(part) : null;
  if (tree) cleanTree(tree, content, removed);
  const used = tree ? usedIds(tree) : new Set<string>();
  const targets: Reached[] = [];
  for (const relation of pack.relations(part)) {
    const isUsed = part === '' ? relation.type.endsWith('/officeDocument') : used.has(relation.id);
    const target = cleanRelation(pack, { part, relation, isUsed, tree, removed });
    if (target !== null) targets.push(target);
  }
  return targets;
}

interface Found {
  readonly part: string;
  readonly relation: Relation;
  /** Something in the text names it. */
  readonly isUsed: boolean;
  readonly tree: XmlElement | null;
  readonly removed: Set<RemovedThing>;
}

/** @returns the part that it goes on to; null if the relation is gone, or leads to the reader's browser */
function cleanRelation(pack: DocxPackage, found: Found): Reached | null {
  const { part, relation, isUsed, tree, removed } = found;
  const { type, isExternal, target, raw } = relation;
  const kind = type.slice(type.lastIndexOf('/') + 1);
  const treatment = treatmentOf(type, /chart/i.test(pack.typeOf(part)));
  const refuse = () => new DocxRefusal('template_active', `${kind} ${raw}`);
  const drop = (thing?: RemovedThing) => {
    relation.element.remove();
    if (tree) dropReferences(tree, relation.id);
    if (thing) removed.add(thing);
    return null;
  };
  if (treatment === 'macros') throw new DocxRefusal('template_macros');
  if (treatment === 'remove') return drop(removedBy(kind));
  if (kind === 'hyperlink') {
    if (!(isExternal ? isPlainAddress(raw) : raw.startsWith('#'))) return drop('link');
    // LibreOffice loads a picture by any relation that it names.
    if (tree && usersOf(tree, relation.id).some((one) => !one.is(...linkElements))) throw refuse();
    return isUsed ? null : drop();
  }
  if (isExternal || treatment === null) {
    if (isUsed) throw refuse();
    return drop('other');
  }
  if (target === null) return drop();
  // Data that something shows would be a text that is not cleaned as one; only ink is shown so.
  const isShown = contentOf(kind) === 'data' && tree !== null && isUsed;
  if (isShown && usersOf(tree, relation.id).some((one) => !one.is(...inkElements))) throw refuse();
  if (treatment === 'insert') {
    insertText(pack, found, target);
    return drop('inserted');
  }
  if (kind === 'image' && !isRasterOrMetafile(pack.bytes(target))) {
    if (tree && !isOnlySvgCopy(tree, relation.id)) throw refuse();
    return drop();
  }
  // LibreOffice opens a header by any relation that it names.
  if (kind === 'font' && isXml(pack.bytes(target))) return drop('other');
  // As every reader finds it, whatever its case and escapes were.
  relation.element.set('Target', `/${target}`);
  relation.element.attributes.delete('TargetMode');
  return { part: target, content: contentOf(kind) };
}

function removedBy(kind: string): RemovedThing | undefined {
  if (kind === 'attachedTemplate') return 'attachedTemplate';
  if (kind.startsWith('comments')) return 'comments';
  return undefined;
}

function isXml(bytes: Uint8Array): boolean {
  try {
    parseXml(bytes);
    return true;
  } catch {
    // Which fault it has does not matter: no reader takes it as XML.
    return false;
  }
}

const namesRelation = (name: string) => name.startsWith('r:') || name === 'o:relid';

function usedIds(tree: XmlElement): Set<string> {
  const ids = new Set<string>();
  for (const one of [tree, ...tree.all()])
    for (const [name, { value }] of one.attributes) if (namesRelation(name)) ids.add(value);
  return ids;
}

/** Only the drawing that stands behind a picture for newer programs. */
const isOnlySvgCopy = (tree: XmlElement, id: string): boolean =>
  usersOf(tree, id).every((one) => one.is('asvg:svgBlip'));

const inkElements = ['w14:contentPart', 'w:contentPart'];
const linkElements = ['w:hyperlink', 'a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver'];

/** The elements that name a relation. */
const usersOf = (tree: XmlElement, id: string): XmlElement[] =>
  [tree, ...tree.all()].filter((one) =>
    [...one.attributes].some(([name, { value }]) => namesRelation(name) && value === id),
  );

function dropReferences(tree: XmlElement, id: string): void {
  for (const one of tree.all())
    for (const [name, { value }] of one.attributes) {
      if (!namesRelation(name) || value !== id) continue;
      if (one.is('a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver')) one.remove();
      else if (one.is('asvg:svgBlip')) (one.up('a:ext') ?? one).remove();
      else one.attributes.delete(name);
    }
}

/**
 * Elements, attributes and fields of Word of one part. The data of a content control is not shown as
 * such, and may have any element that is not active.
 */
function cleanTree(tree: XmlElement, content: Content, removed: Set<RemovedThing>): void {
  const isData = content === 'data';
  if (!isData && acceptChanges(tree)) removed.add('changes');
  if (!isData && removeComments(tree)) removed.add('comments');
  for (const one of tree.all()) {
    if (one.parent === null) continue;
    if (activeElements.has(one.name))
      throw new DocxRefusal('template_active', `${one.name}: ${nearText(one)}`);
    if (neededByNobody.has(one.name)) one.remove();
    else if (!isKnownSpace(one.space)) {
      if (isData) continue;
      one.remove();
      removed.add('other');
    } else cleanAttributes(one);
  }
  for (const { code, at } of fieldCodesOf(tree)) {
    const isPlain =
      code.trim() === '' ||
      (isPlainField(fieldNameOf(code)) && addressesOf(code).every(isPlainAddress));
    if (!isPlain) {
      const shown = code.replaceAll('\u0000', '{ }').trim().slice(0, 60);
      throw new DocxRefusal('template_active', `${shown}: ${nearText(at)}`);
    }
  }
}

/**
 * Drawings of before 2007 name pictures and pages elsewhere in attributes. LibreOffice also knows
 * the attributes of other namespaces, such as those of Strict documents, by which a thing would name
 * a relation unseen.
 */
function cleanAttributes(one: XmlElement): void {
  for (const [name, { space }] of one.attributes)
    if (!isKnownAttributeSpace(space)) one.attributes.delete(name);
  if (/^[vo]:/.test(one.name))
    for (const name of ['src', 'href', 'o:href', 'o:althref', 'o:title'])
      one.attributes.delete(name);
  if (one.is('a:hlinkClick', 'a:hlinkHover', 'a:hlinkMouseOver')) one.attributes.delete('action');
}

/** A text that Word would insert when it opens the document becomes part of it now. */
function insertText(pack: DocxPackage, { relation, tree }: Found, target: string): void {
  const type = pack.typeOf(target).toLowerCase();
  if (!/^(?:text\/(?:html|plain)|application\/xhtml\+xml)/.test(type))
    throw new DocxRefusal('template_active', `altChunk ${relation.raw}`);
  const source = new TextDecoder().decode(pack.bytes(target).subarray(0, insertedMaxBytes));
  const text = type.startsWith('text/plain') ? source : convert(source, { wordwrap: false });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const place of tree?.all() ?? []) {
    if (!place.is('w:altChunk') || place.get('r:id') !== relation.id) continue;
    for (const line of lines) {
      const words = element('w:t', { 'xml:space': 'preserve' });
      words.setText(line.trim());
      place.parent?.insert(element('w:p', {}, element('w:r', {}, words)), place);
    }
    place.remove();
  }
}
const insertedMaxBytes = 1024 * 1024;
