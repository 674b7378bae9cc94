interface FilterShape {
  /** How many inputs it takes. */
  readonly least: number;
  readonly most: number;
  /** Its inputs are read in each entry of the list. */
  readonly isOfEntries: boolean;
  /** A list stays a list, and a picture a picture. */
  readonly isWhole: boolean;
}

const shape = (least: number, most: number, more: Partial<FilterShape> = {}): FilterShape => ({
  least,
  most,
  isOfEntries: false,
  isWhole: false,
  ...more,
});
const ofEntries = { isOfEntries: true };
const whole = { isWhole: true };

/** What can stand behind `|` in a field. */
export const filterNames = {
  chf: shape(0, 0),
  number: shape(0, 1),
  round: shape(0, 1),
  date: shape(1, 1),
  upper: shape(0, 0),
  lower: shape(0, 0),
  default: shape(1, 1),
  count: shape(0, 0),
  sum: shape(1, 1, ofEntries),
  where: shape(1, 1, { ...ofEntries, ...whole }),
  sort: shape(1, 1, { ...ofEntries, ...whole }),
  reverse: shape(0, 0, whole),
  limit: shape(1, 1, whole),
  width: shape(1, 1, whole),
  height: shape(1, 1, whole),
  box: shape(2, 2, whole),
} as const satisfies Readonly<Record<string, FilterShape>>;
export type FilterName = keyof typeof filterNames;

export const isFilterName = (name: string): name is FilterName => Object.hasOwn(filterNames, name);
export const isEntryFilter = (name: FilterName): boolean => filterNames[name].isOfEntries;
