/*
 * The filters of every list of cases, in one table: X1 and I1 of the partner API, which the service
 * and the gateway answer from their stores, and the desk's own list, which its engine answers from
 * the cache. Queries, conditions, counts and indexes are made from it, and the type check names the
 * list that lacks one.
 */

/** The columns by which the stored totals are grouped. */
export type CountedColumn = 'status' | 'category' | 'inspection_type';

interface ListFilter {
  readonly lists: readonly ('X1' | 'I1' | 'desk')[];
  /**
   * How a record's field is compared: it equals the value, or the value is its lower or upper bound
   * (both inclusive). `words` is the search. `rule` means that each list has a separate rule and no
   * field.
   */
  readonly kind: 'equal' | 'from' | 'to' | 'words' | 'rule';
  readonly field?: string;
  /**
   * The column with the field in the tables of counts and in the indexes of the lists. If a request
   * has only such filters, its total is read from the counts and never counted.
   */
  readonly countedBy?: CountedColumn;
}

const everywhere = ['X1', 'I1', 'desk'] as const;
const served = ['X1', 'I1'] as const;
const ofExperts = ['X1', 'desk'] as const;
const ofInsurers = ['I1'] as const;
const ofDesk = ['desk'] as const;

const listFilters = {
  q: { lists: everywhere, kind: 'words' },
  status: { lists: everywhere, kind: 'equal', field: 'status', countedBy: 'status' },
  category: { lists: everywhere, kind: 'equal', field: 'category', countedBy: 'category' },
  inspectionType: {
    lists: ofExperts,
    kind: 'equal',
    field: 'inspectionType',
    countedBy: 'inspection_type',
  },
  createdFrom: { lists: everywhere, kind: 'from', field: 'createdAt' },
  createdTo: { lists: everywhere, kind: 'to', field: 'createdAt' },
  completedFrom: { lists: served, kind: 'from', field: 'completedAt' },
  completedTo: { lists: served, kind: 'to', field: 'completedAt' },
  lastChangedSince: { lists: served, kind: 'from', field: 'lastChangedAt' },
  lastReportApprovedSince: { lists: ofInsurers, kind: 'from', field: 'lastReportApprovedAt' },
  insurer: { lists: ofDesk, kind: 'equal', field: 'insurerName' },
  inspectionFrom: { lists: ofDesk, kind: 'from', field: 'inspectionDate' },
  inspectionTo: { lists: ofDesk, kind: 'to', field: 'inspectionDate' },
  handledBy: { lists: ofDesk, kind: 'equal', field: 'handler' },
  own: { lists: ofDesk, kind: 'rule' },
  open: { lists: ofDesk, kind: 'rule' },
  late: { lists: ofDesk, kind: 'rule' },
  amountsMissing: { lists: ofDesk, kind: 'rule' },
  documentsMissing: { lists: ofDesk, kind: 'rule' },
} as const satisfies Readonly<Record<string, ListFilter>>;

type Filters = typeof listFilters;
type Name = keyof Filters;
type ListName = Filters[Name]['lists'][number];

/** The names of a list's filters. */
export type FilterOf<List extends ListName> = {
  [Each in Name]: List extends Filters[Each]['lists'][number] ? Each : never;
}[Name];

/** The fields that a list compares. */
export type FieldOf<List extends ListName> = Extract<
  Filters[FilterOf<List>],
  { readonly field: string }
>['field'];

/** The filters of a list that have no field and follow a separate rule. */
export type RuleOf<List extends ListName> = {
  [Each in FilterOf<List>]: Filters[Each]['kind'] extends 'rule' ? Each : never;
}[FilterOf<List>];

// The cast restores the names, which Object.entries drops.
const all = Object.entries(listFilters) as readonly (readonly [Name, ListFilter])[];

/** The columns by which totals are stored, in the order of tables and indexes. */
export const countedColumns: readonly CountedColumn[] = all.flatMap(([, { countedBy }]) =>
  countedBy === undefined ? [] : [countedBy],
);

/** The names of a list's filters. */
export function filtersOf<List extends ListName>(list: List): readonly FilterOf<List>[] {
  // The cast repeats the condition for the type check.
  return all.flatMap(([name, { lists }]) => (lists.includes(list) ? [name as FilterOf<List>] : []));
}

/**
 * The filters of a request by their names. Other members of the request, such as its page, are
 * ignored.
 */
export type AskedFilters = Readonly<Partial<Record<Name, unknown>>>;

const isSet = (value: unknown) =>
  value !== undefined && (typeof value !== 'string' || value.trim() !== '');

/** Whether the total of a request is a stored one: the request sets no other filter. */
export function isCounted(asked: AskedFilters): boolean {
  return all.every(([name, { countedBy }]) => countedBy !== undefined || !isSet(asked[name]));
}

/** A field that is compared with a value. */
export interface Comparison<Column> {
  readonly name: string;
  readonly column: Column;
  readonly operator: '=' | '>=' | '<=';
  readonly value: string | number;
}

const operators = { equal: '=', from: '>=', to: '<=' } as const;

/**
 * The fields that a request compares. The search words and the rules are left to the list.
 * @param columns the column of every field of the list; null if the list compares the field
 *   elsewhere
 */
export function comparisons<
  List extends ListName,
  Columns extends Readonly<Record<FieldOf<List>, unknown>>,
>(
  list: List,
  columns: Columns,
  asked: AskedFilters,
): Comparison<NonNullable<Columns[keyof Columns]>>[] {
  // The cast allows a lookup by a name that the type check does not know.
  const byField = columns as Readonly<Partial<Record<string, Columns[keyof Columns]>>>;
  return all.flatMap(([name, { lists, kind, field }]) => {
    if (!lists.includes(list) || kind === 'words' || kind === 'rule') return [];
    const column = byField[field ?? ''] ?? null;
    const value = asked[name];
    const isValue = typeof value === 'string' || typeof value === 'number';
    if (column === null || !isValue) return [];
    return [{ name, column, operator: operators[kind], value }];
  });
}

/** The columns of the stored totals that a request compares. */
export function countedComparisons(asked: AskedFilters): Comparison<CountedColumn>[] {
  return all.flatMap(([name, { countedBy }]) => {
    const value = asked[name];
    if (countedBy === undefined || typeof value !== 'string') return [];
    return [{ name, column: countedBy, operator: '=' as const, value }];
  });
}
