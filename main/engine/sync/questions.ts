import { isSameId } from '#shared/api/conventions.ts';
import { awaitsWork } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Question } from '#shared/desk/delivery/decisions.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import { contested, valueConflicts } from '../work/conflicts.ts';
import type { Act, OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { asDelivery, submissionId, type DeliveryContext } from './delivery-context.ts';
import { resolveDuplicate } from './find-duplicate.ts';
import { lookUp, openServerDraft, reportPages } from './look-up.ts';
import type { Answers } from './next-action.ts';
import {
  isAccepted,
  isLeftBehind,
  isWhole,
  readDraft,
  type DraftDocuments,
} from './server-draft.ts';

/** The partner's answers to the questions about one step. */
export interface Findings {
  readonly answers: Answers;
  readonly proof?: DeliveryProof;
  readonly draft?: DraftDocuments;
  readonly conflict?: { readonly act: Act; readonly error: DeskError };
  readonly openDraftId?: string;
  readonly awaits?: DeskError;
}

/**
 * Asks the partner one question about a row's step.
 * @returns the answer, with the data that were found
 * @throws {DeskError} if the question could not be asked; a question about a missing record throws
 *   also if the case is missing
 */
export async function askPartner(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  question: Question,
): Promise<Findings> {
  switch (question) {
    case 'duplicate':
      return { answers: (await resolveDuplicate(context, row)) ? {} : { duplicate: 'none' } };
    case 'lookUp':
    case 'ownEffect': {
      const proof = await lookUp(context, row, step);
      if (!proof) return { answers: { [question]: 'none' } };
      return { answers: { [question]: 'found' }, proof };
    }
    case 'elsewhere': {
      const proof = await lookUp(context, row, found(deliveredDraft(row)));
      return proof !== null && !isSameId(found(proof.serverId), idOf(row))
        ? { answers: { elsewhere: 'found' }, proof }
        : { answers: { elsewhere: 'none' } };
    }
    case 'draft': {
      const draft = await readDraft(context, row, idOf(row));
      const isLate = draft.missing.some(({ step: { everUnknown } }) => !everUnknown);
      return { answers: { draft: isWhole(draft) ? 'whole' : isLate ? 'late' : 'other' }, draft };
    }
    case 'value': {
      const conflict = await findConflict(context, row);
      return conflict
        ? { answers: { value: 'contested' }, conflict }
        : { answers: { value: 'free' } };
    }
    case 'openDraft':
      return await readOpenDraft(context, row);
    case 'acceptance': {
      const awaits = await readAwaiting(context, row.caseId);
      if (!awaits) return { answers: { acceptance: 'given' } };
      return { answers: { acceptance: 'awaited' }, awaits };
    }
    case 'gone':
      return { answers: { gone: await readGone(context, row) } };
  }
}

/**
 * Returns data that a decision is based on. If they are missing, the decision and its effect
 * contradict each other.
 */
export function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('a decision without its evidence');
  return value;
}

export const deliveredDraft = (row: OutboxRow): OutboxStep | undefined =>
  row.steps.find(({ kind, state }) => kind === 'draft' && state === 'delivered');

export const idOf = (row: OutboxRow): string => found(submissionId(row));

/** A problem is shown as a sentence; the queue shows a long comment in full next to it. */
const shownMaxLength = 100;

/**
 * Reads the case immediately before amounts or a comment are sent (X2). A PUT replaces any value,
 * and a value that another user set in the meantime must not be lost without notice. A short time
 * between the two requests remains, because the partner API has no condition for a PUT.
 * @returns the act with the found value, and the reason why it must wait for the user; null if it
 *   may be sent
 * @throws {DeskError} if the case could not be read
 */
async function findConflict(
  context: DeliveryContext,
  { act, caseId }: OutboxRow,
): Promise<{ act: Act; error: DeskError } | null> {
  if (act.kind !== 'amounts' && act.kind !== 'comment') return null;
  const { value } = await context.client.getCase(caseId, asDelivery(context));
  context.cases.upsert([value]);
  const other = contested(act, value);
  if (!other) return null;
  const { field, seen, found: theirs, mine } = found(valueConflicts(other)[0]);
  const params = { field, seen: shown(seen), found: shown(theirs), mine: shown(mine) };
  return { act: other, error: new DeskError('server_value_changed', params) };
}

function shown(value: string | number | null): string | number | null {
  if (typeof value !== 'string' || value.length <= shownMaxLength) return value;
  return `${value.slice(0, shownMaxLength)}…`;
}

/** Finds the owner of the open draft that refuses a second one (X10). */
async function readOpenDraft(context: DeliveryContext, row: OutboxRow): Promise<Findings> {
  const open = (await openServerDraft(context, row.caseId))?.submission;
  if (!open) return { answers: { openDraft: 'none' } };
  const isUsable = isLeftBehind(context, row.caseId, open) || isAccepted(row, open.id);
  return { answers: { openDraft: isUsable ? 'usable' : 'foreign' }, openDraftId: open.id };
}

/**
 * Reads the case (X2). @returns the reason why its work must wait, if its state may change back;
 * else null
 */
async function readAwaiting(context: DeliveryContext, caseId: string): Promise<DeskError | null> {
  const { value } = await context.client.getCase(caseId, asDelivery(context));
  context.cases.upsert([value]);
  const { status } = value;
  return awaitsWork(status) ? new DeskError('case_awaits', { status }) : null;
}

/**
 * Finds what is missing: the report's draft, or only the record of the operation. It throws if the
 * case is missing.
 */
async function readGone(context: DeliveryContext, row: OutboxRow): Promise<'draft' | 'neither'> {
  await context.client.getCase(row.caseId, asDelivery(context));
  if (!deliveredDraft(row)) return 'neither';
  const known = idOf(row);
  for await (const { value } of reportPages(context, row.caseId)) {
    if (value.unreadable.length > 0) return 'neither';
    if (value.items.some(({ id }) => isSameId(id, known))) return 'neither';
  }
  return 'draft';
}
