import { paragraphText, textElement, textPieces, type TextPiece } from './paragraphs.ts';
import { type Expression, parseExpression } from './expression.ts';
import type { Room } from './room.ts';
import type { XmlElement } from './xml-tree.ts';

/** Where a list or condition repeats: within a paragraph, over paragraphs, or over rows. */
export type TagLevel = 'inline' | 'blocks' | 'rows';

/** A field or mark of a template, alone in its run. */
export interface Tag {
  readonly kind: 'open' | 'close' | 'else' | 'value';
  /** What stands in the braces, without the mark. */
  readonly text: string;
  readonly isInverted: boolean;
  /** As it stands in the template. */
  readonly raw: string;
  /** The run. */
  readonly node: XmlElement;
  /** The picture that has it as alternative text. */
  readonly frame: XmlElement | null;
  tree: Expression | null;
  isPicture: boolean;
  room: Room | null;
  /** Of a list or condition. */
  list: string | null;
  close: Tag | null;
  otherwise: Tag | null;
  level: TagLevel;
  common: XmlElement | null;
}

const elseWords = /^(?:else|sonst|sinon|altrimenti)$/i;

/** @param inner what stands in the braces */
function read(inner: string): Pick<Tag, 'kind' | 'text' | 'isInverted'> {
  const text = clean(inner);
  if (elseWords.test(text)) return { kind: 'else', text: '', isInverted: false };
  const mark = text.slice(0, 1);
  const rest = text.slice(1).trim();
  if (mark === '#' || mark === '^') return { kind: 'open', text: rest, isInverted: mark === '^' };
  if (mark === '/') return { kind: 'close', text: rest, isInverted: false };
  return { kind: 'value', text, isInverted: false };
}

/** Word breaks lines with its own spaces and hyphens; those that one does not see do not count. */
function clean(inner: string): string {
  const spaced = inner.replaceAll(/[\u00a0\u2007\u202f\t\n]/g, ' ');
  const text = spaced.replaceAll(/[\u200b-\u200f\u00ad\u2060\ufeff]/g, '').trim();
  if (!/[\t\n]/.test(inner)) return text;
  try {
    parseExpression(text.replace(/^[#^/]\s*/, ''));
    return text;
  } catch {
    // A name that a line break divides.
    return text.replaceAll(' ', '');
  }
}

export const makeTag = (
  inner: string,
  raw: string,
  node: XmlElement,
  frame: XmlElement | null,
): Tag => ({
  ...read(inner),
  raw: raw.slice(0, 200),
  node,
  frame,
  tree: null,
  isPicture: false,
  room: null,
  list: null,
  close: null,
  otherwise: null,
  level: 'inline',
  common: null,
});

const tagPattern = /\{([^{}]*)\}|[{}]/g;

/** The field in a text that is not one of the document's own, such as an alternative text. */
export const firstTagIn = (text: string): { inner: string; raw: string } | null => {
  const match = /\{([^{}]*)\}/.exec(text);
  return match ? { raw: match[0], inner: match[1] ?? '' } : null;
};

/**
 * The tags of a paragraph's own text, each in a run of its own afterwards.
 * @param onFault a brace without the other, and a field that cannot be put into one run
 */
export function tagsOf(
  paragraph: XmlElement,
  onFault: (fault: 'brace' | 'split', raw: string) => void,
): Tag[] {
  const text = paragraphText(paragraph);
  if (!/[{}]/.test(text)) return [];
  const tags: Tag[] = [];
  for (const match of [...text.matchAll(tagPattern)].reverse()) {
    const [raw, inner] = match;
    if (inner === undefined) {
      onFault('brace', text.slice(Math.max(0, match.index - 20), match.index + 60).trim());
      continue;
    }
    const run = isolate(textPieces(paragraph), match.index, match.index + raw.length, raw);
    if (run) tags.unshift(makeTag(inner, raw, run, null));
    else onFault('split', raw);
  }
  return tags;
}

/** Puts the characters from..to alone into one run. */
function isolate(
  pieces: readonly TextPiece[],
  from: number,
  to: number,
  raw: string,
): XmlElement | null {
  let at = 0;
  let run: XmlElement | null = null;
  for (const { node, text, isMark } of pieces) {
    const start = at;
    at += text.length;
    if (at <= from || start >= to) continue;
    const before = text.slice(0, Math.max(0, from - start));
    const after = text.slice(Math.max(0, to - start));
    if (isMark) node.remove();
    else if (!run) {
      if (!node.parent?.is('w:r')) return null;
      run = splitRun(node.parent, node, { before, raw, after });
    } else if (after !== '') node.setText(after);
    else removeWithRun(node);
  }
  return run;
}

/** The run as three: before, the tag, behind. */
function splitRun(
  own: XmlElement,
  node: XmlElement,
  { before, raw, after }: { before: string; raw: string; after: string },
): XmlElement {
  const [middle, tail] = [own.clone(false), own.clone(false)];
  const properties = own.find('w:rPr');
  for (const one of [middle, tail]) if (properties) one.append(properties.clone());
  middle.append(textElement(raw));
  if (after !== '') tail.append(textElement(after));
  const children = own.elements;
  for (const child of children.slice(children.indexOf(node) + 1)) tail.append(child);
  if (before === '') node.remove();
  else {
    node.setText(before);
    node.set('xml:space', 'preserve');
  }
  own.parent?.insert(middle, own.next);
  if (!isEmptyRun(tail)) own.parent?.insert(tail, middle.next);
  if (isEmptyRun(own)) own.remove();
  return middle;
}

const isEmptyRun = (run: XmlElement): boolean => run.elements.every((one) => one.is('w:rPr'));

function removeWithRun(node: XmlElement): void {
  const run = node.parent;
  node.remove();
  if (run?.is('w:r') && isEmptyRun(run)) run.remove();
}
