import { parse } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { queueKinds, queueStates } from '#shared/desk/delivery/queue.ts';
import { countSteps, type Database, insertKnown } from '../database/sqlite.ts';
import { isFurtherPage, readDetails, withOriginalBlob } from './attachment-rows.ts';
import { insertStoredEdits, readStoredEdits, storedEditsSchema } from './edits.ts';
import { packedLocalDataSchema, packLocalData, unpackLocalData } from './local-data.ts';
import { actSchema, isPut } from './outbox-records.ts';
import { openStates } from './outbox-reader.ts';
import { currentStep, nextState, type StepState, stepStates } from './outbox-states.ts';
import { restate } from './row-states.ts';

const scalar = z.union([z.string(), z.number(), z.null()]);
const state = z.enum(queueStates);

/** The unchanged rows of the work store, so that a column of a later version is packed as well. */
const rowSchema = z
  .object({
    id: z.int(),
    case_id: z.string(),
    kind: z.enum(queueKinds),
    state,
    act: z.string(),
    created_at: z.string(),
  })
  .catchall(scalar);
const stepSchema = z
  .object({
    kind: z.string(),
    state: z.enum(stepStates),
    first_attempt_at: z.string().nullable(),
    key_used_at_ms: z.number().nullable(),
  })
  .catchall(scalar);
const draftSchema = z
  .object({
    id: z.string(),
    case_id: z.string(),
    comment: z.string(),
    updated_at: z.string(),
    queue_id: z.int().nullable(),
    shared_since_ms: z.number().nullish(),
  })
  .catchall(scalar);
const attachmentSchema = z
  .object({
    id: z.string(),
    sha256: z.string(),
    size_bytes: z.int(),
    blob_id: z.string(),
    details: z.string().default('{}'),
    file_name: z.string(),
    is_salvage_sale: z.int(),
  })
  .catchall(scalar);

const templateSchema = z
  .object({ id: z.string(), sha256: z.string(), size_bytes: z.int(), blob_id: z.string() })
  .catchall(scalar);

const batchSchema = z.object({
  batch: z.object({ id: z.string() }).catchall(scalar),
  files: z.array(
    z.object({ path: z.string(), attachment_id: z.string().nullable() }).catchall(scalar),
  ),
});

/** The user's work that the server has not confirmed. */
export const openWorkSchema = z.object({
  schemaVersion: z.int(),
  rows: z.array(z.object({ row: rowSchema, steps: z.array(stepSchema) })),
  drafts: z.array(z.object({ draft: draftSchema, attachments: z.array(attachmentSchema) })),
  /** The unfinished batches of the windows. Their bytes are in the drafts with the same ids. */
  batches: z.array(batchSchema).default([]),
  /** The submission ids of delivered reports of the same cases. */
  delivered: z.array(z.string()).default([]),
  edits: storedEditsSchema.default([]),
  local: packedLocalDataSchema.default({}),
  /** The user's own templates. Their files are packed with those of the drafts. */
  templates: z.array(templateSchema).default([]),
});
export type OpenWork = z.infer<typeof openWorkSchema>;
type Row = z.infer<typeof rowSchema>;
type Step = z.infer<typeof stepSchema>;
type PackedDraft = OpenWork['drafts'][number];
type PackedBatch = OpenWork['batches'][number];
type PackedAttachment = PackedDraft['attachments'][number];

export interface Arrival {
  /** When the package was made, by the server's clock. */
  readonly packedAtMs: number;
  /** Returns the name under which this laptop stores a content. */
  readonly blobIdOf: (sha256: string) => string;
}

export interface Arrived {
  readonly rowIds: readonly number[];
  readonly drafts: number;
  /** The number of their files. */
  readonly files: number;
  /** The number of texts that were typed into cases and not queued. */
  readonly texts: number;
  /** The ids of the cases in which something here differs from the package, and stays. */
  readonly differing: ReadonlySet<string>;
  readonly notes: number;
  readonly known: number;
  readonly superseded: number;
}

type ReadAll = <T>(schema: z.ZodType<T>, sql: string, ...params: (string | number)[]) => T[];

type Fate = 'as-it-was' | 'doubted' | 'superseded';

/**
 * Moves undelivered work from one laptop to another. An act is identified by its case, kind and
 * time, and a report by its draft's id, so nothing is added twice, whether delivered or not.
 * Idempotency keys are moved as well, and every draft contains the time since when another laptop
 * may deliver it.
 */
