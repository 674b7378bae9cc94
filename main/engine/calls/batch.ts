import type { Batch, BatchCase, BatchTemplate, Unfilled } from '#shared/desk/batch.ts';
import { DeskError } from '#shared/desk/errors.ts';
import {
  assertFillable,
  type FilledReports,
  isSameBatch,
  isSameTemplate,
  reportFilled,
} from '../batch/filled-batch.ts';
import { judgedFiles, matchNames, reportBatch, rowOf } from '../batch/open-batch.ts';
import {
  applySheet,
  type NamedCases,
  readLines,
  readSheet,
  type ReadTable,
  readTable,
} from '../batch/read-sheet.ts';
import type { Handlers } from '../engine.ts';
import type { TemplateTools } from '../templates/fill-report.ts';
import type { StoredBatch } from '../work/batches.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { batchCase } from './acts.ts';
import { findCase } from './case-view.ts';
import { casesOf, listCases } from './cases.ts';

/** More than the user reads through. */
const foundMax = 8;

/** The batch of the windows; `desk batch` has its own for each folder. */
// oxlint-disable-next-line max-lines-per-function -- one entry for each call of the contract
export function batchCalls(opened: () => OpenWorkspace, tools: TemplateTools): Handlers['batch'] {
  const answer = (workspace: OpenWorkspace) => {
    const batch = workspace.work.batches.current(null);
    return { batch: batch && batchView(workspace, batch) };
  };
  /** @throws {DeskError} draft_not_found without a batch */
  const open = (workspace: OpenWorkspace): StoredBatch => {
    const batch = workspace.work.batches.current(null);
    if (!batch) throw new DeskError('draft_not_found');
    return batch;
  };
  const changed = (workspace: OpenWorkspace) => {
    workspace.emit({ type: 'batch.changed' });
    return answer(workspace);
  };
  const change = (act: (workspace: OpenWorkspace, id: string) => void) => {
    const workspace = opened();
    act(workspace, open(workspace).id);
    return changed(workspace);
  };
  /**
   * The stored sheet with its cells; null without one, or if it or its batch was replaced while it
   * was read.
   */
  const sheetOf = async (workspace: OpenWorkspace): Promise<SheetWithCells | null> => {
    const { id, sheet: before } = open(workspace);
    if (!before) return null;
    const bytes = Buffer.from(before.contentBase64, 'base64');
    const table = await readTable(workspace, before.fileName, bytes);
    const now = open(workspace);
    const isSame = now.id === id && now.sheet?.contentBase64 === before.contentBase64;
    return isSame ? { sheet: now.sheet, table } : null;
  };
  /** Counts the sheets that were given: only the last one is stored. */
  let given = 0;
  return {
    get: () => answer(opened()),
    announce({ files, leftOut }) {
      const workspace = opened();
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
        batches.announce(id, sized, leftOut);
      });
      return change(() => undefined);
    },
    refuse: ({ path, problem }) =>
      change(({ work }, id) => work.batches.setRefused(id, path, problem)),
    change: ({ paths, ...decided }) =>
      change(({ work }, id) => {
        const isCorrected =
          decided.caseId !== undefined || decided.typed !== undefined ? true : undefined;
        work.batches.change(id, paths, { ...decided, isCorrected });
      }),
    setComment: ({ comment }) => change(({ work }, id) => work.batches.setComment(id, comment)),
    setTemplate: ({ template }) => change(({ work }, id) => work.batches.setTemplate(id, template)),
    remove: ({ paths }) =>
      change(({ work }, id) => work.batches.change(id, paths, { isRemoved: true })),
    restore: ({ paths }) =>
      change(({ work }, id) => work.batches.change(id, paths, { isRemoved: false })),
    removeQueued: () => change(({ work }, id) => work.batches.forgetReported(id)),
    search: ({ q }) => ({ items: searchCases(opened(), q) }),
    async setSheet({ fileName, contentBase64 }) {
      const workspace = opened();
      const { batches } = workspace.work;
      given += 1;
      const mine = given;
      const before = batches.current(null);
      const table = await readTable(workspace, fileName, Buffer.from(contentBase64, 'base64'));
      const now = batches.current(null);
      // Files that were dropped with the sheet may begin the batch, but no other one takes its place.
      if (mine !== given || (before && before.id !== now?.id)) return answer(workspace);
      const read = readSheet(workspace, table);
      const { id } = now ?? batches.begin(null);
      batches.setSheet(id, { fileName, contentBase64, read });
      return changed(workspace);
    },
    async chooseLines(choice) {
      const workspace = opened();
      const found = await sheetOf(workspace);
      if (found) {
        const read = readSheet(workspace, found.table, choice);
        workspace.work.batches.setSheet(open(workspace).id, { ...found.sheet, read });
      }
      return changed(workspace);
    },
    removeSheet: () => change(({ work }, id) => work.batches.setSheet(id, null)),
    async queue() {
      const workspace = opened();
      const before = open(workspace);
      const { template } = before;
      if (template) await assertFillable(workspace, tools, template);
      const found = await sheetOf(workspace);
      const batch = open(workspace);
      // What came in the meantime was not looked at.
      if (!isSameBatch(before, batch) || (batch.sheet !== null && !found))
        return { ...changed(workspace), unfilled: [] };
      const lines = found ? queueSheet(workspace, batch.id, found, template !== null) : noLines;
      if (!lines) return { ...changed(workspace), unfilled: [] };
      try {
        const unfilled = template
          ? await queueFilled(workspace, tools, batch, { ...template, lines })
          : queueReports(workspace, batch.id);
        forgetChoices(workspace, batch);
        return { ...answer(workspace), unfilled };
      } finally {
        workspace.emit({ type: 'batch.changed' });
      }
    },
    discard: () => change(({ work }, id) => work.batches.discard(id)),
    takeBack() {
      const workspace = opened();
      workspace.work.batches.takeBack();
      workspace.emit({ type: 'batch.changed' });
      return answer(workspace);
    },
  };
}

