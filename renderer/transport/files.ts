import { DeskError, isDeskProblem } from '#shared/desk/desk-error.ts';
import {
  fileNameHeader,
  renditionHeader,
  salvageSaleHeader,
  seenHeader,
} from '#shared/desk/file-headers.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { BatchAttachment } from '#shared/desk/batch.ts';
import type { AddedTemplate } from '#shared/desk/templates.ts';
import type { Attachment } from '#shared/desk/reports.ts';
import { fetchBytes } from '../composables/desk-bytes.ts';
import { DeskUnreachableError } from '../composables/problem.ts';

/** The byte streams next to the contract. */
export type FileAccess = ReturnType<typeof createFileAccess>;

/**
 * @param base address of the streams, with a trailing slash
 * @param shellDrags whether the engine gives out what the user drags, because pages cannot
 */
export function createFileAccess(base: string, shellDrags: boolean) {
  const url = (...parts: string[]) => base + parts.map(encodeURIComponent).join('/');
  return {
    shellDrags,
    documentUrl: (caseId: string, documentId: string) => url('documents', caseId, documentId),
    attachmentUrl: (draftId: string, id: string) => url('attachments', draftId, id),
    /** A photo as it came in. */
    originalUrl: (draftId: string, id: string) => url('originals', draftId, id),

    /**
     * Sends a file to the engine, which has it safely when this resolves.
     * @throws {DeskError} if the engine refuses the file; the draft is then as it was.
     * @throws {DeskUnreachableError} if the engine does not answer.
     */
    addAttachment: (
      draftId: string,
      file: File,
      { isSalvageSale, isSeen }: { readonly isSalvageSale: boolean; readonly isSeen: boolean },
    ) =>
      send(url('drafts', draftId, 'attachments'), file, {
        [salvageSaleHeader]: String(isSalvageSale),
        [seenHeader]: String(isSeen),
      }),
    /** Takes in a file of a batch by its path; fails as `addAttachment` does. */
    addBatchFile: (batchId: string, path: string, file: File, isSeen: boolean) =>
      sendBytes<BatchAttachment | null>(url('batches', batchId), file, {
        [fileNameHeader]: encodeURIComponent(path),
        [seenHeader]: String(isSeen),
      }),
    /** Sends what stands in for a photo from now on; fails as `addAttachment` does. */
    setRendition: (
      draftId: string,
      id: string,
      { file, rendition }: { readonly file: File; readonly rendition: Rendition },
    ) =>
      send(url('renditions', draftId, id), file, { [renditionHeader]: JSON.stringify(rendition) }),
    /** Adds a template of the office; fails as `addAttachment` does. */
    addTemplate: (file: File) =>
      sendBytes<AddedTemplate>(url('templates'), file, {
        [fileNameHeader]: encodeURIComponent(file.name),
      }),
    /** Puts a file in the place of another of the draft; fails as `addAttachment` does. */
    replaceAttachment: (draftId: string, id: string, file: File) =>
      send(url('drafts', draftId, 'attachments', id), file),
  };
}

const send = (url: string, file: File, headers: Readonly<Record<string, string>> = {}) =>
  sendBytes<Attachment>(url, file, {
    [fileNameHeader]: encodeURIComponent(file.name),
    ...headers,
  });

async function sendBytes<Answer>(
  url: string,
  file: File,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await fetchBytes(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: file,
  }).catch((cause: unknown) => {
    throw new DeskUnreachableError('the file was not taken', { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  // The engine checks its answers against the contract, as it does those of the calls.
  if (response.ok) return body as Answer;
  throw isDeskProblem(body) ? DeskError.of(body) : new DeskError('internal');
}
