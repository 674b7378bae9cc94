import {
  getDocument,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
} from 'pdfjs-dist';
import { fetchBytes } from './desk-bytes.ts';
import { excessOf, fileWorkerName } from './pdf-bounds.ts';
import { fieldMode } from './pdf-fields.ts';
import { type AskPassword, passwordAnswers } from './pdf-passwords.ts';

/** Fonts, character maps and image decoders that pdf.js asks for, copied next to the page. */
const assets = new URL('pdfjs/', document.baseURI).href;

/**
 * Pictures inside a PDF with more pixels are left out. To decode one takes up to 14 bytes a pixel, for
 * a few seconds; a plan of A0 scanned with 300 dots an inch has 139 million.
 */
const pictureMaxPixels = 140_000_000;

/** Pictures with more pixels are reduced to it once they are decoded, at four bytes a pixel. */
const stayingMaxPixels = 60_000_000;

/** A worker that does not stop within this time is busy with a page that may never finish. */
const endTimeoutMs = 1_000;

/** A PDF unpacks to more than any real document. */
class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  /** Stops everything under way, the worker too, also one that no longer listens. */
  close(): Promise<void>;
}

interface OpenOptions {
  /** Reads no more of the file than its first page takes. */
  readonly firstPageOnly?: boolean;
  /** Without it, a document with a password does not open. */
  readonly askPassword?: AskPassword;
  /** A picture has too many pixels; its place on the page stays empty. */
  readonly onLeftOut?: () => void;
  /** Unpacks to more than any real document: nothing of it is read any more. */
  readonly onTooMuch?: () => void;
  /** Inflates no more than a document may have; for the files that a PDF embeds. */
  readonly isForFiles?: boolean;
}

/**
 * Opens a PDF from an address. Scripts in it never run, and image decoders run as plain JavaScript,
 * so the content security policy allows no evaluation.
 */
export function openPdf(
  url: string,
  { firstPageOnly = false, askPassword, onLeftOut, onTooMuch, isForFiles }: OpenOptions = {},
): OpenPdf {
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    type: 'module',
    name: isForFiles ? fileWorkerName : 'pdf-worker',
  });
  const worker = PDFWorker.create({ port });
  const ended = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const excess = excessOf(data);
    if (excess === 'picture') onLeftOut?.();
    if (excess !== 'content') return;
    // At once: pdf.js goes on with the rest of the page.
    port.terminate();
    broken.reject(new TooMuchError());
    onTooMuch?.();
  });
  port.addEventListener('error', () => broken.reject(new Error('the PDF worker failed')));
  const onLost = (error: Error) => {
    broken.reject(error);
    // The caller that waits for a page gets the error, too.
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
    // So that a picture that is left out is reported.
    verbosity: VerbosityLevel.WARNINGS,
    canvasMaxAreaInBytes: stayingMaxPixels * 4,
    disableAutoFetch: firstPageOnly,
  };
  const task = readPdf(url, ended.signal, onLost).then((source) => {
    const opening = getDocument({ ...parameters, ...source });
    if (askPassword) {
      const answer = passwordAnswers(url, askPassword);
      opening.onPassword = (give: Parameters<typeof answer>[0], reason: number) =>
        answer(give, reason === PasswordResponses.INCORRECT_PASSWORD);
    }
    return opening;
  });
  async function close(): Promise<void> {
    const timedOut = new Promise((resolve) => setTimeout(resolve, endTimeoutMs));
    // Not while it is being opened: if it is stopped then, the worker rejects what nobody catches.
    const destroyed = task.then(async (opening) => {
      await opening.promise.catch(() => undefined);
      await opening.destroy();
    });
    await Promise.race([destroyed.catch(() => undefined), timedOut]);
    ended.abort();
    worker.destroy();
    port.terminate();
  }
  const document = Promise.race([task.then((opening) => opening.promise), broken.promise]);
  return { document, close };
}

/** What pdf.js asks for at a time. */
const pieceBytes = 64 * 1024;

/** A file as pdf.js takes it: whole if it is small, else piece by piece. */
type PdfSource =
  | { readonly data: Uint8Array<ArrayBuffer> }
  | { readonly range: PDFDataRangeTransport; readonly disableStream: true };

