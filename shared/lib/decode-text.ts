import { joinBytes } from '../photos/bytes.ts';

/**
 * Decodes the text of a file whose encoding is not declared. The byte order mark decides first,
 * then the zero bytes of UTF-16, then valid UTF-8, then the Swiss code page in which the letters
 * make words. If a program added lines or cells to a file of another program, each has its own.
 * @param isBeginning whether the file continues, so that the last character may be cut in two
 */
export function decodeText(bytes: Uint8Array, isBeginning = false): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning });
  } catch {
    return decodeLines(bytes);
  }
}

const lineFeed = 0x0a;

/** Decodes what is UTF-8 as such, line by line, and all other bytes by one code page. */
function decodeLines(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const pieces: (string | Uint8Array)[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(lineFeed, at);
    const line = bytes.subarray(at, end < 0 ? bytes.length : end + 1);
    try {
      pieces.push(utf8.decode(line));
    } catch {
      pieces.push(...piecesOf(line));
    }
    at += line.length;
  }
  const page = likeliestPage(joinBytes(pieces.filter((piece) => typeof piece !== 'string')));
  return pieces.map((piece) => (typeof piece === 'string' ? piece : page.decode(piece))).join('');
}

/** A line with cells of several programs: its letters in UTF-8, and the bytes between them. */
function piecesOf(line: Uint8Array): (string | Uint8Array)[] {
  const pieces: (string | Uint8Array)[] = [];
  let from = 0;
  for (let at = 0; at < line.length; at += 1) {
    const letter = utf8LetterAt(line, at);
    if (letter === null) continue;
    pieces.push(line.subarray(from, at), letter);
    from = at + (letter > '\u07ff' ? 3 : 2);
    at = from - 1;
  }
  return [...pieces, line.subarray(from)];
}

/**
 * The letter or mark in UTF-8 at this place. In code pages its first byte is a letter or a sign that
 * stands in front of such a second one in none of our languages.
 */
function utf8LetterAt(bytes: Uint8Array, at: number): string | null {
  const [first = 0, second = 0, after = 0] = bytes.subarray(at, at + 3);
  if (first === 0xe2 && (second === 0x80 || second === 0x82)) {
    const mark = String.fromCharCode(((second & 63) << 6) | (after & 63) | 0x20_00);
    return after >= 0x80 && after <= 0xbf && usualMarks.has(mark) ? mark : null;
  }
  if (first < 0xc2 || first > 0xc5 || second < 0x80 || second > 0xbf) return null;
  const letter = String.fromCharCode(((first & 31) << 6) | (second & 63));
  if (usualLetters.has(letter) || usualMarks.has(letter)) return letter;
  // In Windows-1252 a letter with a mark behind it: the end of a sentence, unless the word goes on.
  const mark = pageOfWindows.upper[second - 0x80] ?? '';
  const isAWord = isCased(String.fromCharCode(after)) || !usualMarks.has(mark);
  return isCased(letter) && isAWord ? letter : null;
}

const isCased = (letter: string) => letter.toLowerCase() !== letter.toUpperCase();

/** The number of bytes that are examined. More bytes do not make the result better. */
const evidenceBytes = 64 * 1024;

/**
 * The UTF-16 order of the bytes, by the byte order mark. Without the mark, Western text has a zero
 * in every second byte.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(bytes.length, evidenceBytes) / 2);
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1)
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // A few bytes are no evidence.
  if (pairs < 8) return null;
  if (odd > pairs * 0.6 && even < pairs * 0.1) return 'utf-16le';
  return even > pairs * 0.6 && odd < pairs * 0.1 ? 'utf-16be' : null;
}

interface CodePage {
  /**
   * The line end of this code page's systems. It decides if the letters fit two pages equally well.
   */
  readonly lineEnd: '\r' | '\n';
  /** The characters of the upper half, 0x80 to 0xFF. */
  readonly upper: string;
  decode(bytes: Uint8Array): string;
}

