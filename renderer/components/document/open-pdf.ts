import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Fonts, character maps and image decoders that pdf.js asks for, copied beside the page. */
const assets = new URL('pdfjs/', document.baseURI).href;

export interface OpenPdf {
  readonly document: PDFDocumentProxy;
  close(): Promise<void>;
}

/**
 * Opens a PDF from an address. Scripts in it never run, and image decoders run as plain JavaScript,
 * so the content security policy allows no evaluation.
 */
export async function openPdf(url: string): Promise<OpenPdf> {
  const task = getDocument({
    url,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    iccUrl: `${assets}iccs/`,
    wasmUrl: `${assets}wasm/`,
    useWasm: false,
    enableXfa: false,
  });
  const document = await task.promise;
  return { document, close: () => task.destroy() };
}
