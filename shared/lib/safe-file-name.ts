/** The longest name on all systems: 255 bytes, less room for a number and a mark. */
const maxBytes = 200;

/** Devices of Windows, with any extension (Microsoft, "Naming Files, Paths"). */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * Makes a server's file name safe inside a folder of any system. The extension stays, because the
 * system chooses the program by it.
 */
export function safeFileName(fileName: string): string {
  const name = fileName
    .toWellFormed()
    // A bidi control can show gpj.exe reversed; a line separator breaks a list of names.
    .replaceAll(/[/\\:*?"<>|\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '_')
    // A program given the name would take one that begins with a hyphen for an option.
    .replace(/^(?:\.+|-)/, '_')
    .replace(/[. ]+$/, '');
  const safe = cut(name);
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
  return stem.replace(/[. ]+$/, '') + extension;
}

/** In bytes of UTF-8 (RFC 3629 section 3). */
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

/** Whether the file, or a folder in its path, has a name that systems and programs leave behind. */
export function isSystemFile(path: string): boolean {
  return path.split('/').some((name) => systemNames.test(name));
}
