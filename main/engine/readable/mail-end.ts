import { endsWithinLetter } from '#shared/lib/cut-letter.ts';
import type { Part } from './mail-parts.ts';

/*
 * Nothing closes a mail of one part, so a cut shows only within what is written at its end. A letter
 * that is not whole proves it; what programs also write of a whole mail makes it likely.
 */

type MailEnd = 'whole' | 'likelyCut' | 'cut';

/** A line that only an encoder breaks: it writes at most 76 characters (RFC 2045, 6.7). */
const brokenLineMin = 70;
/** Line ends that a program added or took away at the end, bytes. */
const lengthTolerance = 4;

/** @param part that the end of the file ends; null if a delimiter stands behind it */
export function endOf(part: Part | null): MailEnd {
  if (part === null) return 'whole';
  const { type, encoding, body } = part;
  // "=4" is the half of a letter.
  if (encoding === 'quoted-printable' && /=[\dA-F]$/i.test(body.at(-1) ?? '')) return 'cut';
  const bytes = bytesOf(part);
  const isText = type === '' || type.startsWith('text/');
  if (isText && endsWithinLetter(bytes)) return 'cut';
  const text = bytes.toString('latin1');
  const isLikely =
    !part.hasBody ||
    isShorter(part) ||
    (encoding === 'quoted-printable' && isBrokenOff(body)) ||
    (type === 'text/html' && isOpenHtml(text)) ||
    (isText && part.isFlowed && isOpenParagraph(text));
  return isLikely ? 'likelyCut' : 'whole';
}

function bytesOf({ encoding, body }: Part): Buffer {
  if (encoding === 'base64') return Buffer.from(body.join(''), 'base64');
  const text = body.join('\n');
  if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1');
  const unquoted = text
    .replaceAll(/=[ \t]*(?:\n|$)/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return Buffer.from(unquoted, 'latin1');
}

/** Some mail programs and boxes say how long the body is. */
function isShorter({ body, statedBytes }: Part): boolean {
  if (statedBytes === null) return false;
  const lineFeeds = body.length - 1;
  const bytes = body.reduce((sum, line) => sum + line.length, 0) + 2 * lineFeeds;
  return bytes + lengthTolerance < statedBytes;
}

/**
 * Whether the text ends with the mark "=", after which a line goes on. Some encoders write it after a
 * text that has no line end. That last line is rarely as long as the lines that an encoder breaks.
 */
function isBrokenOff(body: readonly string[]): boolean {
  const last = body.at(-1) === '' ? body.at(-2) : body.at(-1);
  if (last === undefined || !last.trimEnd().endsWith('=')) return false;
  return body.at(-1) !== '' || last.length >= brokenLineMin;
}

/** Whether HTML ends within a tag, or before the end of its document. */
function isOpenHtml(text: string): boolean {
  const start = text.lastIndexOf('<');
  const isInTag = start > text.lastIndexOf('>') && /^<[a-z/!]/i.test(text.slice(start, start + 2));
  return isInTag || (/<html[\s>]/i.test(text) && !/<\/html\s*>/i.test(text));
}

/** A blank at the end of a line means that its paragraph goes on, but for the mark of a signature. */
function isOpenParagraph(text: string): boolean {
  const last = text.split(/\r\n|\n|\r/).findLast((line) => line !== '') ?? '';
  return last.endsWith(' ') && last.trim() !== '' && last !== '-- ';
}
