import { posix } from 'node:path';
import { unzipSync, zipSync, type Zippable } from 'fflate';
import { element, parseXml, writeXml, type XmlElement } from './xml-tree.ts';

/** What is refused of a file before anything in it is filled. */
export type DocxFault =
  | 'template_damaged'
  | 'template_macros'
  | 'template_active'
  | 'template_too_large'
  | 'template_other_format';

export class DocxRefusal extends Error {
  readonly fault: DocxFault;
  /** What it is and where: a part, a relation, a field of Word. */
  readonly thing: string;

  constructor(fault: DocxFault, thing = '', options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
    this.thing = thing.slice(0, 120);
  }
}

const unpackedMaxBytes = 256 * 1024 * 1024;
const membersMax = 5000;
/** A part with text; the pictures may be larger. */
const partMaxBytes = 32 * 1024 * 1024;

export const typesPart = '[Content_Types].xml';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const mainRelation = `${officeRelations}/officeDocument`;
const strictMainRelation = 'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument';

export interface Relation {
  readonly element: XmlElement;
  readonly id: string;
  readonly type: string;
  readonly isExternal: boolean;
  /** A part of this archive, null if it has none there; the address if it is external. */
  readonly target: string | null;
  /** As it is written. */
  readonly raw: string;
}

/** The archive of a document: its parts as trees, what they refer to, and their types. */
export class DocxPackage {
  readonly #files: Map<string, Uint8Array>;
  readonly #trees = new Map<string, XmlElement>();
  /** The part with the text. */
  readonly main: string;

