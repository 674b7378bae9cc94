import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import {
  type Entry,
  ERR_UNSUPPORTED_COMPRESSION,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from '@zip.js/zip.js';
import sax from 'sax';
import type { FileCheckOrder, FileReport } from './file-checker.ts';

/** What all members of an archive may unpack to before it is left unchecked, bytes. */
const unpackedMaxBytes = 2_000_000_000;
/** A part that says how the others belong together, and the main part's own text, bytes. */
const partMaxBytes = 64_000_000;

/** In pieces of this size a part is read until its first element, letters. */
const rootPieceLetters = 4096;

/** After this time the parts that are left are taken as read, ms. */
const partsMaxMs = 5_000;

const whole: FileReport = { kind: 'readable' };
const damagedMember: FileReport = { kind: 'damaged', rule: 'archive_member' };

/**
 * An archive is whole if its directory is there and the checksum of each member holds. Folders and
 * files without a byte are nothing that somebody can read.
 */
export async function checkArchive(bytes: Uint8Array): Promise<FileReport> {
  return await withEntries(bytes, async (entries) =>
    entries.some(({ directory, uncompressedSize }) => !directory && uncompressedSize > 0)
      ? await checkMembers(entries)
      : { kind: 'empty' },
  );
}

/**
 * A Word or Excel file is whole if its archive is, its main part and every other part of XML are XML
 * to their ends, its main part is what the type says, and a workbook has sheets, which are there.
 */
export async function checkOffice(
  bytes: Uint8Array,
  { contentType }: Pick<FileCheckOrder, 'contentType'>,
): Promise<FileReport> {
  return await withEntries(bytes, async (entries) => {
    const archive = await checkMembers(entries);
    if (archive.kind !== 'readable') return archive;
    const path = await mainPartOf(entries);
    const text = path && (await textOf(entries, path));
    if (!path || !text || !isWellFormed(text) || !(await hasWholeParts(entries)))
      return { kind: 'damaged', rule: 'office_main_part' };
    const isWorkbook = contentType.endsWith('.sheet');
    const { root, namespace } = rootOf(text);
    const [expected, language] = isWorkbook
      ? ['workbook', 'spreadsheetml']
      : ['document', 'wordprocessingml'];
    if (root !== expected || !namespace.split('/').includes(language))
      return { kind: 'damaged', rule: 'office_content' };
    return !isWorkbook || (await hasItsSheets(entries, path, text))
      ? whole
      : { kind: 'damaged', rule: 'office_sheet' };
  });
}

async function withEntries(
  bytes: Uint8Array,
  check: (entries: readonly Entry[]) => Promise<FileReport>,
): Promise<FileReport> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    useWebWorkers: false,
    // Names are made safe where a file is saved (safe-file-name.ts).
    filenameValidation: 'tolerant',
  });
  try {
    const entries = await reader.getEntries();
    return isDirectoryWhole(bytes)
      ? await check(entries)
      : { kind: 'damaged', rule: 'archive_directory' };
  } catch {
    // zip.js reads the directory at the end of the file, and names each fault in it with an error.
    return { kind: 'damaged', rule: 'archive_directory' };
  } finally {
    await reader.close();
  }
}

const endBytes = 22;
const entryBytes = 46;
const signature = {
  member: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  largeEnd: 0x07064b50,
} as const;
/** A place that stands elsewhere, because it has more than 32 bits. */
const large = 0xffffffff;

/** Where the length of a name is, and the name: in the directory, and at the member. */
const nameIn = { entry: { length: 28, text: 46 }, member: { length: 26, text: 30 } } as const;
const flagsAt = 8;
/** The names at the members are hidden, in an archive with a password (4.4.4, bit 13). */
const isMasked = 1 << 13;

/**
 * Whether the directory is as long as its end says, leads to the members, and calls them what they
 * are called there (APPNOTE.TXT, 4.3.16, 4.3.12, 4.4.17): names would be others, or other readers find
 * no member. zip.js passes over what is between.
 */
