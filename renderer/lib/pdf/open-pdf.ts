import {
  getDocument,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
} from 'pdfjs-dist';
import { pdfReading } from '#shared/lib/pdf-options.ts';
import { loadsScript } from '../asked-worker.ts';
import { fetchBytes } from '../desk-bytes.ts';
import { isCodeSafe, notSafe } from '../desk-code.ts';
import { drawAside } from './drawing-turn.ts';
import { excessOf, fileWorkerName } from './pdf-bounds.ts';
import { fieldMode } from './pdf-fields.ts';
import { type AskPassword, passwordAnswers } from './pdf-passwords.ts';

/**
 * The fonts, character maps and image decoders that pdf.js requests. They are copied next to the
 * page.
 */
const assets = new URL('pdfjs/', document.baseURI).href;

/**
 * Pictures inside a PDF with more pixels are left out. Decoding takes up to 14 bytes per pixel for
 * a few seconds. A plan of A0 that is scanned at 300 dots per inch has 139 million pixels.
 */
const pictureMaxPixels = 140_000_000;

/** Pictures with more pixels are reduced to this number after decoding, at four bytes per pixel. */
const stayingMaxPixels = 60_000_000;

/**
 * The timeout for stopping a worker. A worker that takes longer is busy with a page that may never
 * finish.
 */
const endTimeoutMs = 1_000;

/** The PDF unpacks to more than any real document does. */
class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

interface OpenPdf {
  readonly document: Promise<PDFDocumentProxy>;
  /** Whether the worker loads pdf.js. A busy machine may take long for it. */
  readonly isLoaded: Promise<boolean>;
  /**
   * Stops everything that is running, including a worker that no longer responds.
   * @param isUrgent whether its memory is needed, so a worker in the middle of a page is not awaited
   */
  close(isUrgent?: boolean): Promise<void>;
}

interface OpenOptions {
  /** If true, only the part of the file that the first page needs is read. */
  readonly firstPageOnly?: boolean;
  /** Asks for the password. Without this function, a document with a password does not open. */
  readonly askPassword?: AskPassword;
  /** Called if a picture has too many pixels. The picture's place on the page stays empty. */
  readonly onLeftOut?: () => void;
  /**
   * Called if the PDF unpacks to more than any real document does. Nothing more of it is read then.
   */
  readonly onTooMuch?: () => void;
  /**
   * If true, the worker inflates no more than a document may have. It is used for files that a PDF
   * embeds.
   */
  readonly isForFiles?: boolean;
}

/**
 * Opens a PDF from an address. Scripts in the PDF never run. Image decoders run as plain
 * JavaScript, so the content security policy can forbid evaluation.
 */
