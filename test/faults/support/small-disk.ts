import { ftruncateSync, openSync, readdirSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const pageBytes = 4096;
const piece = Buffer.alloc(256 * 1024, 1);

/** A small disk of its own, made full and emptied again by a file that is nobody's. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves exactly so many bytes free; a multiple of the page size. */
  leave(freeBytes: number): void;
  makeRoom(): void;
  /** Files that a broken-off write left behind, anywhere on it. */
  leftOver(): string[];
}

/** @param path a tmpfs, whose free space is exact to the page */
export function openSmallDisk(path: string): SmallDisk {
  const ballast = openSync(join(path, 'ballast'), 'a');
  const freeNow = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    leave(freeBytes) {
      for (let left = freeNow() - freeBytes; left > 0; left = freeNow() - freeBytes) {
        writeSync(ballast, piece, 0, Math.min(left, piece.length));
      }
      if (freeNow() !== freeBytes) throw new Error('the disk could not be filled to the page');
    },
    makeRoom: () => ftruncateSync(ballast, 0),
    leftOver: () =>
      readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.tmp$|\.part$|writing-|unfinished/.test(name),
      ),
  };
}

/**
 * Free space to try with: small steps near the point at which databases fail, then larger ones.
 * @param stride pages between the first steps, and how quickly they grow
 */
export function* freeSteps(maxBytes: number, stride: number): Generator<number> {
  let pages = 0;
  for (
    ;
    pages * pageBytes <= maxBytes;
    pages += Math.max(stride, Math.floor((pages * stride) / 3))
  ) {
    yield pages * pageBytes;
  }
}
