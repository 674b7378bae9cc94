/** A file with its place in what was dropped or chosen, with slashes. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File;
}

const filesMax = 10_000;

/** Files of a folder that was chosen. */
export function chosenFiles(list: FileList): PlacedFile[] {
  return [...list]
    .slice(0, filesMax)
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Every file of what was dropped, folders opened; what cannot be read is left out. */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  // The list of items is empty as soon as the event is over.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: PlacedFile[] = [];
  for (const entry of entries) await collect(entry, found);
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
  const reader = entry.createReader();
  for (;;) {
    // A folder is read in parts; an empty one is the end.
    const part = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (part.length === 0) return;
    for (const inner of part) await collect(inner, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
