import { gunzipSync } from 'node:zlib';

/**
 * What a template may contain. Everything else that Word or LibreOffice would load, start or show is
 * removed if nothing is lost by it, and refused by its name otherwise.
 */

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageMetadata = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata';
const signatures = 'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature';
const microsoft = 'http://schemas.microsoft.com/office';

/** What becomes of a relation; `remove` takes away its part and what names it in the text. */
type Treatment = 'keep' | 'remove' | 'insert' | 'macros' | 'refuse';

const officeKept = [
  'officeDocument',
  'styles',
  'settings',
  'webSettings',
  'fontTable',
  'font',
  'theme',
  'themeOverride',
  'numbering',
  'header',
  'footer',
  'footnotes',
  'endnotes',
  'image',
  'hyperlink',
  'chart',
  'chartUserShapes',
  'diagramData',
  'diagramLayout',
  'diagramQuickStyle',
  'diagramColors',
  'customXml',
  'customXmlProps',
  'extended-properties',
  'custom-properties',
];
/** Things for the author of the template, and for programs that the office once used. */
const officeRemoved = [
  'attachedTemplate',
  'comments',
  'glossaryDocument',
  'printerSettings',
  'mailMergeSource',
  'mailMergeHeaderSource',
  'mailMergeRecipientData',
  'recipientData',
  'transform',
  'frame',
  'bibliography',
];
const microsoftKept = [
  '2007/relationships/stylesWithEffects',
  '2007/relationships/diagramDrawing',
  '2011/relationships/chartStyle',
  '2011/relationships/chartColorStyle',
];
const microsoftRemoved = [
  '2006/relationships/keyMapCustomizations',
  '2006/relationships/attachedToolbars',
  '2006/relationships/ui/extensibility',
  '2007/relationships/ui/extensibility',
  '2006/relationships/ui/userCustomization',
  '2006/relationships/recipientData',
  '2011/relationships/commentsExtended',
  '2011/relationships/people',
  '2016/09/relationships/commentsIds',
  '2018/08/relationships/commentsExtensible',
  '2011/relationships/webextension',
  '2011/relationships/webextensiontaskpanes',
  '2020/02/relationships/classificationlabels',
  '2019/05/relationships/documenttasks',
];
const microsoftMacros = ['2006/relationships/vbaProject', '2006/relationships/wordVbaData'];

const each = (base: string, names: readonly string[], treatment: Treatment) =>
  names.map((name): [string, Treatment] => [`${base}/${name}`.toLowerCase(), treatment]);

const relationTypes: ReadonlyMap<string, Treatment> = new Map([
  ...each(office, officeKept, 'keep'),
  ...each(office, officeRemoved, 'remove'),
  ...each(office, ['aFChunk'], 'insert'),
  ...each(microsoft, microsoftKept, 'keep'),
  ...each(microsoft, microsoftRemoved, 'remove'),
  ...each(microsoft, microsoftMacros, 'macros'),
  ...each(packageMetadata, ['core-properties'], 'keep'),
  ...each(office, ['metadata/core-properties'], 'keep'),
  // A picture of the template's first page.
  ...each(packageMetadata, ['thumbnail'], 'remove'),
  ...each(signatures, ['origin'], 'remove'),
]);

/** @returns null for a type that is on no list */
export function treatmentOf(type: string, isFromChart: boolean): Treatment | null {
  // The workbook behind a chart; the chart contains what it shows.
  if (isFromChart && [`${office}/package`, `${office}/oleObject`].includes(type)) return 'remove';
  // Programs disagree about the case of these names.
  return relationTypes.get(type.toLowerCase()) ?? null;
}

