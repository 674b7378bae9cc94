import { DeskError, isDeskProblem } from '#shared/desk/contract/desk-error.ts';
import {
  fileNameHeader,
  renditionHeader,
  salvageSaleHeader,
  seenHeader,
} from '#shared/desk/reports/file-headers.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { BatchAttachment } from '#shared/desk/reports/batch.ts';
import type { AddedTemplate, Signature } from '#shared/desk/reports/templates.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import { assertReadable } from '../lib/chosen-file.ts';
import { fetchBytes } from '../lib/desk-bytes.ts';
import { DeskUnreachableError } from '../lib/problem.ts';

/** The byte streams next to the contract. */
export type FileAccess = ReturnType<typeof createFileAccess>;

/**
 * @param base the address of the streams, with a trailing slash
 * @param shellDrags whether the engine provides what the user drags, because pages cannot
 */
export function createFileAccess(base: string, shellDrags: boolean) {
  const url = (...parts: string[]) => base + parts.map(encodeURIComponent).join('/');
  return {
    shellDrags,
    documentUrl: (caseId: string, documentId: string) => url('documents', caseId, documentId),
    attachmentUrl: (draftId: string, id: string) => url('attachments', draftId, id),
    /**
     * The addresses of a template that was looked at: its file, its pages, and a copy with its
     * faults marked.
     */
    templateFileUrl: (lookId: string) => url('template-files', lookId),
    templatePagesUrl: (lookId: string) => url('template-pages', lookId),
    markedTemplateUrl: (lookId: string) => url('marked-templates', lookId),
    /** The address of a photo's original. */
    originalUrl: (draftId: string, id: string) => url('originals', draftId, id),

    /**
     * Sends a file to the engine, which has stored it when this resolves.
     * @throws {DeskError} if the engine refuses the file, or the file cannot be read; the draft is
     *   then unchanged.
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
    /** Adds a file of a batch by its path. It fails as `addAttachment` does. */
    addBatchFile: (batchId: string, path: string, file: File, isSeen: boolean) =>
      sendBytes<BatchAttachment | null>(url('batches', batchId), file, {
        [fileNameHeader]: encodeURIComponent(path),
        [seenHeader]: String(isSeen),
      }),
    /** Sends the file that replaces a photo from now on. It fails as `addAttachment` does. */
    setRendition: (
      draftId: string,
      id: string,
      { file, rendition }: { readonly file: File; readonly rendition: Rendition },
    ) =>
      send(url('renditions', draftId, id), file, { [renditionHeader]: JSON.stringify(rendition) }),
    /** Adds a template of the office. It fails as `addAttachment` does. */
    addTemplate: (file: File) =>
      sendBytes<AddedTemplate>(url('templates'), file, {
        [fileNameHeader]: encodeURIComponent(file.name),
      }),
    /** Stores the picture of the appraiser's signature. It fails as `addAttachment` does. */
    setSignature: (file: File) =>
      sendBytes<Signature>(url('signature'), file, {
        [fileNameHeader]: encodeURIComponent(file.name),
      }),
    /** Replaces a file of the draft with another one. It fails as `addAttachment` does. */
    replaceAttachment: (draftId: string, id: string, file: File, isSeen: boolean) =>
      send(url('drafts', draftId, 'attachments', id), file, { [seenHeader]: String(isSeen) }),
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
  }).catch(async (cause: unknown) => {
    // The failure of a request does not say whether the file or the engine failed.
    await assertReadable(file);
    throw new DeskUnreachableError('the file was not taken', { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  // The engine checks its answers against the contract, as it does for calls.
  if (response.ok) return body as Answer;
  throw isDeskProblem(body) ? DeskError.of(body) : new DeskError('internal');
}
