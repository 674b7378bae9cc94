import {
  mdiEmailOutline,
  mdiFileDocumentOutline,
  mdiFileExcelOutline,
  mdiFileImageOutline,
  mdiFileOutline,
  mdiFilePdfBox,
  mdiFileWordOutline,
  mdiFolderZipOutline,
} from '@mdi/js';
import { isPictureType, pictureKinds } from '#shared/photos/picture-kinds.ts';
import { UnreadableFile } from './chosen-file.ts';
import type { Problem } from './problem.ts';
import { readWhole } from './desk-bytes.ts';

/** The ways to show a file inside the window. */
export type Preview = 'pdf' | 'image' | 'converted' | 'text' | 'mail' | 'none';

export function previewOf(contentType: string): Preview {
  if (contentType === 'application/pdf') return 'pdf';
  if (isPictureType(contentType))
    return pictureKinds[contentType].shownBy === 'browser' ? 'image' : 'converted';
  if (contentType === 'message/rfc822') return 'mail';
  return contentType.startsWith('text/') ? 'text' : 'none';
}

export function fileIcon(contentType: string): string {
  if (contentType === 'application/pdf') return mdiFilePdfBox;
  if (contentType.startsWith('image/')) return mdiFileImageOutline;
  if (contentType === 'message/rfc822') return mdiEmailOutline;
  if (contentType === 'application/zip') return mdiFolderZipOutline;
  if (contentType.endsWith('.document')) return mdiFileWordOutline;
  if (contentType.endsWith('.sheet') || contentType === 'text/csv') return mdiFileExcelOutline;
  return contentType.startsWith('text/') ? mdiFileDocumentOutline : mdiFileOutline;
}

/** Whether the window can draw the file, and therefore turn it, reduce it and put it on a sheet. */
export const isPhoto = (contentType: string): boolean =>
  isPictureType(contentType) && pictureKinds[contentType].isDrawn;

/** Saves bytes like a download of the browser or the desktop shell. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // After this time the download has its own reference to the bytes.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Saves a copy of a file of the desk. The bytes are fetched first, because a link to them would
 * leave the page and could not show an error.
 * @throws {DeskError} the reason why the desk does not return them
 */
export async function saveCopy(name: string, address: string): Promise<void> {
  saveFile(name, await readWhole(address));
}

export async function base64Of(content: Blob): Promise<string> {
  let text = '';
  for (const byte of new Uint8Array(await content.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

/** A file with its path within what was dropped or chosen, with slashes. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File;
}

/** A file that is being added to a report. A file with a problem was refused. */
export interface IncomingFile {
  readonly key: number;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly problem: Problem | null;
}

const filesMax = 10_000;

/** The files of a folder that was chosen. */
export function chosenFiles(list: readonly File[]): PlacedFile[] {
  return list
    .slice(0, filesMax)
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** All files of a drop in order. Folders are opened, and their files are sorted by name. */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  // The list of items is empty after the event, so it is copied.
  const dropped = [...transfer.items].flatMap(
    // A picture from another program is a file without a path.
    (item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [],
  );
  const found: PlacedFile[] = [];
  for (const one of dropped) {
    if (one instanceof File) found.push({ path: one.name, file: one });
    else await collect(one, found);
  }
  return found;
}

async function collect(entry: FileSystemEntry, found: PlacedFile[]): Promise<void> {
  if (found.length >= filesMax) return;
  if (isFile(entry)) {
    // A file that cannot be opened is passed on, so that it is refused by name.
    const file = await new Promise<File>((resolve) =>
      entry.file(resolve, () => resolve(new UnreadableFile(entry.name))),
    );
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  if (!isFolder(entry)) return;
  const entries = await entriesOf(entry);
  // A folder returns its entries in an order that the user does not know.
  for (const inner of entries.sort((a, b) => byName.compare(a.name, b.name)))
    await collect(inner, found);
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // The browser returns a folder in parts. An empty part marks the end.
    const part = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}

const byName = new Intl.Collator('de-CH', { numeric: true });
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
