import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { readPdf } from './file-ranges.ts';

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
  const ended = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  port.addEventListener('error', () => broken.reject(new Error('the PDF worker failed')));
  const onLost = (error: Error) => {
    broken.reject(error);
    // Whoever waits for a page is told, too.
    void close();
  };
  const parameters = {
    worker,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    iccUrl: `${assets}iccs/`,
    wasmUrl: `${assets}wasm/`,
    useWasm: false,
    enableXfa: false,
    maxImageSize: pictureMaxPixels,
    disableAutoFetch: firstPageOnly,
  };
  const task = readPdf(url, ended.signal, onLost).then((source) =>
    getDocument({ ...parameters, ...source }),
  );
  async function close(): Promise<void> {
    const patience = new Promise((resolve) => setTimeout(resolve, endPatienceMs));
    // Not while it is being opened: told to end then, the worker rejects what nobody catches.
    const destroyed = task.then(async (opening) => {
      await opening.promise.catch(() => undefined);
      await opening.destroy();
    });
    await Promise.race([destroyed.catch(() => undefined), patience]);
    ended.abort();
    worker.destroy();
    port.terminate();
  }
  const document = Promise.race([task.then((opening) => opening.promise), broken.promise]);
  return { document, close };
}
