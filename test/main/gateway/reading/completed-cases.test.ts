import { beforeEach, expect, test } from 'vitest';
import { completedIds } from '#main/gateway/reading/completed-cases.ts';
import type { Upstream } from '#main/gateway/upstream.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

/* The cases that were closed in a time: only the partner knows them. */

const since = Date.parse('2026-03-01T10:00:00Z');
const page = (ids: readonly unknown[], more: object = {}) => ({
  Total: ids.length,
  Items: ids.map((Id) => ({ Id })),
  ...more,
});

let asked: object[];
/** The partner's pages; an error is a refusal. */
let pages: readonly (object | Error)[];
const upstream: Pick<Upstream, 'read'> = {
  async read(asker, schema, what) {
    await Promise.resolve();
    asked.push({ asker, ...what });
    const answer = pages[asked.length - 1];
    if (answer instanceof Error) throw answer;
    return { value: schema.parse(answer), status: 200, correlationId: '', serverDateMs: null };
  },
};
beforeEach(() => {
  asked = [];
});

async function read(...answers: readonly (object | Error)[]) {
  pages = answers;
  const ids = await completedIds(upstream, 'laptop', { completedFrom: since });
  return [...(ids ?? [])];
}

const refused = (status: number) =>
  new DeskError(
    'server_refused',
    { title: 'invalid_request', status },
    { cause: { title: 'invalid_request', sentence: 'No.', status, errors: {} } },
  );

test('completed: a list without these filters costs the partner nothing', async () => {
  expect(await completedIds(upstream, 'laptop', {})).toBeUndefined();
  expect(asked).toEqual([]);
});

test('completed: the partner is asked by the times, in the turns of the client', async () => {
  pages = [page([])];
  const completedTo = since + 1000;
  expect(await completedIds(upstream, 'laptop', { completedTo })).toEqual(new Set());
  expect(await read(page([]), page([]))).toEqual([]);
  const what = { asker: { client: 'laptop' }, operation: 'X1' };
  const all = { page: '1', size: '200' };
  expect(asked).toEqual([
    { ...what, query: { completedTo: '2026-03-01T10:00:01.000Z', ...all } },
    { ...what, query: { completedFrom: '2026-03-01T10:00:00.000Z', ...all } },
  ]);
});

test('completed: it is read to its end, also if Total counts only a page', async () => {
  expect(await read(page(['a', 'b']), page(['c']), page([]))).toEqual(['a', 'b', 'c']);
  expect(asked.map((each) => (each as { query: { page: string } }).query.page)).toEqual([
    '1',
    '2',
    '3',
  ]);
});

test('completed: it ends if a partner repeats its page, has null for its items, or refuses a page after the last', async () => {
  expect(await read(page(['a'], { Total: 9 }), page(['a'], { Total: 9 }))).toEqual(['a']);
  asked = [];
  expect(await read(page(['a']), { Total: 1, Items: null })).toEqual(['a']);
  asked = [];
  expect(await read(page(['a']), refused(400))).toEqual(['a']);
});

test('completed: a case that nobody can name hides no other', async () => {
  expect(await read(page([7, 'a']), page([]))).toEqual(['a']);
});

test('completed: what the partner refuses is passed on', async () => {
  await expect(read(refused(400))).rejects.toMatchObject({ status: 400, detail: 'No.' });
});
