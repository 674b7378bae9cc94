import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  BatchInput,
  BatchItem,
  BatchMatch,
  BatchResult,
  BatchSheet,
} from '#shared/desk/batch.ts';
import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import { sentFiles } from '#shared/desk/reports.ts';
import { assertFileName } from '#shared/lib/file-type.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import { isPictureType } from '#shared/photos/strip-picture.ts';
import { assertNotSpecial } from '../disk/regular-file.ts';
import { assertAbsolute } from '../disk/write-file.ts';
import type { TemplateTools } from '../templates/fill-report.ts';
import { isStripped, isUnready } from '../work/attachment-rows.ts';
import { readChecked } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { assertFillable, reportFilled } from './filled-batch.ts';
import { judgeFiles, type JudgedContent, type JudgedFile } from './judge-files.ts';
import {
  judgedFiles,
  matchNames,
  reportBatch,
  surroundingsOf,
  takeBatchFile,
} from './open-batch.ts';
import { applySheet, type NamedCases, readLines, readTable } from './read-sheet.ts';
import { judgeNamed, withoutFiles } from './sheet-cases.ts';

/** Progress: files done of files in all. */
export type OnFiles = (done: number, total: number) => void;

const sheetMaxBytes = 9_000_000;

/**
 * Makes one report per case from the files of a folder, by the window's procedure: the files become
 * a batch, which a kill leaves as it was and the next run of the folder continues. What is not in a
 * report at the end is still in the folder, and no longer in the batch. A bad line of the sheet
 * stops everything.
 * @throws {DeskError} file_not_found (the folder), invalid_input, disk_full, and as `assertFillable`
 */
export async function runBatch(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  { folder, submit, dryRun, sheet: sheetFile, template }: BatchInput,
  onFiles: OnFiles,
): Promise<BatchResult> {
  assertAbsolute('folder', folder);
  const templateId = template && (await tools.library.idOf(workspace, template.name));
  const filling =
    template && templateId !== undefined ? { templateId, asPdf: template.asPdf } : null;
  if (filling) await assertFillable(workspace, tools, filling);
  const found = await readFolder(folder);
  const read = sheetFile === undefined ? null : await readSheetFile(workspace, sheetFile);
  const { sheet, named } = read ?? { sheet: null, named: new Map<string, string>() };
  const isStopped = sheet !== null && sheet.problems.length > 0;
  const matches = matchNames(
    workspace,
    found.map(({ path }) => path),
  );
  const files: FolderFiles = {
    folder,
    matches,
    unreadable: new Map(found.flatMap(({ path, problem }) => (problem ? [[path, problem]] : []))),
  };
  if (dryRun || isStopped) {
    const items = await lookThrough(workspace, files, submit, onFiles);
    const alone = withoutFiles(
      filling && !isStopped ? named : new Map<string, string>(),
      items.map(({ caseId }) => caseId),
    );
    const sheetCases = [...alone].flatMap(
      (line) => judgeNamed(workspace, line, templateId ?? '') ?? [],
    );
    return { items, total: items.length, reports: [], strippedPictures: 0, sheet, sheetCases };
  }
  const batchId = await takeFolder(workspace, files, onFiles);
  if (submit) refuseUnready(workspace, batchId);
  if (sheet) applySheet(workspace, sheet);
  const before = judgedFiles(workspace, batchId);
  const made = filling
    ? await reportFilled(workspace, tools, batchId, { ...filling, submit, lines: named })
    : { ...reportBatch(workspace, batchId, { submit }), sheetCases: [] };
  const { made: reports, failures, sheetCases } = made;
  const items = judgedFiles(workspace, batchId).map(({ item }, index): BatchItem => {
    const failure = failures.get(item.caseId ?? '');
    if (failure) return { ...item, outcome: 'refused', ...problemsOf(failure) };
    // Its content is in the report once.
    return before[index]?.item.outcome === 'duplicate' ? before[index].item : item;
  });
  const strippedPictures = reports
    .flatMap(({ draftId }) => sentFiles(workspace.work.drafts.get(draftId).attachments))
    .filter(isStripped).length;
  workspace.work.batches.remove(batchId);
  return { items, total: items.length, reports, strippedPictures, sheet, sheetCases };
}

const problemsOf = ({ problem }: DeskError) => ({ problem, problems: [problem] });

/** Judges the files without taking them. */
async function lookThrough(
  workspace: OpenWorkspace,
  { folder, matches, unreadable }: FolderFiles,
  submit: boolean,
  onFiles: OnFiles,
): Promise<BatchItem[]> {
  const files: JudgedFile[] = [];
  for (const match of matches) {
    const { path, caseId, isSalvageSale } = match;
    const open = { path, match, caseId, isSalvageSale, sendsAgain: false, reported: null };
    try {
      assertReadable(path, unreadable);
      const content = await inspectFile(workspace, join(folder, path), submit);
      files.push({ ...open, content, problem: null });
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      files.push({ ...open, content: null, problem: error.problem });
    }
    onFiles(files.length, matches.length);
  }
  return judgeFiles(files, surroundingsOf(workspace));
}

