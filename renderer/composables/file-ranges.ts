import { PDFDataRangeTransport } from 'pdfjs-dist';
import { fetchBytes } from './desk-bytes.ts';

/** What pdf.js asks for at a time. */
const pieceBytes = 64 * 1024;

/** A file as pdf.js takes it: whole if it is small, else piece by piece. */
export type PdfSource =
  | { readonly data: Uint8Array<ArrayBuffer> }
  | { readonly range: PDFDataRangeTransport; readonly disableStream: true };

/**
 * Begins to read a file. By itself pdf.js asks for ranges over http only, and without the headers
 * by which the desk knows its page.
 * @param onLost a piece did not come; what waits for it would wait for ever
 * @throws if the file is not given
 */
export async function readPdf(
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
  // An empty file has no range to give; pdf.js says that it is none of its own.
  if (!response.ok && response.status !== 416) throw new Error('the file was not given');
  if (begin > 0 && response.status !== 206) throw new Error('the file was given whole');
  return response;
}