const upperHalf = Uint8Array.from({ length: 128 }, (_, index) => 128 + index);

function pageOfPlatform(label: string, lineEnd: CodePage['lineEnd']): CodePage {
  const decoder = new TextDecoder(label);
  return { lineEnd, upper: decoder.decode(upperHalf), decode: (bytes) => decoder.decode(bytes) };
}

/** The code page of the command line of Windows and of MS-DOS. No runtime decodes it. */
const dosUpper =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

const codePage850: CodePage = {
  lineEnd: '\n',
  upper: dosUpper,
  decode(bytes) {
    let text = '';
    for (const byte of bytes)
      text += byte < 0x80 ? String.fromCharCode(byte) : (dosUpper[byte - 0x80] ?? '');
    return text;
  },
};

const pageOfWindows = pageOfPlatform('windows-1252', '\n');
const latin9 = pageOfPlatform('iso-8859-15', '\n');

const pageOfMac = pageOfPlatform('macintosh', '\r');

function likeliestPage(bytes: Uint8Array): CodePage {
  const evidence = bytes.subarray(0, evidenceBytes);
  const lineEnd = evidence.includes(0x0d) && !evidence.includes(0x0a) ? '\r' : '\n';
  // The order decides if the letters fit equally well.
  const pages = [isLatin9(evidence) ? latin9 : pageOfWindows, codePage850, pageOfMac];
  const scores = pages.map(
    (page) => scoreOf(page, evidence) + (page.lineEnd === lineEnd ? 0.5 : 0),
  );
  const best = Math.max(...scores);
  return pages[scores.indexOf(best)] ?? codePage850;
}

/**
 * ISO 8859-15 is Windows-1252 with other signs in eight places, and without those of 0x80 to 0x9F.
 * It shows by its euro, where Windows has a sign that nobody writes, and by `œ` before its vowel.
 */
function isLatin9(bytes: Uint8Array): boolean {
  const isEuro = (byte: number) => byte === 0xa4;
  const isLigature = (byte: number, at: number) =>
    (byte === 0xbc || byte === 0xbd) && /[uiUI]/.test(String.fromCharCode(bytes[at + 1] ?? 0));
  return (
    bytes.some((byte, at) => isEuro(byte) || isLigature(byte, at)) &&
    !bytes.some((byte) => byte >= 0x80 && byte < 0xa0)
  );
}

/** The letters of the languages of Switzerland and of common names there. */
const usualLetters = new Set('äöüÄÖÜéèêëàâçîïôûùÉÈÀÇßŠšŽž');
const otherLetters = /\p{L}/u;
const usualMarks = new Set('«»–—’‘“”„…°€§©®\u00a0½¼²³');

/**
 * A score of how well the upper half of a code page fits these bytes. A usual letter within a word
 * counts most. A mark in place of a letter, a control character or a table line counts against the
 * page.
 */
function scoreOf({ upper }: CodePage, bytes: Uint8Array): number {
  const letterAt = (at: number) => {
    const byte = bytes[at] ?? 0;
    return byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0x80] ?? '');
  };
  let score = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    const [before, letter, after] = [letterAt(at - 1), letterAt(at), letterAt(at + 1)];
    const isInWord = otherLetters.test(before) || otherLetters.test(after);
    if (usualLetters.has(letter)) score += isInWord ? 3 : 1;
    else if (otherLetters.test(letter)) score += isInWord ? 1 : 0;
    else if (usualMarks.has(letter))
      score += isBetweenLetters(before, after) && letter !== '’' ? -2 : 1;
    else score -= 3;
    // A capital letter begins a word.
    if (otherLetters.test(letter) && isCapital(letter) && isSmall(before)) score -= 3;
  }
  return score;
}

const isBetweenLetters = (before: string, after: string) =>
  otherLetters.test(before) && otherLetters.test(after);
const isCapital = (letter: string) => letter !== letter.toLowerCase();
const isSmall = (letter: string) => letter !== letter.toUpperCase();
