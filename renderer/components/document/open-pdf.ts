import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Fonts, character maps and image decoders that pdf.js asks for, copied beside the page. */
const assets = new URL('pdfjs/', document.baseURI).href;

/** Pictures inside a PDF that claim more pixels are left out rather than decoded. */
const pictureMaxPixels = 60_000_000;

export interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  /** Ends whatever is under way, the worker too. */
  close(): Promise<void>;
}

/**
 * Opens a PDF from an address. Scripts in it never run, and image decoders run as plain JavaScript,
 * so the content security policy allows no evaluation.
 * @param options.firstPageOnly reads no more of the file than its first page takes
 */
export function openPdf(url: string, options: { readonly firstPageOnly?: boolean } = {}): OpenPdf {
  const firstPageOnly = options.firstPageOnly ?? false;
  const task = getDocument({
    url,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    iccUrl: `${assets}iccs/`,
    wasmUrl: `${assets}wasm/`,
    useWasm: false,
    enableXfa: false,
    maxImageSize: pictureMaxPixels,
    disableAutoFetch: firstPageOnly,
    disableStream: firstPageOnly,
  });
  return { document: task.promise, close: () => task.destroy() };
}