function batchView(workspace: OpenWorkspace, batch: StoredBatch): Batch {
  const { id, startedAt, comment, leftOut, sheet, template } = batch;
  const rows = judgedFiles(workspace, id).map((judged) => rowOf(batch, judged));
  const shown = sheet && { fileName: sheet.fileName, read: sheet.read };
  return { id, startedAt, comment, leftOut, rows, sheet: shown, template };
}

/**
 * What was chosen for these cases does not apply to the next, once all of them are queued; what was
 * chosen since stays.
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

const noLines: NamedCases = new Map();

/**
 * Queues what the sheet sets, and forgets it unless a template is still to be filled for its cases.
 * @returns the hashes of its lines; null if the sheet is refused: then nothing of it is queued, nor any
 * report
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

/** @throws {DeskError} what the first case that was left has against it */
function queueReports(workspace: OpenWorkspace, id: string): Unfilled[] {
  const { failures } = reportBatch(workspace, id, { submit: true });
  for (const failure of failures.values()) throw failure;
  return [];
}

/** The sheet is forgotten once each of its cases has its report, or a draft that stays as it is. */
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

/** The cases that have no report of the template, and why. */
function unfilledOf(workspace: OpenWorkspace, { failures, sheetCases }: FilledReports): Unfilled[] {
  const keyOf = (caseId: string) => findCase(workspace, caseId).record.externalKey;
  return [
    ...[...failures].map(([caseId, { problem }]) => ({ externalKey: keyOf(caseId), problem })),
    ...sheetCases.flatMap(({ externalKey, problem }) => (problem ? { externalKey, problem } : [])),
  ];
}

/** Cases that match the user's words; an external key matches one case only. */
function searchCases(workspace: OpenWorkspace, q: string): BatchCase[] {
  const known = workspace.cache.cases.find(q.trim());
  if (known) return casesOf(workspace, [known.id]).map(batchCase);
  return listCases(workspace, { q, limit: foundMax, countMax: foundMax }).items.map(batchCase);
}
