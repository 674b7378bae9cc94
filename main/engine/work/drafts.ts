import { comparedId } from '#shared/api/conventions.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import type { DetailsChange, Rendition } from '#shared/photos/details.ts';
import { commentMaxLength } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Database } from '../database/sqlite.ts';
import {
  attachmentView,
  contentsOf,
  parseDetails,
  type StoredAttachment,
  type StoredDetails,
  type StoredFile,
  type TakenFile,
} from './attachment-rows.ts';
import { type Draft, DraftReader } from './draft-reader.ts';

/** The reports that are not submitted yet. A queued draft no longer changes. */
export class Drafts extends DraftReader {
  readonly #now: () => string;
  readonly #newId: () => string;
  /** The discarded drafts, for as long as their contents stay. */
  readonly #discarded = new Map<string, Draft>();
  /** The removed attachments, for as long as their contents stay. */
  readonly #removed = new Map<
    string,
    {
      draftId: string;
      attachment: StoredAttachment;
      position: number;
      /** The files that were withheld because of it. */
      withheldIds: readonly string[];
    }
  >();

  constructor(options: { db: Database; now: () => string; newId: () => string }) {
    super(options.db);
    this.#now = options.now;
    this.#newId = options.newId;
  }

  create(caseId: string): Draft {
    const id = this.#newId();
    const now = this.#now();
    this.db
      .prepare(
        `INSERT INTO drafts (id, case_id, comment, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(id, caseId, '', now, now);
    return this.get(id);
  }

  /**
   * A draft that can be changed.
   * @throws {DeskError} draft_not_found (also for a copy), queue_row_state (it is already queued)
   */
  editable(id: string): Draft {
    const draft = this.get(id);
    if (draft.copyOf !== null) throw new DeskError('draft_not_found');
    if (draft.queueId !== null) {
      throw new DeskError('queue_row_state', { id: draft.queueId, state: 'waiting' });
    }
    return draft;
  }

  /**
   * Stores a draft with all of its files. It is a copy of a submission, or begins as one.
   * @param content.isWhole whether the copy has every file; otherwise the next one replaces it
   */
  createWith(content: {
    caseId: string;
    comment: string;
    copyOf: string | null;
    isWhole?: boolean;
    files: readonly (StoredFile & { readonly details?: StoredDetails })[];
  }): Draft {
    const { copyOf, isWhole = true } = content;
    const partial = copyOf === null ? null : partialCopyOf(copyOf);
    return this.db.transaction(() => {
      if (partial !== null) this.db.prepare('DELETE FROM drafts WHERE copy_of = ?').run(partial);
      const { id } = this.create(content.caseId);
      this.update({ draftId: id, comment: content.comment });
      for (const [position, file] of content.files.entries()) {
        // A fetched file was sent before.
        const { details = parseDetails({ addedName: file.fileName, isBare: true }) } = file;
        this.#insert(id, { ...file, id: this.#newId(), details }, position);
      }
      this.db
        .prepare('UPDATE drafts SET copy_of = ? WHERE id = ?')
        .run(isWhole ? copyOf : partial, id);
      return this.get(id);
    })();
  }

  #touch(id: string): void {
    this.db.prepare('UPDATE drafts SET updated_at = ? WHERE id = ?').run(this.#now(), id);
  }

  /**
   * Changes a draft.
   * @throws {DeskError} comment_too_long, invalid_input, draft_not_found, queue_row_state
   */
  update(input: {
    draftId: string;
    comment?: string | undefined;
    order?: readonly string[] | undefined;
  }): Draft {
    const { draftId, comment, order } = input;
    assertCommentLength(comment ?? '');
    return this.db.transaction(() => {
      const draft = this.editable(draftId);
      if (comment !== undefined) this.type(draftId, comment);
      if (order) {
        const known = new Set(draft.attachments.map(({ id }) => id));
        const isPermutation =
          order.length === known.size &&
          new Set(order).size === known.size &&
          order.every((id) => known.has(id));
        if (!isPermutation) {
          throw new DeskError('invalid_input', { field: 'order', rule: 'every_attachment_once' });
        }
        this.files.place(order);
      }
      this.#touch(draftId);
      return this.get(draftId);
    })();
  }

  /**
   * Stores a comment as it is typed. One that is too long is stored, too, and is refused when the
   * draft is queued.
   * @throws {DeskError} draft_not_found, queue_row_state
   */
  type(draftId: string, comment: string): void {
    this.db.transaction(() => {
      this.editable(draftId);
      this.db.prepare('UPDATE drafts SET comment = ? WHERE id = ?').run(comment, draftId);
      this.#touch(draftId);
    })();
  }

  /** @param isSeen whether a photo was checked and is sent unchanged */
  addAttachment(draftId: string, file: TakenFile, isSeen = false): Attachment {
    return this.db.transaction(() => {
      const draft = this.editable(draftId);
      const added = attachmentOf(file, this.#newId(), isSeen);
      this.#insert(draftId, added, draft.attachments.length);
      return attachmentView(added);
    })();
  }

  /**
   * Adds a picture of a telephone, among the others of telephones in the order of their capture.
   * @param takenAt by the telephone's clock, if the picture itself has no time
   */
  addFromTelephone(
    draftId: string,
    file: TakenFile,
    from: Pick<StoredDetails, 'group' | 'caption'> & { id: string; takenAt: string },
  ): Attachment {
    return this.db.transaction(() => {
      const { attachments } = this.editable(draftId);
      const added = attachmentOf(file, this.#newId(), false);
      const { id: telephoneId, group, caption } = from;
      const takenAt = added.details.takenAt ?? from.takenAt;
      const details = { ...added.details, telephoneId, takenAt, group, caption };
      const later = attachments.findIndex(
        ({ details: other }) => other.telephoneId !== null && (other.takenAt ?? '') > takenAt,
      );
      const picture = { ...added, details };
      this.#insert(draftId, picture, later < 0 ? attachments.length : later);
      return attachmentView(picture);
    })();
  }

  #insert(draftId: string, file: StoredAttachment, position: number): void {
    this.files.insert(draftId, file, position);
    this.#touch(draftId);
  }

  /**
   * Sends other bytes in place of the original, which stays next to them. A further page of the
   * original becomes a separate file after the first ones; if the same page arrives again, it is
   * not added twice.
   */
  setRendition(
    draftId: string,
    attachmentId: string,
    { found: _, ...file }: TakenFile,
    { editVersion, takenAt, page }: Rendition,
  ): Attachment {
    return this.db.transaction(() => {
      const { attachments } = this.editable(draftId);
      const before = this.attachment(draftId, attachmentId);
      const original = before.details.original ?? { ...before, page: 0 };
      const { fileName, contentType, sizeBytes, sha256, blobId } = original;
      const known = takenAt ?? before.details.takenAt;
      const shared = { ...file, isSalvageSale: before.isSalvageSale };
      if (page > 0 && page !== original.page) {
        const source = { fileName, contentType, sizeBytes, sha256, blobId, page };
        const unchanged = { edit: null, editVersion: 0, renderedVersion: 0, isBare: true };
        const details = { ...before.details, ...unchanged, takenAt: known, original: source };
        const place = attachments.findIndex(({ id }) => id === before.id) + page;
        const there = attachments[place];
        if (there?.details.original?.blobId === blobId && there.details.original.page === page)
          return attachmentView(there);
        const added = { ...shared, id: this.#newId(), details };
        this.#insert(draftId, added, place);
        return attachmentView(added);
      }
      const details = {
        ...before.details,
        takenAt: known,
        renderedVersion: editVersion,
        isBare: true,
        original: { fileName, contentType, sizeBytes, sha256, blobId, page: original.page },
      };
      const after = { ...shared, id: before.id, details };
      this.files.put(after);
      this.#touch(draftId);
      return attachmentView(after);
    })();
  }

  updateAttachment(
    draftId: string,
    attachmentId: string,
    change: { fileName: string; isSalvageSale: boolean; details: DetailsChange },
  ): Draft {
    return this.db.transaction(() => {
      this.editable(draftId);
      const before = this.attachment(draftId, attachmentId);
      const { details } = before;
      const { kind, caption, group, edit, isWithheld } = change.details;
      const changed: StoredDetails = {
        ...details,
        ...(kind !== undefined && { kind }),
        ...(caption !== undefined && { caption }),
        ...(group !== undefined && { group }),
        ...(isWithheld !== undefined && { isWithheld }),
        ...(edit !== undefined && { edit, editVersion: details.editVersion + 1 }),
      };
      const { fileName, isSalvageSale } = change;
      this.files.put({ ...before, fileName, isSalvageSale, details: changed });
      this.#touch(draftId);
      return this.get(draftId);
    })();
  }

  /**
   * Replaces a file by another one; the mark stays.
   * @param isSeen whether a photo was checked and is sent unchanged
   */
  replaceAttachment(
    draftId: string,
    attachmentId: string,
    file: TakenFile,
    isSeen = false,
  ): Attachment {
    return this.db.transaction(() => {
      this.editable(draftId);
      const before = this.attachment(draftId, attachmentId);
      const {
        isSalvageSale,
        details: { kind, caption, group },
      } = before;
      // The original and the marks of the replaced file stay.
      const added = attachmentOf(file, before.id, isSeen);
      const details = { ...added.details, kind, caption, group };
      const after = { ...added, isSalvageSale, details };
      this.files.put(after);
      this.#touch(draftId);
      return attachmentView(after);
    })();
  }

  /** Adds a file at the end without reading the others, because a batch has thousands. */
  append(draftId: string, file: TakenFile, isSeen: boolean): string {
    const added = attachmentOf(file, this.#newId(), isSeen);
    this.files.insert(draftId, added, this.files.nextPosition(draftId));
    return added.id;
  }

  /** Moves files of other drafts to the end of this one, in the given order. */
  takeOver(
    draftId: string,
    files: readonly { readonly id: string; readonly isSalvageSale: boolean }[],
  ): void {
    this.db.transaction(() => {
      this.editable(draftId);
      // A desk with a backup of these files may deliver them as well.
      this.db
        .prepare(
          `UPDATE drafts SET shared_since_ms = (
             SELECT min(d.shared_since_ms) FROM drafts d
             WHERE d.id = @draftId OR d.id IN (SELECT draft_id FROM attachments
               WHERE id IN (SELECT value FROM json_each(@ids))))
           WHERE id = @draftId`,
        )
        .run({ draftId, ids: JSON.stringify(files.map(({ id }) => id)) });
      for (const file of files) {
        this.files.move(file, draftId, this.files.nextPosition(draftId));
      }
      this.#touch(draftId);
    })();
  }

  /** An attachment. @throws {DeskError} document_not_found */
  attachment(draftId: string, attachmentId: string): StoredAttachment {
    const found = this.get(draftId).attachments.find(({ id }) => id === attachmentId);
    if (!found) throw new DeskError('document_not_found');
    return found;
  }

  /** Removes an attachment. Its content stays until the next start (see `removeOrphans`). */
  removeAttachment(draftId: string, attachmentId: string): Draft {
    return this.db.transaction(() => {
      const { attachments } = this.editable(draftId);
      const attachment = this.attachment(draftId, attachmentId);
      const position = attachments.findIndex(({ id }) => id === attachmentId);
      const withheldIds = partsOf(attachment).filter(
        (id) => this.files.find(id)?.attachment.details.isWithheld,
      );
      this.#removed.set(attachmentId, { draftId, attachment, position, withheldIds });
      this.files.remove(attachmentId);
      this.#withhold(withheldIds, false);
      // The remaining files get consecutive positions.
      this.files.place(this.get(draftId).attachments.map(({ id }) => id));
      this.#touch(draftId);
      return this.get(draftId);
    })();
  }

  #withhold(ids: readonly string[], isWithheld: boolean): void {
    for (const id of ids) {
      const part = this.files.find(id)?.attachment;
      if (part) this.files.put({ ...part, details: { ...part.details, isWithheld } });
    }
  }

  /**
   * Restores an attachment. @throws {DeskError} document_not_found if it was not removed since the
   * last start
   */
  restoreAttachment(draftId: string, attachmentId: string): Draft {
    const removed = this.#removed.get(attachmentId);
    if (removed?.draftId !== draftId) throw new DeskError('document_not_found');
    return this.db.transaction(() => {
      const { attachments } = this.editable(draftId);
      const position = Math.min(removed.position, attachments.length);
      this.#insert(draftId, removed.attachment, position);
      this.#withhold(removed.withheldIds, true);
      this.#removed.delete(attachmentId);
      return this.get(draftId);
    })();
  }

  /** Discards a draft. Its contents stay until the next start (see `removeOrphans`). */
  discard(id: string): void {
    this.db.transaction(() => {
      this.#discarded.set(id, this.editable(id));
      this.db.prepare('DELETE FROM drafts WHERE id = ?').run(id);
    })();
  }

  /**
   * Restores a draft. @throws {DeskError} draft_not_found if it was not discarded since the last
   * start
   */
  restore(id: string): Draft {
    const draft = this.#discarded.get(id);
    if (!draft) throw new DeskError('draft_not_found');
    return this.db.transaction(() => {
      this.db
        .prepare(
          `INSERT INTO drafts (id, case_id, comment, created_at, updated_at, shared_since_ms)
           VALUES (@id, @caseId, @comment, @createdAt, @updatedAt, @sharedSinceMs)`,
        )
        .run({ ...draft, updatedAt: this.#now() });
      draft.attachments.forEach((attachment, position) => this.#insert(id, attachment, position));
      this.#discarded.delete(id);
      return this.get(id);
    })();
  }

  /** The contents of the drafts, also of those files that can be restored. */
  override blobIds(): Set<string> {
    const files = [...this.#removed.values()].map(({ attachment }) => attachment);
    for (const { attachments } of this.#discarded.values()) files.push(...attachments);
    return new Set([...super.blobIds(), ...files.flatMap(contentsOf)]);
  }

  /** Assigns the draft to its row of the outbox. From then on the draft does not change. */
  bindToQueue(id: string, queueId: number): void {
    this.editable(id);
    this.db.prepare('UPDATE drafts SET queue_id = ? WHERE id = ?').run(queueId, id);
  }
}

/** The mark of a copy that lacks files. It is not what this laptop has of the submission. */
const partialCopyOf = (submissionId: string): string => `partial ${comparedId(submissionId)}`;

/**
 * The files in place of which this one is sent: the parts of one PDF, or the document of a PDF.
 * Without it they are sent again.
 */
function partsOf({ details: { boundOf, pdfOf, isWithheld } }: StoredAttachment): string[] {
  const document = pdfOf === null || isWithheld ? [] : [pdfOf];
  return [...(boundOf ?? []), ...document].map(({ attachmentId }) => attachmentId);
}

/** @param isSeen whether a photo was checked and is sent unchanged */
function attachmentOf(
  { found, subject: _, ...file }: TakenFile,
  id: string,
  isSeen: boolean,
): StoredAttachment {
  const seen = isSeen ? { renderedVersion: 0 } : {};
  const details = parseDetails({ addedName: file.fileName, ...found, ...seen });
  return { ...file, id, details };
}

/** @throws {DeskError} comment_too_long */
export function assertCommentLength(text: string): void {
  if (text.length <= commentMaxLength) return;
  const params = { field: 'comment', max: commentMaxLength, length: text.length };
  throw new DeskError('comment_too_long', params);
}
