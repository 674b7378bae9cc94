/**
 * Text of a file whose encoding nobody names: by its byte order mark, else UTF-8, else what Windows
 * or, if its letters show it, an older Mac writes in Switzerland.
 *
 * @param isBeginning whether more follows, so that the last character may be cut in two
 */
export function decodeText(bytes: Uint8Array, isBeginning = false): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning });
  } catch {
    return new TextDecoder(isMacRoman(bytes) ? 'macintosh' : 'windows-1252').decode(bytes);
  }
}

/** ä ö ü é è à ç ê Ä Ö Ü in Windows-1252; in Mac Roman rare signs. */
const windowsLetters = new Set([
  ...[0xe4, 0xf6, 0xfc, 0xe9, 0xe8, 0xe0, 0xe7, 0xea, 0xc4, 0xd6, 0xdc],
]);
/** ü à ç è ê in Mac Roman; in Windows-1252 signs that stand next to no letter. */
const macLetters = new Set([0x9f, 0x88, 0x8d, 0x8f, 0x90]);
/** ä é in Mac Roman; in Windows-1252 Š Ž, which begin a name. */
const macInside = new Set([0x8a, 0x8e]);

const isSmall = (byte = 0) => byte >= 0x61 && byte <= 0x7a;
const isLetter = (byte = 0) => isSmall(byte) || isSmall(byte | 0x20);

function isMacRoman(bytes: Uint8Array): boolean {
  let isFound = false;
  for (const [at, byte] of bytes.entries()) {
    if (windowsLetters.has(byte)) return false;
    const [before, after] = [bytes[at - 1], bytes[at + 1]];
    isFound ||= macLetters.has(byte) && (isLetter(before) || isLetter(after));
    isFound ||= macInside.has(byte) && isSmall(before);
  }
  return isFound;
}
