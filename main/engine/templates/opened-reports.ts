import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { DeskError, diskProblem, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DocumentTaker } from '#shared/desk/reports/documents.ts';
import type { OpenedReport } from '#shared/desk/reports/templates.ts';
import { type Clock, repeat } from '#shared/lib/clock.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import { replaceFile, writeNewFile } from '../disk/write-file.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import { takeFile } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

const lookEveryMs = 1000;

/** What is noted next to a copy, so that a crash loses nothing that was saved into it. */
const noteSchema = z.object({
  workspaceId: z.string(),
  caseId: z.string(),
  draftId: z.string(),
  attachmentId: z.string(),
  templateId: z.string(),
  templateName: z.string(),
  /** Of the copy; others in its folder are files that the user put next to it. */
  fileName: z.string(),
  /** Of the content that the draft and the copy have in common. */
  sha256: z.string(),
  /** Of the PDF that was exported next to it; null until then. */
  pdfSha256: z.string().nullable(),
  /** Files that the user saved next to it, by name: where each is in a draft. */
  others: z
    .record(
      z.string(),
      z.object({ draftId: z.string(), attachmentId: z.string(), sha256: z.string() }),
    )
    .default({}),
});
type Note = z.infer<typeof noteSchema>;

/** Changes with every save. */
type Stamp = string;

interface Watched {
  readonly dir: string;
  readonly path: string;
  note: Note;
  /** By file: as it was at the last look, and as it was read last. */
  readonly seen: Map<string, Stamp>;
  readonly read: Map<string, Stamp>;
  /** Why a file is not in the draft as it was saved. */
  readonly problems: Map<string, DeskProblem>;
  /** How often a file without its end was looked at while it was at rest. */
  readonly cutLooks: Map<string, number>;
}
/** A program that writes a document is done by then; a file without its end is named. */
const cutLooksMax = 10;

/**
 * Documents of drafts that are open in the system's program. Each lies in a folder that only its
 * owner can read; what is saved there, under any name, is taken into its draft. A document whose draft
 * has another content by then, or is on its way, is put next to it. The folder stays until everything
 * in it is taken and no program has it open: nothing that was saved is lost.
 */
export class OpenedReports {
  readonly #dir: string;
  readonly #current: () => OpenWorkspace | null;
  readonly #clock: Clock;
  readonly #log: FaultLog;
  readonly #handOver: ((path: string, to: DocumentTaker) => Promise<boolean>) | undefined;
  readonly #watched: Watched[] = [];
  #looking: Promise<void> = Promise.resolve();
  #stop: (() => Promise<void>) | null = null;