export function openPdf(
  url: string,
  { firstPageOnly = false, askPassword, onLeftOut, onTooMuch, isForFiles }: OpenOptions = {},
): OpenPdf {
  if (!isCodeSafe()) {
    const document = Promise.reject(notSafe());
    return { document, isLoaded: Promise.resolve(false), close: () => Promise.resolve() };
  }
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    type: 'module',
    name: isForFiles ? fileWorkerName : 'pdf-worker',
  });
  const isLoaded = loadsScript(port);
  const worker = PDFWorker.create({ port });
  const ended = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const excess = excessOf(data);
    if (excess === 'picture') onLeftOut?.();
    if (excess !== 'content') return;
    // The worker is ended immediately, because pdf.js would continue with the rest of the page.
    port.terminate();
    broken.reject(new TooMuchError());
    onTooMuch?.();
  });
  port.addEventListener('error', () => broken.reject(new Error('the PDF worker failed')));
  const onLost = (error: Error) => {
    broken.reject(error);
    // Closing passes the error on to the caller that waits for a page.
    void close();
  };
  const parameters = {
    worker,
    cMapUrl: `${assets}cmaps/`,
    standardFontDataUrl: `${assets}standard_fonts/`,
    iccUrl: `${assets}iccs/`,
    wasmUrl: `${assets}wasm/`,
    useWasm: false,
    ...pdfReading,
    maxImageSize: pictureMaxPixels,
    // With this level, pdf.js reports a picture that it leaves out.
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
  async function close(isUrgent = false): Promise<void> {
    const timeoutMs = isUrgent ? 0 : endTimeoutMs;
    const timedOut = new Promise((resolve) => setTimeout(resolve, timeoutMs));
    // The PDF is destroyed only after it has opened. If it is stopped earlier, the worker rejects a
    // promise that nobody catches.
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
  return { document, isLoaded, close };
}

/** The number of bytes that pdf.js requests at a time. */
const pieceBytes = 64 * 1024;

/**
 * A file in the form that pdf.js accepts: as a whole if it is small, and in pieces if it is not.
 */
type PdfSource =
  | { readonly data: Uint8Array<ArrayBuffer> }
  | { readonly range: PDFDataRangeTransport; readonly disableStream: true };

/**
 * Begins to read a file. Without this function, pdf.js would request ranges only over http, and
 * without the headers by which the desk recognizes its page.
 * @param onLost called if a piece does not arrive; a call that waits for the piece would wait
 *   forever
 * @throws if the file is not delivered
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
  // An empty file has no range to return. pdf.js reports that it is not a PDF.
  if (!response.ok && response.status !== 416) throw new Error('the file was not given');
  if (begin > 0 && response.status !== 206) throw new Error('the file was given whole');
  return response;
}

/** Errors that the file itself causes, so that another attempt would have the same result. */
const ownFaults: Readonly<Record<string, 'unreadable' | 'too_slow' | 'too_large'>> = {
  TooMuchError: 'too_large',
  InvalidPDFException: 'unreadable',
  PasswordException: 'unreadable',
  TimeoutError: 'too_slow',
};

interface PageDrawing {
  /** The longer side of the drawing in pixels. */
  readonly longEdge: number;
  /** The maximum factor by which the page is enlarged from its size in points. */
  readonly scaleMax?: number;
  readonly intent?: 'display' | 'print';
  /**
   * The timeout from when pdf.js is loaded. A page that takes longer may have been made to take
   * forever.
   */
  readonly timeoutMs: number;
  /** If true, only the part of the file that the first page needs is read. */
  readonly firstPageOnly?: boolean;
  readonly signal?: AbortSignal;
}

type DrawnPage = HTMLCanvasElement | { fault: 'unreadable' | 'too_slow' | 'too_large' };

/**
 * Draws a page of a PDF. It waits while the user looks at a page that is being drawn.
 * @returns a fault if the file is to blame
 * @throws if the file was not delivered; the signal's reason if the signal fired
 */
export const drawPdfPage = (
  url: string,
  number: number,
  drawing: PageDrawing,
): Promise<DrawnPage> =>
  drawAside((signal) => drawOnce(url, number, { ...drawing, signal }), drawing.signal);

async function drawOnce(
  url: string,
  number: number,
  drawing: PageDrawing & { readonly signal: AbortSignal },
): Promise<DrawnPage> {
  const { signal, timeoutMs, firstPageOnly = false } = drawing;
  signal.throwIfAborted();
  const page = { isWhole: true };
  // A request to pdf.js may stay unanswered after the PDF is closed, so nothing waits for it alone.
  const { promise: end, reject } = Promise.withResolvers<never>();
  const endBy = (ending: AbortSignal) =>
    ending.addEventListener('abort', () => {
      reject(ending.reason instanceof Error ? ending.reason : new Error('ended'));
    });
  endBy(signal);
  const opened = openPdf(url, {
    firstPageOnly,
    onLeftOut: () => (page.isWhole = false),
    onTooMuch: () => reject(new TooMuchError()),
  });
  try {
    const drawn = opened.document.then((pdf) => draw(pdf, number, drawing));
    drawn.catch(() => undefined);
    if (!(await Promise.race([opened.isLoaded, end]))) throw new Error('pdf.js was not loaded');
    endBy(AbortSignal.timeout(timeoutMs));
    const canvas = await Promise.race([drawn, end]);
    // pdf.js reports a left-out picture before the page is drawn. A page without its picture would
    // look empty, so it is refused.
    return page.isWhole ? canvas : { fault: 'too_large' };
  } catch (error) {
    const fault = error instanceof Error ? ownFaults[error.name] : undefined;
    if (fault !== undefined) return { fault };
    throw error;
  } finally {
    // Until then its pictures are in memory.
    await opened.close(signal.aborted);
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
