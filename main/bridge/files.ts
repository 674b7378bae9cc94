import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  fileNameHeader,
  renditionHeader,
  salvageSaleHeader,
  seenHeader,
} from '#shared/desk/reports/file-headers.ts';
import { DeskError, type DeskErrorCode, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { renditionSchema, type Rendition } from '#shared/photos/details.ts';
import type { ByteRange, Engine, FileStream } from '#main/engine/engine.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';

/** A request for bytes from either shell. Bytes do not pass through the contract. */
export interface FileRequest {
  readonly method: string;
  /** The path beneath `files/`, still percent-encoded, without a query. */
  readonly path: string;
  readonly header: (name: string) => string | null;
  /** The body. If it is not read, the connection for the answer must still work. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | string | null;
}

/**
 * The media types under which bytes of a case are served. Any other type is served as plain bytes,
 * never as a page, a script or a style sheet.
 */
const servedTypes: readonly string[] = [
  'application/pdf',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'text/csv',
  'text/plain',
];
/**
 * These headers prevent that an answer that the user opens directly runs a script or loads
 * anything.
 */
const guardedBytes = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

/**
 * Answers the byte streams of the contract: decrypted documents and attachments with byte ranges,
 * and the upload of an attachment. A failure is a DeskProblem as JSON.
 */
export async function answerFileRequest(
  engine: Engine,
  request: FileRequest,
  log: FaultLog,
): Promise<FileAnswer> {
  const answer = await route(engine, request).catch((error: unknown) => {
    const problem = toDeskError(error, `files ${request.method}`, log).problem;
    return json(statusOf(problem), problem);
  });
  return { ...answer, headers: { ...answer.headers, ...guardedBytes } };
}

async function route({ files }: Engine, request: FileRequest): Promise<FileAnswer> {
  const segments = decodedSegments(request.path);
  const [kind = '', owner = '', id = '', replaced = ''] = segments;
  const place = kind === 'drafts' ? `drafts/${id}` : kind;
  // A case and its documents have ids of the partner, and a case may be named by its external key.
  const ownIds = kind === 'documents' ? [] : segments.slice(1);
  const isOwnId = (one: string) => one === 'attachments' || z.uuid().safeParse(one).success;
  if (!ownIds.every(isOwnId)) throw new DeskError('document_not_found');
  const file = () => ({ fileName: fileNameOf(request), content: request.content });
  switch (`${request.method} ${place} ${String(segments.length)}`) {
    case 'GET documents 3':
      return serve(request, (range) => files.openDocument(owner, id, range));
    case 'GET attachments 3':
      return serve(request, (range) => files.openAttachment(owner, id, range));
    case 'GET originals 3':
      return serve(request, (range) => files.openOriginal(owner, id, range));
    case 'POST renditions 3':
      return json(200, await files.setRendition(owner, id, file(), renditionOf(request)));
    case 'POST drafts/attachments 3': {
      const isSalvageSale = request.header(salvageSaleHeader) === 'true';
      const isSeen = request.header(seenHeader) === 'true';
      return json(201, await files.addAttachment(owner, { ...file(), isSalvageSale, isSeen }));
    }
    case 'POST batches 2': {
      const isSeen = request.header(seenHeader) === 'true';
      const file = { content: request.content, isSeen };
      return json(200, await files.addBatchFile(owner, fileNameOf(request), file));
    }
    case 'GET template-files 2':
      return await serveWhole(files.openTemplateFile(owner));
    case 'GET template-pages 2':
      return serve(request, (range) => files.openTemplatePages(owner, range));
    case 'GET marked-templates 2':
      return serve(request, (range) => files.openMarkedTemplate(owner, range));
    case 'POST signature 1':
      return json(200, await files.setSignature(file()));
    case 'POST templates 1':
      return json(200, await files.addTemplate(file()));
    case 'POST drafts/attachments 4': {
      const isSeen = request.header(seenHeader) === 'true';
      return json(200, await files.replaceAttachment(owner, replaced, { ...file(), isSeen }));
    }
    default:
      throw new DeskError('document_not_found');
  }
}

/** A file that is read as a whole. */
async function serveWhole(opening: Promise<FileStream>): Promise<FileAnswer> {
  const { stream, ...file } = await opening;
  const headers = { ...headersOf(file), 'content-length': String(file.sizeBytes) };
  return { status: 200, headers, body: stream };
}

/** The window reads the bytes itself. The headers ensure that a document never becomes a page. */
const headersOf = ({ contentType, fileName }: Pick<FileStream, 'contentType' | 'fileName'>) => ({
  'content-type': servedType(contentType),
  'content-disposition': `attachment; filename*=UTF-8''${encodeRfc8187(fileName)}`,
});

async function serve(
  request: FileRequest,
  open: (range?: ByteRange) => Promise<FileStream>,
): Promise<FileAnswer> {
  const whole = await open();
  const range = parseByteRange(request.header('range'), whole.sizeBytes);
  const headers = { ...headersOf(whole), 'accept-ranges': 'bytes' };
  if (range === 'unsatisfiable') {
    whole.stream.destroy();
    const contentRange = `bytes */${String(whole.sizeBytes)}`;
    return { status: 416, headers: { 'content-range': contentRange }, body: null };
  }
  if (range === null) {
    const length = String(whole.sizeBytes);
    return { status: 200, headers: { ...headers, 'content-length': length }, body: whole.stream };
  }
  whole.stream.destroy();
  const { stream } = await open(range);
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(range.end - range.start + 1),
      'content-range': `bytes ${range.start}-${range.end}/${whole.sizeBytes}`,
    },
    body: stream,
  };
}

function servedType(contentType: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  return servedTypes.includes(type.trim()) ? type.trim() : 'application/octet-stream';
}

function decodedSegments(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function fileNameOf(request: FileRequest): string {
  try {
    const name = decodeURIComponent(request.header(fileNameHeader) ?? '');
    if (name !== '') return name;
  } catch {
    // A header that cannot be decoded counts as absent.
  }
  throw new DeskError('invalid_input', { field: 'fileName', rule: 'required' });
}

function renditionOf(request: FileRequest): Rendition {
  try {
    return renditionSchema.parse(JSON.parse(request.header(renditionHeader) ?? ''));
  } catch (cause) {
    throw new DeskError('invalid_input', { field: 'rendition', rule: 'unknown' }, { cause });
  }
}

/** Escapes the characters that `encodeURIComponent` leaves but RFC 8187 section 3.2.1 forbids. */
function encodeRfc8187(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const statusByCode: Partial<Record<DeskErrorCode, number>> = {
  document_not_found: 404,
  draft_not_found: 404,
  case_not_found: 404,
  file_too_large: 413,
  disk_full: 507,
  internal: 500,
};

function statusOf(problem: DeskProblem): number {
  return statusByCode[problem.code] ?? 400;
}

function json(status: number, value: unknown): FileAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify(value) };
}

/**
 * The byte range of a `Range` header (RFC 9110 section 14.1.2), inclusive at both ends.
 * @returns the range; null if the header is absent, malformed or requests several ranges, which a
 *   server may ignore (section 14.2); `unsatisfiable` if it requests no byte of the file
 */
export function parseByteRange(
  header: string | null,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return null;
    const suffix = Math.min(Number(last), sizeBytes);
    return suffix === 0 ? 'unsatisfiable' : { start: sizeBytes - suffix, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}
