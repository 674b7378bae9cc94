import { element, type XmlElement } from './xml-tree.ts';

/** A piece of a paragraph's text; `isMark` is a break or hyphen that counts as a character. */
export interface TextPiece {
  readonly node: XmlElement;
  readonly text: string;
  readonly isMark: boolean;
}

/** Not part of the text of a paragraph itself. */
const passedOver: readonly string[] = [
  'w:p',
  'w:del',
  'w:moveFrom',
  'w:rPr',
  'w:pPr',
  'mc:AlternateContent',
  'w:drawing',
  'w:pict',
  'w:object',
];
const characters: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
  'w:softHyphen': '\u00ad',
};

/** The texts of a paragraph itself, without those of text boxes in it. */
export function textPieces(paragraph: XmlElement): TextPiece[] {
  const found: TextPiece[] = [];
  const visit = (node: XmlElement) => {
    for (const child of node.elements) {
      if (child.is(...passedOver)) continue;
      const character = node.is('w:r') ? characters[child.name] : undefined;
      if (child.is('w:t')) found.push({ node: child, text: child.text, isMark: false });
      else if (character !== undefined) found.push({ node: child, text: character, isMark: true });
      else visit(child);
    }
  };
  visit(paragraph);
  return found;
}

export const paragraphText = (paragraph: XmlElement): string =>
  textPieces(paragraph)
    .map(({ text }) => text)
    .join('');

const nearMax = 80;
/** The words around a place. */
export function nearText(node: XmlElement | null, wanted = ''): string {
  const paragraph = node?.is('w:p') === true ? node : (node?.up('w:p') ?? null);
  if (!paragraph) return '';
  const text = paragraphText(paragraph);
  const start = Math.max(0, text.indexOf(wanted) - nearMax / 4);
  return text.slice(start, start + nearMax).trim();
}

export function textElement(text: string): XmlElement {
  const made = element('w:t', { 'xml:space': 'preserve' });
  made.setText(text);
  return made;
}

const invisible: readonly string[] = [
  'w:pPr',
  'w:rPr',
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:lastRenderedPageBreak',
];
const visible: readonly string[] = [
  'w:tab',
  'w:br',
  'w:cr',
  'w:drawing',
  'w:pict',
  'w:object',
  'w:fldChar',
  'w:footnoteReference',
  'w:endnoteReference',
  'w:sym',
  'mc:AlternateContent',
  'm:oMath',
];

/** What of a paragraph a reader would see. */
export function contentOf(paragraph: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (node: XmlElement) => {
    for (const child of node.elements) {
      if (child.is(...invisible)) continue;
      const isSeen = child.is('w:t') ? child.text.trim() !== '' : child.is(...visible);
      if (isSeen) found.push(child);
      else visit(child);
    }
  };
  visit(paragraph);
  return found;
}

const twipsPerUnit: Readonly<Record<string, number>> = { pt: 20, in: 1440, cm: 567, mm: 56.7 };
/** A measure of Word in twips, a twentieth of a point; NaN if it is none. */
export function twips(measure: string): number {
  const match = /^(-?[\d.]{1,12})(pt|in|cm|mm)?$/.exec(measure);
  return match ? Number(match[1]) * (twipsPerUnit[match[2] ?? ''] ?? 1) : Number.NaN;
}
