import { pageSizeMax } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { countOf, type TolerantPage } from '../answers/answers.ts';
import type { Answered } from '../requests/call.ts';
import { isRefusedPage } from './list-reading.ts';

/*
 * If the partner cannot return a page of the list of cases, the page is read in smaller pages: some
 * servers refuse a large size, and one faulty record makes each page fail that contains it. In the
 * end only that record is left out. The Total counts it, so the reading stays incomplete (pull.ts).
 */

/**
 * The sizes of parts. A part is divided into parts of the first size that is smaller than it and
 * divides it evenly.
 */
const sizes = [pageSizeMax, 100, 50, 25, 5, 1] as const;
/**
 * The number of failures in a row that show that the server fails as a whole: through all sizes and
 * three more.
 */
const failuresMax = sizes.length + 3;

export interface PageQuery {
  readonly lastChangedSince?: string;
  readonly page: number;
  readonly size: number;
}

export type ReadListPage<Item> = (query: PageQuery) => Promise<Answered<TolerantPage<Item>>>;

/** A page, and whether it was read in one request. */
export interface WholeOrParts<Item> extends Answered<TolerantPage<Item>> {
  readonly isInParts: boolean;
}

/** The statuses of a server that failed at this request. 502 and 503 concern the whole server. */
const failedAtThis = new Set([500, 504]);

/** Whether a smaller page may succeed. */
function mayBeOfThePage(error: unknown): boolean {
  if (!(error instanceof DeskError)) return false;
  const { code, params } = error.problem;
  if (code === 'server_failed') return failedAtThis.has(params.status ?? 0);
  if (code === 'server_refused' && params.status === 413) return true;
  return code === 'answer_too_large' || code === 'answer_invalid' || isRefusedPage(error);
}

/** A part of the list, counted in items. */
interface Part {
  readonly from: number;
  readonly size: number;
}

/** What earlier pages have shown about the list. */
export interface KnownOfList {
  /** The number of items of a full page. It is less than requested if the server caps pages. */
  readonly pageLength: number;
  /** The number of items that the server counts; null before its first page. */
  readonly total: number | null;
  /** Whether all counted items were seen, so that a refusal means the end of the list. */
  readonly isPastEnd: boolean;
}

/**
 * Reads a page of the list of cases (X1), in parts if necessary.
 * @param query its size is `pageSizeMax`
 * @throws {DeskError} the error of the whole page if smaller pages fail in the same way; the
 *   refusal of a page after the last if nothing of the page was read before
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
  /** The highest Total of any part; null if none was stated. */
  #total: number | null;
  #failures = 1;
  #isOver = false;

  /**
   * @param why the error of the whole page @param known what earlier pages have shown about the
   *   list
   */
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

  /** Reads a failed part in smaller parts. A single record that fails is left out. */
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
      // Some servers count only the items of the page, so only a page that is not full can be the
      // last.
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

  /**
   * The parts as one page. Its time is that of the first part, and its Total is that of the last.
   */
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
