import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  BatchCase,
  BatchInput,
  BatchItem,
  BatchMatch,
  BatchResult,
  BatchSheet,
} from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { assertFileName } from '#shared/lib/file-type.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';
import { batchCase } from '../calls/acts.ts';
import { casesOf, listCases } from '../calls/cases.ts';
import { addAttachment, createDraft, discardDraft, submitDraft } from '../calls/reports.ts';
import { assertNotSpecial } from '../disk/regular-file.ts';
import { assertAbsolute } from '../disk/write-file.ts';
import { readChecked } from '../work/take-file.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { applySheet, readSheet } from './read-sheet.ts';
import { createCaseIndex, matchName, type KnownCase } from './match-names.ts';

/** Progress: files done of files in all. */
export type OnFiles = (done: number, total: number) => void;

const pageSize = 1000;
const sheetMaxBytes = 9_000_000;
/** More than the user reads through. */
const foundMax = 8;

/** Every case, and why it takes no work if so. */
function readCases(workspace: OpenWorkspace) {
  const cases: KnownCase[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { items } = listCases(workspace, { limit: pageSize, offset, sort: 'createdAt' });
    for (const item of items) {
      cases.push({ ...batchCase(item), policyNumber: item.policyNumber });
    }
    if (items.length < pageSize) return createCaseIndex(cases);
  }
}

/** Which case each name belongs to; nothing is read or made. */
export function matchBatch(workspace: OpenWorkspace, paths: readonly string[]): BatchMatch[] {
  const index = readCases(workspace);
  return paths.map((path) => matchName(path, index));
}

/** Cases that match the user's words; an external key matches one case only. */
export function searchBatchCases(workspace: OpenWorkspace, q: string): BatchCase[] {
  const known = workspace.cache.cases.find(q.trim());
  if (known) return casesOf(workspace, [known.id]).map(batchCase);
  return listCases(workspace, { q, limit: foundMax, countMax: foundMax }).items.map(batchCase);
}

/**
 * Makes one report per case from the files of a folder, each file checked as when it is attached by
 * hand. A refused file does not block the others; a bad line of the sheet stops everything. A
 * second run takes nothing twice: contents that a draft or entry of the case contains are known,
 * and an open draft with some of the files is continued.
 * @throws {DeskError} file_not_found (the folder), invalid_input, disk_full
 */
export async function runBatch(
  workspace: OpenWorkspace,
  { folder, submit, dryRun, sheet: sheetFile }: BatchInput,
  onFiles: OnFiles,
): Promise<BatchResult> {
  assertAbsolute('folder', folder);
  const paths = await readFolder(folder);
  const sheet = sheetFile === undefined ? null : await readSheetFile(workspace, sheetFile);
  const isStopped = sheet !== null && sheet.problems.length > 0;
  const items: BatchItem[] = [];
  const index = readCases(workspace);
  for (const path of paths) {
    const match = matchName(path, index);
    items.push(await judge(workspace, folder, match, items));
    onFiles(items.length, dryRun ? paths.length : 2 * paths.length);
  }
  if (dryRun || isStopped) return { items, total: items.length, reports: [], sheet };
  if (sheet) applySheet(workspace, sheet);
  const reports: BatchResult['reports'] = [];
  const byCase = Map.groupBy(items, ({ caseId }) => caseId);
  let done = items.length;
  for (const [caseId, ofCase] of byCase) {
    const report = caseId === null ? null : await makeReport(workspace, folder, ofCase, submit);
    if (report) reports.push(report);
    done += ofCase.length;
    onFiles(done, 2 * paths.length);
  }
  return { items, total: items.length, reports, sheet };
}

/**
 * The files of a folder and its subfolders, as relative paths with slashes, in the order of their
 * names. Links are not followed: they may lead out of the folder.
 * @throws {DeskError} file_not_found
 */
async function readFolder(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const readInto = async (relative: string) => {
    const entries = await readdir(join(folder, relative), { withFileTypes: true });
    entries.sort((a, b) => a.name.localeCompare(b.name, 'de', { numeric: true }));
    for (const entry of entries) {
      if (isSystemFile(entry.name)) continue;
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) await readInto(path);
      else if (entry.isFile()) paths.push(path);
    }
  };
  try {
    await readInto('');
  } catch (error) {
    throw new DeskError('file_not_found', { fileName: basename(folder) }, { cause: error });
  }
  return paths;
}

