import type { XmlElement } from './xml-tree.ts';

/** A field of Word: what it does, and where it stands. */
export interface FieldCode {
  /** The instruction without that of the fields in it. */
  readonly code: string;
  readonly at: XmlElement;
}

/** Elements that only hold runs: a field may begin in one of them and end in another. */
const groups: ReadonlySet<string> = new Set(
  (
    'w:body w:tbl w:tr w:tc w:p w:r w:hyperlink w:fldSimple w:sdt w:sdtContent w:smartTag ' +
    'w:customXml w:bdo w:dir w:ins w:del w:moveTo w:moveFrom'
  ).split(' '),
);

/** In place of what only a program that opens the document can know. */
const computed = '\u0000';

/**
 * Every field of a part. Word splits an instruction over runs, and another field may stand in it,
 * which makes a word of it only when it is computed.
 */
export function fieldCodesOf(root: XmlElement): FieldCode[] {
  const reader = new FieldReader(null);
  reader.read(root);
  return reader.end();
}

/**
 * Reads the fields of one place. A text box and a choice between programs are places of their own:
 * not every program reads what stands in them, so they say nothing about the instruction around
 * them.
 */
class FieldReader {
  readonly #place: XmlElement | null;
  readonly #found: FieldCode[] = [];
  readonly #open: { code: string; at: XmlElement; isResult: boolean }[] = [];
  /** Whether it has a mark of a field, or a text that could be one. */
  #hasText = false;

  /** @param place null for a whole part */
  constructor(place: XmlElement | null) {
    this.#place = place;
  }

  read(parent: XmlElement): void {
    for (const one of parent.elements) {
      if (one.is('w:fldSimple')) {
        this.#found.push({ code: one.get('w:instr'), at: one });
        this.#unknown();
      }
      if (one.is('w:fldChar')) this.#mark(one);
      else if (one.is('w:instrText', 'w:delInstrText', 'w:t', 'w:delText')) this.#text(one);
      else if (one.is('w:sym', 'w:footnoteReference', 'w:endnoteReference')) this.#unknown();
      else if (groups.has(one.name)) this.read(one);
      else if (one.elements.length > 0) this.#readPlace(one);
    }
  }

  /** @returns what was found, and the fields without an end */
  end(): FieldCode[] {
    const place = this.#place;
    const unended = this.#open.map(({ code, at }) => ({ code: place ? computed : code, at }));
    return [...this.#found, ...unended];
  }

  /** The innermost field whose instruction goes on. */
  get #instruction() {
    const inner = this.#open.at(-1);
    return inner && !inner.isResult ? inner : undefined;
  }

  #text(one: XmlElement): void {
    this.#hasText = true;
    const instruction = this.#instruction;
    // LibreOffice takes any text before the result.
    if (instruction) instruction.code += one.text;
    else if (!one.is('w:t', 'w:delText')) this.#found.push({ code: one.text, at: one });
  }

  /** The name of the field may be what stands here. */
  #unknown(): void {
    this.#hasText = true;
    const instruction = this.#instruction;
    if (instruction?.code.trim() === '') instruction.code = computed;
  }

  #mark(one: XmlElement): void {
    const type = one.get('w:fldCharType').toLowerCase();
    const inner = this.#open.at(-1);
    this.#hasText = true;
    if (type === 'begin') {
      this.#unknown();
      this.#open.push({ code: '', at: one, isResult: false });
      // The other marks may belong to a field that began elsewhere.
    } else if (!inner && this.#place) this.#found.push({ code: computed, at: one });
    else if (type === 'separate' && inner) inner.isResult = true;
    else if (type === 'end' && inner) {
      this.#open.pop();
      this.#found.push({ code: inner.code, at: inner.at });
    }
  }

  #readPlace(place: XmlElement): void {
    const reader = new FieldReader(place);
    reader.read(place);
    this.#found.push(...reader.end());
    if (reader.#hasText) this.#unknown();
  }
}

/** The first word of an instruction. */
export function fieldNameOf(code: string): string {
  const trimmed = code.trim();
  return trimmed.startsWith('=') ? '=' : (/^[^\s\\"{}]*/.exec(trimmed)?.[0] ?? '');
}

/** Switches of a link that have a value, and those of every field. */
const withValue: ReadonlySet<string> = new Set(['\\l', '\\o', '\\t', '\\*', '\\@', '\\#']);

/** Where a link goes, if it is one: the arguments that are neither switches nor their values. */
export function addressesOf(code: string): string[] {
  if (fieldNameOf(code).toUpperCase() !== 'HYPERLINK') return [];
  const rest = code.trim().slice('HYPERLINK'.length);
  const addresses: string[] = [];
  let isValue = false;
  let hasPlace = false;
  for (const [part, quoted] of rest.matchAll(/"([^"]*)"|\\[a-z*@#](?=[\s"]|$)|\S+/gi)) {
    const isSwitch = quoted === undefined && /^\\[a-z*@#]$/i.test(part);
    if (!isSwitch && !isValue) addresses.push((quoted ?? part).trim());
    isValue = isSwitch && withValue.has(part.toLowerCase());
    hasPlace ||= isSwitch && part.toLowerCase() === '\\l';
  }
  // A link to a place in the document has no other address.
  return addresses.length === 0 && !hasPlace ? [''] : addresses;
}
