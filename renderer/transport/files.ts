import type { Attachment } from '#shared/desk/reports.ts';

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

    // With the schemas of what is answered, which the window's first list does without.
    async addAttachment(draftId, file, isSalvageSale) {
      const { sendFile } = await import('./send-file.ts');
      return sendFile(url('drafts', draftId, 'attachments'), file, isSalvageSale);
    },
  };
}
