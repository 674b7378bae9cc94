import { strToU8, zipSync } from 'fflate';

/** The XML of a workbook's parts, as programs write them. */
export interface WorkbookParts {
  /** The rows of `sheetData`. */
  readonly rows: string;
  /** The `cols` element. */
  readonly columns?: string;
  readonly strings?: readonly string[];
  /** The codes of number formats, used as styles 1, 2 … */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function makeWorkbook(parts: WorkbookParts): Uint8Array {
  const { rows, columns = '', strings = [], formats = [], is1904 = false } = parts;
  const numFmts = formats.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`,
  );
  const xfs = ['<xf numFmtId="0"/>', ...formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`)];
  const files = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships ${relations}><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><workbookPr date1904="${is1904 ? 1 : 0}"/>
      <sheets><sheet name="Alt" sheetId="1" state="hidden" r:id="rId1"/>
      <sheet name="Werte" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships ${relations}>
      <Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Type="${office}/worksheet" Target="/xl/worksheets/sheet2.xml"/>
      <Relationship Id="rId3" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>
      <Relationship Id="rId4" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData/></worksheet>`,
    'xl/worksheets/sheet2.xml': `<worksheet ${main}>${columns}<sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${numFmts.join('')}</numFmts>
      <cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])),
  );
}

/** Returns a row of texts with addresses. */
export const textRow = (line: number, texts: readonly string[], more = ''): string =>
  `<row r="${line}"${more}>${texts
    .map(
      (text, at) =>
        `<c r="${String.fromCharCode(65 + at)}${line}" t="inlineStr"><is><t>${text}</t></is></c>`,
    )
    .join('')}</row>`;
