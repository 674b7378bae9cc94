import PostalMime, { type Address, type Attachment, type Header } from 'postal-mime';
import { decodeText } from './decode-text.ts';
import { extensionOf, typeOfName } from './file-type.ts';
import { textOfHtml } from './html-text.ts';
import { withNamedEncodings } from './mail-encodings.ts';
import { isEncrypted, signedContent } from './signed-content.ts';
import { type UuFile, uuFilesIn } from './uuencode.ts';
import { visibleText } from './visible-text.ts';
import { foldText, wordsOf } from './words.ts';

/**
 * A mail as the user reads it. It has only texts, so that nothing of the mail runs, is drawn or is
 * fetched.
 */
export interface MailMessage {
  readonly subject: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /**
   * The date as ISO 8601 if it can be read; otherwise as the mail writes it. It is null if the mail
   * has none.
   */
  readonly sentAt: string | null;
  readonly text: string;
  /** The plain form of the mail, if it says something else than the text; otherwise empty. */
  readonly plainText: string;
  /** Whether a text is cut off. */
  readonly isCut: boolean;
  /** Whether the text is encrypted, so that only mail programs show it. */
  readonly isSealed: boolean;
  readonly attachments: readonly MailAttachment[];
  /** The files behind the first thousand, which are named and not read. */
  readonly leftOut: readonly Omit<MailAttachment, 'content'>[];
}

export interface MailAttachment {
  /**
   * The name of the file; empty if the mail names none. A mail in the mail is named by its subject
   * then.
   */
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const textMax = 300_000;
const attachmentsMax = 1_000;
/** No mail of 50 MB has so many; they would be a list without end. */
const leftOutMax = 1_000;
const peopleMax = 100;
const lineMax = 1_000;
const headMax = 64 * 1024;
/** Characters of a sentence or two. */
const stubMax = 300;
const mailType = 'message/rfc822';
/** Signed mails in signed mails; real ones have two. */
const signaturesMax = 5;
const parsing = {
  maxNestingDepth: 20,
  maxHeadersSize: 1024 * 1024,
  attachmentEncoding: 'arraybuffer',
  // Inlined they would get labels in English, and could not be saved as what they are.
  forceRfc822Attachments: true,
} as const;

/**
 * Reads a mail and decodes its headers. Links and pictures of its HTML are left out.
 * @param signatures how many signatures this mail is in
 * @throws {RangeError} more files than can be named
 */
export async function readMessage(bytes: Uint8Array, signatures = 0): Promise<MailMessage> {
  const { bytes: whole, hasForms } = withNamedEncodings(withoutMailboxLine(withLineFeeds(bytes)));
  const mail = await PostalMime.parse(whole, parsing);
  const { lines, files } = uuFilesIn((mail.text ?? '').split('\n'));
  const found = [...mail.attachments, ...files.map(uuAttachment)];
  const read = textsOf({ html: mail.html ?? '', text: lines.join('\n') }, hasForms);
  const isEmpty = read.text === '' && found.length === 0;
  const text = isEmpty ? textWithoutParts(whole, mail.headers) : read.text;
  if (found.length > attachmentsMax + leftOutMax) throw new RangeError('files');
  const attachments = await Promise.all(found.slice(0, attachmentsMax).map(attachmentOf));
  const leftOut = found.slice(attachmentsMax).map(({ filename, mimeType }) => {
    return { fileName: lineOf(filename ?? ''), contentType: lineOf(mimeType) };
  });
  const head = {
    subject: lineOf(mail.subject ?? ''),
    from: peopleOf(mail.from ? [mail.from] : []),
    to: peopleOf(mail.to ?? []),
    cc: peopleOf(mail.cc ?? []),
    sentAt: mail.date === undefined ? null : lineOf(mail.date),
  };
  const type = mail.headers.find(({ key }) => key === 'content-type')?.value ?? '';
  const [alone] = text === '' && attachments.length === 1 ? attachments : [];
  const isSecured = alone !== undefined && isSecuredMail(alone);
  const signed = isSecured ? signedContent(alone.content) : null;
  if (signed && signatures < signaturesMax && isMail(signed))
    return { ...(await readMessage(signed, signatures + 1)), ...head };
  return {
    ...head,
    text: visibleText(text.slice(0, textMax)),
    plainText: visibleText(read.plainText.slice(0, textMax)),
    isCut: text.length > textMax || read.plainText.length > textMax,
    isSealed: (isSecured && isEncrypted(alone.content)) || /^multipart\/encrypted/i.test(type),
    attachments,
    leftOut,
  };
}

/**
 * Whether a file is a mail that S/MIME signed or encrypted. Gateways name it as any file, so its name
 * counts too (RFC 8551, 3.9).
 */
export const isSecuredMail = ({ fileName, contentType }: MailAttachment) =>
  /^application\/(?:x-)?pkcs7-mime$/i.test(contentType) ||
  (/^application\/octet-stream$/i.test(contentType) && extensionOf(fileName) === 'p7m');

/** Whether signed content is a mail. Any other file may be signed alike, such as an invoice. */
function isMail(content: Uint8Array): boolean {
  const [head = ''] = latin1(content.subarray(0, headMax)).split(/\r?\n\r?\n/, 1);
  return /^[\w-]+:/.test(head) && /^content-type:/im.test(head);
}

/** The subject of a mail, of which the beginning is enough. */
export async function readSubject(beginning: Uint8Array): Promise<string> {
  const whole = withoutMailboxLine(withLineFeeds(beginning));
  const head = latin1(whole.subarray(0, headMax));
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length;
  const named = withNamedEncodings(whole.subarray(0, end));
  const { subject = '' } = await PostalMime.parse(named.bytes, parsing);
  return lineOf(subject);
}

/**
 * A plain form that has all figures and most words of the HTML is as its writer set it. Another one
 * is a stub, such as "your program shows no HTML", or says something else: then both are shown.
 */
function textsOf(
  { html, text }: { html: string; text: string },
  hasForms: boolean,
): { text: string; plainText: string } {
  const plain = text.trim();
  const rich = textOfHtml(html);
  // Without forms, the HTML has all parts of the mail.
  if (rich !== '' && !hasForms) return { text: rich, plainText: '' };
  if (plain === '' || rich === '') return { text: plain || rich, plainText: '' };
  const ofPlain = new Set(wordsOf(foldText(plain)));
  const ofRich = new Set(wordsOf(foldText(rich)));
  const missing = without(ofRich, ofPlain);
  if (!hasFigure(missing) && missing.length <= ofRich.size / 2)
    return { text: plain, plainText: '' };
  const isStub = plain.length <= stubMax && !hasFigure(without(ofPlain, ofRich));
  return { text: rich, plainText: isStub ? '' : plain };
}

const without = (words: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...words].filter((word) => !others.has(word));
const hasFigure = (words: readonly string[]) => words.some((word) => /\p{N}/u.test(word));

type FoundFile = Pick<Attachment, 'filename' | 'mimeType' | 'content'>;

/** A file that the mail has in its text. */
const uuAttachment = ({ fileName, content }: UuFile): FoundFile => ({
  filename: fileName,
  mimeType: typeOfName(fileName) ?? 'application/octet-stream',
  content,
});

async function attachmentOf({ filename, mimeType, content }: FoundFile): Promise<MailAttachment> {
  const bytes = bytesOf(content);
  const contentType = lineOf(mimeType);
  const named = lineOf(filename ?? '');
  if (contentType !== mailType) return { fileName: named, contentType, content: bytes };
  // A subject that cannot be read is no reason to lose the file.
  const name = named || (await readSubject(bytes).catch(() => ''));
  const isWhole = name === '' || extensionOf(name) === 'eml';
  return { fileName: isWhole ? name : `${name}.eml`, contentType, content: bytes };
}

const latin1 = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Lines of an old Macintosh end with a carriage return alone, which the parser does not know. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(lineFeed)) return bytes;
  return bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte));
}

