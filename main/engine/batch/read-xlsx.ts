import { XMLParser } from 'fast-xml-parser';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { formatSerialDate, isDateFormat, swissDay } from './xlsx-dates.ts';
import type { Cell, SheetRow, SheetTable } from './sheet-table.ts';

/*
 * The first sheet of a workbook (ECMA-376, SpreadsheetML) with what libraries for sheets leave out:
 * formulas without a stored result, hidden rows and columns, and cells without an address.
 */

/** A sheet that unpacks to more was not made by hand. */
const unpackedMaxBytes = 32 * 1024 * 1024;
/** Columns of ours stand among the first; what lies further out is not read. */
const columnsMax = 1000;
/** As many as a sheet can have (ECMA-376). */
const columnElementsMax = 16_384;

const listed = new Set(['sheet', 'Relationship', 'si', 'run', 'numFmt', 'xf', 'col', 'row', 'c']);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  // `r` is a run of a text here, and the address of a cell as an attribute.
  transformTagName: (name) => (name === 'r' ? 'run' : name),
  isArray: (name, _path, _isLeaf, isAttribute) => !isAttribute && listed.has(name),
});

const text = z
  .union([z.string(), z.object({ '#text': z.string().default('') }).transform((t) => t['#text'])])
  .transform((written) =>
    written.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  );
const richText = z
  .union([
    z.string().transform(() => ''),
    z.object({ t: text.optional(), run: z.array(z.object({ t: text.default('') })).default([]) }),
  ])
  .transform((rich) =>
    typeof rich === 'string' ? rich : (rich.t ?? '') + rich.run.map(({ t }) => t).join(''),
  );
const number = z.coerce.number().int().nonnegative();
/** Programs show nothing of a row without height, or of a column without width. */
const size = z.coerce.number().default(1);
const flag = z.enum(['0', '1', 'true', 'false']).transform((set) => set === '1' || set === 'true');
/** An element without attributes and content is an empty text. */
const maybe = <Shape extends z.ZodType>(schema: Shape) =>
  z.union([z.string().transform(() => undefined), schema]).optional();

const workbookSchema = z.object({
  workbook: z.object({
    workbookPr: maybe(z.object({ '@date1904': flag.default(false) })),
    sheets: z.object({
      sheet: z.array(z.object({ '@id': z.string(), '@state': z.string().default('visible') })),
    }),
  }),
});
const relationsSchema = z.object({
  Relationships: z.object({
    Relationship: z.array(z.object({ '@Id': z.string(), '@Target': z.string() })),
  }),
});
const stringsSchema = z.object({
  sst: maybe(z.object({ si: z.array(richText).default([]) })),
});
const stylesSchema = z.object({
  styleSheet: maybe(
    z.object({
      numFmts: maybe(
        z.object({
          numFmt: z.array(z.object({ '@numFmtId': number, '@formatCode': z.string() })).default([]),
        }),
      ),
      cellXfs: maybe(
        z.object({ xf: z.array(maybe(z.object({ '@numFmtId': number.default(0) }))).default([]) }),
      ),
    }),
  ),
});
const cellSchema = z.object({
  '@r': z.string().optional(),
  '@t': z.string().default('n'),
  '@s': number.default(0),
  f: z.unknown().optional(),
  v: text.optional(),
  is: richText.optional(),
});
type RawCell = z.infer<typeof cellSchema>;
const sheetSchema = z.object({
  worksheet: z.object({
    cols: maybe(
      z.object({
        col: z
          .array(
            z.object({
              ...{ '@min': number, '@max': number },
              ...{ '@hidden': flag.default(false), '@width': size },
            }),
          )
          .max(columnElementsMax),
      }),
    ),
    sheetData: maybe(
      z.object({
        row: z
          .array(
            maybe(
              z.object({
                '@r': number.optional(),
                ...{ '@hidden': flag.default(false), '@ht': size },
                c: z.array(maybe(cellSchema)).default([]),
              }),
            ),
          )
          .default([]),
      }),
    ),
  }),
});

/** What the format of a number makes of it. */
interface NumberStyle {
  readonly isDay: boolean;
  /** The sign of a currency other than francs; null of no currency, too. */
  readonly currency: string | null;
}

interface Book {
  readonly strings: readonly string[];
  readonly styles: readonly NumberStyle[];
  readonly is1904: boolean;
}

/**
 * The first sheet that the workbook shows.
 * @throws if it is no workbook, or one that unpacks to too much
 */