export class Transfer {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A consistent snapshot of the work. It changes nothing. */
  pack(): OpenWork {
    return this.#db.transaction(() => {
      const all: ReadAll = (schema, sql, ...params) =>
        z.array(schema).parse(this.#db.prepare(sql).all(...params));
      const batches = this.#packBatches(all);
      const rows = all(rowSchema, `SELECT * FROM outbox WHERE state IN ${openStates} ORDER BY id`);
      const drafts = all(
        draftSchema,
        `SELECT d.* FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
         WHERE d.copy_of IS NULL AND (d.queue_id IS NULL OR o.state IN ${openStates})
           AND (d.case_id != '' OR d.id IN (SELECT value FROM json_each(?)))
         ORDER BY d.created_at, d.id`,
        JSON.stringify(batches.map(({ batch }) => batch.id)),
      );
      return {
        schemaVersion: this.#schemaVersion(),
        delivered: this.#deliveredReports(rows),
        edits: readStoredEdits(this.#db),
        local: packLocalData(this.#db),
        templates: this.#has('templates') ? all(templateSchema, 'SELECT * FROM templates') : [],
        batches,
        rows: rows.map((row) => ({
          row,
          steps: all(
            stepSchema,
            'SELECT * FROM outbox_steps WHERE row_id = ? ORDER BY position',
            row.id,
          ),
        })),
        drafts: drafts.map((draft) => ({
          draft,
          attachments: this.#attachmentsOf(draft.id),
        })),
      };
    })();
  }

  #attachmentsOf(draftId: string): PackedAttachment[] {
    const rows = this.#db.prepare('SELECT * FROM attachments WHERE draft_id = ? ORDER BY position');
    return z.array(attachmentSchema).parse(rows.all(draftId));
  }

  #packBatches(all: ReadAll): OpenWork['batches'] {
    if (!this.#has('batch_files')) return [];
    const open = 'f.queue_id IS NULL AND f.is_removed = 0';
    const found = all(
      batchSchema.shape.batch,
      `SELECT b.* FROM batches b WHERE b.folder IS NULL AND b.is_discarded = 0
         AND (b.sheet IS NOT NULL OR EXISTS (
           SELECT 1 FROM batch_files f WHERE f.batch_id = b.id AND ${open}))`,
    );
    return found.map((batch) => ({
      batch,
      files: all(
        batchSchema.shape.files.element,
        `SELECT f.* FROM batch_files f WHERE f.batch_id = ? AND ${open} ORDER BY f.position`,
        batch.id,
      ),
    }));
  }