async function readSheetFile(workspace: OpenWorkspace, file: string): Promise<BatchSheet> {
  const fileName = basename(file);
  assertAbsolute('sheet', file);
  const unread = (error: unknown): never => {
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  };
  assertNotSpecial(file);
  const { size: sizeBytes } = await stat(file).catch(unread);
  if (sizeBytes > sheetMaxBytes)
    throw new DeskError('file_too_large', { fileName, sizeBytes, maxBytes: sheetMaxBytes });
  return await readSheet(workspace, fileName, await readFile(file).catch(unread));
}

/** @param before the items that were judged before */
async function judge(
  workspace: OpenWorkspace,
  folder: string,
  match: BatchMatch,
  before: readonly BatchItem[],
): Promise<BatchItem> {
  const open = { problem: null, sizeBytes: null, sha256: null, ...nowhere };
  const { caseId } = match;
  if (caseId === null) return { ...match, ...open, outcome: 'unmatched' };
  try {
    const content = await inspectFile(join(folder, match.path));
    const known = workspace.work.drafts.holding(caseId, content.sha256);
    if (known) return { ...match, ...open, ...content, ...known, outcome: 'known' };
    const problem = match.case?.problem;
    if (problem) return { ...match, ...open, ...content, outcome: 'refused', problem };
    const isTwice = before.some(
      (item) =>
        item.caseId === caseId && item.sha256 === content.sha256 && item.outcome === 'ready',
    );
    return { ...match, ...open, ...content, outcome: isTwice ? 'duplicate' : 'ready' };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return { ...match, ...open, outcome: 'refused', problem: error.problem };
  }
}

/**
 * Reads a file whole and checks it as it would be when it is attached.
 * @throws {DeskError} file_not_found, file_name_invalid, file_empty, file_too_large,
 * file_type_not_allowed, file_type_mismatch
 */
async function inspectFile(file: string): Promise<{ sizeBytes: number; sha256: string }> {
  const fileName = basename(file);
  assertFileName(fileName);
  const hash = createHash('sha256');
  try {
    const content = createReadStream(file) as AsyncIterable<Buffer>;
    const { sizeBytes } = await readChecked(fileName, content, (piece) => hash.update(piece));
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  }
}

const nowhere = { draftId: null, queueId: null, queueState: null };

/** Salvage sales come last, as in a report put together by hand. Changes the items in place. */
async function makeReport(
  workspace: OpenWorkspace,
  folder: string,
  items: BatchItem[],
  submit: boolean,
): Promise<BatchResult['reports'][number] | null> {
  const ready = items
    .filter(({ outcome }) => outcome === 'ready')
    .sort((a, b) => Number(a.isSalvageSale) - Number(b.isSalvageSale));
  const begun = items.find((item) => item.draftId !== null && item.queueId === null)?.draftId;
  const [first] = items;
  if (!first?.caseId || !first.externalKey) return null;
  if (ready.length === 0 && !(submit && begun)) return null;
  const { caseId, externalKey } = first;
  const draftId = begun ?? createDraft(workspace, caseId).id;
  for (const item of ready) {
    const { path, isSalvageSale } = item;
    try {
      await addAttachment(workspace, draftId, {
        fileName: basename(path),
        isSalvageSale,
        content: createReadStream(join(folder, path)),
      });
      Object.assign(item, { outcome: 'added', draftId } satisfies Partial<BatchItem>);
    } catch (error) {
      // A full disk stops the whole; a file that changed since it was read, only itself.
      if (!(error instanceof DeskError) || error.code === 'disk_full') throw error;
      const problem = error.problem;
      Object.assign(item, { outcome: 'refused', problem } satisfies Partial<BatchItem>);
    }
  }
  const { attachments } = workspace.work.drafts.get(draftId);
  if (attachments.length === 0) {
    discardDraft(workspace, draftId);
    return null;
  }
  const queued = submit ? submitDraft(workspace, draftId) : null;
  if (queued) {
    const { id: queueId, state: queueState } = queued;
    for (const item of items) {
      if (item.draftId === draftId) Object.assign(item, { queueId, queueState });
    }
  }
  return { caseId, externalKey, draftId, queueId: queued?.id ?? null, files: attachments.length };
}
