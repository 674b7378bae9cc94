import { posix } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import type { Flaw } from './flaws.ts';
import { XmlElement } from './xml-tree.ts';

/** A document as another program than the one that wrote it reads it. */
export interface VerifiedDocument {
  readonly names: readonly string[];
  readonly main: string;
  /** Parts that are XML. */
  readonly trees: ReadonlyMap<string, XmlElement>;
  readonly relations: (part: string) => readonly VerifiedRelation[];
  /** The type of a part; null if it has none. */
  readonly types: (part: string) => string | null;
  /** Of reading. */
  readonly flaws: readonly Flaw[];
}
interface VerifiedRelation {
  readonly id: string;
  /** The last word of its type. */
  readonly type: string;
  readonly isExternal: boolean;
  /** The part, or the address; null if there is no such part. */
  readonly target: string | null;
}

const isXml = (name: string) => /\.(?:xml|rels)$/i.test(name);

export function readVerified(bytes: Uint8Array): VerifiedDocument | { readonly flaw: Flaw } {
  const names: string[] = [];
  const flaws: Flaw[] = [];
  const trees = new Map<string, XmlElement>();
  try {
    const texts = unzipSync(bytes, {
      filter({ name }) {
        if (names.includes(name)) flaws.push({ rule: 'archive', part: name, what: 'twice' });
        if (!name.endsWith('/')) names.push(name);
        return isXml(name);
      },
    });
    for (const [name, part] of Object.entries(texts)) {
      const tree = readTree(part);
      if (tree instanceof XmlElement) trees.set(name, tree);
      else flaws.push({ rule: 'xml', part: name, what: tree });
    }
  } catch (error) {
    return {
      flaw: { rule: 'archive', part: '', what: error instanceof Error ? error.message : '' },
    };
  }
  const relations = (part: string) => relationsOf(part, names, trees);
  const types = (part: string) => typeOf(part, trees);
  const main = relations('').find(({ type }) => type === 'officeDocument')?.target ?? '';
  if (!trees.has(main)) return { flaw: { rule: 'main', part: main, what: 'missing' } };
  return { names, main, trees, relations, types, flaws };
}

const attributesSchema = z.record(z.string(), z.string());
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** @returns the root, or why there is none */
function readTree(bytes: Uint8Array): XmlElement | string {
  try {
    const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // Throws at the first fault.
    SyntaxValidator.validate(text);
    const nodes: unknown = parser.parse(text);
    const [root] = elementsOf(nodes, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]));
    return root instanceof XmlElement ? root : 'no root';
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 80) : '';
  }
}

function elementsOf(nodes: unknown, scope: ReadonlyMap<string, string>): (XmlElement | string)[] {
  const list: readonly unknown[] = Array.isArray(nodes) ? nodes : [];
  return list.flatMap((node): (XmlElement | string)[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { ':@': own, ...members } = node as Readonly<Record<string, unknown>>;
    const [name] = Object.keys(members);
    if (name === undefined) return [];
    if (name === '#text') return [String(members['#text'])];
    return [elementOf(name, attributesSchema.parse(own ?? {}), members[name], scope)];
  });
}

function elementOf(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: unknown,
  outer: ReadonlyMap<string, string>,
): XmlElement {
  const scope = new Map(outer);
  for (const [key, value] of Object.entries(attributes))
    if (key === 'xmlns' || key.startsWith('xmlns:')) scope.set(key.slice(6), value);
  const split = (full: string): [string, string] => {
    const at = full.indexOf(':');
    return at < 0 ? ['', full] : [full.slice(0, at), full.slice(at + 1)];
  };
  const spaceOf = (prefix: string) => {
    const space = scope.get(prefix);
    if (space === undefined && prefix !== '')
      throw new Error(`the prefix ${prefix} is not declared`);
    return space ?? null;
  };
  const [prefix, local] = split(name);
  const made = new XmlElement(spaceOf(prefix), prefix, local);
  for (const [key, value] of Object.entries(attributes)) {
    const [own, last] = split(key);
    if (key === 'xmlns' || own === 'xmlns') continue;
    const space = own === '' ? null : spaceOf(own);
    const canonical = own === '' ? last : new XmlElement(space, own, last).name;
    made.attributes.set(canonical, { space, prefix: own, local: last, value });
  }
  for (const child of elementsOf(children, scope)) {
    if (child instanceof XmlElement) child.parent = made;
    made.children.push(child);
  }
  return made;
}

function relationsOf(
  part: string,
  names: readonly string[],
  trees: ReadonlyMap<string, XmlElement>,
): VerifiedRelation[] {
  const folder = posix.dirname(part);
  const tree = trees.get(posix.join(folder, '_rels', `${posix.basename(part)}.rels`));
  return (tree?.elements ?? []).map((one) => {
    const isExternal = one.get('TargetMode') === 'External';
    const [path = ''] = decodeURI(one.get('Target')).split('#');
    const absolute = posix.normalize(path.startsWith('/') ? path : posix.join('/', folder, path));
    const found = names.find((name) => `/${name}`.toLowerCase() === absolute.toLowerCase());
    const type = one.get('Type');
    // A link within the document.
    const isInside = path === '' && one.get('Target').startsWith('#');
    const target = isExternal || isInside ? one.get('Target') : (found ?? null);
    return { id: one.get('Id'), type: type.slice(type.lastIndexOf('/') + 1), isExternal, target };
  });
}

function typeOf(part: string, trees: ReadonlyMap<string, XmlElement>): string | null {
  const declared = trees.get('[Content_Types].xml')?.elements ?? [];
  const lower = part.toLowerCase();
  const own = declared.find((one) => decodeURI(one.get('PartName')).toLowerCase() === `/${lower}`);
  const extension = lower.slice(lower.lastIndexOf('.') + 1);
  const byName = declared.find((one) => one.get('Extension').toLowerCase() === extension);
  return (own ?? byName)?.get('ContentType') ?? null;
}
