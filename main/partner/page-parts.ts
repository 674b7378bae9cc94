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

/** Each divides the one before. */
const sizes = [pageSizeMax, 100, 50, 25, 5, 1] as const;
/** Failures in a row after which the server fails, and not a page: once through all sizes and one more. */
const failuresMax = sizes.length + 1;

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

/**
 * Reads a page of the list of cases (X1), in parts if need be.
 * @param query its size is `pageSizeMax`
 * @param isPastEnd everything that the server counts was seen, so that a refusal is the end
 * @throws {DeskError} of the whole page, if smaller ones fail alike
 */
export async function readPageOrParts<Item>(
  read: ReadListPage<Item>,
  query: PageQuery,
  isPastEnd: boolean,
): Promise<WholeOrParts<Item>> {
  try {
    return { ...(await read(query)), isInParts: false };
  } catch (error) {
    if (!mayBeOfThePage(error) || (isPastEnd && isRefusedPage(error))) throw error;
    const parts = new Parts(read, query, error);
    await parts.divide({ from: (query.page - 1) * pageSizeMax, size: pageSizeMax });
    return { ...parts.joined(), isInParts: true };
  }
}

class Parts<Item> {
  readonly #read: ReadListPage<Item>;
  readonly #query: PageQuery;
  readonly #cause: unknown;
  readonly #found: Answered<TolerantPage<Item>>[] = [];
  #failures = 1;
  #isOver = false;

  /** @param cause why the whole page could not be read */
  constructor(read: ReadListPage<Item>, query: PageQuery, cause: unknown) {
    this.#read = read;
    this.#query = query;
    this.#cause = cause;
  }

  /** Reads a part that failed in smaller ones; a single record that fails is left out. */
  async divide({ from, size }: Part): Promise<void> {
    const smaller = sizes.find((each) => each < size);
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
      const count = countOf(answered.value);
      // Some count the page alone: only one that is not full can be the last.
      this.#isOver = count === 0 || (count < size && from + count >= answered.value.total);
    } catch (error) {
      if (!mayBeOfThePage(error)) throw error;
      this.#failures += 1;
      if (this.#failures >= failuresMax) throw this.#cause;
      await this.divide(part);
    }
  }

  /** The parts as one page, as old as the first and with what the last says of the list. */
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
