import type { TolerantPage } from '#main/partner/answers/answers.ts';

/** The query of a request for a list. */
export interface ListQuery {
  readonly page: number;
  readonly size: number;
  readonly lastChangedSince?: string;
}

interface ListBehaviour {
  /** Returns the query as the partner misreads it. */
  readonly query?: (query: ListQuery) => ListQuery;
  /** Changes the correct page into the partner's answer. */
  readonly page?: <T>(page: TolerantPage<T>, query: ListQuery) => TolerantPage<T>;
}

const first = (query: ListQuery): ListQuery => ({ ...query, page: 1 });
const unfiltered = ({ page, size }: ListQuery): ListQuery => ({ page, size });

/**
 * Faults of servers in the list of cases (X1), by name. If the partner's `pageSizeMax` is below the
 * requested size, a page is capped.
 */
const behaviours = {
  'Size that is untrue': { page: (page, { size }) => ({ ...page, size }) },
  'page that is ignored': { query: first },
  'Total that is 0': { page: (page) => ({ ...page, total: 0 }) },
  'Total of the page alone': { page: (page) => ({ ...page, total: page.items.length }) },
  'Total without items': { page: (page) => ({ ...page, items: [] }) },
  'page that repeats for ever': { query: first, page: (page) => ({ ...page, total: 1_000_000 }) },
  'lastChangedSince that is ignored': { query: unfiltered },
} satisfies Record<string, ListBehaviour>;

export type ListBehaviourName = keyof typeof behaviours;
// The cast is needed because Object.keys returns plain strings.
export const listBehaviours = Object.keys(behaviours) as ListBehaviourName[];

/** Answers a list like a partner with these behaviours. */
export function listWith<T>(
  names: ReadonlySet<ListBehaviourName>,
  query: ListQuery,
  answer: (query: ListQuery) => TolerantPage<T>,
): TolerantPage<T> {
  const active: readonly ListBehaviour[] = [...names].map((name) => behaviours[name]);
  const understood = active.reduce((asked, { query: change }) => change?.(asked) ?? asked, query);
  return active.reduce(
    (page, { page: change }) => change?.(page, query) ?? page,
    answer(understood),
  );
}