  constructor(options: {
    dir: string;
    current: () => OpenWorkspace | null;
    clock: Clock;
    log: FaultLog;
    handOver: ((path: string, to: DocumentTaker) => Promise<boolean>) | undefined;
  }) {
    this.#dir = options.dir;
    this.#current = options.current;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#handOver = options.handOver;
    // Of a desk that ended without taking everything back.
    for (const name of namesIn(this.#dir))
      this.#resume(join(this.#dir, name.replace(/\.json$/, '')));
    this.#watch();
  }

  get canOpen(): boolean {
    return this.#handOver !== undefined;
  }

  /** @throws {DeskError} document_not_found, no_program, disk_full */
  async open(workspace: OpenWorkspace, draftId: string, attachmentId: string): Promise<void> {
    await this.look();
    const { caseId } = workspace.work.drafts.editable(draftId);
    const attachment = workspace.work.drafts.attachment(draftId, attachmentId);
    const known = this.#watched.find(({ note }) => isCopyOf(note, attachment));
    if (known && !existsSync(known.path)) await this.#copyAgain(workspace, known, attachment);
    const { path, dir } = known ?? (await this.#copy(workspace, { draftId, caseId }, attachment));
    if ((await this.#handOver?.(path, 'program')) === true) return;
    if (!known) this.#forget(dir);
    throw new DeskError('no_program', { fileName: attachment.fileName });
  }

  /** A program has it open: it says so by a file next to the copy, as Word and LibreOffice do. */
  isInProgram(attachment: Pick<StoredAttachment, 'id' | 'sha256'>): boolean {
    return this.#watched.some(({ note, dir }) => isCopyOf(note, attachment) && isLocked(dir));
  }

  list(draftId: string): OpenedReport[] {
    return this.#watched
      .filter(({ note }) => note.draftId === draftId)
      .map(({ note: { attachmentId }, problems }) => {
        return { attachmentId, problem: problems.values().next().value ?? null };
      });
  }

  /** Removes the copies of a workspace that is removed with its data. */
  forgetWorkspace(id: string): void {
    for (const { note, dir } of Array.from(this.#watched))
      if (note.workspaceId === id) this.#forget(dir);
  }

  /** Takes back what was saved since the last time, also what failed then; never rejects. */
  look(): Promise<void> {
    for (const { read, problems } of this.#watched)
      for (const name of problems.keys()) read.delete(name);
    return this.#lookOnce();
  }

  #lookOnce(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookAtAll());
    return this.#looking;
  }

  /** Takes everything back and removes the copies; what is open or cannot be taken stays. */
  async close(): Promise<void> {
    await this.#stop?.();
    // Twice: a file that changed since the last look is read once it is at rest.
    await this.look();
    await this.look();
    for (const watched of Array.from(this.#watched))
      if (isTakenBack(watched) && !isLocked(watched.dir)) this.#forget(watched.dir);
  }

  #watch(): void {
    if (this.#watched.length === 0 || this.#stop) return;
    this.#stop = repeat(this.#clock, lookEveryMs, () => this.#lookOnce());
  }

  async #copy(
    { record, workFiles }: OpenWorkspace,
    { draftId, caseId }: { draftId: string; caseId: string },
    attachment: StoredAttachment,
  ): Promise<Watched> {
    const dir = join(this.#dir, randomBytes(8).toString('hex'));
    const path = join(dir, safeFileName(attachment.fileName));
    const { filled } = attachment.details;
    const { templateId = '', templateName = '' } = filled ?? {};
    const note: Note = {
      workspaceId: record.id,
      caseId,
      draftId,
      attachmentId: attachment.id,
      templateId,
      templateName,
      fileName: basename(path),
      sha256: attachment.sha256,
      pdfSha256: null,
      others: {},
    };
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      await writeNewFile(path, workFiles.open(attachment.blobId));
      replaceFile(noteOf(dir), JSON.stringify(note));
    } catch (error) {
      rmSync(dir, { recursive: true, force: true });
      throw diskProblem(error) ?? error;
    }
    const read = new Map([[basename(path), stampOf(path) ?? '']]);
    const looks = { seen: new Map(read), read, problems: new Map(), cutLooks: new Map() };
    const watched: Watched = { dir, path, note, ...looks };
    this.#watched.push(watched);
    this.#watch();
    return watched;
  }

  /** The user deleted the copy; what else lies in its folder stays. */
  async #copyAgain(
    { workFiles }: OpenWorkspace,
    { path, dir, seen, read }: Watched,
    { blobId }: StoredAttachment,
  ): Promise<void> {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      await writeNewFile(path, workFiles.open(blobId));
    } catch (error) {
      throw diskProblem(error) ?? error;
    }
    for (const looks of [seen, read]) looks.set(basename(path), stampOf(path) ?? '');
  }

  #resume(dir: string): void {
    if (this.#watched.some((one) => one.dir === dir)) return;
    const note = readNote(dir);
    if (!note) {
      this.#forget(dir);
      return;
    }
    const path = join(dir, safeFileName(note.fileName));
    const looks = { problems: new Map(), cutLooks: new Map() };
    const found = { seen: new Map(), read: new Map(), ...looks };
    this.#watched.push({ dir, path, note, ...found });
  }

  #forget(dir: string): void {
    const at = this.#watched.findIndex((one) => one.dir === dir);
    if (at >= 0) this.#watched.splice(at, 1);
    try {
      rmSync(dir, { recursive: true, force: true });
      // Last: what is left of the folder belongs to the note.
      rmSync(noteOf(dir), { force: true });
    } catch {
      // A program may have it open, as on Windows: the next start takes back what was saved.
    }
  }

  async #lookAtAll(): Promise<void> {
    const workspace = this.#current();
    for (const watched of Array.from(this.#watched)) {
      if (workspace && watched.note.workspaceId === workspace.record.id)
        await this.#lookAt(workspace, watched);
    }
  }

  async #lookAt(workspace: OpenWorkspace, watched: Watched): Promise<void> {
    const { dir, seen, read, problems, note } = watched;
    for (const name of namesIn(dir).filter((one) => !isTemporary(one))) {
      const stamp = stampOf(join(dir, name));
      const isAtRest = stamp !== null && seen.get(name) === stamp;
      if (stamp !== null) seen.set(name, stamp);
      if (!isAtRest || read.get(name) === stamp) continue;
      try {
        if (!(await this.#take(workspace, watched, name))) continue;
        problems.delete(name);
      } catch (error) {
        problems.set(name, toDeskError(error, 'opened report', this.#log).problem);
        workspace.emit({ type: 'reports.changed', caseId: note.caseId });
      }
      read.set(name, stamp);
    }
  }

  /** @returns false if a program is in the middle of writing it */
  async #take(workspace: OpenWorkspace, watched: Watched, name: string): Promise<boolean> {
    const { note, path, dir, cutLooks } = watched;
    const bytes = await readFile(join(dir, name));
    if (/\.(?:docx|xlsx|pdf)$/i.test(name) && !isWhole(bytes)) {
      const looks = (cutLooks.get(name) ?? 0) + 1;
      cutLooks.set(name, looks);
      if (looks < cutLooksMax) return false;
      throw new DeskError('file_changing', { fileName: name });
    }
    cutLooks.delete(name);
    if (name === basename(path)) await this.#takeDocument(workspace, watched, bytes);
    else if (name.toLowerCase() === pdfNameOf(path).toLowerCase())
      await this.#takePdf(workspace, watched, name, bytes);
    else await this.#takeOther(workspace, watched, name, bytes);
    workspace.emit({ type: 'reports.changed', caseId: note.caseId });
    return true;
  }

  async #takeDocument(workspace: OpenWorkspace, watched: Watched, bytes: Buffer): Promise<void> {
    const { note, path } = watched;
    if (hashOf(bytes) === note.sha256) return;
    const savedAt = statSync(path).mtime.toISOString();
    const fileName = basename(path);
    const taken = await takeFile(workspace, { fileName, content: Readable.from([bytes]) });
    const place = workspace.work.documents.takeBack(note, taken, savedAt);
    this.#setNote(watched, { ...note, ...place, sha256: taken.sha256 });
  }

  async #takePdf(
    workspace: OpenWorkspace,
    watched: Watched,
    name: string,
    bytes: Buffer,
  ): Promise<void> {
    const { note, path, dir } = watched;
    const pdfSha256 = hashOf(bytes);
    if (pdfSha256 === note.pdfSha256) return;
    // One that was exported before the document was saved last shows an earlier text.
    const document = statSync(path, { throwIfNoEntry: false });
    const isOlder = document !== undefined && statSync(join(dir, name)).mtimeMs < document.mtimeMs;
    const fileName = pdfNameOf(path);
    const taken = await takeFile(workspace, { fileName, content: Readable.from([bytes]) });
    workspace.work.documents.takePdf(note, taken, isOlder);
    this.#setNote(watched, { ...note, pdfSha256 });
  }

  /** What the user saved under another name is one file of the report, however often it is saved. */
  async #takeOther(
    workspace: OpenWorkspace,
    watched: Watched,
    fileName: string,
    bytes: Buffer,
  ): Promise<void> {
    const { note } = watched;
    const taken = await takeFile(workspace, { fileName, content: Readable.from([bytes]) });
    const place = workspace.work.documents.takeOther(note, taken, note.others[fileName]);
    const others = { ...note.others, [fileName]: { ...place, sha256: taken.sha256 } };
    this.#setNote(watched, { ...note, others });
  }

  #setNote(watched: Watched, note: Note): void {
    watched.note = note;
    replaceFile(noteOf(watched.dir), JSON.stringify(note));
  }
}

/** Next to the folder, because programs write in that. */
const noteOf = (dir: string) => `${dir}.json`;

function readNote(dir: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(noteOf(dir), 'utf8')));
  } catch {
    return null;
  }
}

