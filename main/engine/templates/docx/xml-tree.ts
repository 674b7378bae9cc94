import { DOMParser, type Element, type Node } from '@xmldom/xmldom';

/**
 * The prefix under which the desk knows a namespace. A document may use another one; names are
 * compared by these.
 */
const prefixes: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing': 'wp',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
  'http://schemas.openxmlformats.org/drawingml/2006/picture': 'pic',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c',
  'http://schemas.openxmlformats.org/drawingml/2006/chartDrawing': 'cdr',
  'http://schemas.openxmlformats.org/drawingml/2006/diagram': 'dgm',
  'http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas': 'lc',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://schemas.openxmlformats.org/officeDocument/2006/bibliography': 'b',
  'http://schemas.openxmlformats.org/officeDocument/2006/customXml': 'ds',
  'http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes': 'vt',
  'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties': 'ep',
  'http://schemas.openxmlformats.org/officeDocument/2006/custom-properties': 'op',
  'http://schemas.openxmlformats.org/package/2006/metadata/core-properties': 'cp',
  'http://schemas.openxmlformats.org/package/2006/relationships': 'rel',
  'http://schemas.openxmlformats.org/package/2006/content-types': 'ct',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'http://schemas.openxmlformats.org/schemaLibrary/2006/main': 'sl',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://purl.org/dc/terms/': 'dcterms',
  'http://purl.org/dc/dcmitype/': 'dcmitype',
  'http://www.w3.org/2001/XMLSchema-instance': 'xsi',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingShape': 'wps',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingGroup': 'wpg',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas': 'wpc',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing': 'wp14',
  'http://schemas.microsoft.com/office/word/2012/wordml': 'w15',
  'http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing': 'wp15',
  'http://schemas.microsoft.com/office/drawing/2016/SVG/main': 'asvg',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
  'urn:schemas-microsoft-com:office:word': 'w10',
  'http://www.w3.org/XML/1998/namespace': 'xml',
  'http://www.w3.org/2000/xmlns/': 'xmlns',
};
const spaces: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(prefixes).map(([space, prefix]) => [prefix, space]),
);

/** The name of a thing in a namespace: `w:p`, `{urn:unknown}thing`, or `id` without a namespace. */
function nameIn(space: string | null, local: string): string {
  if (space === null || space === '') return local;
  const prefix = prefixes[space];
  return prefix === undefined ? `{${space}}${local}` : `${prefix}:${local}`;
}

interface XmlAttribute {
  readonly space: string | null;
  readonly prefix: string;
  readonly local: string;
  readonly value: string;
}

export type XmlNode = XmlElement | string;

/** An element of a part, with names that do not depend on the prefixes of the document. */
export class XmlElement {
  parent: XmlElement | null = null;
  readonly children: XmlNode[] = [];
  readonly attributes = new Map<string, XmlAttribute>();
  /** Of the desk while it fills; copied with the element and never written. */
  readonly notes = new Map<string, string>();
  readonly space: string | null;
  readonly prefix: string;
  readonly local: string;
  /** As `nameIn` gives it. */
  readonly name: string;

  constructor(space: string | null, prefix: string, local: string) {
    this.space = space;
    this.prefix = prefix;
    this.local = local;
    this.name = nameIn(space, local);
  }

  /** An attribute's value; empty if it is missing. */
  get(name: string): string {
    return this.attributes.get(name)?.value ?? '';
  }

  /** @param name with a prefix that the desk knows, or none */
  set(name: string, value: string): void {
    const known = this.attributes.get(name);
    if (known) {
      this.attributes.set(name, { ...known, value });
      return;
    }
    const [prefix, local] = splitName(name);
    this.attributes.set(name, { space: spaces[prefix] ?? null, prefix, local, value });
  }

  is(...names: readonly string[]): boolean {
    return names.includes(this.name);
  }

  get elements(): XmlElement[] {
    return this.children.filter((child) => child instanceof XmlElement);
  }

  /** The element at the end of these names, each a child of the one before. */
  find(...path: readonly string[]): XmlElement | undefined {
    const [name, ...rest] = path;
    const child = this.elements.find((one) => one.name === name);
    return rest.length === 0 ? child : child?.find(...rest);
  }

  /** The nearest element around it with one of these names. */
  up(...names: readonly string[]): XmlElement | null {
    let found = this.parent;
    while (found && !found.is(...names)) found = found.parent;
    return found;
  }

  /** Every element in it, in the order of the document. */
  all(): XmlElement[] {
    const found: XmlElement[] = [];
    const visit = (element: XmlElement) => {
      for (const child of element.children) {
        if (typeof child === 'string') continue;
        found.push(child);
        visit(child);
      }
    };
    visit(this);
    return found;
  }

