import type { Attachment } from '#shared/desk/reports/reports.ts';

/**
 * A row in the list of a report's files: one file, or consecutive photos as a group. `index` is the
 * position of its first file.
 */
export type FileBlock =
  | { readonly kind: 'file'; readonly index: number; readonly file: Attachment }
  | { readonly kind: 'photos'; readonly index: number; readonly photos: readonly Attachment[] };

/** Fewer consecutive photos take no more room as rows. */
const groupMin = 4;

/**
 * Returns the files of a report in their order, with consecutive photos as groups.
 * @param isGrouped whether a file may stand in a group, because its row would show its name alone
 */
export function blocksOf(
  files: readonly Attachment[],
  isGrouped: (file: Attachment) => boolean,
): FileBlock[] {
  const runs: { index: number; isPhotos: boolean; files: Attachment[] }[] = [];
  for (const [index, file] of files.entries()) {
    const isPhotos = isGrouped(file);
    const run = runs.at(-1);
    if (isPhotos && run?.isPhotos) run.files.push(file);
    else runs.push({ index, isPhotos, files: [file] });
  }
  return runs.flatMap(({ index, isPhotos, files: ofRun }): FileBlock[] =>
    isPhotos && ofRun.length >= groupMin
      ? [{ kind: 'photos', index, photos: ofRun }]
      : ofRun.map((file, at) => ({ kind: 'file', index: index + at, file })),
  );
}

const sizeOf = (block: FileBlock): number => (block.kind === 'photos' ? block.photos.length : 1);

/**
 * Returns the position at which the file of a block arrives that moves by one block. It is outside
 * of the list if the block is its first or last one.
 */
export function stepOf(blocks: readonly FileBlock[], at: number, by: 1 | -1): number {
  const next = blocks[at + by];
  return (blocks[at]?.index ?? 0) + by * (next ? sizeOf(next) : 1);
}

/** Returns the position at which a file arrives that is dropped on a block: in its place. */
export function dropPlace(block: FileBlock, from: number): number {
  return from < block.index ? block.index + sizeOf(block) - 1 : block.index;
}
