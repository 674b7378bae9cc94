import { PDFArray, type PDFDocument, PDFName, PDFPageLeaf, PDFPageTree } from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/** What a page takes from the tree above it (ISO 32000-2, 7.7.3.4). */
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map(name);

/** The lists of a page that are changed: its contents, and its annotations with the fields of forms. */
const lists = ['Contents', 'Annots'].map(name);

/**
 * Gives each page of a PDF its own entries. A tree may name a page twice, and pages may share the list
 * of their contents or of their fields: what is written on one, such as its number, would stand on the
 * other, too, and fields that are drawn on the first would be missing on the second.
 * @param pdf of which nobody has asked for the pages, because the library remembers them
 */
export function giveEachPageItsOwn(pdf: PDFDocument): void {
  ownNodes(pdf.catalog.Pages(), new Set());
}

function ownNodes(tree: PDFPageTree, seen: Set<PDFPageLeaf | PDFPageTree>): void {
  const { context } = tree;
  const kids = tree.Kids();
  for (let at = 0; at < kids.size(); at += 1) {
    const node = kids.lookup(at);
    if (!(node instanceof PDFPageLeaf || node instanceof PDFPageTree)) continue;
    const own = seen.has(node) ? copyOf(node) : node;
    seen.add(node);
    if (own !== node) kids.set(at, context.register(own));
    if (own instanceof PDFPageTree) ownNodes(own, seen);
    else ownLists(own);
  }
}

function copyOf(node: PDFPageLeaf | PDFPageTree): PDFPageLeaf | PDFPageTree {
  const entries = new Map(node.entries());
  if (node instanceof PDFPageTree) {
    entries.set(name('Kids'), node.Kids().clone());
    return PDFPageTree.fromMapWithContext(entries, node.context);
  }
  for (const key of inheritable) {
    const value = node.getInheritableAttribute(key);
    if (value) entries.set(key, value);
  }
  return PDFPageLeaf.fromMapWithContext(entries, node.context);
}

function ownLists(page: PDFPageLeaf): void {
  for (const key of lists) {
    const list = page.lookup(key);
    if (list instanceof PDFArray) page.set(key, list.clone());
  }
}
