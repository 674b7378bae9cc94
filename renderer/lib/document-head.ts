import type { DeskProblem } from '#shared/desk/contract/desk-error.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf, type ImageSize } from '#shared/photos/photo-bytes.ts';
import { fetchBytes, problemOf } from './desk-bytes.ts';
import { previewOf, type Preview } from './files.ts';
import type { Problem } from './problem.ts';

/**
 * The number of bytes that are read first. No camera writes more bytes before the size of its
 * picture.
 */
export const headBytes = 1024 * 1024;

/** The most pixels that are decoded for viewing, which take 400 MB during the decoding. */
const viewedPixelsMax = 100_000_000;

/** The result of the check of a document before any of it is drawn. */
export type DocumentLook =
  | { readonly state: 'problem'; readonly problem: Problem }
  | { readonly state: 'empty' }
  | { readonly state: 'too_large'; readonly size: ImageSize }
  | {
      readonly state: 'ready';
      readonly preview: Preview;
      /** The type of the content, if it differs from the named type. */
      readonly foundType: string | null;
    };

/** Reads the first bytes of a document, or returns the reason why they are not available. */
export async function readHead(
  url: string,
  signal: AbortSignal,
): Promise<{ head: Uint8Array } | { problem: DeskProblem }> {
  const response = await fetchBytes(url, {
    signal,
    headers: { range: `bytes=0-${headBytes - 1}` },
  });
  // The file is empty, so the server has no range to return.
  if (response.status === 416) return { head: new Uint8Array(0) };
  if (response.ok) return { head: new Uint8Array(await response.arrayBuffer()) };
  return { problem: await problemOf(response) };
}

/**
 * Decides by the content how a document is shown. The type of a server or a name may be wrong, and
 * a small file may contain a picture that is too large for any memory.
 */
export async function lookAt(
  url: string,
  contentType: string,
  signal: AbortSignal,
): Promise<DocumentLook> {
  const read = await readHead(url, signal);
  if ('problem' in read) return { state: 'problem', problem: read.problem };
  if (read.head.length === 0) return { state: 'empty' };
  const found = typeByContent(read.head);
  const lies = found !== null && !agree(contentType, found);
  const preview =
    found === null && previewOf(contentType) === 'text'
      ? 'none'
      : previewOf(lies ? found : contentType);
  if (preview === 'image') {
    const size = imageSizeOf(read.head);
    if (size !== null && size.width * size.height > viewedPixelsMax)
      return { state: 'too_large', size };
  }
  return { state: 'ready', preview, foundType: lies ? found : null };
}

/**
 * Whether the types are compatible: text has no signature of its kind, and an Office document is an
 * archive.
 */
function agree(named: string, found: string): boolean {
  if (named === found) return true;
  if (found === 'text/plain') return ['text', 'mail'].includes(previewOf(named));
  return found === 'application/zip' && named.includes('officedocument');
}

/** The common name of a format, which is the same in every language. */
export function formatName(contentType: string): string {
  return names[contentType] ?? contentType;
}

const names: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/heic': 'HEIC',
  'image/tiff': 'TIFF',
  'text/plain': 'Text',
  'text/csv': 'CSV',
  'message/rfc822': 'EML',
  'application/zip': 'ZIP',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
};
