import { base64Lines } from './base64-lines.ts';
import { decodeText } from './decode-text.ts';
import { uuFilesIn } from './uuencode.ts';

/** More of a text is not shown. */
const bodyMax = 4_000_000;
const boundariesMax = 1_000;

interface MailPart {
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

interface NamedMail {
  readonly bytes: Uint8Array;
  /** Whether it offers a text in several forms. */
  readonly hasForms: boolean;
}

/**
 * A mail of which every head is UTF-8 and every text names its encoding. Programs write names and
 * texts in the code page of their system without naming it; these are decoded by evidence. Bytes of
 * attachments, and of mails in the mail, stay as they are. What a mailing list added behind base64 is
 * left out, as in mail programs: the parser would read it as base64.
 */
export function withNamedEncodings(mail: Uint8Array): NamedMail {
  const parts = partsOf(mail);
  const named = parts.map((part) => withNamedEncoding(withoutUuencode(withoutFooter(part))));
  const isChanged = named.some((part, index) => part !== parts[index]);
  return {
    bytes: isChanged ? joined(named.flatMap(({ head, body }) => [head, body])) : mail,
    hasForms: parts.some(({ head }) => isOfForms(headerIn(latin1(head), 'content-type') ?? '')),
  };
}

const isOfForms = (type: string) => /^multipart\/alternative/i.test(type);

function withNamedEncoding(part: MailPart): MailPart {
  const head = isUtf8(part.head) ? part.head : encode(decodeText(part.head));
  const text = textOf(latin1(head), part.body);
  if (text === null) return head === part.head ? part : { head, body: part.body };
  // The first of two headers counts.
  return { head: joined([encode(text.head), head]), body: encode(text.body) };
}

function withoutFooter(part: MailPart): MailPart {
  const transfer = headerIn(latin1(part.head), 'content-transfer-encoding') ?? '';
  if (!/^base64/i.test(transfer)) return part;
  const lines = latin1(part.body).split(/\r\n|\n|\r/);
  const own = base64Lines(lines);
  if (own === null || own.length === lines.length) return part;
  return { head: part.head, body: encode([...own, ''].join('\r\n')) };
}

const isUuencoded = /^(?:x-)?uu(?:e|encode)?$/i;

/** The parser reads neither this way of writing bytes, nor the name that stands within it. */
function withoutUuencode(part: MailPart): MailPart {
  const head = latin1(part.head);
  if (!isUuencoded.test(headerIn(head, 'content-transfer-encoding') ?? '')) return part;
  const [file] = uuFilesIn(latin1(part.body).split(/\r\n|\n|\r/)).files;
  if (!file) return part;
  const isNamed = headerIn(head, 'content-disposition') !== null;
  const named = isNamed ? '' : `Content-Disposition: attachment; filename="${file.fileName}"\r\n`;
  const letters = base64Of(file.content).replaceAll(/.{76}/g, '$&\r\n');
  return {
    head: joined([encode(`Content-Transfer-Encoding: base64\r\n${named}`), part.head]),
    body: encode(`${letters}\r\n`),
  };
}

/** Base64 in steps of whole groups, because a call takes at most some ten thousand arguments. */
function base64Of(bytes: Uint8Array): string {
  const step = 3 * 4096;
  let text = '';
  for (let at = 0; at < bytes.length; at += step)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + step)));
  return text;
}

const encode = (text: string) => new TextEncoder().encode(text);
const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A character that the end cuts in two is one.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const utf7 = /^(?:unicode-1-1-)?utf-7$/i;
/** Not named, or named wrongly by many programs. */
const weakCharset = /^(?:|utf-?8|(?:us-)?ascii|x-user-defined)$/i;

/** Of MS-DOS and of old mails, for example. */
function isUnknownCharset(charset: string): boolean {
  try {
    void new TextDecoder(charset);
    return false;
  } catch {
    return true;
  }
}

