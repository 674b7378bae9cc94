import { expect, test } from 'vitest';
import type { Turn } from '#shared/desk/delivery/ledger.ts';
import { useTurnsStore } from '#renderer/stores/turns-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

const visit: Turn = { kind: 'visit', day: '2026-06-13', missing: ['report'] };
const typed: Turn = { kind: 'typed' };

test('the page of a case keeps its decision while the user types there, Today does not', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  let turn: Turn | null = visit;
  desk.engine.day.turns = () => {
    const items = turn === null ? [] : [{ caseId: id, turn }];
    return Promise.resolve({ items, total: items.length });
  };
  const turns = useTurnsStore(desk.pinia);
  const shown = async (place: string, next: Turn | null) => {
    turn = next;
    await turns.show(place, [id]);
    return turns.turns.get(id) ?? null;
  };
  expect(await shown('today', visit)).toEqual(visit);
  expect(await shown('today', typed)).toEqual(typed);
  turns.leave('today');
  expect(await shown('case', typed)).toEqual(typed);
  expect(await shown('case', visit)).toEqual(visit);
  expect(await shown('case', typed)).toEqual(visit);
  expect(await shown('case', null)).toBeNull();
});