const isCopyOf = (note: Note, { id, sha256 }: Pick<StoredAttachment, 'id' | 'sha256'>) =>
  note.attachmentId === id && note.sha256 === sha256;

/** Whether everything in the folder was taken as it is. */
const isTakenBack = ({ dir, read, problems }: Watched) =>
  problems.size === 0 &&
  namesIn(dir)
    .filter((name) => !isTemporary(name))
    .every((name) => read.get(name) === stampOf(join(dir, name)));

/** What programs write next to a document for themselves. */
const isTemporary = (name: string) => /^[.~]|\.(?:tmp|lock|bak|wbk|asd)$|^[^.]+$/i.test(name);
/** A program has a document open, and says so by a file next to it. */
const isLocked = (dir: string) => namesIn(dir).some((name) => /^(?:~\$|\.~lock\.)/.test(name));
const pdfNameOf = (path: string) => basename(path).replace(/\.docx$/i, '.pdf');

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Null while a program that saves has it removed. */
function stampOf(path: string): Stamp | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? `${stat.size} ${stat.mtimeMs} ${stat.ino}` : null;
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * The end of an archive lists its members, and a PDF ends with its mark. A document with a password
 * is neither; it is refused as that.
 */
function isWhole(bytes: Buffer): boolean {
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0') return true;
  if (bytes.subarray(0, 1024).includes('%PDF-')) return bytes.subarray(-1024).includes('%%EOF');
  try {
    unzipSync(bytes, { filter: () => false });
    return true;
  } catch {
    return false;
  }
}
