import { clockSlackMs } from '#shared/desk/delivery/clock.ts';
import { hasId, isSameId } from '#shared/api/conventions.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import {
  assertReadable,
  type ClientSubmission,
  type ClientSubmissionDocument,
} from '../../partner/answers/answers.ts';
import type { Answered } from '../../partner/requests/call.ts';
import type { OutboxRow } from '../work/outbox-records.ts';
import { isSameText } from '../work/conflicts.ts';
import {
  documentSteps,
  submissionId,
  type DeliveryContext,
  type DocumentStep,
} from './delivery-context.ts';
import { failureKind, type FailureKind } from './failures.ts';
import { ownWeight } from './host-check.ts';
import { wasSubmitted } from './check-answer.ts';
import {
  contentOf,
  createdSlackMs,
  isForgotten,
  isSameDocument,
  pageSizeOf,
  proofOf,
  reportPages,
  serverDocuments,
} from './look-up.ts';

/**
 * Whether something may have been delivered that this row does not know: by another laptop, or by
 * this one before an old copy of its folder was restored, or before the report was sent again.
 */
function isDoubtful(context: DeliveryContext, row: OutboxRow): boolean {
  return isShared(context, row) || isForgotten(context, row) || wasTried(context, row);
}

/** Whether the report was in a package, so that another laptop may have it as well. */
export function isShared({ drafts }: DeliveryContext, { act }: OutboxRow): boolean {
  return act.kind === 'report' && drafts.get(act.draftId).sharedSinceMs !== null;
}

/**
 * Searches the case's submissions (X10) for this report, submitted without this row: the same
 * comment and the same documents (X12: SHA-256, name, mark). If it exists, the row is delivered
 * with that proof.
 * @returns whether the row was delivered in this way
 * @throws {DeskError} restored_unsure if another report was submitted since the work is on two
 *   laptops, or if the same report was submitted before; resubmission_unsure if another report was
 *   submitted since this report was first sent, or this one before it was given up and changed. In
 *   these cases only the user can decide.
 */
export async function resolveDuplicate(context: DeliveryContext, row: OutboxRow): Promise<boolean> {
  try {
    return await resolveAmong(context, row);
  } catch (error) {
    // If only this list fails, it must not block a report that is most likely new.
    const isSick = sick.includes(failureKind(error)) || row.ownFailures > ownWeight;
    if (isSick && !isDoubtful(context, row)) return false;
    throw error;
  }
}

const sick: readonly FailureKind[] = ['busy', 'odd', 'refused', 'unknown'];

async function resolveAmong(context: DeliveryContext, row: OutboxRow): Promise<boolean> {
  const { sharedSinceMs } = context.drafts.get(draftIdOf(row));
  const own = [row, ...givenUpBefore(context, row)];
  const createdMs = Math.min(...own.map((each) => createdServerMs(context, each)));
  const sinceMs = (sharedSinceMs ?? createdMs) - createdSlackMs;
  // A submission may belong to another report of the queue.
  const rows = [row, ...context.rows.openRows(row.caseId).filter(({ id }) => id !== row.id)];
  const unsure: ClientSubmission[] = [];
  for (const { submission, answered } of await submitted(context, row)) {
    const { createdAt, submittedAt } = submission;
    const isRecent = timeOf(createdAt === '' ? (submittedAt ?? '') : createdAt) >= sinceMs;
    // An earlier submission matters only if the work is on two laptops.
    if (!isRecent && sharedSinceMs === null) continue;
    const match = await matchOf(context, rows, submission);
    if (match?.row === row && isRecent) {
      context.deliveries.confirm(...match.proofs(answered));
      context.onRow(row.id);
      return true;
    }
    if (match ? match.row === row : isRecent) unsure.push(submission);
  }
  // Otherwise the submission is another program's report.
  if (unsure.length === 0 || (sharedSinceMs === null && !wasTried(context, row))) return false;
  const submissions = unsure.map(({ id }) => id);
  context.deliveries.saveServerFindings(row.id, { submissions, documents: [] });
  const code = sharedSinceMs === null ? 'resubmission_unsure' : 'restored_unsure';
  throw new DeskError(code, { submittedAt: unsure[0]?.submittedAt ?? null });
}

/**
 * Whether the report's submission was sent before, also by a row that was given up. Then the partner
 * may have it under another id and changed, or as it was before the user changed it.
 */