  contains(other: XmlElement | null): boolean {
    for (let one = other; one; one = one.parent) if (one === this) return true;
    return false;
  }

  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join('');
  }

  setText(text: string): void {
    for (const child of this.elements) child.parent = null;
    this.children.splice(0, this.children.length, text);
  }

  get next(): XmlElement | undefined {
    const among = this.parent?.elements ?? [];
    return among[among.indexOf(this) + 1];
  }

  get previous(): XmlElement | undefined {
    const among = this.parent?.elements ?? [];
    return among[among.indexOf(this) - 1];
  }

  append(...added: readonly XmlElement[]): void {
    for (const element of added) this.insert(element, null);
  }

  /** Before a child; at the end without one. */
  insert(element: XmlElement, before: XmlElement | null | undefined): void {
    element.remove();
    element.parent = this;
    const at = before ? this.children.indexOf(before) : -1;
    this.children.splice(at < 0 ? this.children.length : at, 0, element);
  }

  remove(): void {
    const among = this.parent?.children;
    if (among) among.splice(among.indexOf(this), 1);
    this.parent = null;
  }

  /** Its children take its place. */
  unwrap(): void {
    for (const child of this.elements) this.parent?.insert(child, this);
    this.remove();
  }

  /** With everything in it, or the element with its attributes alone. */
  clone(isDeep = true): XmlElement {
    const copy = new XmlElement(this.space, this.prefix, this.local);
    for (const [name, attribute] of this.attributes) copy.attributes.set(name, attribute);
    for (const [name, note] of this.notes) copy.notes.set(name, note);
    if (!isDeep) return copy;
    for (const child of this.children) {
      const own = typeof child === 'string' ? child : child.clone();
      if (own instanceof XmlElement) own.parent = copy;
      copy.children.push(own);
    }
    return copy;
  }
}

function splitName(name: string): readonly [string, string] {
  const at = name.indexOf(':');
  return at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
}

/** A new element under a name that the desk knows. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly XmlElement[]
): XmlElement {
  const [prefix, local] = splitName(name);
  // Programs write the parts of the archive itself without a prefix.
  const written = prefix === 'rel' || prefix === 'ct' ? '' : prefix;
  const made = new XmlElement(spaces[prefix] ?? null, written, local);
  for (const [key, value] of Object.entries(attributes)) made.set(key, String(value));
  made.append(...children);
  return made;
}

/** Text boxes in tables lie deep. */
const depthMax = 250;

/**
 * The root of an XML part.
 * @throws {Error} if it is no well-formed XML with namespaces, has a document type, or is in another
 *   encoding than UTF-8 and UTF-16
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = decode(bytes);
  if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY')) throw new Error('a document type');
  const parser = new DOMParser({
    locator: false,
    onError(level, message) {
      throw new Error(`${level}: ${message}`);
    },
  });
  const { documentElement } = parser.parseFromString(text, 'text/xml');
  if (!documentElement) throw new Error('no root');
  return treeOf(documentElement, 0);
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-16be';
  const isUtf16 = utf16 === 'utf-16le' || (first === 0xfe && second === 0xff);
  const text = new TextDecoder(isUtf16 ? utf16 : 'utf-8', { fatal: true }).decode(bytes);
  const encoding = /^<\?xml[^>]{0,80}\bencoding\s*=\s*["']([\w-]{1,20})["']/.exec(text)?.[1];
  if (encoding !== undefined && !/^utf-?(?:8|16)$/i.test(encoding))
    throw new Error(`encoded as ${encoding}`);
  return text;
}

function treeOf(node: Element, depth: number): XmlElement {
  if (depth > depthMax) throw new Error('nested too deep');
  const local = node.localName ?? node.nodeName;
  const root = new XmlElement(node.namespaceURI, node.prefix ?? '', local);
  for (let at = 0; at < node.attributes.length; at++) {
    const attribute = node.attributes.item(at);
    if (!attribute) continue;
    const { namespaceURI: space, prefix } = attribute;
    const value = printable(attribute.value);
    const name = attribute.localName ?? attribute.nodeName;
    root.attributes.set(nameIn(space, name), { space, prefix: prefix ?? '', local: name, value });
  }
  for (let child: Node | null = node.firstChild; child; child = child.nextSibling) {
    if (isElement(child)) {
      const inner = treeOf(child, depth + 1);
      inner.parent = root;
      root.children.push(inner);
    } else if (child.nodeType === child.TEXT_NODE || child.nodeType === child.CDATA_SECTION_NODE)
      root.children.push(printable(child.nodeValue ?? ''));
  }
  return root;
}

const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

/** A part as a file. Comments and processing instructions of the template are left out. */
export function writeXml(root: XmlElement): Uint8Array<ArrayBuffer> {
  const pieces = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'];
  writeElement(root, new Map([['xml', spaces['xml'] ?? '']]), pieces);
  return Uint8Array.from(new TextEncoder().encode(pieces.join('')));
}

function writeElement(node: XmlElement, outer: ReadonlyMap<string, string>, to: string[]): void {
  const scope = new Map(outer);
  const written: string[] = [];
  for (const { space, prefix, local, value } of node.attributes.values()) {
    if (space !== spaces['xmlns']) continue;
    scope.set(prefix === '' ? '' : local, value);
    written.push(` ${prefix === '' ? 'xmlns' : `xmlns:${local}`}="${escapeAttribute(value)}"`);
  }
  const declare = (prefix: string, space: string) => {
    if ((scope.get(prefix) ?? '') === space) return;
    scope.set(prefix, space);
    written.push(` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(space)}"`);
  };
  declare(node.prefix, node.space ?? '');
  for (const { space, prefix, local, value } of node.attributes.values()) {
    if (space === spaces['xmlns']) continue;
    if (space !== null && prefix !== 'xml') declare(prefix, space);
    written.push(` ${prefix === '' ? local : `${prefix}:${local}`}="${escapeAttribute(value)}"`);
  }
  const name = node.prefix === '' ? node.local : `${node.prefix}:${node.local}`;
  to.push(`<${name}${written.join('')}`);
  if (node.children.length === 0) {
    to.push('/>');
    return;
  }
  to.push('>');
  for (const child of node.children) {
    if (typeof child === 'string') to.push(escapeText(child));
    else writeElement(child, scope, to);
  }
  to.push(`</${name}>`);
}

/** What XML 1.0 cannot contain would make a document that no program opens. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu, '');
}

const escapeText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
const escapeAttribute = (text: string): string =>
  escapeText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
