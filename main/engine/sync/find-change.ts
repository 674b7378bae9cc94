import { DeskError } from '#shared/desk/errors.ts';
import { chfFromRappen } from '#shared/lib/money.ts';
import type { Act, OutboxRow } from '../work/outbox-records.ts';
import { contested, valueConflicts } from '../work/value-conflicts.ts';
import type { DeliveryContext } from './delivery-context.ts';

/** A problem is a sentence; the queue shows a long comment whole beside it. */
const shownMaxLength = 100;

/**
 * Reads the case right before amounts or a comment are sent (X2), because a PUT replaces whatever
 * is there: what somebody else set after the person looked must not be lost unseen. The window of
 * the two requests remains; the partner API has no condition for a PUT.
 * @returns the act with what was found, and why it must wait for the person; null where it may go
 * @throws {DeskError} where the case could not be read
 */
export async function findChange(
  { client, cases, signal }: DeliveryContext,
  { act, caseId }: OutboxRow,
): Promise<{ act: Act; error: DeskError } | null> {
  const isReplacing = act.kind === 'amounts' || act.kind === 'comment';
  if (!isReplacing || act.seen === undefined) return null;
  const { value } = await client.getCase(caseId, { priority: 'delivery', signal });
  cases.upsert([value]);
  const found = contested(act, value);
  const [conflict] = found ? valueConflicts(found) : [];
  if (!found || !conflict) return null;
  const { field, seen, found: other, mine } = conflict;
  const params = { field, seen: shown(seen), found: shown(other), mine: shown(mine) };
  return { act: found, error: new DeskError('server_value_changed', params) };
}

function shown(value: string | number | null): string | number | null {
  if (typeof value === 'number') return chfFromRappen(value);
  if (value === null || value.length <= shownMaxLength) return value;
  return `${value.slice(0, shownMaxLength)}…`;
}
