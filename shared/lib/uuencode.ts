import { joinBytes } from '../photos/bytes.ts';

/*
 * Files that old mail programs write into the text of a mail (POSIX, "uuencode"): a line with mode
 * and name, lines of which the first character says how many bytes follow, and a line `end`.
 */

export interface UuFile {
  readonly fileName: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

interface UuText {
  /** The lines that belong to no file. */
  readonly lines: readonly string[];
  readonly files: readonly UuFile[];
  /** A file has no end. */
  readonly isCut: boolean;
}

const begin = /^begin [0-7]{3,4} (\S.*)$/;
/** The characters stand for six bits each; a blank and a grave accent are zero. */
const firstCharacter = 0x20;
const encoded = /^[ -`]+$/;

/** Takes the files out of a text. Lines that only resemble a file stay in the text. */
export function uuFilesIn(lines: readonly string[]): UuText {
  const left: string[] = [];
  const files: UuFile[] = [];
  let isCut = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, fileName] = begin.exec(line.trimEnd()) ?? [];
    const read = fileName === undefined ? null : dataFrom(lines, at + 1);
    if (fileName === undefined || read === null) {
      left.push(line);
      continue;
    }
    if (read.end === null) isCut = true;
    files.push({ fileName, content: read.content });
    at = read.end ?? lines.length;
  }
  return { lines: left, files, isCut };
}

/**
 * The bytes of the lines behind the first one.
 * @returns null if no line of data follows; an `end` of null if the lines end before it
 */
function dataFrom(lines: readonly string[], from: number) {
  const pieces: Uint8Array[] = [];
  let end: number | null = null;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trimEnd() === 'end') end = at;
    const bytes = end === null ? bytesOfLine(line) : null;
    if (bytes === null) break;
    pieces.push(bytes);
  }
  const content = joinBytes(pieces);
  return content.length > 0 ? { content, end } : null;
}

const valueAt = (line: string, at: number) =>
  at < line.length ? (line.charCodeAt(at) - firstCharacter) & 63 : 0;

/** Null if it is no line of data. Mail servers remove blanks at its end, which are zeros. */
function bytesOfLine(line: string): Uint8Array | null {
  if (line.trim() === '') return new Uint8Array(0);
  const count = valueAt(line, 0);
  const letters = Math.ceil(count / 3) * 4;
  // Some programs add a character that is a sum.
  if (!encoded.test(line) || line.trimEnd().length > letters + 2) return null;
  // Fewer letters than a line of text has: blanks alone do not make up for that.
  if (line.length - 1 < letters / 2) return null;
  const bytes = new Uint8Array(letters);
  for (let at = 1, to = 0; to < count; at += 4, to += 3) {
    const four = [0, 1, 2, 3].map((next) => valueAt(line, at + next));
    const [a = 0, b = 0, c = 0, d = 0] = four;
    bytes.set([(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d], to);
  }
  return bytes.subarray(0, count);
}