/**
 * Begins to read a file. By itself pdf.js asks for ranges over http only, and without the headers
 * by which the desk knows its page.
 * @param onLost a piece did not come; what waits for it would wait forever
 * @throws if the file is not given
 */
async function readPdf(
  url: string,
  signal: AbortSignal,
  onLost: (error: Error) => void,
): Promise<PdfSource> {
  const first = await piece(url, 0, pieceBytes, signal);
  const data = new Uint8Array(await first.arrayBuffer());
  const total = Number(first.headers.get('content-range')?.split('/')[1] ?? data.length);
  if (data.length >= total) return { data };
  return { range: new FileRanges(url, total, data, signal, onLost), disableStream: true };
}

class FileRanges extends PDFDataRangeTransport {
  readonly #read: (begin: number, end: number) => Promise<void>;

  constructor(
    url: string,
    length: number,
    data: Uint8Array,
    signal: AbortSignal,
    onLost: (error: Error) => void,
  ) {
    super(length, data);
    this.#read = async (begin, end) => {
      try {
        const response = await piece(url, begin, end, signal);
        this.onDataRange(begin, new Uint8Array(await response.arrayBuffer()));
      } catch (cause) {
        onLost(new Error('a piece of the file did not come', { cause }));
      }
    };
  }

  override requestDataRange(begin: number, end: number): void {
    void this.#read(begin, end);
  }
}

async function piece(url: string, begin: number, end: number, signal: AbortSignal) {
  const headers = { range: `bytes=${String(begin)}-${String(end - 1)}` };
  const response = await fetchBytes(url, { signal, headers });
  // An empty file has no range to give; pdf.js reports that it is not a PDF.
  if (!response.ok && response.status !== 416) throw new Error('the file was not given');
  if (begin > 0 && response.status !== 206) throw new Error('the file was given whole');
  return response;
}

/** What the file itself is to blame for, so that another time would be no better. */
const ownFaults: Readonly<Record<string, 'unreadable' | 'too_slow' | 'too_large'>> = {
  TooMuchError: 'too_large',
  InvalidPDFException: 'unreadable',
  PasswordException: 'unreadable',
  TimeoutError: 'too_slow',
};

interface PageDrawing {
  /** Longer side of the drawing in pixels. */
  readonly longEdge: number;
  /** What a page in points is enlarged by at most. */
  readonly scaleMax?: number;
  readonly intent?: 'display' | 'print';
  /** A page that takes longer may be made to take forever. */
  readonly timeoutMs: number;
  /** Reads no more of the file than its first page takes. */
  readonly firstPageOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Draws a page of a PDF.
 * @returns a fault if the file is to blame
 * @throws if the file was not given; the signal's reason if that fired
 */
export async function drawPdfPage(
  url: string,
  number: number,
  drawing: PageDrawing,
): Promise<HTMLCanvasElement | { fault: 'unreadable' | 'too_slow' | 'too_large' }> {
  const { signal, timeoutMs, firstPageOnly = false } = drawing;
  const late = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, late]) : late;
  ended.throwIfAborted();
  const page = { isWhole: true };
  // What pdf.js is asked for may stay unanswered once it is closed, so nothing waits for it alone.
  const { promise: end, reject } = Promise.withResolvers<never>();
  ended.addEventListener('abort', () => {
    reject(ended.reason instanceof Error ? ended.reason : new Error('ended'));
  });
  const opened = openPdf(url, {
    firstPageOnly,
    onLeftOut: () => (page.isWhole = false),
    onTooMuch: () => reject(new TooMuchError()),
  });
  try {
    const drawn = opened.document.then((pdf) => draw(pdf, number, drawing));
    const canvas = await Promise.race([drawn, end]);
    // Reported before the page is drawn. A page without its picture would be taken for an empty one.
    return page.isWhole ? canvas : { fault: 'too_large' };
  } catch (error) {
    const fault = error instanceof Error ? ownFaults[error.name] : undefined;
    if (fault !== undefined) return { fault };
    throw error;
  } finally {
    void opened.close();
  }
}

async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  { longEdge, scaleMax = Infinity, intent = 'display' }: PageDrawing,
): Promise<HTMLCanvasElement> {
  const page = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(scaleMax, longEdge / Math.max(natural.width, natural.height));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  const annotationMode = await fieldMode(pdf, page);
  await page.render({ canvas, viewport, intent, annotationMode }).promise;
  return canvas;
}