/** The batch of this folder with its files taken in; one that was broken off is continued. */
async function takeFolder(
  workspace: OpenWorkspace,
  { folder, matches, unreadable }: FolderFiles,
  onFiles: OnFiles,
): Promise<string> {
  const { batches } = workspace.work;
  const { id } = batches.current(folder) ?? batches.begin(folder);
  const sized = await Promise.all(
    matches.map(async (match) => {
      const found = await lstat(join(folder, match.path)).catch(() => null);
      return { match, sizeBytes: found?.size ?? 0 };
    }),
  );
  batches.announce(id, sized, 0);
  const here = new Set(matches.map(({ path }) => path));
  const missing = batches.files(id).filter(({ path }) => !here.has(path));
  batches.change(
    id,
    missing.map(({ path }) => path),
    { isRemoved: true },
  );
  for (const [index, { path }] of matches.entries()) {
    try {
      assertReadable(path, unreadable);
      const content = createReadStream(join(folder, path));
      await takeBatchFile(workspace, id, path, { content });
    } catch (error) {
      const isOfFile = error instanceof DeskError && error.code !== 'disk_full';
      if (!isOfFile && !isUnreadable(error)) throw error;
      const missing = new DeskError('file_not_found', { fileName: basename(path) });
      batches.setRefused(id, path, (isOfFile ? error : missing).problem);
    }
    onFiles(index + 1, matches.length);
  }
  return id;
}

/** Without a window nothing makes them ready to be sent. */
function refuseUnready({ work: { batches } }: OpenWorkspace, batchId: string): void {
  for (const { path, attachments } of batches.files(batchId)) {
    const unready = attachments.find(isUnready);
    if (!unready) continue;
    const { problem } = new DeskError('photo_unready', { fileName: unready.fileName });
    batches.setRefused(batchId, path, problem);
  }
}

const isUnreadable = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'EIO'].includes(String(error.code));

/** The files of a folder, in the order of their names. */
interface FolderFiles {
  readonly folder: string;
  readonly matches: readonly BatchMatch[];
  /** By path: what is never opened, and why. */
  readonly unreadable: ReadonlyMap<string, DeskProblem>;
}

/** @throws {DeskError} why the file is never opened */
function assertReadable(path: string, unreadable: FolderFiles['unreadable']): void {
  const problem = unreadable.get(path);
  if (problem) throw DeskError.of(problem);
}

interface FolderEntry {
  /** Relative, with slashes. */
  readonly path: string;
  readonly problem: DeskProblem | null;
}

/**
 * The files of a folder and its subfolders in the order of their names. Links are named and not
 * followed: they may lead out of the folder. Pipes and devices are named and not opened.
 * @throws {DeskError} file_not_found
 */
async function readFolder(folder: string): Promise<FolderEntry[]> {
  const found: FolderEntry[] = [];
  const readInto = async (relative: string) => {
    const entries = await readdir(join(folder, relative), { withFileTypes: true });
    entries.sort((a, b) => a.name.localeCompare(b.name, 'de', { numeric: true }));
    for (const entry of entries) {
      if (isSystemFile(entry.name)) continue;
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) await readInto(path);
      else found.push({ path, problem: problemOfEntry(entry) });
    }
  };
  try {
    await readInto('');
  } catch (error) {
    throw new DeskError('file_not_found', { fileName: basename(folder) }, { cause: error });
  }
  return found;
}

function problemOfEntry(entry: Dirent): DeskProblem | null {
  if (entry.isFile()) return null;
  const code = entry.isSymbolicLink() ? 'file_is_link' : 'file_not_regular';
  return new DeskError(code, { fileName: entry.name }).problem;
}

async function readSheetFile(
  workspace: OpenWorkspace,
  file: string,
): Promise<{ sheet: BatchSheet; named: NamedCases }> {
  const fileName = basename(file);
  assertAbsolute('sheet', file);
  const unread = (error: unknown): never => {
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  };
  assertNotSpecial(file);
  const { size: sizeBytes } = await stat(file).catch(unread);
  if (sizeBytes > sheetMaxBytes)
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: sheetMaxBytes });
  const bytes = await readFile(file).catch(unread);
  return readLines(workspace, await readTable(workspace, fileName, bytes));
}

/**
 * Reads a file whole and checks it as it would be when it is attached.
 * @throws {DeskError} file_not_found, file_name_invalid, file_empty, file_too_large,
 * file_type_not_allowed, file_type_mismatch, office_protected, pdf_damaged, photo_unready
 * @param submit whether it would be sent
 */
async function inspectFile(
  { pdfs, stripper }: OpenWorkspace,
  file: string,
  submit: boolean,
): Promise<JudgedContent> {
  const fileName = basename(file);
  assertFileName(fileName);
  const hash = createHash('sha256');
  try {
    const content = createReadStream(file) as AsyncIterable<Buffer>;
    const { sizeBytes, contentType, bytes, found } = await readChecked(
      { fileName, content },
      pdfs,
      (piece) => hash.update(piece),
    );
    if (submit && bytes && isPictureType(contentType)) {
      const { isBare } = await stripper.strip({ bytes, contentType });
      if (!isBare) throw new DeskError('photo_unready', { fileName });
    }
    return { sizeBytes, sha256: hash.digest('hex'), isProtected: found.isProtected ?? false };
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  }
}
