import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/** Fonts, character maps and image decoders that pdf.js asks for, copied beside the page. */
const assets = new URL('pdfjs/', document.baseURI).href;

/** Pictures inside a PDF that claim more pixels are left out rather than decoded. */
const pictureMaxPixels = 60_000_000;

/** A worker that does not end by itself for so long is busy with a page that may never end. */
const endPatienceMs = 1_000;

export interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  /** Ends whatever is under way, the worker too, also one that no longer listens. */
  close(): Promise<void>;
}

/**
 * Opens a PDF from an address. Scripts in it never run, and image decoders run as plain JavaScript,
 * so the content security policy allows no evaluation.
 * @param options.firstPageOnly reads no more of the file than its first page takes
 */
export function openPdf(url: string, options: { readonly firstPageOnly?: boolean } = {}): OpenPdf {
  const firstPageOnly = options.firstPageOnly ?? false;
  const port = new Worker(workerUrl, { type: 'module' });
  const worker = PDFWorker.create({ port });
  const broken = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('the PDF worker failed')));
  });
  const task = getDocument({
    url,
    worker,
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
  return {
    document: Promise.race([task.promise, broken]),
    async close() {
      const patience = new Promise((resolve) => setTimeout(resolve, endPatienceMs));
      // Not while it is being opened: told to end then, the worker rejects what nobody catches.
      const ended = task.promise.catch(() => undefined).then(() => task.destroy());
      await Promise.race([ended.catch(() => undefined), patience]);
      worker.destroy();
      port.terminate();
    },
  };
}