/** Addresses that only the reader opens, by a click. */
export const isPlainAddress = (address: string): boolean =>
  /^(?:https?:\/\/|mailto:|tel:|#|\{)/i.test(address.trim());

/** Fields of Word that print, count or ask; none of them loads a file or starts a program. */
const fieldNames: ReadonlySet<string> = new Set(
  (
    'PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME CREATEDATE SAVEDATE PRINTDATE EDITTIME TITLE SUBJECT ' +
    'AUTHOR KEYWORDS COMMENTS LASTSAVEDBY FILENAME FILESIZE DOCPROPERTY DOCVARIABLE INFO NUMCHARS ' +
    'NUMWORDS REVNUM TEMPLATE STYLEREF REF PAGEREF NOTEREF SEQ TOC TC INDEX XE TOA TA HYPERLINK SYMBOL ' +
    'EQ IF COMPARE QUOTE SET ASK FILLIN MERGEFIELD MERGEREC MERGESEQ NEXT NEXTIF SKIPIF ADVANCE LISTNUM ' +
    'AUTONUM AUTONUMLGL AUTONUMOUT USERNAME USERINITIALS USERADDRESS FORMTEXT FORMCHECKBOX ' +
    'FORMDROPDOWN CITATION BIBLIOGRAPHY ADDIN PRIVATE BIDIOUTLINE ADDRESSBLOCK GREETINGLINE DISPLAYBARCODE'
  ).split(' '),
);

/** @param name first word of the field; a formula begins with `=` */
export const isPlainField = (name: string): boolean =>
  name.startsWith('=') || fieldNames.has(name.toUpperCase());

/** Elements that are or load another thing than text and pictures. */
export const activeElements: ReadonlySet<string> = new Set([
  'w:object',
  'w:control',
  'w:subDoc',
  'w:movie',
  'o:OLEObject',
  'a:audioFile',
  'a:videoFile',
  'a:quickTimeFile',
  'a:audioCd',
]);

/** Elements that go without a loss; a report needs neither their author's tools nor a web page. */
export const neededByNobody: ReadonlySet<string> = new Set([
  'w:attachedTemplate',
  'ep:HyperlinkBase',
  'w:mailMerge',
  'w:saveThroughXslt',
  'w:frameset',
  'w:attachedSchema',
  'w:smartTagType',
  'w:printerSettings',
  'w:entryMacro',
  'w:exitMacro',
  'w:proofErr',
  'sl:schemaLibrary',
  'wp15:webVideoPr',
  'c:externalData',
  'a:wavAudioFile',
]);

/** Namespaces of Office in which no element is active but those above. */
const elementSpaces: readonly RegExp[] = [
  /^http:\/\/schemas\.openxmlformats\.org\/(?:wordprocessingml|drawingml|officeDocument|markup-compatibility|schemaLibrary|package)\/2006(?:\/[\w/-]+)?$/,
  /^http:\/\/schemas\.microsoft\.com\/office\/(?:word|drawing|mac|powerpoint|thememl)\/20\d\d(?:\/[\w-]+)+$/,
  /^http:\/\/schemas\.microsoft\.com\/(?:office\/2006\/xmlPackage|ink\/\d+\/[\w/-]+)$/,
  /^urn:schemas-microsoft-com:(?:vml|office:office|office:word)$/,
  /^http:\/\/purl\.org\/dc\/(?:elements\/1\.1|terms|dcmitype)\/$/,
];
export const isKnownSpace = (space: string | null): boolean =>
  space !== null && elementSpaces.some((known) => known.test(space));

/** The namespaces of XML itself. */
const xmlSpaces: ReadonlySet<string> = new Set([
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
  'http://www.w3.org/2001/XMLSchema-instance',
]);
export const isKnownAttributeSpace = (space: string | null): boolean =>
  space === null || space === '' || xmlSpaces.has(space) || isKnownSpace(space);

/** What Word and LibreOffice draw, by its first bytes. */
export function isRasterOrMetafile(bytes: Uint8Array): boolean {
  const start = Buffer.concat([bytes.subarray(0, 48), new Uint8Array(48)]);
  const isEmf = start.readUInt32LE(0) === 1 && start.subarray(40, 44).toString('latin1') === ' EMF';
  const begins = (...hex: readonly string[]) =>
    hex.some((one) => start.toString('hex').startsWith(one));
  // JPEG, PNG, GIF, BMP, TIFF, placeable and plain WMF.
  return (
    isEmf ||
    begins('ffd8ff', '89504e47', '47494638', '424d', '49492a00', '4d4d002a') ||
    begins('d7cdc69a', '01000900', '02000900') ||
    (begins('1f8b') && isRasterOrMetafile(unpackedStart(bytes)))
  );
}

const metafileMaxBytes = 64 * 1024 * 1024;

/** A packed metafile, unpacked; empty if it cannot be. A packed SVG begins alike. */
function unpackedStart(bytes: Uint8Array): Uint8Array {
  try {
    const inner = gunzipSync(bytes, { maxOutputLength: metafileMaxBytes });
    // Nothing is packed twice.
    return inner[0] === 0x1f ? new Uint8Array() : inner;
  } catch {
    // Damaged or too large: it is no picture then.
    return new Uint8Array();
  }
}