/** A text whose encoding is not named, or named wrongly, with its headers; null for any other part. */
function textOf(head: string, body: Uint8Array): { head: string; body: string } | null {
  const [type = '', ...rest] = (headerIn(head, 'content-type') ?? 'text/plain').split(';');
  const isAttached = /^attachment/i.test(headerIn(head, 'content-disposition') ?? '');
  if (isAttached || !/^text\/(?:plain|html)\s*$/i.test(type)) return null;
  const [, charset = ''] = /(?:^|;)\s*charset\s*=\s*"?([^";\s]*)/i.exec(rest.join(';')) ?? [];
  if (!weakCharset.test(charset) && !isUnknownCharset(charset)) return null;
  const bytes = decoded(headerIn(head, 'content-transfer-encoding') ?? '', body);
  const isAscii = !utf7.test(charset) && !bytes.some((byte) => byte >= 0x80);
  if (isAscii || (isUtf8(bytes) && /^(?:|utf-?8)$/i.test(charset))) return null;
  const named = [`${type.trim()}; charset=utf-8`, ...rest].join(';');
  return {
    head: `Content-Type: ${named}\r\nContent-Transfer-Encoding: 8bit\r\n`,
    body: `${utf7.test(charset) ? decodeUtf7(latin1(bytes)) : decodeText(bytes, true)}\r\n`,
  };
}

/** RFC 2152: between a plus and a minus, UTF-16 in base64; `+-` is a plus. */
const decodeUtf7 = (text: string) =>
  text.replaceAll(/\+([a-z\d+/]*)-?/gi, (_, letters: string) => {
    if (letters === '') return '+';
    const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
    const bytes = bytesOf(atob(whole));
    return new TextDecoder('utf-16be').decode(bytes.subarray(0, bytes.length & ~1));
  });

/** A header with its value, which may go on in the next lines. */
export const headerExpression = (name: string): RegExp =>
  new RegExp(`^${name}[ \\t]*:((?:[^\\r\\n]|\\r?\\n[ \\t])*)`, 'im');

/** The value of the first header of this name, in one line. */
function headerIn(head: string, name: string): string | null {
  const found = headerExpression(name).exec(head);
  return found?.[1]?.replaceAll(/[\r\n]/g, '').trim() ?? null;
}

/** The bytes of a text, of the beginning of a long one. */
function decoded(transfer: string, body: Uint8Array): Uint8Array {
  const start = body.subarray(0, bodyMax);
  if (/^quoted-printable/i.test(transfer)) return bytesOf(unquoted(latin1(start)));
  if (!/^base64/i.test(transfer)) return start;
  const letters = latin1(start).replaceAll(/[^a-z\d+/]/gi, '');
  // A single letter over holds no byte.
  return bytesOf(atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters));
}

const unquoted = (text: string) =>
  text
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
/** Of a text with a byte for each character. */
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Heads end with their blank line, bodies with the line that separates them from the next head. */
function partsOf(mail: Uint8Array): MailPart[] {
  const boundaries = new Set<string>();
  const parts: MailPart[] = [];
  for (let from = 0; from < mail.length;) {
    const bodyAt = endOfHead(mail, from);
    const head = mail.subarray(from, bodyAt);
    noteBoundary(latin1(head), boundaries);
    const separator = nextSeparator(mail, bodyAt, boundaries);
    parts.push({ head, body: mail.subarray(bodyAt, separator.from) });
    if (separator.end > separator.from)
      parts.push({ head: mail.subarray(separator.from, separator.end), body: new Uint8Array() });
    from = separator.end;
  }
  return parts;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function endOfLine(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(lineFeed, from);
  return at < 0 ? bytes.length : at + 1;
}

function endOfHead(bytes: Uint8Array, start: number): number {
  for (let from = start; from < bytes.length;) {
    const end = endOfLine(bytes, from);
    const isBlank = bytes.subarray(from, end).every((b) => b === lineFeed || b === carriageReturn);
    if (isBlank) return end;
    from = end;
  }
  return bytes.length;
}

function noteBoundary(head: string, boundaries: Set<string>): void {
  const type = headerIn(head, 'content-type') ?? '';
  if (!/^multipart\//i.test(type) || boundaries.size >= boundariesMax) return;
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary !== undefined) boundaries.add(boundary);
}

/** The next line that ends a part and begins a head; nothing at the end without one. */
function nextSeparator(bytes: Uint8Array, start: number, boundaries: Set<string>) {
  for (let from = start; from < bytes.length;) {
    const end = endOfLine(bytes, from);
    const isMarked = bytes[from] === 0x2d && bytes[from + 1] === 0x2d;
    const name = isMarked ? latin1(bytes.subarray(from + 2, Math.min(end, from + 300))) : '';
    const boundary = name.trimEnd();
    if (boundaries.has(boundary)) return { from, end };
    // What follows the last part belongs to nothing.
    if (boundary.endsWith('--')) boundaries.delete(boundary.slice(0, -2));
    from = end;
  }
  return { from: bytes.length, end: bytes.length };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
