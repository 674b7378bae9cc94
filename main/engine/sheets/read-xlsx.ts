import { unzipSync } from 'fflate';
import sax from 'sax';
import {
  durationUnit,
  formatDuration,
  formatSerialDate,
  isDateFormat,
  swissDay,
} from './xlsx-dates.ts';
import type { Cell, SheetRow, SheetTable, SheetTables } from './sheet-table.ts';

/*
 * Reads the visible sheets of a workbook (ECMA-376 and its Strict form, SpreadsheetML), including
 * what libraries for sheets leave out: formulas without a stored result, hidden rows and columns,
 * cells without an address. The XML is read as a stream, so that a sheet of a million formatted
 * rows does not become a tree in memory.
 */

/** The limit is higher than any sheet made by hand, including formatted rows without a cell. */
const unpackedMaxBytes = 256 * 1024 * 1024;
/** The most rows that have a cell with a value. */
const rowsMax = 50_000;
/**
 * The most columns. The columns of this program are among the first; a cell with a value beyond the
 * limit makes the sheet unreadable.
 */
const columnsMax = 1000;
/** The most column elements of a sheet (ECMA-376). */
const columnElementsMax = 16_384;
const sheetsMax = 50;
const pieceBytes = 1024 * 1024;

type Attributes = Readonly<Record<string, string>>;

interface Handlers {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** How the format of a cell displays its number. */
interface NumberStyle {
  readonly isDay: boolean;
  /** Of a format that counts hours on after a day, its first unit. */
  readonly duration: ReturnType<typeof durationUnit>;
  readonly isPercent: boolean;
  /** The sign of a currency other than francs; null if there is none. */
  readonly currency: string | null;
}

interface Book {
  readonly strings: readonly string[];
  readonly styles: readonly NumberStyle[];
  readonly is1904: boolean;
}

interface Relation {
  readonly type: string;
  readonly path: string;
}

/**
 * The visible sheets of the workbook, with the active one first.
 * @throws if the file is not a workbook, or its unpacked size exceeds the limit
 */
export function readXlsx(bytes: Uint8Array): SheetTables {
  const parts = new Parts(bytes);
  const main = [...relationsOf(parts, '', '_rels/.rels').values()].find(({ type }) =>
    type.endsWith('/officeDocument'),
  );
  const path = main?.path ?? 'xl/workbook.xml';
  const [folder, file] = splitPath(path);
  const relations = relationsOf(parts, folder, `${folder}_rels/${file}.rels`);
  const partOf = (type: string) =>
    [...relations.values()].find((relation) => relation.type.endsWith(`/${type}`))?.path;
  const { is1904, active, sheets } = workbookOf(parts, path);
  const shown = sheets.filter(({ state }) => state === 'visible').slice(0, sheetsMax);
  const first = shown.find((sheet) => sheet === sheets[active]);
  const ordered = [...(first ? [first] : []), ...shown.filter((sheet) => sheet !== first)];
  const book = {
    strings: stringsOf(parts, partOf('sharedStrings')),
    styles: stylesOf(parts, partOf('styles')),
    is1904,
  };
  const [table, ...others] = ordered.flatMap(({ name, id }) => {
    const relation = relations.get(id);
    return relation?.type.endsWith('/worksheet') ? [tableOf(parts, relation.path, name, book)] : [];
  });
  if (!table) throw new Error('the workbook shows no sheet');
  return [table, ...others];
}

/** The parts of a package, unpacked one at a time. Upper and lower case of names do not differ. */
class Parts {
  readonly #bytes: Uint8Array;
  #left = unpackedMaxBytes;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @returns false if the part does not exist */
  read(path: string, handlers: Handlers): boolean {
    const wanted = path.toLowerCase();
    const found = unzipSync(this.#bytes, {
      filter: ({ name, originalSize }) => {
        if (name.toLowerCase() !== wanted) return false;
        this.#left -= originalSize;
        if (this.#left < 0) throw new Error('the workbook is too large');
        return true;
      },
    });
    const [part] = Object.values(found);
    if (!part) return false;
    readXml(part, handlers);
    return true;
  }
}

/**
 * @throws if the XML is not well formed, or declares a document type, because entities could grow
 *   without limit
 */
function readXml(part: Uint8Array, handlers: Handlers): void {
  const parser = sax.parser(true, { trim: false });
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Error('a workbook has no document type');
  };
  parser.onopentag = ({ name, attributes }) =>
    handlers.open?.(localName(name), namesOf(attributes));
  parser.onclosetag = (name) => handlers.close?.(localName(name));
  parser.ontext = (piece) => handlers.text?.(piece);
  parser.oncdata = (piece) => handlers.text?.(piece);
  const isUtf16 = part[0] === 0xff && part[1] === 0xfe;
  const decoder = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8');
  for (let at = 0; at < part.length; at += pieceBytes)
    parser.write(decoder.decode(part.subarray(at, at + pieceBytes), { stream: true }));
  parser.close();
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * The attributes by their local names. The id of a relation retains its prefix, so that `id` is
 * never ambiguous.
 */
function namesOf(attributes: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [localName(name), String(value)]),
  );
}

