import { Readable } from 'node:stream';
import type { DocumentContentType } from '#shared/api/document.ts';
import {
  assertFileName,
  assertFileSize,
  assertNotTooLarge,
  documentTypeOf,
  extensionOf,
  FileTypeScanner,
  takenName,
} from '#shared/lib/file-type.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { joinBytes } from '#shared/photos/bytes.ts';
import { isPictureType, jpegName, pictureKinds } from '#shared/photos/picture-kinds.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { FileChecker } from '../readable/file-checker.ts';
import type { HeicMaker } from '../photos/heic-maker.ts';
import type { PictureStripper, StripOrder, StripReport } from '../photos/picture-stripper.ts';
import type { StoredAttachment, StoredFile, TakenFile } from './attachment-rows.ts';

/** A file that is being attached. */
export interface IncomingFile {
  readonly fileName: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly isSalvageSale?: boolean;
  /** Whether a photo was checked and is sent unchanged. */
  readonly isSeen?: boolean;
  /** No window makes it ready, so a HEIC is made a JPEG here. */
  readonly isAlone?: boolean;
}

/** The parts that store an incoming file. */
export interface Intake {
  readonly workFiles: BlobStore;
  readonly stripper: PictureStripper;
  readonly heics: HeicMaker;
  readonly checker: FileChecker;
}

/**
 * Takes a file's bytes into the work store, checking them as they pass. Of a picture that no window
 * has looked at, what is sent is stripped of all that is not the picture, or made of it
 * (`pictureKinds`), and the file is stored next to it. A refused file leaves nothing behind.
 * @throws {DeskError} file_name_invalid, file_empty, file_too_large, file_type_not_allowed,
 * file_type_mismatch, file_kind, office_protected, pdf_damaged, file_damaged, file_too_heavy,
 * file_unchecked, disk_full
 */
export async function takeFile(intake: Intake, file: IncomingFile): Promise<TakenFile> {
  const { isSeen, isAlone = false } = file;
  assertFileName(file.fileName);
  const { bytes, found, ...taken } = await store(intake, file);
  const { fileName, contentType, isSalvageSale } = taken;
  if (!bytes || !isPictureType(contentType)) return { ...taken, found };
  const report = await unseenPicture(intake, { bytes, contentType, isAlone });
  const { bytes: picture, isBare, isUnread, takenAt, looksDamaged } = report;
  // A window makes it ready later; without one, nobody would say why it is not.
  if (isUnread && isAlone && !isSeen) throw new DeskError('file_unchecked', { fileName });
  if (isSeen) return { ...taken, found: { isBare: true, looksDamaged } };
  if (!picture) return { ...taken, found: { isBare, takenAt, looksDamaged } };
  const content = Readable.from([picture]);
  const name = pictureKinds[contentType].withoutWindow === 'made' ? jpegName(fileName) : fileName;
  const { bytes: _, ...stripped } = await store(intake, { fileName: name, isSalvageSale, content });
  const { isSalvageSale: __, ...original } = taken;
  return {
    ...stripped,
    found: { isBare, takenAt, looksDamaged, original: { ...original, page: 0 } },
  };
}

/**
 * Takes what a window made of a file in the store. Its pixels are the window's own, so nothing is
 * looked for in them.
 * @throws {DeskError} as `takeFile`
 */
export async function takeRendition(intake: Intake, file: IncomingFile): Promise<TakenFile> {
  assertFileName(file.fileName);
  const { bytes: _, found: __, ...taken } = await store(intake, file);
  return taken;
}

/**
 * What is sent of a picture that no window makes ready.
 * @param order its bytes are empty afterwards
 */
export async function unseenPicture(
  { stripper, heics }: Pick<Intake, 'stripper' | 'heics'>,
  order: StripOrder,
): Promise<StripReport> {
  const isMade = pictureKinds[order.contentType].withoutWindow === 'made';
  return isMade && order.isAlone ? heics.make(order.bytes) : stripper.strip(order);
}