function isDirectoryWhole(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (place: number) =>
    place >= 0 && place + 4 <= bytes.length ? view.getUint32(place, true) : 0;
  const nameAt = (head: number, { length, text }: { length: number; text: number }) =>
    Buffer.from(bytes.subarray(head + text).subarray(0, view.getUint16(head + length, true)));
  let end = bytes.length - endBytes;
  while (end >= 0 && at(end) !== signature.end) end -= 1;
  if (end < 0) return true;
  // Of more than 4 GB or 65,535 members, the length stands elsewhere.
  const isLarge = end >= 20 && at(end - 20) === signature.largeEnd;
  const length = at(end + 12);
  if (isLarge) return true;
  // An empty archive has no members.
  if (length === 0) return at(0) !== signature.member;
  const start = end - length;
  // A program in front of an archive moves all places alike.
  const moved = start - at(end + 16);
  let entry = start;
  while (entry < end) {
    if (at(entry) !== signature.entry) return false;
    const member = at(entry + 42);
    if (member !== large && at(member + moved) !== signature.member) return false;
    const hasName = member !== large && (view.getUint16(entry + flagsAt, true) & isMasked) === 0;
    if (hasName && !nameAt(entry, nameIn.entry).equals(nameAt(member + moved, nameIn.member)))
      return false;
    const texts = [28, 30, 32].map((place) => view.getUint16(entry + place, true));
    entry += texts.reduce((sum, text) => sum + text, entryBytes);
  }
  return entry === end;
}

async function checkMembers(entries: readonly Entry[]): Promise<FileReport> {
  let left = unpackedMaxBytes;
  let isProtected = false;
  let isUnpacked = true;
  for (const entry of entries) {
    if (entry.directory) continue;
    isProtected ||= entry.encrypted;
    left -= entry.uncompressedSize;
    // A bomb is no finding about the files in it.
    if (entry.encrypted || left < 0) continue;
    try {
      await entry.getData(new WritableStream(), { checkCrc32: true });
    } catch (error) {
      if (!(error instanceof Error) || error.message !== ERR_UNSUPPORTED_COMPRESSION)
        return damagedMember;
      isUnpacked = false;
    }
  }
  if (!isUnpacked) return { kind: 'unknownPacking' };
  return isProtected ? { kind: 'protected' } : whole;
}

function isWellFormed(xml: string): boolean {
  try {
    SyntaxValidator.validate(xml);
    return true;
  } catch {
    // It names the place, which nobody needs to know here.
    return false;
  }
}

/** Programs offer to repair a document of which one sheet or header breaks off, and leave that out. */
async function hasWholeParts(entries: readonly Entry[]): Promise<boolean> {
  const end = performance.now() + partsMaxMs;
  for (const { filename, encrypted } of entries) {
    if (encrypted || !/\.(?:xml|rels)$/i.test(filename)) continue;
    if (performance.now() > end) return true;
    const text = await textOf(entries, filename);
    if (text !== null && !isWellFormed(text)) return false;
  }
  return true;
}

interface Relation {
  readonly '@_Id'?: string;
  readonly '@_Type'?: string;
  readonly '@_Target'?: string;
}

/** ECMA-376 part 2, 6.5.2: the package's relations name its main part. */
async function mainPartOf(entries: readonly Entry[]): Promise<string | null> {
  const relations = await relationsOf(entries, '');
  const relation = relations.find(({ '@_Type': type }) => type?.endsWith('/officeDocument'));
  return relation ? pathOf(relation, '') : null;
}

/** What a part, or the package if its path is empty, names as belonging to it. */
async function relationsOf(entries: readonly Entry[], path: string): Promise<readonly Relation[]> {
  const [folder, name] = splitPath(path);
  const text = await textOf(entries, `${folder}_rels/${name}.rels`);
  if (text === null || !isWellFormed(text)) return [];
  const parser = new XMLParser({
    ignoreAttributes: false,
    removeNSPrefix: true,
    isArray: (element) => element === 'Relationship',
  });
  const parsed = parser.parse(text) as { Relationships?: { Relationship?: Relation[] } };
  return parsed.Relationships?.Relationship ?? [];
}

