import type { OperationId } from '#shared/api/routes.ts';
import { pageSizeMax } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { TolerantPage, UnreadableItem } from '../answers/answers.ts';
import type { Answered } from '../requests/call.ts';

/*
 * Reads the lists of one case or one submission (X6, X10, X12). Each page costs a request of a
 * small bucket. So, unlike for the list of cases (pull.ts), the reading ends if Total equals the
 * number of items read. A different Total proves nothing.
 *
 * | after a page                                             | the reading               |
 * |----------------------------------------------------------|---------------------------|
 * | as many different items as Total, and no page that a server capped | is complete        |
 * | no items, after items                                    | is complete; short if Total is
 * higher; uncertain if an item occurred twice |
 * | no items on the first page, Total higher                 | is uncertain               |
 * | nothing new                                              | is complete if the first page had
 * all and was not full, otherwise uncertain |
 * | more pages than Total allows                             | is uncertain               |
 */

type ListState = 'more' | 'whole' | 'short' | 'unsure';

/** The parts of a page that decide about the reading. */
interface ListPage {
  readonly ids: readonly string[];
  readonly total: number;
  /** The page size that the server states; null if it states none. */
  readonly size: number | null;
}

/**
 * The number of pages that a list may have beyond those that its first page announced, because it
 * may grow during the reading.
 */
const pagesSlack = 10;
const pagesMax = 1000;

/** Decides after each page whether the reading of a list continues. */
class ListReading {
  readonly #askedSize: number;
  readonly #met = new Set<string>();
  /** The sum of the different items of each page. An item may be on two pages. */
  #given = 0;
  /** The highest Total of any page. Some servers state 0 after the last page. */
  #total = 0;
  #pages = 0;
  #pagesMax = pagesMax;
  /** Whether the first page may have been the whole list of a server without paging. */
  #isFirstAll = false;

  constructor(askedSize: number) {
    this.#askedSize = askedSize;
  }

  take({ ids, total, size }: ListPage): ListState {
    const count = ids.length;
    this.#pages += 1;
    this.#total = Math.max(this.#total, total);
    if (count === 0) {
      if (this.#met.size >= this.#total) return 'whole';
      // If an item occurred twice, another one may be missing.
      return this.#pages === 1 || this.#met.size < this.#given ? 'unsure' : 'short';
    }
    const isNew = ids.some((id) => !this.#met.has(id));
    if (!isNew) return this.#isFirstAll && this.#pages === 2 ? 'whole' : 'unsure';
    ids.forEach((id) => this.#met.add(id));
    this.#given += new Set(ids).size;
    const isCapped = size !== null && size < this.#askedSize && count >= size;
    if (this.#pages === 1) {
      this.#pagesMax = Math.min(pagesMax, 2 * Math.ceil(total / count) + pagesSlack);
      this.#isFirstAll = count >= total && count < this.#askedSize && !isCapped;
    }
    if (this.#met.size === total && !isCapped) return 'whole';
    return this.#pages > this.#pagesMax ? 'unsure' : 'more';
  }
}

/** An empty page. Some servers refuse to answer a page after the last. */
const afterLast = { total: 0, size: null, items: [], unreadable: [] } as const;
const refusedPageStatuses = new Set([400, 404, 416, 422]);

/**
 * Returns what was read. It is null if the page was refused because the list ends before it.
 * @throws what the reading throws otherwise, and always for the first page
 */
export async function unlessAfterLast<Value>(
  page: number,
  read: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (page === 1 || !isRefusedPage(error)) throw error;
    return null;
  }
}

/** Whether a page after the first was refused because the list ends before it. */
export function isRefusedPage(error: unknown): boolean {
  if (!(error instanceof DeskError)) return false;
  const { code, params } = error.problem;
  if (code !== 'server_refused' && code !== 'answer_foreign') return false;
  return refusedPageStatuses.has(params.status ?? 0);
}

const pageOf = ({ items, unreadable, total, size }: TolerantPage<{ id: string }>): ListPage => ({
  ids: [...items, ...unreadable].map(({ id }) => id),
  total,
  size,
});

type ReadPage<Item> = (page: {
  page: number;
  size: number;
}) => Promise<Answered<TolerantPage<Item>>>;

/**
 * Reads a whole list that does not change during the reading, page after page. A server may lower
 * the size.
 * @throws {DeskError} answer_invalid if the list does not end
 */
export async function* readPages<Item extends { readonly id: string }>(
  operation: OperationId,
  size: number,
  read: ReadPage<Item>,
): AsyncGenerator<Answered<TolerantPage<Item>>> {
  const reading = new ListReading(size);
  for (let page = 1; ; page += 1) {
    const answered = await unlessAfterLast(page, () => read({ page, size }));
    if (answered) yield answered;
    const state = reading.take(pageOf(answered?.value ?? afterLast));
    if (state === 'unsure') throw new DeskError('answer_invalid', { operation, detail: 'Total' });
    if (state !== 'more') return;
  }
}

/**
 * All readable items of a list, and the unreadable ones.
 * @returns `isWhole` is false if the server announced more items than it returned, or returned an
 *   item twice
 */
export async function readAll<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
): Promise<{ items: Item[]; unreadable: UnreadableItem[]; isWhole: boolean }> {
  const items = new Map<string, Item>();
  const unreadable = new Map<string, UnreadableItem>();
  const reading = new ListReading(pageSizeMax);
  let state: ListState = 'more';
  for (let page = 1; state === 'more'; page += 1) {
    const answered = await unlessAfterLast(page, () => read({ page, size: pageSizeMax }));
    const value: TolerantPage<Item> = answered?.value ?? afterLast;
    for (const item of value.items) items.set(item.id, item);
    for (const item of value.unreadable) unreadable.set(item.id, item);
    state = reading.take(pageOf(value));
  }
  return {
    items: [...items.values()],
    unreadable: [...unreadable.values()],
    isWhole: state === 'whole',
  };
}
