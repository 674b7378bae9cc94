import { canReopen } from '#shared/api/states.ts';
import type { DeskProblem } from '#shared/desk/errors.ts';
import type { Cache } from '../cache/open-cache.ts';
import { isSameText } from '../work/conflicts.ts';
import { neverSubmitted } from './check-answer.ts';
import type { Work } from '../work/open-work.ts';
import type { Act, OutboxRow } from '../work/outbox-records.ts';

/** What the partner has in the place of a delivered act. */
export interface Difference {
  readonly row: OutboxRow;
  /** With the value found, for the user's choice. */
  readonly act: Act;
  readonly problem: DeskProblem;
  /** Whether sending again can mend it: a submitted report cannot be changed any more. */
  readonly isMendable: boolean;
}

type Found = Omit<Difference, 'row'>;
interface Stores {
  readonly work: Work;
  readonly cache: Cache;
}

/**
 * Compares each delivered act with what was read of its case since. Those that match are marked as
 * seen; one that was not read yet waits.
 */
export function findDifferences({ work, cache }: Stores, now: string): Difference[] {
  const differences: Difference[] = [];
  for (const row of work.outbox.uncompared()) {
    // What a later act has replaced is not there any more.
    const found = work.outbox.isReplaced(row) ? 'same' : compare(cache, row);
    if (found === 'same') work.outbox.markSeen(row.id, now);
    else if (found !== 'unread') differences.push({ row, ...found });
  }
  return differences;
}

/**
 * What needs the user because a reading or an answer had something else, and was read since as it was
 * sent: a node may lag behind by minutes.
 * @returns the rows that were settled
 */
export function settleDisputes({ work, cache }: Stores, now: string): OutboxRow[] {
  return work.outbox.disputed().filter((row) => {
    const isAnswer = row.problem?.code === 'answer_mismatch';
    if (!isThereNow(cache, row, isAnswer)) return false;
    if (isAnswer) work.outbox.lookAgain(row);
    else work.outbox.settle(row, now);
    return true;
  });
}

/** @param isAnswer whether it was answered otherwise, so that the step has no proof yet */
function isThereNow(cache: Cache, row: OutboxRow, isAnswer: boolean): boolean {
  const record = cache.cases.find(row.caseId);
  if (!record || record.goneReason !== null) return false;
  if (row.act.kind === 'reopen') return !canReopen(record.status);
  if (row.act.kind !== 'report' || !isAnswer) return compare(cache, row) === 'same';
  const step = row.steps.find(({ state }) => state !== 'delivered');
  const id = row.steps.find(({ kind }) => kind === 'draft')?.delivered?.serverId;
  const submission = cache.reports.list(row.caseId).find((one) => one.id === id);
  return (
    step?.kind === 'submit' &&
    submission !== undefined &&
    !neverSubmitted.includes(submission.status)
  );
}

function compare(cache: Cache, row: OutboxRow): Found | 'same' | 'unread' {
  const { act } = row;
  if (act.kind === 'report') return compareReport(cache, row, act);
  const record = cache.cases.find(row.caseId);
  if (!record) return 'unread';
  // Nothing more can be read of it.
  if (record.goneReason !== null) return 'same';
  switch (act.kind) {
    case 'reopen':
      // An earlier attempt may have reopened it, and it was closed since.
      if (!canReopen(record.status) || row.steps.some(({ everUnknown }) => everUnknown))
        return 'same';
      return { act, problem: { code: 'reopening_without_effect', params: {} }, isMendable: true };
    case 'comment': {
      const { expertComment: found } = record;
      if (isSameText(found, act.text)) return 'same';
      const problem = hasOther('expertComment', act.text, found);
      return { act: { ...act, found }, problem, isMendable: true };
    }
    case 'amounts': {
      const { costEstimateRappen, approvedRappen } = record;
      const found = { costEstimateRappen, approvedRappen };
      const field = amountFields.find((name) => act[name] !== found[name]);
      if (!field) return 'same';
      const problem = hasOther(field, act[field], found[field]);
      return { act: { ...act, found }, problem, isMendable: true };
    }
  }
}

const amountFields = ['costEstimateRappen', 'approvedRappen'] as const;

function compareReport(
  cache: Cache,
  { caseId, steps }: OutboxRow,
  act: Extract<Act, { kind: 'report' }>,
): Found | 'same' | 'unread' {
  const proof = steps.at(-1)?.delivered;
  const listedAt = cache.reports.listedAt(caseId);
  if (!proof?.laptopAt || listedAt === null || listedAt < proof.laptopAt) return 'unread';
  // It may be the one that cannot be read.
  if (cache.unreadable.has('reports', caseId)) return 'unread';
  if (cache.cases.find(caseId)?.goneReason) return 'same';
  const submission = cache.reports.list(caseId).find(({ id }) => id === proof.serverId);
  if (!submission) {
    return { act, problem: { code: 'report_not_listed', params: {} }, isMendable: false };
  }
  if (submission.status === 'Draft') {
    return { act, problem: { code: 'report_still_draft', params: {} }, isMendable: true };
  }
  if (isSameText(submission.comment, act.comment)) return 'same';
  const problem = hasOther('comment', act.comment, submission.comment);
  return { act, problem, isMendable: false };
}

type Value = string | number | null;

function hasOther(field: string, sent: Value, found: Value): DeskProblem {
  return { code: 'server_has_other', params: { field, ...excerpts(sent, found) } };
}

/** A problem is a sentence: of a long text it shows the place at which the two part. */
const shownMaxLength = 100;
const shownBefore = 20;

function excerpts(sent: Value, found: Value): { sent: Value; found: Value } {
  if (typeof sent !== 'string' || typeof found !== 'string') return { sent, found };
  if (sent.length <= shownMaxLength && found.length <= shownMaxLength) return { sent, found };
  let parting = 0;
  while (parting < sent.length && sent[parting] === found[parting]) parting += 1;
  const from = Math.max(0, parting - shownBefore);
  const excerpt = (text: string) => {
    const shown = text.slice(from, from + shownMaxLength);
    return `${from > 0 ? '…' : ''}${shown}${from + shown.length < text.length ? '…' : ''}`;
  };
  return { sent: excerpt(sent), found: excerpt(found) };
}
