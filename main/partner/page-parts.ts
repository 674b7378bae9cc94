import { pageSizeMax } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { countOf, type TolerantPage } from './answers.ts';
import type { Answered } from './call.ts';
import { isRefusedPage } from './list-reading.ts';

/*
 * A page of the list of cases that the partner cannot give is read in smaller pages: some servers
 * refuse a large size, and one sick record fails each page that it is on. What is left out at the end
 * is that record alone; the Total counts it, so the reading stays incomplete (pull.ts).
 */

/** A part has the first of these that is smaller than it, and of which it is a multiple. */
const sizes = [pageSizeMax, 100, 50, 25, 5, 1] as const;
/** Failures in a row after which the server fails, and not a page: through all sizes and three more. */
const failuresMax = sizes.length + 3;

export interface PageQuery {
  readonly lastChangedSince?: string;
  readonly page: number;
  readonly size: number;
}

export type ReadListPage<Item> = (query: PageQuery) => Promise<Answered<TolerantPage<Item>>>;

/** A page, and whether it was read at once. */
export interface WholeOrParts<Item> extends Answered<TolerantPage<Item>> {
  readonly isInParts: boolean;
}

/** Statuses of a server that failed at what it was asked for; 502 and 503 are about the server. */
const failedAtThis = new Set([500, 504]);

/** Whether a smaller page may be given. */
function mayBeOfThePage(error: unknown): boolean {
  if (!(error instanceof DeskError)) return false;
  const { code, params } = error.problem;
  if (code === 'server_failed') return failedAtThis.has(params.status ?? 0);
  if (code === 'server_refused' && params.status === 413) return true;
  return code === 'answer_too_large' || code === 'answer_invalid' || isRefusedPage(error);
}

/** A place in the list, in items. */
interface Part {
  readonly from: number;
  readonly size: number;
}

/** What the pages before have shown of the list. */
export interface KnownOfList {
  /** Items of a full page; less than was asked for at a server that caps pages. */
  readonly pageLength: number;
  /** What the server counts; null before its first page. */
  readonly total: number | null;
  /** All that it counts was seen, so that a refusal is the end. */
  readonly isPastEnd: boolean;
}

/**
 * Reads a page of the list of cases (X1), in parts if need be.
 * @param query its size is `pageSizeMax`
 * @throws {DeskError} of the whole page, if smaller ones fail alike; the refusal of a page after the
 * last, if nothing of the page could be read before it
 */
export async function readPageOrParts<Item>(
  read: ReadListPage<Item>,
  query: PageQuery,
  { pageLength: size, total, isPastEnd }: KnownOfList,
): Promise<WholeOrParts<Item>> {
  try {
    return { ...(await read(query)), isInParts: false };
  } catch (error) {
    if (!mayBeOfThePage(error) || (isPastEnd && isRefusedPage(error))) throw error;
    const parts = new Parts(read, query, { cause: error, total });
    await parts.divide({ from: (query.page - 1) * size, size });
    return { ...parts.joined(), isInParts: true };
  }
}

class Parts<Item> {
  readonly #read: ReadListPage<Item>;
  readonly #query: PageQuery;
  #cause: unknown;
  readonly #found: Answered<TolerantPage<Item>>[] = [];
  /** The highest that was stated; null if none was. */
  #total: number | null;
  #failures = 1;
  #isOver = false;

  /** @param why the whole page could not be read, and what the list has by the pages before */
  constructor(
    read: ReadListPage<Item>,
    query: PageQuery,
    { cause, total }: { cause: unknown; total: number | null },
  ) {
    this.#read = read;
    this.#query = query;
    this.#cause = cause;
    this.#total = total;
  }

  /** Reads a part that failed in smaller ones; a single record that fails is left out. */
  async divide({ from, size }: Part): Promise<void> {
    const smaller = sizes.find((each) => each < size && size % each === 0);
    if (smaller === undefined) return;
    for (let at = from; at < from + size && !this.#isOver; at += smaller)
      await this.#readPart({ from: at, size: smaller });
  }

  async #readPart(part: Part): Promise<void> {
    const { from, size } = part;
    try {
      const answered = await this.#read({ ...this.#query, page: from / size + 1, size });
      this.#failures = 0;
      this.#found.push(answered);
      const { total } = answered.value;
      const count = countOf(answered.value);
      this.#total = Math.max(this.#total ?? 0, total);
      // Some count the page alone: only one that is not full can be the last.
      this.#isOver = count === 0 || (count < size && from + count >= total);
    } catch (error) {
      if (!mayBeOfThePage(error)) throw error;
      // Some servers refuse a page after the last.
      this.#isOver = isRefusedPage(error) && this.#total !== null && from >= this.#total;
      if (this.#isOver) {
        this.#cause = error;
        return;
      }
      this.#failures += 1;
      if (this.#failures >= failuresMax) throw this.#cause;
      await this.divide(part);
    }
  }

  /** The parts as one page, as old as the first and with what the last reports of the list. */
  joined(): Answered<TolerantPage<Item>> {
    const [first] = this.#found;
    const last = this.#found.at(-1);
    if (!first || !last) throw this.#cause;
    const pages = this.#found.map(({ value }) => value);
    const value = {
      ...last.value,
      total: Math.max(...pages.map(({ total }) => total)),
      size: pageSizeMax,
      items: pages.flatMap(({ items }) => items),
      unreadable: pages.flatMap(({ unreadable }) => unreadable),
    };
    return { ...first, value };
  }
}
