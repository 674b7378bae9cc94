import type { Attachment } from '#shared/desk/reports/reports.ts';
import { isPictureName, type PhotoRule } from '#shared/photos/picture-kinds.ts';
import type { FileAccess } from '../../transport/files.ts';
import type { PhotoStudio } from './photo-studio.ts';
import { type PhotoPlace, type ReadyPhoto, readyPhoto, storePhoto } from './ready-photo.ts';

/**
 * Sorts the photos that have a time of capture by this time. Every other file stays in its place.
 */
export async function inOrderOfCapture(files: readonly File[]): Promise<readonly File[]> {
  const moments = new Map<File, string>();
  for (const file of files) {
    // A file that cannot be read is refused by name when its turn comes.
    const takenAt = isPictureName(file.name) ? await captureOf(file).catch(() => null) : null;
    if (takenAt !== null) moments.set(file, takenAt);
  }
  const timed = [...moments].sort(([, one], [, other]) => one.localeCompare(other));
  let next = 0;
  return files.map((file) => (moments.has(file) ? (timed[next++]?.[0] ?? file) : file));
}

/**
 * The number of bytes that are searched first. A JPEG has EXIF at its beginning; a HEIC or a TIFF
 * may have it at its end.
 */
const exifHeadBytes = 256 * 1024;

async function captureOf(file: File): Promise<string | null> {
  const { readExif } = await import('#shared/photos/read-exif.ts');
  const head = readExif(await file.slice(0, exifHeadBytes).arrayBuffer()).takenAt;
  if (head !== null || file.size <= exifHeadBytes) return head;
  return readExif(await file.arrayBuffer()).takenAt;
}

/** Adds files to drafts and batches. Photos are made ready to be sent before they are stored. */
export function createPhotoIntake({
  studio,
  files,
  rule,
}: {
  readonly studio: PhotoStudio;
  readonly files: Pick<FileAccess, 'addAttachment' | 'replaceAttachment' | 'setRendition'>;
  readonly rule: () => PhotoRule;
}) {
  /** The files that are being made ready, or are about to be. */
  const waiting = new Map<File, Promise<ReadyPhoto | null>>();

  /** Begins to make a file ready. */
  function prepare(file: File): void {
    if (waiting.has(file)) return;
    const preparing = readyPhoto({ content: file, fileName: file.name }, { studio, rule: rule() });
    // The caller that takes the file gets the error. There may be no such caller.
    preparing.catch(() => undefined);
    waiting.set(file, preparing);
  }

  /**
   * Stores a file in its place and, for a photo, also what is sent of it.
   * @param put see `PhotoPlace`; its answer about a file that is no photo is not needed
   * @throws {DeskError} before anything is stored if the file cannot be taken
   */
  async function take(file: File, put: PhotoPlace['put']): Promise<readonly Attachment[]> {
    prepare(file);
    try {
      const photo = await waiting.get(file);
      if (photo) return await storePhoto(files, { put }, photo);
      await put(file, false);
      return [];
    } finally {
      waiting.delete(file);
    }
  }

  /**
   * Adds a file to a draft. @returns the added files; each further page of a scan is a separate
   * file
   */
  async function add(draftId: string, file: File): Promise<readonly Attachment[]> {
    const added: Attachment[] = [];
    const stored = await take(file, async (original, isSeen) => {
      const options = { isSalvageSale: false, isSeen };
      const one = await files.addAttachment(draftId, original, options);
      added.push(one);
      return isSeen ? null : { draftId, id: one.id };
    });
    return stored.length > 0 ? stored : added;
  }

  /** Puts a file in the place of another one of the draft. */
  async function replace(draftId: string, id: string, file: File): Promise<void> {
    await take(file, async (original, isSeen) => {
      await files.replaceAttachment(draftId, id, original, isSeen);
      return isSeen ? null : { draftId, id };
    });
  }
  return { prepare, take, add, replace };
}