/** A target is relative to the folder unless it begins with a slash. */
function pathOf({ '@_Target': target = '' }: Relation, folder: string): string {
  const path = target.startsWith('/') ? target : `${folder}${target}`;
  // Two slashes at the beginning would make a host of what follows.
  const { pathname } = new URL(`package:/${path.replace(/^\/+/, '')}`);
  return pathname.replace(/^\/+/, '');
}

function splitPath(path: string): [string, string] {
  const slash = path.lastIndexOf('/') + 1;
  return [path.slice(0, slash), path.slice(slash)];
}

/** The local name of the first element, and its namespace; empty if a reader finds none. */
function rootOf(xml: string): { readonly root: string; readonly namespace: string } {
  let found = { root: '', namespace: '' };
  const parser = sax.parser(true, { xmlns: true });
  parser.onopentag = (tag) => {
    if (found.root === '' && 'uri' in tag) found = { root: tag.local, namespace: tag.uri };
  };
  // It names the place, which nobody needs to know here.
  parser.onerror = () => undefined;
  for (let at = 0; at < xml.length && found.root === ''; at += rootPieceLetters)
    parser.write(xml.slice(at, at + rootPieceLetters));
  return found;
}

/** The kinds of sheets (ECMA-376 part 1, 18.3.1, and of macros of before 1995). */
const sheetRoots = new Set(['worksheet', 'chartsheet', 'dialogsheet', 'macrosheet']);

/** Whether the workbook names a sheet, and each one that it names is there, and the texts of cells. */
async function hasItsSheets(
  entries: readonly Entry[],
  path: string,
  workbook: string,
): Promise<boolean> {
  const parser = new XMLParser({
    ignoreAttributes: false,
    removeNSPrefix: true,
    isArray: (element) => element === 'sheet',
  });
  const { workbook: book } = parser.parse(workbook) as {
    workbook?: { sheets?: { sheet?: { '@_id'?: string }[] } };
  };
  // A module of macros of before 1997 has no part.
  const ids = new Set(book?.sheets?.sheet?.map(({ '@_id': id }) => id).filter((id) => id !== ''));
  const relations = await relationsOf(entries, path);
  const [folder] = splitPath(path);
  let found = 0;
  for (const relation of relations) {
    const isSheet = ids.has(relation['@_Id']);
    if (!isSheet && !relation['@_Type']?.endsWith('/sharedStrings')) continue;
    const part = pathOf(relation, folder);
    const text = await textOf(entries, part);
    if (text === null ? !entryOf(entries, part) : isSheet && !sheetRoots.has(rootOf(text).root))
      return false;
    if (isSheet) found += 1;
  }
  return found > 0 && found === ids.size;
}

/** Names of parts are compared without regard to case (ECMA-376 part 2, 6.2.2.3). */
function entryOf(entries: readonly Entry[], name: string): FileEntry | null {
  const wanted = comparable(name);
  const entry = entries.find(({ filename }) => comparable(filename) === wanted);
  return entry && !entry.directory ? entry : null;
}

/** Some programs write letters beyond ASCII as they are, others encode them. */
const comparable = (name: string) => encodeURI(name).replaceAll('%25', '%').toLowerCase();

async function textOf(entries: readonly Entry[], name: string): Promise<string | null> {
  const entry = entryOf(entries, name);
  if (!entry || entry.uncompressedSize > partMaxBytes) return null;
  const pieces: Uint8Array[] = [];
  await entry.getData(
    new WritableStream({ write: (piece: Uint8Array) => void pieces.push(piece) }),
  );
  const bytes = Buffer.concat(pieces);
  const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe;
  return new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(
    bytes,
  );
}