const isSet = (flag: string | undefined) => flag === '1' || flag === 'true';

function splitPath(path: string): [string, string] {
  const slash = path.lastIndexOf('/') + 1;
  return [path.slice(0, slash), path.slice(slash)];
}

/**
 * The targets of relations by id. A target is relative to the folder unless it begins with a slash.
 */
function relationsOf(parts: Parts, folder: string, path: string): Map<string, Relation> {
  const found = new Map<string, Relation>();
  parts.read(path, {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const base = Target.startsWith('/') ? Target.slice(1) : `${folder}${Target}`;
      found.set(Id, { type: Type, path: new URL(base, 'package:/').pathname.slice(1) });
    },
  });
  return found;
}

interface ListedSheet {
  readonly name: string;
  readonly id: string;
  readonly state: string;
}

function workbookOf(
  parts: Parts,
  path: string,
): { is1904: boolean; active: number; sheets: ListedSheet[] } {
  const book = { is1904: false, active: 0, sheets: [] as ListedSheet[] };
  const isThere = parts.read(path, {
    open(name, { date1904, activeTab, name: title = '', id = '', state = 'visible' }) {
      if (name === 'workbookPr') book.is1904 = isSet(date1904);
      if (name === 'workbookView') book.active = Number(activeTab ?? 0);
      if (name === 'sheet') book.sheets.push({ name: title, id, state });
    },
  });
  if (!isThere) throw new Error('the package has no workbook');
  return book;
}

/** Excel writes characters that XML cannot contain as `_x000D_`. */
const unescaped = (text: string) =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Collects the text of `t` elements, except phonetic hints. */
class RichText {
  #text = '';
  #isInText = false;
  #hints = 0;

  open(name: string): void {
    if (name === 'rPh') this.#hints += 1;
    if (name === 't') this.#isInText = true;
  }

  add(piece: string): void {
    if (this.#isInText && this.#hints === 0) this.#text += piece;
  }

  close(name: string): void {
    if (name === 'rPh') this.#hints -= 1;
    if (name === 't') this.#isInText = false;
  }

  /** Returns the text and starts again. */
  take(): string {
    const text = unescaped(this.#text);
    this.#text = '';
    return text;
  }
}

function stringsOf(parts: Parts, path: string | undefined): string[] {
  const strings: string[] = [];
  const text = new RichText();
  const handlers: Handlers = {
    open: (name) => text.open(name),
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name);
      if (name === 'si') strings.push(text.take());
    },
  };
  if (path !== undefined && !parts.read(path, handlers))
    throw new Error('the workbook lacks its texts');
  return strings;
}