const wasTried = (context: DeliveryContext, row: OutboxRow): boolean =>
  wasSent(row) || givenUpBefore(context, row).length > 0;

const wasSent = ({ steps }: OutboxRow): boolean =>
  steps.some(({ kind, attempts }) => kind === 'submit' && attempts > 0);

/** The discarded rows of the same report whose submission was sent, and may have arrived. */
function givenUpBefore({ rows }: DeliveryContext, row: OutboxRow): OutboxRow[] {
  return rows.discardedOf({ caseId: row.caseId, draftId: draftIdOf(row) }).filter(wasSent);
}

function draftIdOf({ act }: OutboxRow): string {
  if (act.kind !== 'report') throw new Error('only a report is looked for');
  return act.draftId;
}

/**
 * When the row was created, by the server's clock. A time in the future was written by a device's
 * clock that is ahead, before the insurer's time was known.
 */
function createdServerMs({ client }: DeliveryContext, { createdAt }: OutboxRow): number {
  const createdMs = Date.parse(createdAt);
  const serverMs = client.serverNow();
  const offsetMs = serverMs - client.deviceNow();
  const isByDevice = Math.abs(offsetMs) <= clockSlackMs || createdMs > serverMs;
  return isByDevice ? Math.min(createdMs, createdMs + offsetMs) : createdMs;
}

/**
 * The submissions of the case that do not belong to another report of this laptop; none if the
 * row's own was already submitted. What the insurer has returned is to be submitted again.
 */
async function submitted(
  context: DeliveryContext,
  row: OutboxRow,
): Promise<{ submission: ClientSubmission; answered: Answered<unknown> }[]> {
  const own = submissionId(row);
  const accepted = row.act.kind === 'report' ? (row.act.decided?.submit ?? []) : [];
  const givenUp = givenUpBefore(context, row);
  const found = [];
  for await (const answered of reportPages(context, row.caseId)) {
    if (isDoubtful(context, row)) assertReadable('X10', answered.value.unreadable);
    for (const submission of answered.value.items) {
      const { id, status } = submission;
      if (!wasSubmitted(submission) || !isSameId(submission.caseId, row.caseId)) continue;
      if (own !== null && isSameId(id, own)) return [];
      const isLost = givenUp.some((other) => isSameId(submissionId(other) ?? '', id));
      const isKnown = context.rows.knowsSubmission(id) && !(isLost && status !== 'Returned');
      if (!isKnown && !hasId(accepted, id)) found.push({ submission, answered });
    }
  }
  return found;
}

/** The first row to whose report the submission belongs, with a proof for each remaining step. */
async function matchOf(
  context: DeliveryContext,
  rows: readonly OutboxRow[],
  submission: ClientSubmission,
) {
  const alike = rows.filter(
    ({ act }) => act.kind === 'report' && isSameText(submission.comment, act.comment),
  );
  if (alike.length === 0) return null;
  const pageSize = pageSizeOf(alike.flatMap((row) => documentSteps(context, row)));
  const { documents, answered: read } = await serverDocuments(context, submission.id, pageSize);
  if (!read) return null;
  for (const row of alike) {
    const pairs = pairsOf(documentSteps(context, row), documents);
    if (!pairs) continue;
    const proofs = (answered: Answered<unknown>) => [
      ...row.steps
        .filter(({ kind }) => kind !== 'document')
        .map((step) => ({ step, proof: proofOf(context, answered, submission.id) })),
      ...pairs.map(({ step, attachment, document }) => ({
        step,
        proof: { ...proofOf(context, read, document.id), ...contentOf(attachment) },
      })),
    ];
    return { row, proofs };
  }
  return null;
}

/** Each document step with its document; null if they are not exactly the same. */
function pairsOf(
  expected: readonly DocumentStep[],
  documents: readonly ClientSubmissionDocument[],
): (DocumentStep & { document: ClientSubmissionDocument })[] | null {
  if (documents.length !== expected.length) return null;
  const free = new Set(documents);
  const pairs = [];
  for (const { step, attachment } of expected) {
    const document = [...free].find((candidate) => isSameDocument(candidate, attachment));
    if (!document) return null;
    free.delete(document);
    pairs.push({ step, attachment, document });
  }
  return pairs;
}
