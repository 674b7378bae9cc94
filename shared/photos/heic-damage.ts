import { joinBytes } from './bytes.ts';
import { type Box, boxesIn, boxesWithin, metaBoxes, part } from './heic-boxes.ts';

/*
 * Whether the pixels of a HEIC are written as HEVC allows (ITU-T H.265, 7.3.1 and 7.4.2). Its decoder
 * goes on behind wrong bytes and shows something else. What no picture contains is two zeros before
 * 0, 1 or 2, so zeros in place of the data prove themselves. Other bytes that are also pixels are
 * not noticed.
 */

/** Each unit of data is led by its length in as many bytes; others are not read here. */
const lengthBytes = 4;
/** Where the length of the lengths is, in the box that says how a picture is written. */
const lengthPlace = 21;
const itemsMax = 10_000;

/** Whether a HEIC is likely to show wrong pixels; false for what is not read here. */
export function looksDamagedHeic(bytes: Uint8Array): boolean {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const meta = metaBoxes(file);
    if (!hasKnownLengths(meta)) return false;
    const shown = shownItems(meta);
    return itemsOf(meta, file).some(({ id, data }) => shown.has(id) && hasFaultyUnit(data));
  } catch (error) {
    // A field beyond the end of its box: the decoder decides about the file.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function hasKnownLengths(meta: readonly Box[]): boolean {
  const forms = boxesWithin(boxesWithin(meta, 'iprp'), 'ipco').filter(
    ({ type }) => type === 'hvcC',
  );
  return (
    forms.length > 0 &&
    forms.every(({ content }) => (content.getUint8(lengthPlace) & 3) + 1 === lengthBytes)
  );
}

/** Reads numbers one after the other. */
class Fields {
  at: number;
  readonly #view: DataView;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.at = at;
  }

  /** @param size in bytes; a field of none is 0 */
  number(size: number): number {
    let value = 0;
    const end = this.at + size;
    for (; this.at < end; this.at += 1) value = value * 256 + this.#view.getUint8(this.at);
    return value;
  }
}

/** The picture that a HEIC names as its own, and the parts of which it is made. */
function shownItems(meta: readonly Box[]): ReadonlySet<number> {
  const primary = meta.find(({ type }) => type === 'pitm')?.content;
  if (!primary) return new Set();
  const shown = new Set([new Fields(primary, 4).number(primary.getUint8(0) === 0 ? 2 : 4)]);
  const references = meta.find(({ type }) => type === 'iref')?.content;
  if (!references) return shown;
  const idBytes = references.getUint8(0) === 0 ? 2 : 4;
  const made = boxesIn(part(references, 4, references.byteLength)).filter(
    // Thumbnails and further pictures of the same scene are not sent.
    ({ type }) => type === 'dimg',
  );
  // What a picture is made of may itself be made of others, in any order.
  for (let before = 0; before < shown.size;) {
    before = shown.size;
    for (const { content } of made) {
      const fields = new Fields(content, 0);
      if (!shown.has(fields.number(idBytes))) continue;
      for (let left = fields.number(2); left > 0; left -= 1) shown.add(fields.number(idBytes));
    }
  }
  return shown;
}

interface Item {
  readonly id: number;
  readonly data: Uint8Array;
}

/** The pictures in HEVC, each with its bytes (ISO/IEC 14496-12, 8.11.3 and 8.11.6). */
function itemsOf(meta: readonly Box[], file: DataView): Item[] {
  const places = meta.find(({ type }) => type === 'iloc')?.content;
  if (!places) return [];
  const coded = codedItems(meta);
  const version = places.getUint8(0);
  const [sizes, more] = [places.getUint8(4), places.getUint8(5)];
  const idBytes = version < 2 ? 2 : 4;
  const fields = new Fields(places, 6);
  const items: Item[] = [];
  for (let left = Math.min(fields.number(idBytes), itemsMax); left > 0; left -= 1) {
    const id = fields.number(idBytes);
    const method = version === 0 ? 0 : fields.number(2) & 15;
    fields.number(2);
    const base = fields.number(more >> 4);
    const pieces: Uint8Array[] = [];
    for (let extents = fields.number(2); extents > 0; extents -= 1) {
      if (version > 0) fields.number(more & 15);
      const from = base + fields.number(sizes >> 4);
      const length = fields.number(sizes & 15);
      // The rest of the file, and data in other places, are not read here.
      if (!coded.has(id) || method !== 0 || length === 0) continue;
      const view = part(file, from, from + length);
      pieces.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    }
    if (pieces.length > 0) items.push({ id, data: joinBytes(pieces) });
  }
  return items;
}

function codedItems(meta: readonly Box[]): ReadonlySet<number> {
  const table = meta.find(({ type }) => type === 'iinf')?.content;
  if (!table) return new Set();
  const entries = boxesIn(part(table, table.getUint8(0) === 0 ? 6 : 8, table.byteLength));
  const coded = entries.flatMap(({ type, content }) => {
    const fields = new Fields(content, 4);
    const id = fields.number(content.getUint8(0) < 3 ? 2 : 4);
    fields.number(2);
    return type === 'infe' && fields.number(4) === hvc1 ? [id] : [];
  });
  return new Set(coded);
}

/** "hvc1" */
const hvc1 = 0x68_76_63_31;

/** Whether one of an item's units ends elsewhere than the item, or contains what HEVC forbids. */
function hasFaultyUnit(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  while (at < data.length) {
    if (at + lengthBytes > data.length) return true;
    const from = at + lengthBytes;
    at = from + view.getUint32(at);
    if (at > data.length || hasForbidden(data.subarray(from, at))) return true;
  }
  return false;
}

/** Whether the bytes contain 00 00 00, 00 00 01 or 00 00 02, or end with a zero. */
function hasForbidden(unit: Uint8Array): boolean {
  for (let at = unit.indexOf(0); at >= 0; at = unit.indexOf(0, at + 1))
    if (at === unit.length - 1 || (unit[at + 1] === 0 && (unit[at + 2] ?? 0) < 3)) return true;
  return unit.length < 2;
}
