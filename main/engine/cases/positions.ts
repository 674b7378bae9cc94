import type { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type {
  CasePositions,
  positionsChoiceSchema,
  ReportPositions,
} from '#shared/desk/reports/positions.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase } from './case-view.ts';
import { fetchDocument } from './documents.ts';

/**
 * The lines that the reports of a case print: those that the user chose, as they were then; else
 * those of the only document whose lines are known.
 */
export function positionsOf(
  { work, cache }: Pick<OpenWorkspace, 'work' | 'cache'>,
  caseId: string,
): ReportPositions | null {
  const chosen = work.local.reportPositions(caseId);
  if (chosen) return chosen;
  const [first, ...others] = cache.documents.index.estimates.of(caseId);
  return first && others.length === 0 ? { first, second: null } : null;
}

/** The lines of a case's documents. Those that are asked for are downloaded and read first. */
export async function readPositions(
  workspace: OpenWorkspace,
  { id, documentIds }: { readonly id: string; readonly documentIds: readonly string[] },
): Promise<CasePositions> {
  for (const documentId of documentIds) await fetchDocument(workspace, id, documentId);
  if (documentIds.length > 0) await workspace.readTexts();
  return casePositions(workspace, id);
}

function casePositions(workspace: OpenWorkspace, ref: string): CasePositions {
  const { id } = findCase(workspace, ref).record;
  return {
    ...wholeList(workspace.cache.documents.index.estimates.of(id)),
    report: positionsOf(workspace, id),
    isChosen: workspace.work.local.reportPositions(id) !== null,
  };
}

/**
 * Stores the lines for the reports of a case.
 * @throws {DeskError} positions_unknown
 */
export function choosePositions(
  workspace: OpenWorkspace,
  { id: ref, documentId, against }: z.output<typeof positionsChoiceSchema>,
): CasePositions {
  const { id } = findCase(workspace, ref).record;
  const known = workspace.cache.documents.index.estimates.of(id);
  const linesOf = (wanted: string) => {
    const found = known.find((one) => one.documentId === wanted);
    if (!found) {
      const fileName = workspace.cache.documents.find(id, wanted)?.fileName ?? wanted;
      throw new DeskError('positions_unknown', { fileName });
    }
    return found;
  };
  workspace.work.local.setReportPositions(
    id,
    documentId === null
      ? null
      : { first: linesOf(documentId), second: against === null ? null : linesOf(against) },
  );
  workspace.backUpSoon();
  workspace.emit({ type: 'documents.changed', caseId: id });
  return casePositions(workspace, id);
}