/**
 * Removes what mailboxes put before a mail: a byte order mark, blank lines and the line of the
 * mailbox.
 */
function withoutMailboxLine(bytes: Uint8Array): Uint8Array {
  const head = latin1(bytes.subarray(0, 4096));
  const before = /^(?:\u00ef\u00bb\u00bf)?(?:[ \t]*\r?\n)*(?:>?From [^\r\n]*\r?\n)?/.exec(head);
  return bytes.subarray(before?.[0].length ?? 0);
}

/** The raw text of a mail that declares parts but has none, for example after a damaged head. */
function textWithoutParts(bytes: Uint8Array, headers: readonly Header[]): string {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (!/^multipart\//i.test(type)) return '';
  const text = decodeText(bytes.subarray(0, 2 * textMax), bytes.length > 2 * textMax);
  const body = /\r?\n\r?\n([^]*)/.exec(text)?.[1]?.trim() ?? '';
  const [, quoted, bare] = /boundary=(?:"([^"]*)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  return boundary !== undefined && body.includes(`--${boundary}`) ? '' : body;
}

function peopleOf(addresses: readonly Address[]): string[] {
  const single = addresses.flatMap((one) => one.group ?? [one]);
  return single.slice(0, peopleMax).map(({ name, address }) => {
    if (name === '' || name === address) return lineOf(address);
    return lineOf(address === '' ? name : `${name} <${address}>`);
  });
}

const lineOf = (text: string): string =>
  visibleText(text.slice(0, lineMax))
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return new Uint8Array(content);
}
