import { strToU8, Zip, ZipDeflate } from 'fflate';
import { exportColumns, headingOf } from '#shared/desk/cases/case-export.ts';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import { words } from '#shared/i18n/catalogue.ts';
import { dayMs } from '#shared/lib/clock.ts';
import { zurichTime } from '#shared/lib/zurich-day.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';

/** The most characters of a cell (Excel specifications and limits). */
const cellMaxChars = 32_767;

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** All parts of the package (ECMA-376 part 2) except the sheet. */
const parts = {
  '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  '_rels/.rels': `${xml}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${xml}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
} as const;

/** The positions in `cellXfs` above. */
const styles = { heading: 1, amount: 2, day: 3, moment: 4 } as const;

/** The language of headings and words, and the day of the export: YYYY-MM-DD in Zurich. */
export interface SheetForm {
  readonly language: Language;
  readonly today: string;
}

/**
 * An Excel workbook with one sheet, written row after row, with at most one page of cases in
 * memory.
 */
export async function* xlsx(
  pages: AsyncIterable<readonly CaseSummary[]>,
  { language, today }: SheetForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  const workbook = `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${words[language].cases}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  for (const [name, text] of Object.entries({ ...parts, 'xl/workbook.xml': workbook })) {
    const part = new ZipDeflate(name);
    zip.add(part);
    part.push(strToU8(text), true);
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 4 });
  zip.add(sheet);
  sheet.push(strToU8(sheetHead(language)));
  let rows = 1;
  for await (const page of pages) {
    const from = rows + 1;
    rows += page.length;
    const cells = page.map((item, at) => sheetRow(item, { language, today }, from + at));
    sheet.push(strToU8(cells.join('')));
    yield* take();
  }
  const lastCell = `${columnName(exportColumns.length)}${String(rows)}`;
  sheet.push(strToU8(`</sheetData><autoFilter ref="A1:${lastCell}"/></worksheet>`), true);
  zip.end();
  yield* take();
}

/** The name of a column: `A` for the first. The sheets of this program have at most 26. */
const columnName = (position: number) => String.fromCharCode(64 + position);

function sheetHead(language: Language): string {
  const widths = exportColumns.map(({ type }, at) => {
    const place = String(at + 1);
    return `<col min="${place}" max="${place}" width="${type === 'text' ? '22' : '16'}" customWidth="1"/>`;
  });
  const titles = exportColumns.map((column) =>
    textCell(headingOf(column, language), styles.heading),
  );
  return `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${rowOf(titles, 1)}`;
}

/** A row. The cells have addresses, because some programs read no cells without them. */
function rowOf(cells: readonly string[], row: number): string {
  const placed = cells.map((cell, at) =>
    cell.replace('<c', `<c r="${columnName(at + 1)}${String(row)}"`),
  );
  return `<row r="${String(row)}">${placed.join('')}</row>`;
}

function sheetRow(item: CaseSummary, { language, today }: SheetForm, row: number): string {
  const cells = exportColumns.map(({ type, of }) => {
    const value = of(item, language, today);
    if (value === null || value === '') return '<c/>';
    if (typeof value === 'number') return numberCell(value, type === 'amount' ? styles.amount : 0);
    if (type !== 'day' && type !== 'moment') return textCell(value);
    const serial = serialOf(type === 'day' ? value : (zurichTime(value) ?? ''));
    return serial === null ? textCell(value) : numberCell(serial, styles[type]);
  });
  return rowOf(cells, row);
}

const numberCell = (value: number, style: number) =>
  `<c s="${String(style)}"><v>${String(value)}</v></c>`;

/**
 * A text as an inline string, which is never read as a formula, regardless of its first character.
 */
const textCell = (text: string, style = 0) =>
  `<c t="inlineStr" s="${String(style)}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/** The days since 30 December 1899, as a sheet counts them; null if the text is not a date. */
function serialOf(local: string): number | null {
  const ms = Date.parse(`${local.replace(' ', 'T')}${local.includes(' ') ? 'Z' : 'T00:00:00Z'}`);
  return Number.isNaN(ms) ? null : (ms - Date.UTC(1899, 11, 30)) / dayMs;
}

/** The text without the characters that XML 1.0 (section 2.2) excludes. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .slice(0, cellMaxChars)
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '') // eslint-disable-line no-control-regex -- these are what is taken out
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
