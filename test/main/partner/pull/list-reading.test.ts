import { describe, expect, it } from 'vitest';
import type { TolerantPage } from '#main/partner/answers/answers.ts';
import type { Answered } from '#main/partner/requests/call.ts';
import { isRefusedPage, readAll, readPages } from '#main/partner/pull/list-reading.ts';
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
/** Each page has an item that no page before had. */
const endless = (_page: Page, { page }: Asked) => ({
  total: 4,
  size: 1,
  items: items(1, page),
  unreadable: [],
});
/** The order changes between two pages, so that the second one begins with the end of the first. */
const shifted = (_page: Page, { page }: Asked) => ({
  total: 4,
  size: 2,
  unreadable: [],
  items: page > 2 ? [] : items(2, page),
});
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
    ['is read with one request if its page is just full', 200, 200, right, 200, 1],
    [
      'is read with one request if the server states no size',
      3,
      200,
      (page: Page) => ({ ...page, size: null }),
      3,
      1,
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
    ['changes its order between two pages', 4, shifted, 3, 3],
    ['has fewer items than its Total', 3, total(5), 3, 2],
    ['brings something new on each page', 3, endless, 19, 19],
    [
      'brings something new on each page, and counts them',
      3,
      (_page: Page, { page }: Asked) => ({
        total: 4 * page,
        size: 2,
        items: items(2, 2 * page),
        unreadable: [],
      }),
      30,
      15,
    ],
    [
      'brings something new on each page, with a huge Total',
      3,
      (_page: Page, { page }: Asked) => ({
        total: 1_000_000,
        size: 1,
        items: items(1, page),
        unreadable: [],
      }),
      1001,
      1001,
    ],
    [
      'is full, counts nothing and repeats its page',
      200,
      (page: Page) => ({ ...page, total: 0, items: items(200) }),
      200,
      2,
    ],
    [
      'counts nothing, and repeats its first page after another',
      4,
      (page: Page, { page: number }: Asked) => ({
        ...page,
        total: 0,
        items: number === 2 ? items(2, 3) : items(2),
      }),
      4,
      3,
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
    ['gives an item on two pages', shifted, 'Total'],
    ['brings something new on each page', endless, 'Total'],
    [
      'gives an item on two pages, and refuses the next',
      (_page: Page, { page }: Asked) =>
        page > 2 ? refused() : { total: 4, size: 2, unreadable: [], items: items(2, page) },
      'Total',
    ],
    // The server says itself that there is no more.
    ['has fewer items than its Total', total(5), null],
    [
      'refuses the page after its last item',
      (page: Page, { page: number }: Asked) => (number > 1 ? refused() : { ...page, total: 5 }),
      null,
    ],
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

  it('is given page by page, with the same requests', async () => {
    const { asked, read } = serverOf(7, 3, right);
    const found: string[] = [];
    for await (const { value } of readPages('X10', 5, read)) {
      found.push(...value.items.map(({ id }) => id));
    }
    expect(found).toEqual(items(7).map(({ id }) => id));
    expect(asked).toEqual([1, 2, 3].map((page) => ({ page, size: 5 })));
  });

  it('counts what cannot be read, and names it once', async () => {
    const bad = { id: '3', place: 'Items.Id', json: null };
    const { asked, read } = serverOf(3, 200, (page) => ({
      ...page,
      total: 0,
      items: items(2),
      unreadable: [bad],
    }));
    const { items: found, unreadable, isWhole } = await readAll(read);
    expect([found, unreadable, isWhole]).toEqual([items(2), [bad], true]);
    expect(asked).toEqual([1, 2].map((page) => ({ page, size: 200 })));
  });
});

describe('a page that is refused', () => {
  const host = 'insurer';
  const foreign = (status: number) =>
    new DeskError('answer_foreign', { host, status, found: 'text/html' });
  const refusal = (status: number | undefined) =>
    new DeskError('server_refused', { title: 'x', status });

  it.each([400, 404, 416, 422])('with a %i is after the last', (status) => {
    expect([refusal(status), foreign(status)].map(isRefusedPage)).toEqual([true, true]);
  });

  it('in another way is a failure', () => {
    const failed = new DeskError('server_failed', { status: 404 });
    const others = [refusal(403), refusal(undefined), foreign(403), failed, new Error('404')];
    expect(others.map(isRefusedPage)).toEqual(others.map(() => false));
  });

  it.each([
    ['if it is the first', 1, refusal(404)],
    ['if the reading failed', 2, refusal(403)],
  ])('is thrown %s', async (_, at, error) => {
    const { read } = serverOf(7, 3, (page, asked) => {
      if (asked.page === at) throw error;
      return page;
    });
    await expect(readAll(read)).rejects.toBe(error);
  });
});