  /** Whether the store has a table. A store of an earlier version has fewer. */
  #has(table: 'batch_files' | 'templates'): boolean {
    return this.#db.pragma(`table_info(${table})`, { simple: true }) !== undefined;
  }

  #deliveredReports(rows: readonly Row[]): string[] {
    return this.#db
      .prepare<[string], { id: string }>(
        `SELECT DISTINCT s.server_id AS id
         FROM json_each(?) wanted JOIN outbox o ON o.case_id = wanted.value
           JOIN outbox_steps s ON s.row_id = o.id
         WHERE o.kind = 'report' AND o.state = 'delivered' AND s.kind = 'submit'`,
      )
      .all(JSON.stringify(rows.map(({ case_id }) => case_id)))
      .map(({ id }) => id);
  }

  /**
   * Notes that another laptop may deliver these reports from now on, so that this one looks them up
   * first.
   */
  markShared(work: OpenWork, packedAtMs: number): void {
    this.#db
      .prepare(
        `UPDATE drafts SET shared_since_ms = ?
         WHERE shared_since_ms IS NULL AND id IN (SELECT value FROM json_each(?))`,
      )
      .run(packedAtMs, JSON.stringify(work.drafts.map(({ draft }) => draft.id)));
  }

  #schemaVersion(): number {
    return countSteps(this.#db);
  }

  /**
   * Adds packed work, all of it or nothing.
   * @throws {DeskError} home_newer if a later version packed it
   */
  unpack(work: OpenWork, arrival: Arrival): Arrived {
    const known = this.#schemaVersion();
    if (work.schemaVersion > known) {
      throw new DeskError('home_newer', { found: work.schemaVersion, known });
    }
    return this.#db.transaction(() => {
      const filesBefore = this.#countFiles();
      const local = unpackLocalData(this.#db, work.local);
      const drafts = new Map(work.drafts.map((packed) => [packed.draft.id, packed]));
      const rowIds: number[] = [];
      const counts = { drafts: 0, known: 0, superseded: 0 };
      for (const { row, steps } of work.rows) {
        const draftId = draftIdOf(row);
        const packed = draftId === null ? undefined : drafts.get(draftId);
        if (draftId !== null) drafts.delete(draftId);
        if (draftId === null ? this.#hasRow(row) : this.#hasReport(draftId)) {
          if (packed && this.#addToDraft(packed, arrival)) counts.drafts += 1;
          else counts.known += 1;
          continue;
        }
        const newer = this.#newerRow(row);
        const fate = fateOf(row, newer);
        if (fate === 'superseded') counts.superseded += 1;
        const act = withDelivered(row.act, work.delivered);
        const id = this.#insertRow({ ...row, act }, fate, newer);
        if (packed) this.#insertDraft(packed, id, arrival, steps);
        for (const step of steps) {
          const state = arrivedState(step, fate, row.state === 'attention' ? steps : []);
          this.#insertStep({ ...step, state }, id, fate, arrival);
        }
        restate(this.#db, id);
        rowIds.push(id);
      }
      const newBatches = work.batches.filter(({ batch }) => !this.#hasDraft(batch.id));
      const batches = new Map(work.batches.map((packed) => [packed.batch.id, packed]));
      for (const packed of drafts.values()) {
        const isNew = !this.#hasDraft(packed.draft.id);
        const batch = batches.get(packed.draft.id);
        if (isNew) this.#insertDraft(packed, null, arrival, []);
        const add = () =>
          batch ? this.#addToBatch(batch, packed, arrival) : this.#addToDraft(packed, arrival);
        if (isNew || add()) counts.drafts += 1;
        else counts.known += 1;
      }
      for (const { batch, files } of newBatches) {
        insertKnown(this.#db, 'INSERT', 'batches', batch);
        for (const file of files) insertKnown(this.#db, 'INSERT', 'batch_files', file);
      }
      const typed = insertStoredEdits(this.#db, work.edits);
      const reports = work.drafts.filter((packed) => this.#differs(packed));
      // A template that exists here stays unchanged.
      for (const template of work.templates) {
        const blob_id = arrival.blobIdOf(template.sha256);
        insertKnown(this.#db, 'INSERT OR IGNORE', 'templates', { ...template, blob_id });
      }
      const differing = new Set([
        ...local.differing,
        ...typed.differing,
        ...reports.map(({ draft }) => draft.case_id),
      ]);
      const files = this.#countFiles() - filesBefore;
      return { rowIds, files, notes: local.notes, texts: typed.texts, differing, ...counts };
    })();
  }

  #countFiles(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM attachments').pluck().get() ?? 0;
  }

  #hasRow({ case_id, kind, created_at }: Row): boolean {
    return (
      this.#db
        .prepare('SELECT 1 FROM outbox WHERE case_id = ? AND kind = ? AND created_at = ?')
        .get(case_id, kind, created_at) !== undefined
    );
  }

  /** Whether the report exists here, as a draft, or as a row whose draft was discarded since. */
  #hasReport(draftId: string): boolean {
    const row = this.#db
      .prepare(`SELECT 1 FROM outbox WHERE kind = 'report' AND act ->> 'draftId' = ?`)
      .get(draftId);
    return row !== undefined || this.#hasDraft(draftId);
  }

  #hasDraft(id: string): boolean {
    return this.#db.prepare('SELECT 1 FROM drafts WHERE id = ?').get(id) !== undefined;
  }

  /** The row with a later value of the same field, which the packed one must not replace. */
  #newerRow(row: Row): number | null {
    if (!isPut(row)) return null;
    const { case_id, kind, created_at } = row;
    const found = this.#db
      .prepare<[string, string, string], { id: number }>(
        `SELECT id FROM outbox WHERE case_id = ? AND kind = ? AND created_at > ?
           AND state != 'discarded' ORDER BY id DESC LIMIT 1`,
      )
      .get(case_id, kind, created_at);
    return found?.id ?? null;
  }

  #insertRow(row: Row, fate: Fate, newer: number | null): number {
    return insertKnown(this.#db, 'INSERT', 'outbox', {
      ...row,
      id: null,
      failures: 0,
      not_before_ms: null,
      ...(fate === 'superseded' && { lays_over: 0 }),
      superseded_by: newer,
    });
  }

  #insertStep(step: Step, rowId: number, fate: Fate, { packedAtMs }: Arrival): void {
    const isDone = step.state === 'delivered';
    const packedAt = new Date(packedAtMs).toISOString();
    // The keys may be in use since the package was made.
    const doubted = {
      ever_unknown: 1,
      first_attempt_at: step.first_attempt_at ?? packedAt,
      key_used_at_ms: step.key_used_at_ms ?? packedAtMs,
    };
    insertKnown(this.#db, 'INSERT', 'outbox_steps', {
      ...step,
      id: null,
      row_id: rowId,
      ...(!isDone && fate === 'doubted' && doubted),
    });
  }

  #insertDraft(
    { draft, attachments }: PackedDraft,
    queueId: number | null,
    arrival: Arrival,
    steps: readonly Step[],
  ): void {
    const used = steps.flatMap(({ key_used_at_ms }) => key_used_at_ms ?? []);
    const sharedSinceMs = Math.min(
      draft.shared_since_ms ?? arrival.packedAtMs,
      arrival.packedAtMs,
      ...used,
    );
    const shared = { queue_id: queueId, shared_since_ms: Math.round(sharedSinceMs) };
    insertKnown(this.#db, 'INSERT', 'drafts', { ...draft, ...shared });
    for (const attachment of attachments) this.#insertAttachment(attachment, arrival);
  }

  #insertAttachment(attachment: PackedAttachment, { blobIdOf }: Arrival): void {
    const blob_id = blobIdOf(attachment.sha256);
    const details = withOriginalBlob(attachment.details, blobIdOf);
    insertKnown(this.#db, 'INSERT', 'attachments', { ...attachment, blob_id, details });
  }

  /**
   * Adds what the other laptop added to a report that an earlier package brought: its further files,
   * and a comment that goes on. A draft that was changed here since, or is queued, stays as it is. So
   * does one whose further files belong to others, because something would be sent twice.
   * @returns whether something was added
   */
  #addToDraft({ draft, attachments }: PackedDraft, arrival: Arrival): boolean {
    const here = this.#db
      .prepare<[string, string], { comment: string; last: number }>(
        `SELECT comment, (SELECT coalesce(max(position), 0) FROM attachments a
           WHERE a.draft_id = d.id) AS last
         FROM drafts d WHERE id = ? AND queue_id IS NULL AND case_id != '' AND updated_at < ?`,
      )
      .get(draft.id, draft.updated_at);
    if (!here) return false;
    const isHere = this.#db.prepare<[string]>('SELECT 1 FROM attachments WHERE id = ?').pluck();
    const further = attachments.filter(({ id }) => isHere.get(id) === undefined);
    if (further.some(belongsToAnother)) return false;
    const goesOn = draft.comment.startsWith(here.comment) && draft.comment !== here.comment;
    if (further.length === 0 && !goesOn) return false;
    for (const [index, attachment] of further.entries())
      this.#insertAttachment({ ...attachment, position: here.last + 1 + index }, arrival);
    this.#db
      .prepare('UPDATE drafts SET comment = ?, updated_at = ? WHERE id = ?')
      .run(goesOn ? draft.comment : here.comment, draft.updated_at, draft.id);
    return true;
  }

  /**
   * Adds what the other laptop added to a batch that an earlier package brought: its further files,
   * and the bytes of those that had none. A batch that was discarded here stays discarded, and a
   * file that was removed here stays removed.
   * @returns whether something was added
   */
  #addToBatch(
    { batch, files }: PackedBatch,
    { attachments }: PackedDraft,
    arrival: Arrival,
  ): boolean {
    const here = this.#db
      .prepare<[string], { nextFile: number; nextAttachment: number }>(
        `SELECT
           (SELECT coalesce(max(position), -1) + 1 FROM batch_files f WHERE f.batch_id = b.id)
             AS nextFile,
           (SELECT coalesce(max(position), -1) + 1 FROM attachments a WHERE a.draft_id = b.id)
             AS nextAttachment
         FROM batches b WHERE id = ? AND is_discarded = 0`,
      )
      .get(batch.id);
    if (!here) return false;
    const hasBytes = this.#db
      .prepare<[string, string], number>(
        `SELECT attachment_id IS NOT NULL OR is_removed OR queue_id IS NOT NULL
         FROM batch_files WHERE batch_id = ? AND path = ?`,
      )
      .pluck();
    const found = files.map((file) => ({ file, known: hasBytes.get(batch.id, file.path) }));
    const further = found.filter(({ known }) => known === undefined).map(({ file }) => file);
    const filled = found
      .filter(({ file, known }) => known === 0 && file.attachment_id !== null)
      .map(({ file }) => file);
    const first = new Set([...further, ...filled].map(({ attachment_id }) => attachment_id));
    let isWanted = false;
    const contents = attachments.filter((attachment) => {
      if (!isFurtherPage(readDetails(attachment.details))) isWanted = first.has(attachment.id);
      return isWanted;
    });
    for (const [index, attachment] of contents.entries())
      this.#insertAttachment({ ...attachment, position: here.nextAttachment + index }, arrival);
    for (const [index, file] of further.entries())
      insertKnown(this.#db, 'INSERT', 'batch_files', { ...file, position: here.nextFile + index });
    for (const { path, attachment_id } of filled)
      this.#db
        .prepare(
          `UPDATE batch_files SET attachment_id = ?, problem = NULL
           WHERE batch_id = ? AND path = ?`,
        )
        .run(attachment_id, batch.id, path);
    return first.size > 0;
  }

  /** Whether the report is here, and would be sent otherwise than as it is in the package. */
  #differs({ draft, attachments }: PackedDraft): boolean {
    const here = this.#db
      .prepare<[string], string>(`SELECT comment FROM drafts WHERE id = ? AND case_id != ''`)
      .pluck()
      .get(draft.id);
    if (here === undefined) return false;
    const files = this.#attachmentsOf(draft.id);
    return !isDeepStrictEqual([here, files.map(sentOf)], [draft.comment, attachments.map(sentOf)]);
  }
}