export function readXlsx(bytes: Uint8Array): SheetTable {
  const parts = unpack(bytes);
  const { workbook } = workbookSchema.parse(parse(parts, 'xl/workbook.xml'));
  const shown = workbook.sheets.sheet.find((sheet) => sheet['@state'] === 'visible');
  const { Relationships } = relationsSchema.parse(parse(parts, 'xl/_rels/workbook.xml.rels'));
  const relation = Relationships.Relationship.find((one) => one['@Id'] === shown?.['@id']);
  if (!relation) throw new Error('the workbook shows no sheet');
  const target = relation['@Target'];
  const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  const { worksheet } = sheetSchema.parse(parse(parts, path));
  const book = {
    strings: parts['xl/sharedStrings.xml']
      ? (stringsSchema.parse(parse(parts, 'xl/sharedStrings.xml')).sst?.si ?? [])
      : [],
    styles: parts['xl/styles.xml'] ? stylesOf(parse(parts, 'xl/styles.xml')) : [],
    is1904: workbook.workbookPr?.['@date1904'] ?? false,
  };
  const rows: SheetRow[] = [];
  for (const row of worksheet.sheetData?.row ?? []) {
    const line = row?.['@r'] ?? (rows.at(-1)?.line ?? 0) + 1;
    const cells = cellsOf(row?.c ?? [], book);
    rows.push({ line, isHidden: row?.['@hidden'] === true || row?.['@ht'] === 0, cells });
  }
  return { rows, hiddenColumns: hiddenColumns(worksheet.cols?.col ?? []) };
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let unpacked = 0;
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/^xl\/.*\.(xml|rels)$/.test(name)) return false;
      unpacked += originalSize;
      if (unpacked > unpackedMaxBytes) throw new Error('the sheet is too large');
      return true;
    },
  });
}

function parse(parts: Record<string, Uint8Array>, path: string): unknown {
  const part = parts[path];
  if (!part) throw new Error('the workbook lacks a part');
  const xml = new TextDecoder(part[0] === 0xff && part[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(
    part,
  );
  // Entities that a document declares could grow without end.
  if (xml.includes('<!DOCTYPE')) throw new Error('a workbook has no document type');
  return parser.parse(xml);
}

function stylesOf(xml: unknown): NumberStyle[] {
  const { styleSheet } = stylesSchema.parse(xml);
  const own = new Map(
    (styleSheet?.numFmts?.numFmt ?? []).map((one) => [one['@numFmtId'], one['@formatCode']]),
  );
  return (styleSheet?.cellXfs?.xf ?? []).map((style) => {
    const id = style?.['@numFmtId'] ?? 0;
    return { isDay: isDateFormat(id, own.get(id)), currency: currencyOf(own.get(id) ?? '') };
  });
}

/** `[$€-2]`, `"EUR"`; of `[$-807]`, which names a country alone, none. */
const currencyOf = (format: string) =>
  /[€$£¥]|EUR|USD|GBP/.exec(format.replaceAll(/\[\$|\\/g, ''))?.[0] ?? null;

function cellsOf(raw: readonly (RawCell | undefined)[], book: Book): Cell[] {
  const cells: Cell[] = [];
  for (const cell of raw) {
    const letters = /^[A-Z]{1,3}/.exec(cell?.['@r'] ?? '')?.[0];
    const at = letters ? columnOf(letters) : cells.length;
    if (at >= columnsMax) continue;
    while (cells.length < at) cells.push(null);
    cells[at] = cell ? valueOf(cell, book) : null;
  }
  return cells;
}

const columnOf = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

function valueOf({ '@t': type, '@s': style, f, v, is }: RawCell, book: Book): Cell {
  if (type === 'inlineStr') return is ?? null;
  if (type === 'e') return { fault: 'failed', shown: v ?? '' };
  const isFormula = f !== undefined;
  // The result of a formula may be an empty text, but never an empty number.
  if (v === undefined || (v === '' && type !== 'str'))
    return isFormula ? { fault: 'no_result', shown: '' } : null;
  if (type === 's') return book.strings[Number(v)] ?? null;
  if (type === 'b') return v === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return swissDay(v);
  if (type !== 'n') return v;
  const value = Number(v);
  if (!Number.isFinite(value)) return v;
  const { isDay = false, currency = null } = book.styles[style] ?? {};
  if (isDay) return formatSerialDate(value, book.is1904);
  return currency === null ? value : `${currency} ${value}`;
}

function hiddenColumns(
  columns: readonly { '@min': number; '@max': number; '@hidden': boolean; '@width': number }[],
): Set<number> {
  const hidden = new Set<number>();
  for (const { '@min': min, '@max': max, '@hidden': isHidden, '@width': width } of columns)
    for (let at = min; (isHidden || width === 0) && at <= Math.min(max, columnsMax); at += 1)
      hidden.add(at - 1);
  return hidden;
}
