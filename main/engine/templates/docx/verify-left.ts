import type { Flaw } from './flaws.ts';
import type { VerifiedDocument } from './verify-parts.ts';
import type { XmlElement } from './xml-tree.ts';

const tagLike = /\{\s*(?:[#/^]\s*)?[\p{L}(][^{}]{0,298}\}/gu;
const guid = /^\{[\dA-F]{8}-[\dA-F-]{27}\}$/i;

/** Tags that the filling left in the text, in fields of Word, in attributes, properties and links. */
export function leftTags(
  { trees, relations }: VerifiedDocument,
  tags: ReadonlySet<string> | null,
): Flaw[] {
  const flaws: Flaw[] = [];
  for (const [part, root] of trees) {
    if (part.endsWith('.rels') || part === '[Content_Types].xml') continue;
    const note = (text: string) => {
      if (!text.includes('{')) return;
      for (const [found] of text.matchAll(tagLike)) {
        const isTag = tags === null ? !guid.test(found) : tags.has(found);
        if (isTag) flaws.push({ rule: 'left', part, what: found });
      }
    };
    for (const one of [root, ...root.all()]) {
      if (one.is('w:p', 'a:p')) note(ownText(one));
      else if (!one.is('w:t', 'a:t', 'm:t', 'w:instrText', 'w:delText')) note(looseText(one));
      for (const { value } of one.attributes.values()) note(value);
    }
    note(instructions(root));
    for (const { target } of relations(part)) note(decodeURI(target ?? ''));
  }
  return flaws;
}

const looseText = ({ children }: XmlElement): string =>
  children.filter((child) => typeof child === 'string').join('');

const instructions = (root: XmlElement): string =>
  root
    .all()
    .filter((one) => one.is('w:instrText'))
    .map(({ text }) => text)
    .join('');

/** Of a paragraph without the paragraphs in it. */
export function ownText(paragraph: XmlElement): string {
  let text = '';
  const visit = (node: XmlElement) => {
    for (const child of node.elements) {
      if (child.is('w:p', 'mc:Fallback', 'w:del', 'w:moveFrom')) continue;
      if (child.is('w:t', 'm:t', 'a:t')) text += child.text;
      else if (node.is('w:r') && child.is('w:tab')) text += '\t';
      else if (node.is('w:r') && child.is('w:br', 'w:cr')) text += '\n';
      else visit(child);
    }
  };
  visit(paragraph);
  return text;
}