/** Stores the file. Its bytes are returned if they need a further check. */
async function store(
  { workFiles, checker }: Intake,
  { fileName, content, isSalvageSale = false }: IncomingFile,
): Promise<StoredFile & Pick<CheckedFile, 'bytes' | 'found'>> {
  const writer = await workFiles.createWriter();
  try {
    const read = await readChecked({ fileName, content }, checker, (piece) => writer.write(piece));
    const { blobId, sha256 } = await writer.finish();
    return { ...read, sha256, blobId, isSalvageSale };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The known properties of a file that was read. */
interface CheckedFile {
  /** The name under which the file is stored. */
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly contentType: DocumentContentType;
  /** The bytes of a picture; else null. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly found: Pick<
    NonNullable<TakenFile['found']>,
    'isProtected' | 'looksDamaged' | 'hidesAnswers' | 'innerFiles'
  >;
  /** Of a mail that has one; else null. */
  readonly subject: string | null;
}

/**
 * Reads a file completely. It checks the size and type, and whether a reader can open the file to
 * its end. The name was checked before.
 * @param onPiece receives each piece once the size up to it is checked
 * @throws {DeskError} file_empty, file_too_large, file_type_not_allowed, file_type_mismatch,
 *   file_kind, office_protected, pdf_damaged, file_damaged, file_too_heavy, file_unchecked
 */
export async function readChecked(
  { fileName, content }: Pick<IncomingFile, 'fileName' | 'content'>,
  checker: FileChecker,
  onPiece: (piece: Uint8Array) => unknown,
): Promise<CheckedFile> {
  const scanner = new FileTypeScanner();
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of content) {
    sizeBytes += piece.length;
    assertNotTooLarge(fileName, sizeBytes);
    scanner.push(piece);
    pieces.push(piece);
    await onPiece(piece);
  }
  assertFileSize(fileName, sizeBytes);
  const contentType = documentTypeOf(fileName, scanner.traits());
  const name = takenName(fileName, contentType);
  const read = { fileName: name, sizeBytes, contentType, bytes: null, found: {}, subject: null };
  const bytes = joinBytes(pieces.splice(0));
  if (isPictureType(contentType)) return { ...read, bytes };
  const finding = await checker.check({ bytes, contentType });
  if (finding.kind === 'damaged')
    throw finding.rule === 'pdf_pages'
      ? new DeskError('pdf_damaged', { fileName })
      : new DeskError('file_damaged', { fileName, rule: finding.rule });
  if (finding.kind === 'empty') throw new DeskError('file_empty', { fileName });
  if (finding.kind === 'unknownPacking')
    throw new DeskError('file_kind', { fileName, rule: 'kind_packing' });
  if (finding.kind === 'severalMails')
    throw new DeskError('file_kind', { fileName, rule: 'kind_mailbox' });
  if (finding.kind === 'tooHeavy') throw new DeskError('file_too_heavy', { fileName });
  if (finding.kind === 'unknown') throw new DeskError('file_unchecked', { fileName });
  if (finding.kind === 'readable') {
    const { subject = null, looksDamaged, hidesAnswers, innerFiles } = finding;
    const found = {
      ...(looksDamaged && { looksDamaged }),
      ...(hidesAnswers && { hidesAnswers }),
      ...(innerFiles !== undefined && { innerFiles }),
    };
    return { ...read, subject, found };
  }
  return finding.kind === 'protected' ? { ...read, found: { isProtected: true } } : read;
}

/**
 * Checks a new name of an attachment. It may change everything except the type of the file.
 * @throws {DeskError} file_name_invalid, file_type_mismatch
 */
export function assertRename(attachment: StoredAttachment, fileName: string): void {
  assertFileName(fileName);
  if (extensionOf(fileName) !== extensionOf(attachment.fileName)) {
    throw new DeskError('file_type_mismatch', { fileName, contentType: attachment.contentType });
  }
}
