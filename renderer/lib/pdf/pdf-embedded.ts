import { AnnotationType, type PDFDocumentProxy } from 'pdfjs-dist';
import { z } from 'zod';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { openPdf } from './open-pdf.ts';
import { tooManyBytes } from './pdf-bounds.ts';

/** A file that a PDF embeds. Its name is safe to show and to save under. */
export interface EmbeddedFile {
  readonly id: string;
  readonly fileName: string;
  /** The number of the page, counted from 1, if the file is attached to a place on a page. */
  readonly page?: number;
}

const filesMax = 100;
/** The number of pages that are searched, because a PDF may claim any number of pages. */
const pagesMax = 2_000;
const listed = z.map(z.string(), z.object({ filename: z.string() })).nullable();
const bytes = z.instanceof(Uint8Array).nullable();

/** A file that is attached to a place on a page, like a paper clip. */
const placed = z.object({
  pageIndex: z.int(),
  fileId: z.string(),
  file: z.object({ filename: z.string() }),
});

/**
 * Returns the files of a PDF: those in its list, then those that are attached to a place on a page.
 */
export async function embeddedFiles(pdf: PDFDocumentProxy): Promise<readonly EmbeddedFile[]> {
  const found = listed.parse(await pdf.getAttachments()) ?? new Map<string, never>();
  const files = [...found].map(([id, { filename }]) => ({ id, fileName: safeFileName(filename) }));
  // A broken page does not hide the files of the list.
  return [...files, ...(await placedFiles(pdf).catch(() => []))].slice(0, filesMax);
}

async function placedFiles(pdf: PDFDocumentProxy): Promise<readonly EmbeddedFile[]> {
  if (pdf.numPages > pagesMax) return [];
  const types = new Set([AnnotationType.FILEATTACHMENT]);
  // pdf.js declares the result as an object. It is a list, or null if there is no annotation.
  const found: unknown = await pdf.getAnnotationsByType(types, new Set());
  const annotations = z.array(z.unknown()).nullable().parse(found) ?? [];
  return annotations.flatMap((one) => {
    const { data } = placed.safeParse(one);
    if (!data) return [];
    const { fileId: id, file, pageIndex } = data;
    return [{ id, fileName: safeFileName(file.filename), page: pageIndex + 1 }];
  });
}

/** The reason why an embedded file is not returned. */
export type EmbeddedFault = 'tooLarge' | 'tooSlow' | 'unreadable';

/** The timeout for inflating a file. The largest file that is returned inflates in a second. */
const timeoutMs = 20_000;

/**
 * Inflates a file that a PDF embeds. A separate worker does it and is ended afterwards, so the
 * pages can be viewed in the meantime.
 * @param url the address of the PDF, whose password is known if it has one
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

/** @throws if the PDF does not have the bytes of the file */
export async function readEmbedded(
  pdf: PDFDocumentProxy,
  { id, page }: EmbeddedFile,
): Promise<Uint8Array<ArrayBuffer> | 'tooLarge'> {
  try {
    // pdf.js knows a file on a page only after it has read the page's annotations.
    if (page !== undefined) await (await pdf.getPage(page)).getAnnotations();
    const found = bytes.parse(await pdf.getAttachmentContent(id));
    if (!found) throw new Error('the embedded file has no bytes');
    return found.length > documentMaxBytes ? 'tooLarge' : new Uint8Array(found);
  } catch (error) {
    if (error instanceof Error && error.message.includes(tooManyBytes)) return 'tooLarge';
    throw error;
  }
}
