import { fileNameHeader, salvageSaleHeader } from '#shared/desk/contract.ts';
import { deskProblemSchema } from '#shared/desk/errors.ts';
import { attachmentSchema, type Attachment } from '#shared/desk/reports.ts';
import { DeskUnreachableError, FileProblemError } from './problem.ts';

/** The byte streams beside the contract. */
export interface FileAccess {
  readonly documentUrl: (caseId: string, documentId: string) => string;
  readonly attachmentUrl: (draftId: string, attachmentId: string) => string;
  /** Whether the engine gives out what a person drags, because pages cannot. */
  readonly shellDrags: boolean;
  /**
   * Hands a file to the engine, which has it safely when this resolves.
   * @throws {FileProblemError} when the engine refuses the file; the draft is then as it was.
   * @throws {DeskUnreachableError} when the engine does not answer.
   */
  readonly addAttachment: (
    draftId: string,
    file: File,
    isSalvageSale: boolean,
  ) => Promise<Attachment>;
}

/** @param base address that the streams hang under, with a trailing slash. */
export function createFileAccess(base: string, shellDrags: boolean): FileAccess {
  const url = (...parts: string[]) => base + parts.map(encodeURIComponent).join('/');
  return {
    shellDrags,
    documentUrl: (caseId, documentId) => url('documents', caseId, documentId),
    attachmentUrl: (draftId, attachmentId) => url('attachments', draftId, attachmentId),

    async addAttachment(draftId, file, isSalvageSale) {
      const response = await fetch(url('drafts', draftId, 'attachments'), {
        method: 'POST',
        headers: {
          'content-type': 'application/octet-stream',
          [fileNameHeader]: encodeURIComponent(file.name),
          [salvageSaleHeader]: String(isSalvageSale),
        },
        body: file,
      }).catch((cause: unknown) => {
        throw new DeskUnreachableError('the file was not taken', { cause });
      });
      const body: unknown = await response.json().catch(() => null);
      if (response.ok) return attachmentSchema.parse(body);
      const problem = deskProblemSchema.safeParse(body);
      throw new FileProblemError(problem.success ? problem.data : { code: 'internal', params: {} });
    },
  };
}
