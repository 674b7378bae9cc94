import { parentPort } from 'node:worker_threads';
import type { DocumentContentType } from '#shared/api/document.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { isSecuredMail, readMessage } from '#shared/lib/read-message.ts';
import { isWholeMessage } from '#shared/lib/signed-content.ts';
import { isCutOff } from '#shared/photos/photo-bytes.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { checkArchive, checkOffice } from './check-archive.ts';
import { checkMail, typeOfMail } from './check-mail.ts';
import { checkPdf } from './check-pdf.ts';
import { checkText } from './check-text.ts';
import type { FileCheckOrder, FileReport } from './file-checker.ts';
import { passBrokenEntries } from './pdf-rejections.ts';

// Entry of the thread that opens the files to be sent. They come from outside: nothing is drawn or
// fetched, and file-checker.ts limits memory and time.

type Check = (
  bytes: Uint8Array<ArrayBuffer>,
  order: FileCheckOrder,
) => FileReport | Promise<FileReport>;

const pictures: Check = () => ({ kind: 'readable' });
const office = 'application/vnd.openxmlformats-officedocument';

/** The batch finds the case of a mail by its subject, and offers the files that the mail carries. */
async function mail(
  bytes: Uint8Array<ArrayBuffer>,
  { isUnpacked = false }: FileCheckOrder,
): Promise<FileReport> {
  const report = checkMail(bytes);
  if (report.kind !== 'readable') return report;
  // A mail that the parser refuses is sent as it is, like a text.
  const message = await readMessage(bytes).catch(() => null);
  if (message === null) return report;
  const { subject, attachments, leftOut } = message;
  if (attachments.some((file) => isSecuredMail(file) && !isWholeMessage(file.content)))
    return { kind: 'damaged', rule: 'mail_end' };
  const [file] = attachments;
  const isItself = file !== undefined && file.contentType === typeOfMail(bytes);
  if (isItself && (await isCutFile(file.content))) return { kind: 'damaged', rule: 'mail_end' };
  return {
    ...report,
    ...(subject !== '' && { subject }),
    ...(attachments.length > 0 && { innerFiles: attachments.length }),
    ...(isUnpacked && { files: { attachments, leftOut } }),
  };
}

/** In a mail that is a file alone, only the file shows that its end is missing. */
async function isCutFile(content: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const contentType = typeByContent(content);
  if (contentType === null) return false;
  if (isPictureType(contentType)) return isCutOff(content);
  return (await check({ bytes: content.slice(), contentType })).kind === 'damaged';
}

/** What "readable" means, by type. Pictures are read by the thread that strips them. */
const checks: Readonly<Record<DocumentContentType, Check>> = {
  'application/pdf': checkPdf,
  'application/zip': checkArchive,
  [`${office}.wordprocessingml.document`]: checkOffice,
  [`${office}.spreadsheetml.sheet`]: checkOffice,
  'message/rfc822': mail,
  'text/plain': checkText,
  'text/csv': checkText,
  'image/jpeg': pictures,
  'image/png': pictures,
  'image/webp': pictures,
  'image/heic': pictures,
  'image/tiff': pictures,
};

async function check(order: FileCheckOrder): Promise<FileReport> {
  return await checks[order.contentType](order.bytes, order);
}

passBrokenEntries();

// Only file-checker.ts starts this file.
parentPort?.on('message', (order: FileCheckOrder) => {
  void check(order).then((report) => parentPort?.postMessage(report));
});
