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
import type { Problem } from './problem.ts';
import { readWhole } from './desk-bytes.ts';

/** How a file can be shown inside the window. */
export type Preview = 'pdf' | 'image' | 'converted' | 'text' | 'mail' | 'none';

/** Image types that every supported browser can draw, a WebP without its orientation. */
const drawable = ['image/jpeg', 'image/png', 'image/webp'];
/** Image types that the photos' worker turns into JPEG to be shown. */
const convertible = ['image/heic', 'image/tiff', 'image/webp'];
/** What is handled as a photo. */
export const photoTypes: readonly string[] = [...drawable, ...convertible];

export function previewOf(contentType: string): Preview {
  if (contentType === 'application/pdf') return 'pdf';
  if (convertible.includes(contentType)) return 'converted';
  if (drawable.includes(contentType)) return 'image';
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

/** Whether the window can draw it, and so turn it, reduce it and put it on a sheet. */
export const isPhoto = (contentType: string): boolean => drawable.includes(contentType);

/** Gives bytes to the user as the browser or the desktop shell saves any file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has its own reference to the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Saves a copy of a file of the desk. The bytes are fetched first: a link to them would leave the
 * page, and could not show why it failed.
 * @throws {DeskError} why the desk does not give them
 */
export async function saveCopy(name: string, address: string): Promise<void> {
  saveFile(name, await readWhole(address));
}

export async function base64Of(content: Blob): Promise<string> {
  let text = '';
  for (const byte of new Uint8Array(await content.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

/** A file with its place in what was dropped or chosen, with slashes. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File;
}

/** A file on its way into a report; with a problem, it was refused. */
export interface IncomingFile {
  readonly key: number;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly problem: Problem | null;
}

const filesMax = 10_000;

/** Files of a folder that was chosen. */
export function chosenFiles(list: readonly File[]): PlacedFile[] {
  return list
    .slice(0, filesMax)
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/**
 * Every file of what was dropped, in order; folders are opened, and their files come by name. What
 * cannot be read is left out.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  // The list of items is empty as soon as the event is over.
  const dropped = [...transfer.items].flatMap(
    // A picture out of another program is a file without a place on a disk.
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
    const file = await new Promise<File | null>((resolve) =>
      entry.file(resolve, () => resolve(null)),
    );
    if (file) found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  if (!isFolder(entry)) return;
  const entries = await entriesOf(entry);
  // A folder gives them in no order that the user knows.
  for (const inner of entries.sort((a, b) => byName.compare(a.name, b.name)))
    await collect(inner, found);
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // A folder is read in parts; an empty one is the end.
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
