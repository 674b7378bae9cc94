import { convert } from 'html-to-text';
import PostalMime, { type Address, type Header } from 'postal-mime';
import { decodeText } from './decode-text.ts';

/** A mail as its reader sees it: texts only, so that nothing of it runs, is drawn or is fetched. */
export interface MailMessage {
  readonly subject: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** As ISO 8601 if the mail names a moment, otherwise as it is written; null if it has none. */
  readonly sentAt: string | null;
  readonly text: string;
  /** Only the beginning of its text, or not all of its files. */
  readonly isCut: boolean;
  readonly attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  /** Empty if the mail names none. */
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const textMax = 300_000;
const htmlMax = 2_000_000;
const attachmentsMax = 100;
const peopleMax = 100;
const lineMax = 1_000;
const parsing = {
  maxNestingDepth: 20,
  maxHeadersSize: 1024 * 1024,
  attachmentEncoding: 'arraybuffer',
} as const;

/** Reads a mail with its headers decoded. Links and pictures of its HTML are left out. */
export async function readMessage(bytes: Uint8Array): Promise<MailMessage> {
  const whole = withoutMailboxLine(bytes);
  const mail = await PostalMime.parse(whole, parsing);
  const plain = mail.text?.trim() ?? '';
  const read = plain === '' ? textOfHtml(mail.html ?? '') : plain;
  const isEmpty = read === '' && mail.attachments.length === 0;
  const text = isEmpty ? textWithoutParts(whole, mail.headers) : read;
  const attachments = mail.attachments
    .slice(0, attachmentsMax)
    .map(({ filename, mimeType, content }): MailAttachment => ({
      fileName: lineOf(filename ?? ''),
      contentType: lineOf(mimeType),
      content: bytesOf(content),
    }));
  return {
    subject: lineOf(mail.subject ?? ''),
    from: peopleOf(mail.from ? [mail.from] : []),
    to: peopleOf(mail.to ?? []),
    cc: peopleOf(mail.cc ?? []),
    sentAt: mail.date === undefined ? null : lineOf(mail.date),
    text: text.slice(0, textMax),
    isCut: text.length > textMax || mail.attachments.length > attachmentsMax,
    attachments,
  };
}

/** Mailboxes put a mark of the encoding, blank lines or their own line before a mail. */
function withoutMailboxLine(bytes: Uint8Array): Uint8Array {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const before = /^(?:\u00ef\u00bb\u00bf)?(?:[ \t]*\r?\n)*(?:>?From [^\r\n]*\r?\n)?/.exec(head);
  return bytes.subarray(before?.[0].length ?? 0);
}

/** A mail that names parts and has none, as after a damaged head: what stands there. */
function textWithoutParts(bytes: Uint8Array, headers: readonly Header[]): string {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (!/^multipart\//i.test(type)) return '';
  const text = decodeText(bytes.subarray(0, 2 * textMax), bytes.length > 2 * textMax);
  const body = /\r?\n\r?\n([^]*)/.exec(text)?.[1]?.trim() ?? '';
  const [, quoted, bare] = /boundary=(?:"([^"]*)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  return boundary !== undefined && body.includes(`--${boundary}`) ? '' : body;
}

const textOfHtml = (html: string): string =>
  convert(html.slice(0, htmlMax), {
    wordwrap: false,
    limits: { maxDepth: 200 },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
    ],
  });

function peopleOf(addresses: readonly Address[]): string[] {
  const single = addresses.flatMap((one) => one.group ?? [one]);
  return single.slice(0, peopleMax).map(({ name, address }) => {
    if (name === '' || name === address) return lineOf(address);
    return lineOf(address === '' ? name : `${name} <${address}>`);
  });
}

/** A bidi control could show an address or a file's name reversed. */
const lineOf = (text: string): string =>
  text
    .slice(0, lineMax)
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')
    .trim();

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return new Uint8Array(content);
}
