import type { TolerantPage } from '#main/partner/answers.ts';

/** What a list is asked for. */
export interface ListQuery {
  readonly page: number;
  readonly size: number;
  readonly lastChangedSince?: string;
}

interface ListBehaviour {
  /** What the partner understands of a request. */
  readonly query?: (query: ListQuery) => ListQuery;
  /** What it makes of the page that would be right. */
  readonly page?: <T>(page: TolerantPage<T>, query: ListQuery) => TolerantPage<T>;
}

const first = (query: ListQuery): ListQuery => ({ ...query, page: 1 });
const unfiltered = ({ page, size }: ListQuery): ListQuery => ({ page, size });

/**
 * What servers do wrong with the list of cases (X1), by name; with `pageSizeMax` of the partner below
 * the asked size a page is capped.
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
// Object.keys gives strings alone.
export const listBehaviours = Object.keys(behaviours) as ListBehaviourName[];

/** Answers a list as a partner with these behaviours does. */
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
