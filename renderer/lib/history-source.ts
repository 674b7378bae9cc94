import { amountNames } from '#shared/desk/cases/amounts.ts';
import type { CaseHistory, FieldChange } from '#shared/desk/cases/cases.ts';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';

type Entry = CaseHistory['items'][number];

/**
 * The largest accepted difference of the two times. A proof has the time of the partner's answer,
 * and a change has the time at which it was stored.
 */
const clocksApartMs = 10 * 60_000;

/**
 * Whether an act sets the value of a change. The history contains only the beginning of a long
 * text.
 */
function sets({ act }: QueueItem, { field, before, after }: FieldChange): boolean {
  switch (act.kind) {
    case 'amounts':
      return amountNames.some((name) => name === field && after === act[name]);
    case 'comment':
      if (field !== 'expertComment') return false;
      return typeof after === 'string' && after.endsWith('…')
        ? act.text.startsWith(after.slice(0, -1))
        : (after ?? '') === act.text;
    case 'reopen':
      return field === 'status' && before === 'Final';
    case 'report':
      return field === 'status' && after === 'ExpertCompleted';
  }
}

/**
 * Returns the act of this laptop that caused a change: the last act that sets this value and was
 * delivered between the two readings. If there is none, the insurer or another laptop made the
 * change, and the result is undefined.
 * @param readBefore LastChangedAt of the previous reading; absent for the oldest reading
 * @param items the queue items of the case
 */
export function actBehind(
  change: FieldChange,
  { at }: Pick<Entry, 'at'>,
  readBefore: string | undefined,
  items: readonly QueueItem[],
): QueueItem | undefined {
  const until = Date.parse(at) + clocksApartMs;
  const since = readBefore === undefined ? -Infinity : Date.parse(readBefore) - clocksApartMs;
  return items
    .filter((item) => {
      const deliveredMs = Date.parse(item.delivered?.at ?? '');
      return deliveredMs >= since && deliveredMs <= until && sets(item, change);
    })
    .sort((a, b) => b.id - a.id)[0];
}
