import type { Attachment } from '#shared/desk/reports/reports.ts';
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

export interface FilledPlace {
  readonly draftId: string;
  /** The entry of the outbox; null for a draft. */
  readonly queueId: number | null;
  readonly line: string | null;
}

/** What the check of the file before may have found. */
const noFinding = { isProtected: false, looksDamaged: false, hidesAnswers: false } as const;

/** The documents in drafts that were filled from a template, and their PDFs. */
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
   * Puts a filled document before the other files, or in place of an earlier one, as the report.
   */
  put(
    draftId: string,
    file: TakenFile,
    { filled, replaces }: { filled: FilledDetails; replaces?: string | undefined },
  ): Attachment {
    return this.#db.transaction(() => {
      const before = replaces === undefined ? null : this.#drafts.attachment(draftId, replaces);
      const isWithheld = before?.details.isWithheld ?? false;
      // A document that is filled again still belongs to the batch's line.
      const line = filled.line ?? before?.details.filled?.line ?? null;
      const marks = { kind: 'report', addedName: file.fileName, isWithheld } as const;
      const made = parseDetails({ ...marks, filled: { ...filled, line } });
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
   * The places of a case's documents of a template, with the line of the sheet for which each was
   * filled.
   */
  placesOf(caseId: string, templateId: string): FilledPlace[] {
    return this.#db
      .prepare<[string, string], FilledPlace>(
        `SELECT d.id AS draftId, d.queue_id AS queueId, a.details ->> '$.filled.line' AS line
         FROM drafts d JOIN attachments a ON a.draft_id = d.id
         WHERE d.case_id = ? AND d.copy_of IS NULL
           AND a.details ->> '$.filled.templateId' = ?
         ORDER BY d.queue_id IS NULL, d.updated_at DESC`,
      )
      .all(caseId, templateId);
  }

  /**
   * Takes over a document that was saved in another program. If the draft now has another content,
   * the document is added next to it. If the draft is queued or missing, the document is added to a
   * new draft of its case.
   * @returns its place
   */
  takeBack(
    from: {
      readonly caseId: string;
      readonly draftId: string;
      readonly attachmentId: string;
      readonly templateId: string;
      readonly templateName: string;
      /** The hash of the content that was given to the program. */
      readonly sha256: string;
    },
    file: TakenFile,
    savedAt: string,
  ): { draftId: string; attachmentId: string } {
    return this.#db.transaction(() => {
      const draft = this.#draftOf(from);
      const before = draft?.attachments.find(({ id }) => id === from.attachmentId);
      if (draft && before?.sha256 === from.sha256) {
        const filled = before.details.filled && { ...before.details.filled, savedAt };
        const { fileName, isSalvageSale } = before;
        const content = { ...file, fileName, isSalvageSale, id: before.id };
        this.#files.put({ ...content, details: { ...before.details, filled } });
        this.#drafts.update({ draftId: draft.id });
        return { draftId: draft.id, attachmentId: before.id };
      }
      // The document may have been taken over before a crash that came before this was noted.
      const known = this.#drafts.containing(from.caseId, file.sha256);
      if (known) return { draftId: known.draftId, attachmentId: known.attachmentId };
      const { templateId, templateName } = from;
      const target = draft ?? this.#drafts.create(from.caseId);
      const fileName = freeName(file.fileName, target.attachments);
      const marks = { templateId, templateName, templateVersion: null };
      const filled = { ...marks, at: savedAt, savedAt, line: null };
      const added = this.put(target.id, { ...file, fileName }, { filled });
      return { draftId: target.id, attachmentId: added.id };
    })();
  }

  /** The draft from which a document was given out, while it can be changed. */
  #draftOf({ caseId, draftId }: { readonly caseId: string; readonly draftId: string }) {
    return this.#drafts
      .listOpen(caseId)
      .find(({ id, queueId }) => id === draftId && queueId === null);
  }

  /**
   * Takes over the PDF of a document that was given out. If the document is no longer in a draft,
   * the PDF is added as an ordinary file of its case.
   * @param isOlder whether the PDF shows an earlier text of the document
   */
  takePdf(
    from: { readonly caseId: string; readonly draftId: string; readonly attachmentId: string },
    file: TakenFile,
    isOlder: boolean,
  ): void {
    const draft = this.#draftOf(from);
    const isThere = draft?.attachments.some(({ id }) => id === from.attachmentId) === true;
    if (isThere) this.putPdf(from.draftId, from.attachmentId, file, isOlder);
    else this.takeOther(from, file);
  }

  /**
   * Takes over a file that was saved next to a document, into the document's draft or into a new
   * one of its case. If the file is saved again, it replaces its earlier content, if that is still
   * in the draft unchanged.
   * @returns its place
   */
  takeOther(
    from: { readonly caseId: string; readonly draftId: string },
    file: TakenFile,
    before?: { readonly draftId: string; readonly attachmentId: string; readonly sha256: string },
  ): { draftId: string; attachmentId: string } {
    return this.#db.transaction(() => {
      const known = this.#drafts.containing(from.caseId, file.sha256);
      if (known) return { draftId: known.draftId, attachmentId: known.attachmentId };
      const saved =
        before &&
        this.#draftOf({ caseId: from.caseId, draftId: before.draftId })?.attachments.find(
          ({ id, sha256 }) => id === before.attachmentId && sha256 === before.sha256,
        );
      if (saved) {
        const { draftId } = before;
        const { fileName, isSalvageSale, id } = saved;
        const { found, ...content } = file;
        const details = parseDetails({ ...saved.details, ...noFinding, ...found });
        this.#files.put({ ...content, fileName, isSalvageSale, id, details });
        this.#drafts.update({ draftId });
        return { draftId, attachmentId: id };
      }
      const target = this.#draftOf(from) ?? this.#drafts.create(from.caseId);
      const fileName = freeName(file.fileName, target.attachments);
      const added = this.#drafts.addAttachment(target.id, { ...file, fileName });
      return { draftId: target.id, attachmentId: added.id };
    })();
  }

  /**
   * Puts the PDF of a document after it, or in place of the earlier PDF. The document stays in the
   * draft and is not sent, unless the user decided otherwise before.
   */
  putPdf(draftId: string, documentId: string, file: TakenFile, isOlder = false): Attachment {
    return this.#db.transaction(() => {
      const { attachments } = this.#drafts.editable(draftId);
      const document = this.#drafts.attachment(draftId, documentId);
      const pdfOf = { attachmentId: documentId, sha256: isOlder ? '' : document.sha256 };
      const before = attachments.find((one) => one.details.pdfOf?.attachmentId === documentId);
      const { isWithheld = false, caption = '', group = null } = before?.details ?? {};
      const marks = { kind: 'report', isWithheld, caption, group } as const;
      const details = parseDetails({ ...file.found, ...marks, addedName: file.fileName, pdfOf });
      const { isSalvageSale, fileName } = before ?? file;
      const id = before?.id ?? this.#newId();
      const after = { ...file, isSalvageSale, fileName, id, details };
      if (before) this.#files.put(after);
      else {
        const place = attachments.findIndex(({ id }) => id === documentId) + 1;
        this.#files.insert(draftId, after, place);
        this.#files.put({ ...document, details: { ...document.details, isWithheld: true } });
      }
      this.#drafts.update({ draftId });
      return attachmentView(this.#drafts.attachment(draftId, after.id));
    })();
  }

  /**
   * Puts the one PDF before its parts, or in place of an earlier one. The parts stay in the draft and
   * are not sent; of those that an earlier one had, the user's choice stays. A part of the earlier
   * PDF alone is sent again, unless another PDF of the draft replaces it.
   * @param partIds the report first
   */
  putBound(draftId: string, file: TakenFile, partIds: readonly string[]): Attachment {
    return this.#db.transaction(() => {
      const { attachments } = this.#drafts.editable(draftId);
      const before = attachments.find(({ details }) => details.boundOf !== null);
      const known = new Set(before?.details.boundOf?.map(({ attachmentId }) => attachmentId));
      const parts = partIds.map((id) => this.#drafts.attachment(draftId, id));
      const boundOf = parts.map(({ id, sha256 }) => ({ attachmentId: id, sha256 }));
      const marks = { kind: 'report', addedName: file.fileName } as const;
      const details = parseDetails({ ...file.found, ...marks, boundOf });
      const fileName = before?.fileName ?? freeName(file.fileName, attachments);
      const { isSalvageSale } = before ?? file;
      const after = { ...file, isSalvageSale, fileName, id: before?.id ?? this.#newId(), details };
      if (before) this.#files.put(after);
      else this.#files.insert(draftId, after, 0);
      const withhold = (part: StoredAttachment, isWithheld: boolean) =>
        this.#files.put({ ...part, details: { ...part.details, isWithheld } });
      for (const part of parts.filter(({ id }) => !known.has(id))) withhold(part, true);
      const replaced = new Set([
        ...partIds,
        ...attachments.map(({ details }) => details.pdfOf?.attachmentId),
      ]);
      for (const part of attachments)
        if (known.has(part.id) && !replaced.has(part.id)) withhold(part, false);
      this.#drafts.update({ draftId });
      return attachmentView(this.#drafts.attachment(draftId, after.id));
    })();
  }
}

/** A name that no other file of the draft has. */
export function freeName(fileName: string, attachments: readonly StoredAttachment[]): string {
  const taken = new Set(attachments.map((file) => file.fileName.toLowerCase()));
  const point = fileName.includes('.') ? fileName.lastIndexOf('.') : fileName.length;
  for (let count = 1; ; count += 1) {
    const number = count === 1 ? '' : ` ${String(count)}`;
    const name = fileName.slice(0, point) + number + fileName.slice(point);
    if (!taken.has(name.toLowerCase())) return name;
  }
}
