import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  BatchInput,
  BatchItem,
  BatchMatch,
  BatchResult,
  BatchSheet,
} from '#shared/desk/reports/batch.ts';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { sentFiles } from '#shared/desk/reports/reports.ts';
import { assertFileName, extensionOf } from '#shared/lib/file-type.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { assertNotSpecial } from '../disk/regular-file.ts';
import { isOnlyInCloud, takeWhenWritten } from '../disk/whole-file.ts';
import { assertAbsolute } from '../disk/write-file.ts';
import type { TemplateTools } from '../templates/fill-report.ts';
import { assertSentUnseen, isConverted, isStripped } from '../work/attachment-rows.ts';
import { assertBare } from '../photos/picture-stripper.ts';
import { type IncomingFile, readChecked, unseenPicture } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { assertFillable, reportFilled } from './filled-batch.ts';
import { MailFiles } from './mail-files.ts';
import { matchInner } from './match-names.ts';
import { judgeFiles, type JudgedContent, type JudgedFile } from './judge-files.ts';
import {
  judgedFiles,
  matchMail,
  matchNames,
  reportBatch,
  surroundingsOf,
  takeBatchFile,
} from './open-batch.ts';
import { applySheet, assertSheet, type NamedCases, readLines, readTable } from './read-sheet.ts';
import { judgeNamed, withoutFiles } from './sheet-cases.ts';

/** Reports the progress: files done, and all files. */
export type OnFiles = (done: number, total: number) => void;

const sheetMaxBytes = 9_000_000;

/**
 * Makes one report per case from the files of a folder, in the same way as the window. The files
 * become a batch. A crash leaves the batch unchanged, and the next run of the folder continues it.
 * At the end, files that are not in a report stay in the folder but not in the batch. If a line of
 * the sheet is wrong, nothing is made.
 * @throws {DeskError} file_not_found (the folder), invalid_input, disk_full, and the errors of
 *   `assertFillable`
 */
export async function runBatch(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  { folder, submit, dryRun, sheet: sheetFile, sheetName, template, attachments }: BatchInput,
  onFiles: OnFiles,
): Promise<BatchResult> {
  assertAbsolute('folder', folder);
  const { library } = tools;
  const templateId = template && (await library.idOf(workspace, template.name, null));
  const filling =
    template && templateId !== undefined
      ? { templateId, asPdf: template.asPdf, withAnnexes: template.withAnnexes }
      : null;
  if (filling) await assertFillable(workspace, tools, filling);
  const entries = await readFolder(folder);
  const mails = new MailFiles(workspace.checker, folder);
  const found = attachments ? await withInnerFiles(entries, mails) : entries;
  const read =
    sheetFile === undefined ? null : await readSheetFile(workspace, sheetFile, sheetName);
  const { sheet, named } = read ?? { sheet: null, named: new Map<string, string>() };
  const isStopped = sheet !== null && sheet.problems.length > 0;
  const matches = matchNames(
    workspace,
    found.map(({ path }) => path),
  );
  const files: FolderFiles = {
    folder,
    matches,
    mails,
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
    const none = { reports: [], strippedPictures: 0, convertedPictures: 0 };
    return { items, total: items.length, ...none, sheet, sheetCases };
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
    // The report contains the content only once.
    return before[index]?.item.outcome === 'duplicate' ? before[index].item : item;
  });
  const sent = reports.flatMap(({ draftId }) =>
    sentFiles(workspace.work.drafts.get(draftId).attachments),
  );
  const strippedPictures = sent.filter(isStripped).length;
  const convertedPictures = sent.filter(isConverted).length;
  workspace.work.batches.remove(batchId);
  return {
    items,
    total: items.length,
    reports,
    strippedPictures,
    convertedPictures,
    sheet,
    sheetCases,
  };
}

const problemsOf = ({ problem }: DeskError) => ({ problem, problems: [problem] });

/** Judges the files without storing them. */
async function lookThrough(
  workspace: OpenWorkspace,
  { folder, matches, mails, unreadable }: FolderFiles,
  submit: boolean,
  onFiles: OnFiles,
): Promise<BatchItem[]> {
  const files: JudgedFile[] = [];
  for (const byNames of matches) {
    const { path } = byNames;
    const mail = files.find((file) => file.path === mails.mailOf(path));
    const match = mail ? matchInner(byNames, mail.match) : byNames;
    const judged = (found: BatchMatch) => {
      const { caseId, isSalvageSale } = found;
      return { path, match: found, caseId, isSalvageSale, sendsAgain: false, reported: null };
    };
    try {
      assertReadable(path, unreadable);
      const file = join(folder, mails.mailOf(path) ?? path);
      const { content, subject } = await takeWhenWritten(file, () =>
        inspectFile(
          workspace,
          { fileName: basename(path), content: mails.contentOf(path) },
          submit,
        ),
      );
      files.push({ ...judged(matchMail(workspace, match, subject)), content, problem: null });
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      files.push({ ...judged(match), content: null, problem: error.problem });
    }
    onFiles(files.length, matches.length);
  }
  return judgeFiles(files, surroundingsOf(workspace));
}

/**
 * The batch of this folder with its files. If an earlier run was interrupted, its batch is
 * continued.
 */
