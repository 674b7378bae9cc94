import type { RetryDecision } from '#shared/desk/queue.ts';
import type { Act, OutboxRow } from './outbox-records.ts';

/** Whether the row waits for a person's word about what the server holds beside it. */
export function isDecidable({ state, act }: Pick<OutboxRow, 'state' | 'act'>): boolean {
  return state === 'attention' && act.kind === 'report' && act.found !== undefined;
}

/**
 * The act with a person's decision about exactly what they were shown: what turns up later is asked
 * about anew. Without a decision it is only looked again.
 */
export function decidedAct(act: Act, decision: RetryDecision | undefined): Act {
  if (act.kind !== 'report') return act;
  const { found, ...rest } = act;
  if (found === undefined || decision === undefined) return rest;
  const decided = act.decided ?? { submit: [], remove: [] };
  const documents = found.documents.map(({ id }) => id);
  const isRemoval = decision === 'remove';
  return {
    ...rest,
    decided: {
      submit: [...decided.submit, ...found.submissions, ...(isRemoval ? [] : documents)],
      remove: [...decided.remove, ...(isRemoval ? documents : [])],
    },
  };
}
