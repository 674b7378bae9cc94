import fc from 'fast-check';
import { expect } from 'vitest';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { foldText } from '#shared/lib/words.ts';
import { inspectionTypes } from '#shared/payload/values.ts';

/* Computes X1 and I1 without a store, by a look at every record (decisions, "Lists"). */

export interface ListedRecord {
  readonly id: string;
  readonly status: string;
  readonly category: string;
  /** The inspection type, or empty if the category has none. */
  readonly inspectionType: string;
  /** Times in milliseconds since 1970. A time is null if there was no such event. */
  readonly createdAt: number;
  readonly lastChangedAt: number;
  readonly completedAt: number | null;
  readonly lastReportApprovedAt: number | null;
  /** The values that q searches, each separately. */
  readonly values: readonly string[];
}

export type Query = Readonly<Partial<Record<string, string>>>;

/** Returns the total and the ids of a page. A filter that the list does not have is ignored. */
export function expectedPage(list: 'X1' | 'I1', records: readonly ListedRecord[], asked: Query) {
  const query = {
    ...asked,
    [list === 'X1' ? 'lastReportApprovedSince' : 'inspectionType']: undefined,
  };
  const words = foldText((query['q'] ?? '').replaceAll('\0', ' '))
    .split(/\s+/u)
    .filter((word) => word !== '');
  const at = (name: string) => {
    const text = query[name];
    return text === undefined ? undefined : Date.parse(text);
  };
  const isWithin = (value: number | null, from: string, to?: string) => {
    const [first, last] = [at(from), to === undefined ? undefined : at(to)];
    if (first === undefined && last === undefined) return true;
    return value !== null && value >= (first ?? -Infinity) && value <= (last ?? Infinity);
  };
  const found = records.filter((record) => {
    const folded = record.values.map((value) => foldText(value.toWellFormed()));
    return (
      words.every((word) => folded.some((value) => value.includes(word))) &&
      (query['status'] ?? record.status) === record.status &&
      (query['category'] ?? record.category) === record.category &&
      (query['inspectionType'] ?? record.inspectionType) === record.inspectionType &&
      isWithin(record.createdAt, 'createdFrom', 'createdTo') &&
      isWithin(record.completedAt, 'completedFrom', 'completedTo') &&
      isWithin(record.lastChangedAt, 'lastChangedSince') &&
      isWithin(record.lastReportApprovedAt, 'lastReportApprovedSince')
    );
  });
  const ordered = found.toSorted((one, other) => {
    const byTime =
      query['lastChangedSince'] === undefined
        ? other.createdAt - one.createdAt
        : one.lastChangedAt - other.lastChangedAt;
    return byTime || (one.id < other.id ? -1 : 1);
  });
  const size = Number(query['size'] ?? 50);
  const from = (Number(query['page'] ?? 1) - 1) * size;
  return { total: ordered.length, ids: ordered.slice(from, from + size).map(({ id }) => id) };
}

/** A sequence of pages, from a position in the list on. */
export interface Walk {
  readonly query: Query;
  readonly size: string;
  /** The starting position: 0 is the first page, and 1 is behind the last. */
  readonly start: number;
  readonly isBackward: boolean;
  /** The largest number of pages. */
  readonly pages: number;
}

/** Reads the pages of a walk and compares each with the expected one. */
export async function expectWalk(
  { query, size, start, isBackward, pages }: Walk,
  read: (query: Query) => Promise<ReturnType<typeof expectedPage>>,
  expected: (query: Query) => ReturnType<typeof expectedPage>,
): Promise<void> {
  const last = Math.ceil(expected(query).total / Number(size)) + 1;
  const first = 1 + Math.round(start * (last - 1));
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  const ahead = isBackward ? numbers.slice(0, first).toReversed() : numbers.slice(first - 1);
  for (const number of ahead.slice(0, pages)) {
    const each = { ...query, size, page: String(number) };
    expect(await read(each)).toEqual(expected(each));
  }
}

/** The query without a filter and one for each filter, with their names. */
export const singleFilters: readonly (readonly [string, Query])[] = Object.entries({
  'no filter': {},
  q: { q: 'hagel' },
  status: { status: 'Accepted' },
  category: { category: 'special' },
  inspectionType: { inspectionType: 'onsite' },
  ...Object.fromEntries(
    [
      'createdFrom',
      'createdTo',
      'completedFrom',
      'completedTo',
      'lastChangedSince',
      'lastReportApprovedSince',
    ].map((name) => [name, { [name]: '2026-01-05T00:00:00.020Z' }]),
  ),
});

/** Returns the walks over every page, forwards and backwards. */
export const wholeWalks = (query: Query): readonly Walk[] => {
  const whole = { query, size: '7', pages: Infinity };
  return [
    { ...whole, start: 0, isBackward: false },
    { ...whole, start: 1, isBackward: true },
  ];
};

/**
 * Generates walks with any combination of filters.
 * @param times of the records' events, in milliseconds since 1970
 */
export function arbitraryWalk(
  times: readonly number[],
  q: fc.Arbitrary<string>,
): fc.Arbitrary<Walk> {
  const time = fc.constantFrom(...times).map((at) => new Date(at).toISOString());
  const filters: Readonly<Record<string, fc.Arbitrary<string>>> = {
    q,
    status: fc.constantFrom(...caseStatuses),
    category: fc.constantFrom(...categories),
    inspectionType: fc.constantFrom(...inspectionTypes),
    createdFrom: time,
    createdTo: time,
    completedFrom: time,
    completedTo: time,
    lastChangedSince: time,
    lastReportApprovedSince: time,
  };
  // A walk has one or two filters, because most larger combinations find nothing.
  const few = fc
    .shuffledSubarray(Object.entries(filters), { minLength: 1, maxLength: 2 })
    .chain((some) => fc.record(Object.fromEntries(some)));
  return fc.record({
    query: fc.oneof({ weight: 3, arbitrary: few }, fc.record(filters, { requiredKeys: [] })),
    size: fc.constantFrom('2', '7', '50'),
    start: fc.constantFrom(0, 0.3, 0.8, 1),
    isBackward: fc.boolean(),
    pages: fc.constant(4),
  });
}