function stylesOf(parts: Parts, path: string | undefined): NumberStyle[] {
  const own = new Map<number, string>();
  const styles: number[] = [];
  let isInCells = false;
  const handlers: Handlers = {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') own.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isInCells = true;
      if (name === 'xf' && isInCells) styles.push(Number(numFmtId ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  };
  if (path !== undefined) parts.read(path, handlers);
  return styles.map((id) => ({
    isDay: isDateFormat(id, own.get(id)),
    duration: durationUnit(id, own.get(id)),
    isPercent: isPercentFormat(id, own.get(id)),
    currency: currencyOf(own.get(id) ?? ''),
  }));
}

/** The built-in formats 9 and 10 are 0% and 0.00%. Literal texts in a format do not count. */
const isPercentFormat = (id: number, code: string | undefined) =>
  code === undefined
    ? id === 9 || id === 10
    : (code.split(';')[0] ?? '').replaceAll(/"[^"]*"|\\./g, '').includes('%');

/** A workbook stores 17 digits, of which its program shows 15: 0.1 + 0.2 is 0.3. */
const shownNumber = (value: number) => Number(value.toPrecision(15));

/**
 * The currency of a format such as `[$€-2]` or `"EUR"`; empty for `[$-807]`, which contains only a
 * country.
 */
const currencyOf = (format: string) =>
  /[€$£¥]|EUR|USD|GBP/.exec(format.replaceAll(/\[\$|\\/g, ''))?.[0] ?? null;

/** A cell that is being read. */
interface OpenCell {
  readonly at: number;
  readonly type: string;
  readonly style: number;
  isFormula: boolean;
  /** The value; null until there is a `v` element, which may be empty. */
  value: string | null;
}

function tableOf(parts: Parts, path: string, name: string, book: Book): SheetTable {
  const rows: SheetRow[] = [];
  const hiddenColumns = new Set<number>();
  const text = new RichText();
  let columnElements = 0;
  let line = 0;
  let isHidden = false;
  let cells: Cell[] = [];
  let nextAt = 0;
  let cell: OpenCell | null = null;
  let isInValue = false;
  const isThere = parts.read(path, {
    open(element, attributes) {
      const { r, hidden, ht, min, max, width, t, s } = attributes;
      text.open(element);
      if (element === 'col') {
        columnElements += 1;
        if (columnElements > columnElementsMax) throw new Error('the sheet has too many columns');
        if (isSet(hidden) || Number(width ?? 1) === 0)
          for (let at = Number(min); at <= Math.min(Number(max), columnsMax); at += 1)
            hiddenColumns.add(at - 1);
      }
      if (element === 'row') {
        line = r === undefined ? line + 1 : Number(r);
        // Programs show nothing of a row without height.
        isHidden = isSet(hidden) || Number(ht ?? 1) === 0;
        [cells, nextAt] = [[], 0];
      }
      if (element === 'c') {
        const letters = /^[A-Z]{1,3}/.exec(r ?? '')?.[0];
        const at = letters === undefined ? nextAt : columnOf(letters);
        cell = { at, type: t ?? 'n', style: Number(s ?? 0), isFormula: false, value: null };
        nextAt = at + 1;
      }
      if (cell && element === 'f') cell.isFormula = true;
      if (cell && element === 'v') [cell.value, isInValue] = ['', true];
    },
    text(piece) {
      text.add(piece);
      if (cell && isInValue) cell.value = (cell.value ?? '') + piece;
    },
    close(element) {
      text.close(element);
      if (element === 'v') isInValue = false;
      if (cell && element === 'c') {
        const value = valueOf(cell, text.take(), book);
        if (value !== null && cell.at >= columnsMax) throw new Error('a cell lies too far out');
        if (value !== null) {
          while (cells.length < cell.at) cells.push(null);
          cells[cell.at] = value;
        }
        cell = null;
      }
      if (element !== 'row' || cells.length === 0) return;
      rows.push({ line, isHidden, cells });
      if (rows.length > rowsMax) throw new Error('the sheet has too many rows');
    },
  });
  if (!isThere) throw new Error('the workbook lacks a sheet');
  return { name, rows, hiddenColumns };
}

const columnOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** @param inline the text inside the cell itself */
function valueOf({ type, style, isFormula, value: v }: OpenCell, inline: string, book: Book): Cell {
  if (type === 'inlineStr') return inline === '' ? null : inline;
  const value = v === null ? null : unescaped(v);
  if (type === 'e') return { fault: 'failed', shown: value ?? '' };
  // The result of a formula may be an empty text, but never an empty number.
  if (value === null || (value === '' && type !== 'str'))
    return isFormula ? { fault: 'no_result', shown: '' } : null;
  if (type === 's') return book.strings[Number(value)] ?? { fault: 'failed', shown: value };
  if (type === 'b') return isSet(value) ? 'TRUE' : 'FALSE';
  if (type === 'd') return swissDay(value);
  if (type !== 'n') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const { isDay, duration = null, isPercent, currency = null } = book.styles[style] ?? {};
  if (duration !== null) return formatDuration(number, duration);
  if (isDay) return formatSerialDate(number, book.is1904);
  if (isPercent) return `${String(shownNumber(number * 100))}%`;
  const shown = shownNumber(number);
  return currency === null ? shown : `${currency} ${String(shown)}`;
}
