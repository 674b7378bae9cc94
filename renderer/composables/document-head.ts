import type { DeskProblem } from '#shared/desk/desk-error.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf, type ImageSize } from '#shared/photos/photo-bytes.ts';
import { fetchBytes, problemOf } from './desk-bytes.ts';
import { previewOf, type Preview } from './files.ts';
import type { Problem } from './problem.ts';

/** More than any camera writes before the size of its picture. */
export const headBytes = 1024 * 1024;

/** Pixels that are decoded to be looked at: 400 MB while that lasts. */
const viewedPixelsMax = 100_000_000;

/** What a document turns out to be before anything of it is drawn. */
export type DocumentLook =
  | { readonly state: 'problem'; readonly problem: Problem }
  | { readonly state: 'empty' }
  | { readonly state: 'too_large'; readonly size: ImageSize }
  | {
      readonly state: 'ready';
      readonly preview: Preview;
      /** The type that the content shows if it is another than the named one. */
      readonly foundType: string | null;
    };

/** The first bytes of a document, or why there are none. */
export async function readHead(
  url: string,
  signal: AbortSignal,
): Promise<{ head: Uint8Array } | { problem: DeskProblem }> {
  const response = await fetchBytes(url, {
    signal,
    headers: { range: `bytes=0-${headBytes - 1}` },
  });
  // Nothing to give a range of: the file is empty.
  if (response.status === 416) return { head: new Uint8Array(0) };
  if (response.ok) return { head: new Uint8Array(await response.arrayBuffer()) };
  return { problem: await problemOf(response) };
}

/**
 * Decides by its content how a document is shown: the type that a server or a name claims may be
 * wrong, and a small file may claim a picture that fits into no memory.
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

/** Text carries no signature of its kind, and an Office document is an archive. */
function agree(named: string, found: string): boolean {
  if (named === found) return true;
  if (found === 'text/plain') return ['text', 'mail'].includes(previewOf(named));
  return found === 'application/zip' && named.includes('officedocument');
}

/** How people call a format; the same in every language. */
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
