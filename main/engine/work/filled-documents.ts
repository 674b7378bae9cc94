import type { Attachment } from '#shared/desk/reports.ts';
import type { FilledDetails } from '#shared/photos/details.ts';
import type { Database } from '../database/sqlite.ts';
import {
  AttachmentRows,
  attachmentView,
  parseDetails,
  type StoredAttachment,
  type TakenFile,
} from './attachment-rows.ts';
import type { Drafts } from './drafts.ts';

/** Documents in drafts that were filled from a template, and their PDFs. */
export class FilledDocuments {
  readonly #db: Database;
  readonly #drafts: Drafts;
  readonly #files: AttachmentRows;
  readonly #newId: () => string;

  constructor(options: { db: Database; drafts: Drafts; newId: () => string }) {
    this.#db = options.db;
    this.#drafts = options.drafts;
    this.#files = new AttachmentRows(options.db);
    this.#newId = options.newId;
  }

  /**
   * Puts a document that the desk filled before the other files, or in the place of one, as the
   * report.
   */
  put(
    draftId: string,
    file: TakenFile,
    { filled, replaces }: { filled: FilledDetails; replaces?: string | undefined },
  ): Attachment {
    return this.#db.transaction(() => {
      this.#drafts.editable(draftId);
      const before = replaces === undefined ? null : this.#drafts.attachment(draftId, replaces);
      const isWithheld = before?.details.isWithheld ?? false;
      const made = parseDetails({ kind: 'report', addedName: file.fileName, filled, isWithheld });
      const { isSalvageSale, fileName } = before ?? file;
      const put = { ...file, isSalvageSale, fileName, id: before?.id ?? this.#newId() };
      const after = { ...put, details: made };
      if (before) this.#files.put(after);
      else this.#files.insert(draftId, after, 0);
      this.#drafts.update({ draftId });
      return attachmentView(after);
    })();
  }

  /**
   * Takes a document back that was saved in another program. If the draft has another content by
   * now, it is put next to that; if the draft is on its way or gone, into a new one of its case.
   * @returns where it is
   */
  takeBack(
    from: {
      readonly caseId: string;
      readonly draftId: string;
      readonly attachmentId: string;
      readonly templateId: string;
      readonly templateName: string;
      /** Of the content that was given out. */
      readonly sha256: string;
    },
    file: TakenFile,
    savedAt: string,
  ): { draftId: string; attachmentId: string } {
    return this.#db.transaction(() => {
      const draft = this.#drafts
        .listOpen(from.caseId)
        .find(({ id, queueId }) => id === from.draftId && queueId === null);
      const before = draft?.attachments.find(({ id }) => id === from.attachmentId);
      if (draft && before?.sha256 === from.sha256) {
        const filled = before.details.filled && { ...before.details.filled, savedAt };
        const { fileName, isSalvageSale } = before;
        const content = { ...file, fileName, isSalvageSale, id: before.id };
        this.#files.put({ ...content, details: { ...before.details, filled } });
        this.#drafts.update({ draftId: draft.id });
        return { draftId: draft.id, attachmentId: before.id };
      }
      const { templateId, templateName } = from;
      const target = draft ?? this.#drafts.create(from.caseId);
      const fileName = freeName(file.fileName, target.attachments);
      const filled = { templateId, templateName, at: savedAt, savedAt };
      const added = this.put(target.id, { ...file, fileName }, { filled });
      return { draftId: target.id, attachmentId: added.id };
    })();
  }

  /**
   * Puts the PDF of a document behind it, or in the place of the one before. The document stays in
   * the draft and is not sent, unless the user chose otherwise before.
   */
  putPdf(draftId: string, documentId: string, file: TakenFile): Attachment {
    return this.#db.transaction(() => {
      const { attachments } = this.#drafts.editable(draftId);
      const document = this.#drafts.attachment(draftId, documentId);
      const pdfOf = { attachmentId: documentId, sha256: document.sha256 };
      const before = attachments.find((one) => one.details.pdfOf?.attachmentId === documentId);
      const isWithheld = before?.details.isWithheld ?? false;
      const details = parseDetails({ kind: 'report', addedName: file.fileName, pdfOf, isWithheld });
      const after = { ...file, id: before?.id ?? this.#newId(), details };
      if (before) this.#files.put({ ...after, fileName: before.fileName });
      else {
        const place = attachments.findIndex(({ id }) => id === documentId) + 1;
        this.#files.insert(draftId, after, place);
        this.#files.put({ ...document, details: { ...document.details, isWithheld: true } });
      }
      this.#drafts.update({ draftId });
      return attachmentView(this.#drafts.attachment(draftId, after.id));
    })();
  }
}

/** A name that no other file of a draft has. */
export function freeName(fileName: string, attachments: readonly StoredAttachment[]): string {
  const taken = new Set(attachments.map((file) => file.fileName.toLowerCase()));
  const point = fileName.lastIndexOf('.');
  for (let count = 1; ; count += 1) {
    const number = count === 1 ? '' : ` ${String(count)}`;
    const name = fileName.slice(0, point) + number + fileName.slice(point);
    if (!taken.has(name.toLowerCase())) return name;
  }
}
