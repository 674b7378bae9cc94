import type { PDFDocumentProxy } from 'pdfjs-dist';
import { z } from 'zod';
import { safeFileName } from '#shared/lib/safe-file-name.ts';

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

/** @throws if the PDF does not have its bytes */
export async function readEmbedded(
  pdf: PDFDocumentProxy,
  { id }: EmbeddedFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = bytes.parse(await pdf.getAttachmentContent(id));
  if (!found) throw new Error('the embedded file has no bytes');
  return new Uint8Array(found);
}
