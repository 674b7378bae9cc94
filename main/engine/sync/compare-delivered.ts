import { excerptOf } from '#shared/lib/excerpt.ts';
import { isSameId } from '#shared/api/conventions.ts';
import { canReopen } from '#shared/api/states.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Cache } from '../cache/open-cache.ts';
import { comparedText, isSameText } from '../work/conflicts.ts';
import { wasSubmitted } from './check-answer.ts';
import { submissionId } from './delivery-context.ts';
import type { Work } from '../work/open-work.ts';
import type { Act, OutboxRow } from '../work/outbox-records.ts';

/** A difference between a delivered act and the state at the partner. */
export interface Difference {
  readonly row: OutboxRow;
  /** The act with the found value, for the user's choice. */
  readonly act: Act;
  readonly problem: DeskProblem;
  /**
   * Whether sending again can resolve the difference. A submitted report cannot be changed any
   * more.
   */
  readonly isMendable: boolean;
}

type Found = Omit<Difference, 'row'>;
interface Stores {
  readonly work: Work;
  readonly cache: Cache;
}

/**
 * Compares each delivered act with a later reading of its case. Acts that match are marked as seen.
 * An act whose case was not read yet waits.
 * @param onSeen called with each row that was marked
 */
export function findDifferences(
  { work, cache }: Stores,
  now: string,
  onSeen: (rowId: number) => void,
): Difference[] {
  const differences: Difference[] = [];
  for (const row of work.outbox.rows.uncompared()) {
    // If a later act has replaced the value, the value of this act is not expected.
    const found = work.outbox.rows.isReplaced(row) ? 'same' : compare(cache, row);
    if (found === 'same') {
      work.outbox.deliveries.see(row.id, now);
      onSeen(row.id);
    } else if (found !== 'unread') differences.push({ row, ...found });
  }
  return differences;
}

/**
 * Settles rows that needed the user because a reading or an answer differed, if a later reading
 * shows the sent value. One server of a cluster may be behind the others by minutes.
 * @returns the rows that were settled
 */
export function settleDisputes({ work, cache }: Stores, now: string): OutboxRow[] {
  return work.outbox.rows.disputed().filter((row) => {
    const isAnswer = row.problem?.code === 'answer_mismatch';
    if (!isThereNow(cache, row, isAnswer)) return false;
    work.outbox.deliveries.see(row.id, now);
    return true;
  });
}

/** @param isAnswer whether the answer differed, so that the step has no proof yet */
function isThereNow(cache: Cache, row: OutboxRow, isAnswer: boolean): boolean {
  const record = cache.cases.find(row.caseId);
  if (!record || record.goneReason !== null) return false;
  if (row.act.kind === 'reopen') return !canReopen(record.status);
  if (row.act.kind !== 'report' || !isAnswer) return compare(cache, row) === 'same';
  const step = row.steps.find(({ state }) => state !== 'delivered');
  const submission = listedReport(cache, row, submissionId(row));
  return step?.kind === 'submit' && submission !== undefined && wasSubmitted(submission);
}

function compare(cache: Cache, row: OutboxRow): Found | 'same' | 'unread' {
  const { act } = row;
  if (act.kind === 'report') return compareReport(cache, row, act);
  const record = cache.cases.find(row.caseId);
  if (!record) return 'unread';
  // Nothing can be read about the case any more.
  if (record.goneReason !== null) return 'same';
  switch (act.kind) {
    case 'reopen':
      // An earlier attempt may have reopened the case, which was closed again since.
      if (!canReopen(record.status) || row.steps.some(({ everUnknown }) => everUnknown))
        return 'same';
      return { act, problem: { code: 'reopening_without_effect', params: {} }, isMendable: true };
    case 'comment': {
      const { expertComment: found } = record;
      if (isSameText(found, act.text)) return 'same';
      const problem = hasOther('expertComment', excerpts(act.text, found));
      return { act: { ...act, found }, problem, isMendable: true };
    }
    case 'amounts': {
      const { costEstimateRappen, approvedRappen } = record;
      const found = { costEstimateRappen, approvedRappen };
      const field = amountFields.find((name) => act[name] !== found[name]);
      if (!field) return 'same';
      const problem = hasOther(field, { sent: act[field], found: found[field] });
      return { act: { ...act, found }, problem, isMendable: true };
    }
  }
}

const amountFields = ['costEstimateRappen', 'approvedRappen'] as const;

function compareReport(
  cache: Cache,
  row: OutboxRow,
  act: Extract<Act, { kind: 'report' }>,
): Found | 'same' | 'unread' {
  const { caseId, steps } = row;
  const proof = steps.at(-1)?.delivered;
  const listedAt = cache.reports.listedAt(caseId);
  if (!proof?.laptopAt || listedAt === null || listedAt < proof.laptopAt) return 'unread';
  // The unreadable report may be this one.
  if (cache.unreadable.has('reports', caseId)) return 'unread';
  if (cache.cases.find(caseId)?.goneReason) return 'same';
  const submission = listedReport(cache, row, proof.serverId);
  if (!submission) {
    return { act, problem: { code: 'report_not_listed', params: {} }, isMendable: false };
  }
  if (submission.status === 'Draft') {
    return { act, problem: { code: 'report_still_draft', params: {} }, isMendable: true };
  }
  if (!wasSubmitted(submission))
    return { act, problem: { code: 'report_cancelled', params: {} }, isMendable: false };
  if (isSameText(submission.comment, act.comment)) return 'same';
  const problem = hasOther('comment', excerpts(act.comment, submission.comment));
  return { act, problem, isMendable: false };
}

const listedReport = (cache: Cache, { caseId }: OutboxRow, id: string | null) =>
  cache.reports.list(caseId).find((one) => id !== null && isSameId(one.id, id));

interface Values {
  readonly sent: string | number | null;
  readonly found: string | number | null;
}

function hasOther(field: string, values: Values): DeskProblem {
  return { code: 'server_has_other', params: { field, ...values } };
}

/**
 * A problem is shown as a sentence. Of a long text it contains the part where the two texts begin
 * to differ.
 */
const shownMaxLength = 100;
const shownBefore = 20;

function excerpts(sent: string, found: string): Values {
  if (sent.length <= shownMaxLength && found.length <= shownMaxLength) return { sent, found };
  const [ours, theirs] = [comparedText(sent), comparedText(found)];
  let parting = 0;
  while (parting < ours.length && ours[parting] === theirs[parting]) parting += 1;
  const from = Math.max(0, parting - shownBefore);
  return {
    sent: excerptOf(ours, from, shownMaxLength),
    found: excerptOf(theirs, from, shownMaxLength),
  };
}
