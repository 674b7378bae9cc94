import { base64Lines } from '#shared/lib/base64-lines.ts';
import { uuFilesIn } from '#shared/lib/uuencode.ts';
import type { FileReport } from './file-checker.ts';
import { endOf } from './mail-end.ts';
import { type Part, partOf, partsOf } from './mail-parts.ts';

const lineEnd = /\r\n|\n|\r/;
/** Headers are shorter, bytes. */
const headMax = 64 * 1024;
/** Mails in mails, and parts in parts; real ones have three or four. */
const depthMax = 20;

/**
 * A mail is whole if its header ends with its line (RFC 5322, 2.2), each of its multiparts has its
 * closing delimiter (RFC 2046, 5.1.1) and each base64 body ends with a whole group (RFC 2045, 6.8),
 * also if the text of a mailing list follows. A file in uuencode has its end, too. No text has a part
 * of zeros. What only makes it likely that the end is missing is named.
 */
export function checkMail(bytes: Uint8Array): FileReport {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split(lineEnd);
  if (isMailbox(lines)) return { kind: 'severalMails' };
  const mail = withoutMailboxLine(lines);
  if (!mail.includes('') || !isWhole(mail, 0)) return { kind: 'damaged', rule: 'mail_end' };
  if (hasZeros(mail, 0)) return { kind: 'damaged', rule: 'text_control' };
  const end = endOf(lastPart(mail, 0));
  if (end === 'cut') return { kind: 'damaged', rule: 'mail_end' };
  return { kind: 'readable', ...(end === 'likelyCut' && { looksDamaged: true }) };
}

/** The part that the end of the file ends; null if a delimiter shows that the parts are whole. */
function lastPart(lines: readonly string[], depth: number): Part | null {
  const part = partOf(lines);
  if (part.type === 'message/rfc822' && part.encoding !== 'base64' && depth < depthMax)
    return lastPart(part.body, depth + 1);
  return part.type.startsWith('multipart/') && part.boundary !== null ? null : part;
}

/** The type of a mail, such as that of a file alone which a scanner sends. */
export function typeOfMail(mail: Uint8Array): string {
  const head = Buffer.from(mail.subarray(0, headMax)).toString('latin1');
  return partOf(withoutMailboxLine(head.split(lineEnd))).type;
}

/** What a copy left out stands there as zeros; single ones come from programs. */
const zeros = '\0'.repeat(16);

/** Whether a header or a text has a part of zeros. A picture may have them, also unpacked. */
function hasZeros(lines: readonly string[], depth: number): boolean {
  if (depth > depthMax) return false;
  const { type, boundary, body } = partOf(lines);
  const areZeros = (line: string) => line.includes(zeros);
  if (lines.slice(0, lines.length - body.length).some(areZeros)) return true;
  if (type.startsWith('multipart/') && boundary !== null)
    return (partsOf(body, boundary) ?? []).some((part) => hasZeros(part, depth + 1));
  if (type === 'message/rfc822') return hasZeros(body, depth + 1);
  return (type === '' || type.startsWith('text/')) && body.some(areZeros);
}

/** The line that mailboxes put before each mail (RFC 4155): an address, and a time in English. */
const mailboxLine = /^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*\d{4}/;
const headerLine = /^[A-Za-z][A-Za-z\d-]*:/;

/** Whether a mailbox has a second mail. In the text of a mail such a line begins with `>`. */
function isMailbox(lines: readonly string[]): boolean {
  const first = lines.findIndex((line) => line !== '');
  if (first < 0 || !mailboxLine.test(lines[first] ?? '')) return false;
  return lines.some(
    (line, at) =>
      at > first &&
      lines[at - 1] === '' &&
      mailboxLine.test(line) &&
      headerLine.test(lines[at + 1] ?? ''),
  );
}

/** Mailboxes put a mark of the encoding, blank lines or their own line ("From ") before a mail. */
function withoutMailboxLine(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.replace(/^\xef\xbb\xbf/, '').trim() !== '');
  const from = Math.max(start, 0);
  return lines.slice(/^(?:\xef\xbb\xbf)?>?From /.test(lines[from] ?? '') ? from + 1 : from);
}

function isWhole(lines: readonly string[], depth: number): boolean {
  if (depth > depthMax) return true;
  const { type, boundary, encoding, body } = partOf(lines);
  if (type.startsWith('multipart/') && boundary !== null) {
    const parts = partsOf(body, boundary);
    return parts !== null && parts.every((part) => isWhole(part, depth + 1));
  }
  if (type === 'message/rfc822' && encoding !== 'base64') return isWhole(body, depth + 1);
  if (encoding === 'base64') {
    const letters = base64Lines(body);
    if (letters === null || type !== 'message/rfc822') return letters !== null;
    const inner = Buffer.from(letters.join(''), 'base64').toString('latin1').split(lineEnd);
    return isWhole(inner, depth + 1);
  }
  // Quoted letters would have to be decoded first, and nobody writes uuencode so.
  return encoding === 'quoted-printable' || !uuFilesIn(body).isCut;
}
