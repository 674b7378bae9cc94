import { trimEndOf } from './trim-end.ts';

/** The longest name on all systems: 255 bytes, minus room for a number and a mark. */
const maxBytes = 200;

/** The names of devices of Windows, with any extension (Microsoft, "Naming Files, Paths"). */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * Makes a server's file name safe inside a folder of any system. The extension stays, because the
 * system uses it to choose the program.
 */
export function safeFileName(fileName: string): string {
  const name = fileName
    .toWellFormed()
    // A bidi control can make a name look like another one (gpj.exe in reverse); a line separator
    // breaks a list of names. The desk shows a sign that it took out as U+FFFD.
    .replaceAll(/[/\\:*?"<>|\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\uFFFD]/gu, '_')
    // A program could treat a name that begins with a hyphen as an option.
    .replace(/^(?:\.+|-)/, '_');
  const safe = cut(trimEndOf(name, '. '));
  return safe === '' || reserved.test(safe) ? `_${safe}` : safe;
}

function cut(name: string): string {
  const point = name.lastIndexOf('.');
  const extension = point > 0 && name.length - point <= 10 ? name.slice(point) : '';
  let room = maxBytes - utf8Length(extension);
  let stem = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= utf8Length(character);
    if (room < 0) break;
    stem += character;
  }
  return trimEndOf(stem, '. ') + extension;
}

/** The length of a text in bytes of UTF-8 (RFC 3629 section 3). */
export function utf8Length(text: string): number {
  let size = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return size;
}

const systemNames =
  /^(?:\.|~\$|__macosx$|\$recycle\.bin$|icon\r$|(?:eh)?thumbs\.db$|desktop\.ini$|system volume information$)/i;

/**
 * A file named `.NAME.icloud` is a placeholder for a file that is in iCloud and not on the disk.
 */
const cloudPlaceholder = /^\.[^/]+\.icloud$/i;

/**
 * Whether the name of the file, or of a folder in its path, is one that systems and programs leave
 * behind. A placeholder of a cloud does not count, because it represents a file of the user.
 */
export function isSystemFile(path: string): boolean {
  return path.split('/').some((name) => systemNames.test(name) && !cloudPlaceholder.test(name));
}
