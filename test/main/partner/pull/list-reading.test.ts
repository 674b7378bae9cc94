import { describe, expect, it } from 'vitest';
import type { TolerantPage } from '#main/partner/answers/answers.ts';
import type { Answered } from '#main/partner/requests/call.ts';
import { readAll, readPages } from '#main/partner/pull/list-reading.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

interface Item {
  readonly id: string;
}
type Page = TolerantPage<Item>;
interface Asked {
  page: number;
  size: number;
}

const items = (count: number, from = 1): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

/** A server that gives `count` items in pages of at most `max`, with what it does wrong. */
function serverOf(count: number, max: number, wrong: (page: Page, asked: Asked) => Page) {
  const asked: Asked[] = [];
  const read = (query: Asked): Promise<Answered<Page>> => {
    asked.push(query);
    const size = Math.min(query.size, max);
    const right = {
      total: count,
      size,
      items: items(count).slice((query.page - 1) * size, query.page * size),
      unreadable: [],
    };
    const value = wrong(right, query);
    return Promise.resolve({ value, status: 200, correlationId: 'c', serverDateMs: null });
  };
  return { asked, read };
}

const right = (page: Page) => page;
const total = (value: number) => (page: Page) => ({ ...page, total: value });
const refused = () => {
  throw new DeskError('server_refused', { title: 'x', status: 404, detail: '', correlationId: '' });
};

describe('a list of a case', () => {
  it.each([
    ['is read with one request if Total agrees', 3, 200, right, 3, 1],
    ['is empty', 0, 200, right, 0, 1],
    ['is read in the pages that a server gives', 7, 3, right, 7, 3],
    [
      'is read on if the Total of a full page is that of the page',
      7,
      3,
      (page: Page) => ({ ...page, total: page.items.length }),
      7,
      4,
    ],
    ['is read on with a Total of 0', 5, 3, total(0), 5, 3],
    [
      'is read once more with a Total of 0 from a server without paging',
      3,
      200,
      (page: Page) => ({ ...page, total: 0, items: items(3) }),
      3,
      2,
    ],
    [
      'is read on with a Total of 0 until a page is refused',
      5,
      3,
      (page: Page, { page: number }: Asked) => (number > 2 ? refused() : { ...page, total: 0 }),
      5,
      3,
    ],
  ] as const)('%s', async (_title, count, max, wrong, found, requests) => {
    const { asked, read } = serverOf(count, max, wrong);
    const all = await readAll(read);
    expect([all.items.length, all.isWhole, asked.length]).toEqual([found, true, requests]);
  });

  it.each([
    [
      'repeats its page with a huge Total',
      3,
      (page: Page) => ({ ...page, total: 1_000_000, items: items(3) }),
      3,
      2,
    ],
    ['has a Total and no items', 3, (page: Page) => ({ ...page, items: [] }), 0, 1],
    [
      'is capped, ignores page and counts the page alone',
      9,
      (page: Page) => ({ ...page, size: 3, total: 3, items: items(3) }),
      3,
      2,
    ],
    [
      'changes its order between two pages',
      4,
      (_page: Page, { page }: Asked) => ({
        total: 4,
        size: 2,
        unreadable: [],
        items: page > 2 ? [] : items(2, page),
      }),
      3,
      3,
    ],
    ['has fewer items than its Total', 3, total(5), 3, 2],
    [
      'brings something new on each page',
      3,
      (_page: Page, { page }: Asked) => ({
        total: 4,
        size: 1,
        items: items(1, page),
        unreadable: [],
      }),
      19,
      19,
    ],
    [
      'is refused after its first page, and has more',
      5,
      (page: Page, { page: number }: Asked) =>
        number > 1 ? refused() : { ...page, items: items(3) },
      3,
      2,
    ],
  ] as const)('that %s ends, and is not whole', async (_title, count, wrong, found, requests) => {
    const { asked, read } = serverOf(count, 200, wrong);
    const all = await readAll(read);
    expect([all.items.length, all.isWhole, asked.length]).toEqual([found, false, requests]);
  });

  it.each([
    ['repeats its page', (page: Page) => ({ ...page, total: 1_000_000, items: items(3) }), 'Total'],
    ['has a Total and no items', (page: Page) => ({ ...page, items: [] }), 'Total'],
    [
      'gives an item on two pages',
      (_page: Page, { page }: Asked) => ({
        total: 4,
        size: 2,
        unreadable: [],
        items: page > 2 ? [] : items(2, page),
      }),
      'Total',
    ],
    // The server says itself that there is no more.
    ['has fewer items than its Total', total(5), null],
  ] as const)(
    'that %s proves nothing about what is not on it: %s',
    async (_title, wrong, detail) => {
      const { read } = serverOf(3, 200, wrong);
      const walk = async () => {
        for await (const { value } of readPages('X10', 200, read)) expect(value).toBeDefined();
      };
      const refusal = await walk().then(
        () => null,
        (error: unknown) => (error instanceof DeskError ? error.problem : error),
      );
      expect(refusal).toEqual(
        detail && { code: 'answer_invalid', params: { operation: 'X10', detail } },
      );
    },
  );
});
