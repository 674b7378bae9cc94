import type { DocumentContentType } from '#shared/api/document.ts';

/** A way in which a copy, a disk or a connection spoils a part of a file. */
export type Spoiling = 'cut' | 'zeroed' | 'repeated' | 'swapped';

export interface HalfFile {
  readonly spoiling: Spoiling;
  /** The offset of the spoiled part in bytes. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** The usual size of a disk's and a transfer's block. In a small file the part is smaller. */
const partMaxBytes = 4096;

const spoilings: Readonly<Record<Spoiling, (bytes: Buffer, at: number, length: number) => Buffer>> =
  {
    cut: (bytes, at) => bytes.subarray(0, at),
    zeroed: (bytes, at, length) =>
      Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + length)),
    repeated: (bytes, at, length) =>
      Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
    swapped: (bytes, at, length) =>
      Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(at + length, at + 2 * length),
        bytes.subarray(at, at + length),
        bytes.subarray(at + 2 * length),
      ]),
  };
const spoilingNames = Object.keys(spoilings) as Spoiling[];

/**
 * Spoils a file in each way at a number of evenly spread offsets. Results that equal the original
 * are omitted.
 */
export function halfFiles(bytes: Buffer, places: number): HalfFile[] {
  const length = Math.max(1, Math.min(partMaxBytes, Math.floor(bytes.length / 20)));
  return Array.from({ length: places }, (_, place) =>
    Math.floor(((place + 0.5) * bytes.length) / places),
  ).flatMap((at) =>
    spoilingNames.flatMap((spoiling) => {
      const spoiled = spoilings[spoiling](bytes, at, length);
      return spoiled.equals(bytes) ? [] : [{ spoiling, at, bytes: spoiled }];
    }),
  );
}

/** A whole file. The table of results groups files by kind. */
export interface WholeFile {
  readonly kind: string;
  readonly name: string;
  readonly contentType: DocumentContentType;
  readonly bytes: Buffer;
}