  /** @throws {DocxRefusal} */
  constructor(bytes: Uint8Array) {
    this.#files = unpack(bytes);
    if (!this.#files.has(typesPart)) throw new DocxRefusal('template_damaged', typesPart);
    const relations = this.relations('');
    if (relations.some(({ type }) => type === strictMainRelation))
      throw new DocxRefusal('template_other_format');
    const main = relations.find(({ type }) => type === mainRelation)?.target;
    if (main === undefined || main === null) throw new DocxRefusal('template_damaged');
    this.main = main;
  }

  get names(): string[] {
    return [...this.#files.keys()];
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  bytes(name: string): Uint8Array {
    return this.#files.get(name) ?? new Uint8Array();
  }

  /** A part as a tree, the same at each call. @throws {DocxRefusal} */
  tree(name: string): XmlElement {
    const known = this.#trees.get(name);
    if (known) return known;
    try {
      const tree = parseXml(this.bytes(name));
      this.#trees.set(name, tree);
      return tree;
    } catch (cause) {
      throw new DocxRefusal('template_damaged', name, { cause });
    }
  }

  put(name: string, content: Uint8Array | XmlElement): void {
    if (content instanceof Uint8Array) this.#files.set(name, content);
    else {
      this.#files.set(name, new Uint8Array());
      this.#trees.set(name, content);
    }
  }

  /** With its relations. */
  remove(name: string): void {
    for (const one of [name, relationsOf(name)]) {
      this.#files.delete(one);
      this.#trees.delete(one);
    }
    for (const declared of this.tree(typesPart).elements)
      if (declared.get('PartName').toLowerCase() === `/${name}`.toLowerCase()) declared.remove();
  }

  /** What a part refers to; of the archive itself if the name is empty. */
  relations(part: string): Relation[] {
    const name = relationsOf(part);
    if (!this.#files.has(name)) return [];
    return this.tree(name).elements.map((one) => {
      const raw = one.get('Target');
      // Readers disagree about another case and about addresses without a mode.
      const isExternal = !['', 'internal'].includes(one.get('TargetMode').toLowerCase());
      const target = isExternal ? raw : this.#resolve(part, raw);
      return { element: one, id: one.get('Id'), type: one.get('Type'), isExternal, target, raw };
    });
  }

  #resolve(part: string, raw: string): string | null {
    const [path = ''] = decodeSafely(raw).replaceAll('\\', '/').split('#');
    const absolute = path.startsWith('/') ? path : posix.join('/', posix.dirname(part), path);
    const wanted = posix.normalize(absolute).slice(1).toLowerCase();
    return this.names.find((name) => name.toLowerCase() === wanted) ?? null;
  }

  /** @param type last part of a relation of office documents @returns its id */
  addRelation(part: string, type: string, target: string): string {
    const name = relationsOf(part);
    if (!this.#files.has(name)) this.put(name, element('rel:Relationships'));
    const root = this.tree(name);
    const ids = new Set(root.elements.map((one) => one.get('Id')));
    let n = 1;
    while (ids.has(`rIdDesk${n}`)) n++;
    const id = `rIdDesk${n}`;
    const attributes = { Id: id, Type: `${officeRelations}/${type}`, Target: `/${target}` };
    root.append(element('rel:Relationship', attributes));
    return id;
  }

  /** Adds a part of the text beside the main one, which refers to it. */
  addPart(kind: 'comments', tree: XmlElement): void {
    let n = 1;
    while (this.#files.has(`word/${kind}${n}.xml`)) n++;
    const name = `word/${kind}${n}.xml`;
    this.put(name, tree);
    const ContentType = `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`;
    this.tree(typesPart).append(element('ct:Override', { PartName: `/${name}`, ContentType }));
    this.addRelation(this.main, kind, name);
  }

  /** @returns the name of the part */
  addPicture(bytes: Uint8Array, extension: 'jpg' | 'png'): string {
    let n = 1;
    while (this.#files.has(`word/media/desk${n}.${extension}`)) n++;
    const name = `word/media/desk${n}.${extension}`;
    this.put(name, bytes);
    const types = this.tree(typesPart);
    const isKnown = types.elements.some((one) => one.get('Extension').toLowerCase() === extension);
    const ContentType = extension === 'png' ? 'image/png' : 'image/jpeg';
    const declared = element('ct:Default', { Extension: extension, ContentType });
    if (!isKnown) types.insert(declared, types.elements[0]);
    return name;
  }

  typeOf(name: string): string {
    const types = this.tree(typesPart).elements;
    const lower = name.toLowerCase();
    const override = types.find(
      (one) => decodeSafely(one.get('PartName')).toLowerCase() === `/${lower}`,
    );
    const extension = lower.slice(lower.lastIndexOf('.') + 1);
    const byName = types.find((one) => one.get('Extension').toLowerCase() === extension);
    return (override ?? byName)?.get('ContentType') ?? '';
  }

  /** As a file. What was read as XML is written from its tree, so that every reader sees the same. */
  save(): Uint8Array<ArrayBuffer> {
    const files: Zippable = {};
    const names = this.names.sort((one) => (one === typesPart ? -1 : 0));
    for (const name of names) {
      const tree = this.#trees.get(name);
      const isPacked = /\.(?:jpe?g|png|gif)$/i.test(name);
      files[name] = [tree ? writeXml(tree) : this.bytes(name), { level: isPacked ? 0 : 6 }];
    }
    return Uint8Array.from(zipSync(files));
  }
}

export const relationsOf = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);

export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}

/** The members, within limits. */
function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  const limits = { members: 0, unpacked: 0 };
  const names = new Set<string>();
  try {
    const members = unzipSync(bytes, {
      filter({ name, originalSize }) {
        limits.members += 1;
        limits.unpacked += originalSize;
        const isText = /\.(?:xml|rels)$/i.test(name);
        if (isText && originalSize > partMaxBytes)
          throw new DocxRefusal('template_too_large', name);
        if (limits.members > membersMax || limits.unpacked > unpackedMaxBytes)
          throw new DocxRefusal('template_too_large');
        const lower = name.toLowerCase();
        if (names.has(lower)) throw new DocxRefusal('template_damaged', name);
        names.add(lower);
        return !name.endsWith('/');
      },
    });
    return new Map(Object.entries(members));
  } catch (error) {
    throw error instanceof DocxRefusal
      ? error
      : new DocxRefusal('template_damaged', '', { cause: error });
  }
}
