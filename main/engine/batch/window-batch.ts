import type {
  Batch,
  BatchCase,
  BatchMatch,
  BatchTemplate,
  Unfilled,
} from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { findCase } from '../cases/case-view.ts';
import { casesOf, listCases } from '../cases/list-cases.ts';
import type { Handlers } from '../engine.ts';
import type { TemplateTools } from '../templates/fill-report.ts';
import type { BatchFile, StoredBatch } from '../work/batches.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { batchCase } from './batch-case.ts';
import {
  assertFillable,
  type FilledReports,
  isSameBatch,
  isSameTemplate,
  reportFilled,
} from './filled-batch.ts';
import { isMatchedByItsName, mailPathOf, matchInner } from './match-names.ts';
import { judgedFiles, matchNames, reportBatch, rowOf } from './open-batch.ts';
import {
  applySheet,
  type NamedCases,
  readLines,
  readSheet,
  type ReadTable,
  readTable,
} from './read-sheet.ts';

type BatchInput<Name extends keyof Handlers['batch']> = Parameters<Handlers['batch'][Name]>[0];

/** The most cases that a search returns; the user does not read more. */
const foundMax = 8;

/** The batch of the windows. @throws {DeskError} draft_not_found if there is none */
export function openBatch({ work }: OpenWorkspace): StoredBatch {
  const batch = work.batches.current(null);
  if (!batch) throw new DeskError('draft_not_found');
  return batch;
}

/** The batch of the windows as they show it; null if there is none. */
export function windowBatch(workspace: OpenWorkspace): Batch | null {
  const batch = workspace.work.batches.current(null);
  return batch && batchView(workspace, batch);
}

function batchView(workspace: OpenWorkspace, batch: StoredBatch): Batch {
  const { id, startedAt, comment, leftOut, sheet, template } = batch;
  const rows = judgedFiles(workspace, id).map((judged) => rowOf(batch, judged));
  const shown = sheet && { fileName: sheet.fileName, read: sheet.read };
  return { id, startedAt, comment, leftOut, rows, sheet: shown, template };
}

/** Announces the files of a drop. Their bytes follow later. */
export function announceFiles(
  workspace: OpenWorkspace,
  { files, leftOut }: BatchInput<'announce'>,
): void {
  const { batches } = workspace.work;
  const matches = matchNames(
    workspace,
    files.map(({ path }) => path),
  );
  const sized = matches.map((match, index) => {
    return { match, sizeBytes: files[index]?.sizeBytes ?? 0 };
  });
  workspace.work.together(() => {
    const { id } = batches.current(null) ?? batches.begin(null);
    const known = new Map(batches.files(id).map((file) => [file.path, file]));
    const placed = sized.map(({ match, sizeBytes }) => {
      const mail = known.get(mailPathOf(match.path) ?? '');
      return { match: mail ? matchInner(match, mail.match) : match, sizeBytes };
    });
    batches.announce(id, placed, leftOut);
    for (const match of matches) followMail(workspace, id, match, known);
  });
}

/** A file of a mail whose case the user has typed goes to that case, unless its own name names one. */
function followMail(
  { work: { batches } }: OpenWorkspace,
  id: string,
  own: BatchMatch,
  known: ReadonlyMap<string, BatchFile>,
): void {
  const { path } = own;
  const mail = known.get(mailPathOf(path) ?? '');
  if (!mail?.isCorrected || isMatchedByItsName(own) || known.has(path)) return;
  const { caseId, typed } = mail;
  batches.change(id, [path], { caseId, typed, isCorrected: true });
}

/** Stores what the user decides about files. */
export function changeFiles(
  { work }: OpenWorkspace,
  id: string,
  { paths, ...decided }: BatchInput<'change'>,
): void {
  const isCorrected =
    decided.caseId !== undefined || decided.typed !== undefined ? true : undefined;
  work.batches.change(id, paths, { ...decided, isCorrected });
}

/**
 * Reads a sheet into the batch of the windows.
 * @param isLast returns whether no other sheet was given during the reading
 */
export async function takeSheet(
  workspace: OpenWorkspace,
  { fileName, contentBase64 }: BatchInput<'setSheet'>,
  isLast: () => boolean,
): Promise<void> {
  const { batches } = workspace.work;
  const before = batches.current(null);
  const table = await readTable(workspace, fileName, Buffer.from(contentBase64, 'base64'));
  const now = batches.current(null);
  // Files that were dropped with the sheet may begin the batch, but the sheet must not get into
  // another batch.
  if (!isLast() || (before && before.id !== now?.id)) return;
  const read = readSheet(workspace, table);
  const { id } = now ?? batches.begin(null);
  batches.setSheet(id, { fileName, contentBase64, read });
  workspace.emit({ type: 'batch.changed' });
}

/** Reads the stored sheet again, with the lines and columns that the user chose. */
export async function chooseLines(
  workspace: OpenWorkspace,
  choice: BatchInput<'chooseLines'>,
): Promise<void> {
  const found = await sheetOf(workspace);
  if (!found) return;
  const read = readSheet(workspace, found.table, choice);
  workspace.work.batches.setSheet(openBatch(workspace).id, { ...found.sheet, read });
}

/**
 * Queues what the sheet sets, and the reports of the files. If there is a template, each case of
 * both gets its document.
 * @returns the cases without a report of the template, with the reasons
 */