async function takeFolder(
  workspace: OpenWorkspace,
  { folder, matches, mails, unreadable }: FolderFiles,
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
  batches.announce(id, sized, []);
  const here = new Set(matches.map(({ path }) => path));
  const missing = batches.files(id).filter(({ path }) => !here.has(path));
  batches.change(
    id,
    missing.map(({ path }) => path),
    { isRemoved: true },
  );
  for (const [index, match] of matches.entries()) {
    const { path } = match;
    const mailPath = mails.mailOf(path);
    // The mail is read by now, and may have gone to the case of its subject.
    const mail = mailPath === null ? null : batches.matchOf(id, mailPath);
    if (mail) batches.setMatch(id, matchInner(match, mail));
    try {
      assertReadable(path, unreadable);
      const file = join(folder, mailPath ?? path);
      await takeWhenWritten(file, () =>
        takeBatchFile(workspace, id, path, { content: mails.contentOf(path), isAlone: true }),
      );
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

/** Refuses files that the user would have to see in a window, because no window is open. */
function refuseUnready({ work: { batches } }: OpenWorkspace, batchId: string): void {
  for (const { path, attachments } of batches.files(batchId)) {
    try {
      attachments.forEach(assertSentUnseen);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      batches.setRefused(batchId, path, error.problem);
    }
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
  readonly mails: MailFiles;
  /** By path, the files that are never opened, with the reason. */
  readonly unreadable: ReadonlyMap<string, DeskProblem>;
}

/** @throws {DeskError} the reason why the file is never opened */
function assertReadable(path: string, unreadable: FolderFiles['unreadable']): void {
  const problem = unreadable.get(path);
  if (problem) throw DeskError.of(problem);
}

interface FolderEntry {
  /** The path relative to the folder, with slashes. */
  readonly path: string;
  readonly problem: DeskProblem | null;
}

/**
 * The files of a folder and its subfolders in the order of their names. Links are reported and not
 * followed, because they may lead out of the folder. Pipes and devices are reported and not opened.
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
      else found.push({ path, problem: await problemOfEntry(entry, join(folder, path)) });
    }
  };
  try {
    await readInto('');
  } catch (error) {
    throw new DeskError('file_not_found', { fileName: basename(folder) }, { cause: error });
  }
  return found;
}

/** The files with those that mails carry behind each mail. */
async function withInnerFiles(
  entries: readonly FolderEntry[],
  mails: MailFiles,
): Promise<FolderEntry[]> {
  const all: FolderEntry[] = [];
  for (const entry of entries) {
    all.push(entry);
    if (entry.problem !== null || extensionOf(entry.path) !== 'eml') continue;
    const { paths, leftOut } = await mails.pathsIn(entry.path);
    all.push(...paths.map((path) => ({ path, problem: null })));
    const { problem } = new DeskError('mail_files_left_out', {
      fileName: entry.path,
      n: leftOut.length,
      names: leftOut.map((path) => basename(path)).join(', '),
    });
    all.push(...leftOut.map((path) => ({ path, problem })));
  }
  return all;
}

async function problemOfEntry(entry: Dirent, file: string): Promise<DeskProblem | null> {
  if (entry.isFile())
    return (await isOnlyInCloud(file))
      ? new DeskError('file_in_cloud', { fileName: entry.name }).problem
      : null;
  const code = entry.isSymbolicLink() ? 'file_is_link' : 'file_not_regular';
  return new DeskError(code, { fileName: entry.name }).problem;
}

async function readSheetFile(
  workspace: OpenWorkspace,
  file: string,
  sheetName: string | undefined,
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
  const table = await readTable(workspace, fileName, bytes);
  if (sheetName !== undefined) assertSheet(table, sheetName);
  return readLines(workspace, table, {
    without: [],
    withHidden: false,
    sheetName: sheetName ?? null,
  });
}

/**
 * Reads a file completely and checks it in the same way as when it is attached.
 * @param submit whether it would be sent
 * @throws {DeskError} file_not_found, file_name_invalid, file_empty, file_too_large,
 *   file_type_not_allowed, file_type_mismatch, file_kind, office_protected, pdf_damaged,
 *   pdf_looks_damaged, file_damaged, file_too_heavy, file_unchecked, photo_unready
 */
async function inspectFile(
  workspace: OpenWorkspace,
  { fileName, content }: Pick<IncomingFile, 'fileName' | 'content'>,
  submit: boolean,
): Promise<{ content: JudgedContent; subject: string | null }> {
  assertFileName(fileName);
  const hash = createHash('sha256');
  try {
    const { sizeBytes, contentType, bytes, found, subject } = await readChecked(
      { fileName, content },
      workspace.checker,
      (piece) => hash.update(piece),
    );
    const isPicture = bytes !== null && isPictureType(contentType);
    const picture = isPicture
      ? await unseenPicture(workspace, { bytes, contentType, isAlone: submit })
      : null;
    if (submit && picture) assertBare(picture, fileName);
    if (submit && found.looksDamaged && contentType === 'application/pdf')
      throw new DeskError('pdf_looks_damaged', { fileName });
    const looksDamaged = picture?.looksDamaged ?? found.looksDamaged ?? false;
    const { isProtected = false, hidesAnswers = false } = found;
    const sha256 = hash.digest('hex');
    return { content: { sizeBytes, sha256, isProtected, looksDamaged, hidesAnswers }, subject };
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  }
}
