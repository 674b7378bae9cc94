import type { OperationId } from '#shared/api/routes.ts';
import { pageSizeMax } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { TolerantPage, UnreadableItem } from './answers.ts';
import type { Answered } from './call.ts';

/*
 * Lists of one case or one submission (X6, X10, X12). Each page costs a request of a small bucket, so
 * unlike the list of cases (pull.ts) a Total that agrees with what was read ends the reading. A Total
 * that disagrees proves nothing.
 *
 * | after a page                                             | the reading               |
 * |----------------------------------------------------------|---------------------------|
 * | as many different items as Total, and no page that a server capped | is whole        |
 * | no items, after items                                    | is whole, short if Total is higher, not sure if an item came twice |
 * | no items on the first page, Total higher                 | is not sure               |
 * | nothing new                                              | is whole if the first page had all and was not full, otherwise not sure |
 * | more pages than Total allows                             | is not sure               |
 */

type ListState = 'more' | 'whole' | 'short' | 'unsure';

/** A page as the reading judges it. */
interface ListPage {
  readonly ids: readonly string[];
  readonly total: number;
  /** The size that the server states; null if it states none. */
  readonly size: number | null;
}

/** Pages that a list may have beyond what its first one announced: it may grow during the reading. */
const pagesSlack = 10;
const pagesMax = 1000;

/** Decides after each page how the reading of a list stands. */
class ListReading {
  readonly #askedSize: number;
  readonly #met = new Set<string>();
  /** Different items of each page, added up; one may be on two of them. */
  #given = 0;
  /** The highest that a page stated: some state 0 after the last. */
  #total = 0;
  #pages = 0;
  #pagesMax = pagesMax;
  /** The first page may have been all that a server without paging has. */
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
      // What was given twice took the place of something else.
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

/** What some servers refuse to answer. */
const afterLast = { total: 0, size: null, items: [], unreadable: [] } as const;
const refusedPageStatuses = new Set([400, 404, 416, 422]);

/** Whether a page after the first was refused because the list ends before it. */
export function isRefusedPage(error: unknown): boolean {
  if (!(error instanceof DeskError)) return false;
  const { code, params } = error.problem;
  if (code !== 'server_refused' && code !== 'answer_foreign') return false;
  return refusedPageStatuses.has(params.status ?? 0);
}

async function readOrEnd<Item>(
  read: ReadPage<Item>,
  page: number,
  size: number,
): Promise<Answered<TolerantPage<Item>> | null> {
  try {
    return await read({ page, size });
  } catch (error) {
    if (page === 1 || !isRefusedPage(error)) throw error;
    return null;
  }
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
 * @throws {DeskError} answer_invalid if it does not come to an end
 */
export async function* readPages<Item extends { readonly id: string }>(
  operation: OperationId,
  size: number,
  read: ReadPage<Item>,
): AsyncGenerator<Answered<TolerantPage<Item>>> {
  const reading = new ListReading(size);
  for (let page = 1; ; page += 1) {
    const answered = await readOrEnd(read, page, size);
    if (!answered) return;
    yield answered;
    const state = reading.take(pageOf(answered.value));
    if (state === 'unsure') throw new DeskError('answer_invalid', { operation, detail: 'Total' });
    if (state !== 'more') return;
  }
}

/**
 * All items of a list, and those that cannot be read.
 * @returns `isWhole` false if the server announced more than it gave, or gave the same again
 */
export async function readAll<Item extends { readonly id: string }>(
  read: ReadPage<Item>,
): Promise<{ items: Item[]; unreadable: UnreadableItem[]; isWhole: boolean }> {
  const items = new Map<string, Item>();
  const unreadable = new Map<string, UnreadableItem>();
  const reading = new ListReading(pageSizeMax);
  let state: ListState = 'more';
  for (let page = 1; state === 'more'; page += 1) {
    const answered = await readOrEnd(read, page, pageSizeMax);
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
