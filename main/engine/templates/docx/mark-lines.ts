import { type XmlNode, xml } from 'easy-template-x';

/*
 * A line that has only the beginning or end of a list or condition is for the author of the
 * template. The library leaves it behind as an empty one.
 */

/** Only while a document is filled; no program would know it. */
const attribute = 'mark-line';

/** Notes the lines that are such marks, before the document is filled. */
export function noteMarkLines(node: XmlNode): void {
  if (node.nodeName === 'w:p' && xml.query.isGeneralNode(node) && isMark(node))
    node.attributes = { ...node.attributes, [attribute]: 'true' };
  for (const child of node.childNodes ?? []) noteMarkLines(child);
}

/** Removes those that are empty now. */
export function removeMarkLines(node: XmlNode): void {
  for (const child of [...(node.childNodes ?? [])]) removeMarkLines(child);
  if (!xml.query.isGeneralNode(node) || node.attributes?.[attribute] === undefined) return;
  const { [attribute]: _, ...attributes } = node.attributes;
  node.attributes = attributes;
  if (textOf(node) === '' && isPlain(node) && isNeedless(node)) xml.modify.remove(node);
}

const isMark = (paragraph: XmlNode) =>
  /^\{[#/][^{}]*\}$/.test(textOf(paragraph).trim()) && isPlain(paragraph);

function textOf(node: XmlNode): string {
  if (xml.query.isTextNode(node)) return node.textContent;
  return (node.childNodes ?? []).map(textOf).join('');
}

/** Without a picture, and without the end of a section, which has the size of its pages. */
function isPlain(node: XmlNode): boolean {
  if (node.nodeName === 'w:drawing' || node.nodeName === 'w:sectPr') return false;
  return (node.childNodes ?? []).every(isPlain);
}

/**
 * Next to another paragraph: a cell, a header and a note need one, a cell ends with one, and two
 * tables without one between them become one.
 */
function isNeedless(node: XmlNode): boolean {
  const siblings = node.parentNode?.childNodes ?? [];
  const at = siblings.indexOf(node);
  return [siblings[at - 1], siblings[at + 1]].some((other) => other?.nodeName === 'w:p');
}