/**
 * Whether a file belongs to another one of its draft: it is sent instead of it, stays because the
 * other one is sent, or is a further page of its original, which each laptop makes.
 */
function belongsToAnother({ details }: PackedAttachment): boolean {
  const read = readDetails(details);
  const { pdfOf, boundOf, isWithheld } = read;
  return pdfOf !== null || boundOf !== null || isWithheld || isFurtherPage(read);
}

/**
 * What of a file the user decides. The bytes and the extension of a photo that a window has made
 * ready are each laptop's own.
 */
function sentOf({ file_name, sha256, is_salvage_sale, details }: PackedAttachment) {
  const { original, kind, caption, edit, isWithheld } = readDetails(details);
  const content = original?.sha256 ?? sha256;
  return { name: parse(file_name).name, content, is_salvage_sale, kind, caption, edit, isWithheld };
}

/** The act of a report, with the earlier deliveries that it must not mistake for itself. */
function withDelivered(text: string, delivered: readonly string[]): string {
  const act = actSchema.parse(JSON.parse(text));
  if (act.kind !== 'report' || delivered.length === 0) return text;
  const { submit, remove } = act.decided ?? { submit: [], remove: [] };
  return JSON.stringify({ ...act, decided: { submit: [...submit, ...delivered], remove } });
}

function draftIdOf(row: Row): string | null {
  const act = actSchema.parse(JSON.parse(row.act));
  return act.kind === 'report' ? act.draftId : null;
}

/**
 * The state of a packed row on arrival. A PUT is repeated unchanged; a report is looked up on the
 * server before it is sent (sync/find-duplicate.ts).
 */
function fateOf(row: Row, newer: number | null): Fate {
  if (newer !== null) return 'superseded';
  if (row.state === 'attention') return 'as-it-was';
  return isPut(row) && row.state === 'waiting' ? 'as-it-was' : 'doubted';
}

/** @param held the steps of a row that needs the user, whose first open step stores this */
function arrivedState(step: Step, fate: Fate, held: readonly Step[]): StepState {
  const { kind, state } = step;
  if (state === 'delivered') return state;
  const doubted = nextState(state, 'unpack') ?? state;
  if (fate === 'superseded') return nextState(doubted, 'discard') ?? state;
  // The desk compares the documents only before a waiting submission.
  if (fate === 'doubted') return kind === 'submit' && state === 'waiting' ? state : doubted;
  // An earlier version stored this state in the row only.
  return step === currentStep(held) ? (nextState(state, 'blame') ?? state) : state;
}
