import { createORPCClient } from '@orpc/client';
import { expect, test, vi } from 'vitest';
import type { FirstAnswers } from '#shared/desk/first-answers.ts';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { useLookStore } from '#renderer/stores/look-store.ts';
import type { DeskClient } from '#renderer/transport/desk-client.ts';
import { askFirst, withFirstAnswers } from '#renderer/transport/first-answers.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

/** A desk whose window asked ahead, and every call that went over its line all the same. */
function createDeskAhead(answersOf: (desk: ReturnType<typeof createDesk>) => FirstAnswers | null) {
  const desk = createDesk({ count: 3 });
  const calls: string[] = [];
  const line = {
    call: async (path: readonly string[], input: unknown) => {
      calls.push(path.join('.'));
      if (path.join('.') === 'desk.info') return await desk.client.desk.info();
      if (path.join('.') === 'desk.look') return await desk.client.desk.look();
      // The store gives what the contract asks for, as its types say.
      return await desk.client.cases.list(input as object);
    },
  };
  const client: DeskClient = createORPCClient(
    withFirstAnswers(line, Promise.resolve(answersOf(desk))),
  );
  Object.assign(desk.transport, { client });
  return { ...desk, calls };
}

const marked = (desk: ReturnType<typeof createDesk>): FirstAnswers => ({
  'desk.info': { ...desk.info(), version: 'asked ahead' },
  'desk.look': { theme: 'dark' },
  'cases.list': { items: [], total: 7, totalIsExact: true, byStatus: {} },
});

test('what a window asks first is answered by what was asked ahead, and only once', async () => {
  const desk = createDeskAhead(marked);
  const [cases, info, look] = [
    useCasesStore(desk.pinia),
    useDeskStore(desk.pinia),
    useLookStore(desk.pinia),
  ];
  await Promise.all([cases.search(), info.load(), look.load()]);
  expect([cases.total, info.info?.version, look.theme]).toEqual([7, 'asked ahead', 'dark']);
  expect(desk.calls).toEqual([]);
  await Promise.all([cases.search(), info.load()]);
  expect([cases.total, info.info?.version]).toEqual([3, desk.info().version]);
  expect(desk.calls).toEqual(['cases.list', 'desk.info']);
});

test('a list that is asked for in another way is a call', async () => {
  const desk = createDeskAhead(marked);
  const cases = useCasesStore(desk.pinia);
  await cases.resetFilter({ status: 'Final' });
  expect(cases.total).not.toBe(7);
  expect(desk.calls).toEqual(['cases.list']);
});

test('without an answer ahead the calls are made', async () => {
  const desk = createDeskAhead(() => null);
  const cases = useCasesStore(desk.pinia);
  await cases.search();
  expect(cases.total).toBe(3);
});

test.each([
  ['a failure of the engine', () => Promise.resolve(new Response(null, { status: 204 }))],
  ['no session', () => Promise.resolve(new Response('{}', { status: 401 }))],
  ['half an answer', () => Promise.resolve(new Response('{"desk.info":'))],
  ['no desk', () => Promise.reject(new TypeError('Failed to fetch'))],
])('nothing was asked ahead where there is %s', async (_, fetch) => {
  const page = Object.assign(Object.create(window) as Window, { fetch: vi.fn(fetch) });
  expect(await askFirst(page)).toBeNull();
});
