import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Turn } from '#shared/desk/delivery/ledger.ts';
import { useTransport } from '../transport/transport.ts';
import { useLiveRead } from './live-data.ts';

/** The minimum interval between two readings after events. */
const readEveryMs = 500;

const changing: ReadonlySet<DeskEvent['type']> = new Set([
  'cases.changed',
  'reports.changed',
  'day.changed',
  'queue.changed',
]);

/** The user's next decision in the cases that are shown. */
export const useTurnsStore = defineStore('turns', () => {
  const { client } = useTransport();
  /** The cases of each place that shows turns. */
  const asked = new Map<string, readonly string[]>();
  const turns = shallowRef<ReadonlyMap<string, Turn>>(new Map());
  const { load, problem } = useLiveRead(
    async () => {
      const ids = [...new Set([...asked.values()].flat())];
      return ids.length === 0 ? [] : (await client.day.turns({ ids })).items;
    },
    (items) =>
      (turns.value = new Map(items?.map(({ caseId, turn }) => [caseId, shownTurn(caseId, turn)]))),
    {
      changedBy: ({ type }) => asked.size > 0 && changing.has(type),
      everyMs: readEveryMs,
      followsDay: () => asked.size > 0,
    },
  );

  /**
   * While the user types in a case, its page keeps the decision that it shows. Else the page would
   * move under the pointer with the first letters.
   */
  function shownTurn(caseId: string, turn: Turn): Turn {
    const isOpen = asked.get('case')?.includes(caseId) === true;
    return (isOpen && turn.kind === 'typed' ? turns.value.get(caseId) : undefined) ?? turn;
  }

  /** Reads the turns of the cases that a place shows, and reads them again after changes. */
  async function show(place: string, ids: readonly string[]): Promise<void> {
    asked.set(place, ids);
    await load();
  }
  const leave = (place: string): void => void asked.delete(place);

  return { turns, problem, show, leave };
});
