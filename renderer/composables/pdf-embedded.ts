import type { PDFDocumentProxy } from 'pdfjs-dist';
import { z } from 'zod';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { openPdf } from './open-pdf.ts';
import { tooManyBytes } from './pdf-bounds.ts';

/** A file that a PDF carries; its name is safe to show and to save under. */
export interface EmbeddedFile {
  readonly id: string;
  readonly fileName: string;
}

const filesMax = 100;
const listed = z.map(z.string(), z.object({ filename: z.string() })).nullable();
const bytes = z.instanceof(Uint8Array).nullable();

/** The files of a PDF's list; those at a place of a page only are not in it. */
export async function embeddedFiles(pdf: PDFDocumentProxy): Promise<readonly EmbeddedFile[]> {
  const found = listed.parse(await pdf.getAttachments()) ?? new Map<string, never>();
  const files = [...found].slice(0, filesMax);
  return files.map(([id, { filename }]) => ({ id, fileName: safeFileName(filename) }));
}

/** Why an embedded file is not given. */
export type EmbeddedFault = 'tooLarge' | 'tooSlow' | 'unreadable';

/** The largest file that is given inflates in a second. */
const timeoutMs = 20_000;

/**
 * Inflates a file that a PDF embeds, in a worker of its own that is ended afterwards: the pages go on.
 * @param url of the PDF, whose password is known if it has one
 */
export async function takeEmbedded(
  url: string,
  file: EmbeddedFile,
): Promise<Uint8Array<ArrayBuffer> | EmbeddedFault> {
  const askPassword = () => Promise.reject(new Error('the password is not known'));
  const opened = openPdf(url, { isForFiles: true, askPassword });
  const { promise: late, resolve } = Promise.withResolvers<'tooSlow'>();
  const timer = setTimeout(() => resolve('tooSlow'), timeoutMs);
  const read = opened.document.then((pdf) => readEmbedded(pdf, file));
  try {
    return await Promise.race([read.catch(() => 'unreadable' as const), late]);
  } finally {
    clearTimeout(timer);
    void opened.close();
  }
}

/** @throws if the PDF does not have its bytes */
export async function readEmbedded(
  pdf: PDFDocumentProxy,
  { id }: EmbeddedFile,
): Promise<Uint8Array<ArrayBuffer> | 'tooLarge'> {
  try {
    const found = bytes.parse(await pdf.getAttachmentContent(id));
    if (!found) throw new Error('the embedded file has no bytes');
    return found.length > documentMaxBytes ? 'tooLarge' : new Uint8Array(found);
  } catch (error) {
    if (error instanceof Error && error.message.includes(tooManyBytes)) return 'tooLarge';
    throw error;
  }
}
