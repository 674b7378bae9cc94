import { DeskError, isDeskProblem } from '#shared/desk/desk-error.ts';
import {
  fileNameHeader,
  renditionHeader,
  salvageSaleHeader,
  seenHeader,
} from '#shared/desk/file-headers.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { Attachment } from '#shared/desk/reports.ts';
import { fetchBytes } from '../composables/desk-bytes.ts';
import { DeskUnreachableError } from '../composables/problem.ts';

/** The byte streams beside the contract. */
export interface FileAccess {
  readonly documentUrl: (caseId: string, documentId: string) => string;
  readonly attachmentUrl: (draftId: string, attachmentId: string) => string;
  /** Whether the engine gives out what a person drags, because pages cannot. */
  readonly shellDrags: boolean;
  /**
   * Sends a file to the engine, which has it safely when this resolves.
   * @throws {DeskError} if the engine refuses the file; the draft is then as it was.
   * @throws {DeskUnreachableError} if the engine does not answer.
   */
  readonly addAttachment: (
    draftId: string,
    file: File,
    what: { readonly isSalvageSale: boolean; readonly isSeen: boolean },
  ) => Promise<Attachment>;
  /** A photo as it came in. */
  readonly originalUrl: (draftId: string, attachmentId: string) => string;
  /** Sends what stands in for a photo from now on; fails as `addAttachment` does. */
  readonly setRendition: (
    draftId: string,
    attachmentId: string,
    made: { readonly file: File; readonly rendition: Rendition },
  ) => Promise<Attachment>;
  /** Puts a file in the place of another of the draft; fails as `addAttachment` does. */
  readonly replaceAttachment: (
    draftId: string,
    attachmentId: string,
    file: File,
  ) => Promise<Attachment>;
}

/** @param base address of the streams, with a trailing slash */
export function createFileAccess(base: string, shellDrags: boolean): FileAccess {
  const url = (...parts: string[]) => base + parts.map(encodeURIComponent).join('/');
  return {
    shellDrags,
    documentUrl: (caseId, documentId) => url('documents', caseId, documentId),
    attachmentUrl: (draftId, attachmentId) => url('attachments', draftId, attachmentId),

    originalUrl: (draftId, attachmentId) => url('originals', draftId, attachmentId),
    addAttachment: (draftId, file, { isSalvageSale, isSeen }) =>
      send(url('drafts', draftId, 'attachments'), file, {
        [salvageSaleHeader]: String(isSalvageSale),
        [seenHeader]: String(isSeen),
      }),
    setRendition: (draftId, attachmentId, { file, rendition }) =>
      send(url('renditions', draftId, attachmentId), file, {
        [renditionHeader]: JSON.stringify(rendition),
      }),
    replaceAttachment: (draftId, attachmentId, file) =>
      send(url('drafts', draftId, 'attachments', attachmentId), file),
  };
}

async function send(
  url: string,
  file: File,
  headers: Readonly<Record<string, string>> = {},
): Promise<Attachment> {
  const response = await fetchBytes(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      [fileNameHeader]: encodeURIComponent(file.name),
      ...headers,
    },
    body: file,
  }).catch((cause: unknown) => {
    throw new DeskUnreachableError('the file was not taken', { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  // The engine holds its answers to the contract, as it does those of the calls.
  if (response.ok) return body as Attachment;
  throw isDeskProblem(body) ? new DeskError(body.code, body.params) : new DeskError('internal');
}