export async function queueBatch(
  workspace: OpenWorkspace,
  tools: TemplateTools,
): Promise<Unfilled[]> {
  const before = openBatch(workspace);
  const { template } = before;
  if (template) await assertFillable(workspace, tools, template);
  const found = await sheetOf(workspace);
  const batch = openBatch(workspace);
  // Anything that was added in the meantime was not checked.
  if (!isSameBatch(before, batch) || (batch.sheet !== null && !found)) return [];
  const lines = found ? queueSheet(workspace, batch.id, found, template !== null) : noLines;
  if (!lines) return [];
  const unfilled = template
    ? await queueFilled(workspace, tools, batch, { ...template, lines })
    : queueReports(workspace, batch.id);
  forgetChoices(workspace, batch);
  return unfilled;
}

/**
 * Resets the choices for these cases once all of them are queued, because they do not apply to the
 * next cases. Choices that were made in the meantime stay.
 */
function forgetChoices(workspace: OpenWorkspace, { id, comment, template }: StoredBatch): void {
  const { batches } = workspace.work;
  const now = batches.get(id);
  if (now.sheet !== null) return;
  if (judgedFiles(workspace, id).some(({ file }) => file.queueId === null)) return;
  if (now.comment === comment) batches.setComment(id, '');
  if (isSameTemplate(now.template, template)) batches.setTemplate(id, null);
}

interface SheetWithCells {
  readonly sheet: NonNullable<StoredBatch['sheet']>;
  readonly table: ReadTable;
}

/**
 * The stored sheet with its cells; null if there is none, or if the sheet or its batch was replaced
 * during the reading.
 */
async function sheetOf(workspace: OpenWorkspace): Promise<SheetWithCells | null> {
  const { id, sheet: before } = openBatch(workspace);
  if (!before) return null;
  const bytes = Buffer.from(before.contentBase64, 'base64');
  const table = await readTable(workspace, before.fileName, bytes);
  const now = openBatch(workspace);
  const isSame = now.id === id && now.sheet?.contentBase64 === before.contentBase64;
  return isSame ? { sheet: now.sheet, table } : null;
}

const noLines: NamedCases = new Map();

/**
 * Queues what the sheet sets. The sheet is then removed, unless a template must still be filled for
 * its cases.
 * @returns the hashes of its lines; null if the sheet is refused: then nothing of it is queued, and
 *   no report
 */
function queueSheet(
  workspace: OpenWorkspace,
  id: string,
  { sheet, table }: SheetWithCells,
  stays: boolean,
): NamedCases | null {
  const { batches } = workspace.work;
  const { choice } = sheet.read;
  const { sheet: read, named } = readLines(workspace, table, choice);
  const isBad = read.problems.length > 0;
  workspace.work.together(() => {
    if (!isBad) applySheet(workspace, read);
    const after = stays && !isBad ? readSheet(workspace, table, choice) : read;
    batches.setSheet(id, isBad || stays ? { ...sheet, read: after } : null);
  });
  return isBad ? null : named;
}

/** @throws {DeskError} the reason why the first remaining case has no report */
function queueReports(workspace: OpenWorkspace, id: string): Unfilled[] {
  const { failures } = reportBatch(workspace, id, { submit: true });
  for (const failure of failures.values()) throw failure;
  return [];
}

/** The sheet is removed once each of its cases has its report, or a draft that stays unchanged. */
async function queueFilled(
  workspace: OpenWorkspace,
  tools: TemplateTools,
  { id, sheet }: StoredBatch,
  given: BatchTemplate & { lines: NamedCases },
): Promise<Unfilled[]> {
  const { batches } = workspace.work;
  const found = await reportFilled(workspace, tools, id, { ...given, submit: true });
  const now = batches.current(null);
  const isSame = now?.id === id && now.sheet?.contentBase64 === sheet?.contentBase64;
  const isDone = [...given.lines.keys()].every((caseId) => isSettled(workspace, id, found, caseId));
  if (isSame && isDone) batches.setSheet(id, null);
  return unfilledOf(workspace, found);
}

function isSettled(
  workspace: OpenWorkspace,
  batchId: string,
  { made, sheetCases }: FilledReports,
  caseId: string,
): boolean {
  const alone = sheetCases.find((one) => one.caseId === caseId);
  if (alone) return alone.outcome !== 'refused';
  if (made.some((report) => report.caseId === caseId)) return true;
  const files = judgedFiles(workspace, batchId, caseId);
  return files.length > 0 && files.every(({ item }) => item.queueId !== null);
}

/** The cases without a report of the template, with the reasons. */
function unfilledOf(workspace: OpenWorkspace, { failures, sheetCases }: FilledReports): Unfilled[] {
  const keyOf = (caseId: string) => findCase(workspace, caseId).record.externalKey;
  return [
    ...[...failures].map(([caseId, { problem }]) => ({ externalKey: keyOf(caseId), problem })),
    ...sheetCases.flatMap(({ externalKey, problem }) => (problem ? { externalKey, problem } : [])),
  ];
}

/** The cases that match the user's words. An external key matches one case only. */
export function searchCases(workspace: OpenWorkspace, q: string): BatchCase[] {
  const known = workspace.cache.cases.find(q.trim());
  if (known) return casesOf(workspace, [known.id]).map(batchCase);
  return listCases(workspace, {
    q,
    limit: foundMax,
    countMax: foundMax,
    bestFirst: true,
  }).items.map(batchCase);
}
