import { amountNames } from '#shared/desk/amounts.ts';
import type { CaseHistory, FieldChange } from '#shared/desk/cases.ts';
import type { QueueItem } from '#shared/desk/queue.ts';

type Entry = CaseHistory['items'][number];

/** A proof bears the time of the partner's answer, a change that of its store: they may differ. */
const clocksApartMs = 10 * 60_000;

/** Whether an act sets what a change came to; a long text is cut off in the history. */
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
 * The act of this laptop by which a change came about: the last one delivered before the change was
 * read, and since the reading before, that sets the same. Absent if none does: the insurer made
 * it then, or another laptop.
 *
 * @param readBefore LastChangedAt of the reading before, absent for the oldest
 * @param items of the case
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
