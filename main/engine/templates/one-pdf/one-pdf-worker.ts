import { parentPort } from 'node:worker_threads';
import { makePhotoSheet } from '#shared/pdf/photo-sheet.ts';
import { DocxPackage } from '../docx/docx-package.ts';
import { paragraphText } from '../docx/paragraphs.ts';
import { BindFault, bindPdf } from './bind-pdf.ts';
import { lookAtPdf } from './look-at-pdf.ts';
import type { OnePdfOrder, OnePdfReport } from './one-pdf-thread.ts';

// Entry of the thread that binds and reads PDFs. They come from outside: one-pdf-thread.ts limits
// memory and time, and an unexpected error ends the thread.

async function answer(order: OnePdfOrder): Promise<OnePdfReport> {
  if (order.kind === 'sheet') return { pdf: await makePhotoSheet(order.sheet, null) };
  if (order.kind === 'look') return { seen: await lookAtPdf(order.bytes) };
  if (order.kind === 'words') return { words: wordsOf(order.bytes) };
  try {
    return { pdf: await bindPdf(order) };
  } catch (error) {
    if (error instanceof BindFault) return { refused: error.refusal, at: error.at };
    throw error;
  }
}

/** The text of a document's main part. */
function wordsOf(bytes: Uint8Array): string {
  const pack = new DocxPackage(bytes);
  const paragraphs = pack
    .tree(pack.main)
    .all()
    .filter((one) => one.is('w:p'));
  return paragraphs.map(paragraphText).join('\n');
}

// Only one-pdf-thread.ts starts this file.
parentPort?.on('message', (order: OnePdfOrder) => {
  void answer(order).then((report) => parentPort?.postMessage(report));
});
