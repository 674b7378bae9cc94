import { groupDigits } from '#shared/lib/money.ts';
import { type Language } from '#shared/i18n/language.ts';
import { localeOf } from '#shared/i18n/format.ts';
import { type BinaryOperator, type Expression, FieldFault } from './expression.ts';
import type {
  FilledDate,
  FilledNumber,
  FilledRow,
  FilledValue,
  PlacedPicture,
} from './fill-data.ts';
import type { FilterName } from './filter-names.ts';

/** A length in twips, or a part of the room that there is. */
export type Length = number | { readonly percent: number };
/** A picture with the size that its field asks for. */
export interface SizedPicture extends PlacedPicture {
  readonly width?: Length;
  readonly height?: Length;
}
export type Value = Exclude<FilledValue, PlacedPicture> | number | SizedPicture | readonly Scope[];
/** Names with their values, without a prototype: a name finds its value or nothing. */
export type Scope = Readonly<Record<string, Value>>;

/** Of the values and lists of a case. */
export function scopeOf(
  values: FilledRow,
  lists: Readonly<Record<string, readonly FilledRow[]>> = {},
): Scope {
  const entries = Object.entries(lists).map(([name, rows]): [string, Value] => {
    return [name, rows.map((row) => scopeOf(row))];
  });
  return bare([...Object.entries(values), ...entries]);
}

function bare(entries: readonly (readonly [string, Value])[]): Scope {
  const scope = Object.create(null) as Record<string, Value>;
  for (const [name, value] of entries) scope[name] = value;
  return scope;
}

const isList = (value: Value): value is readonly Scope[] => Array.isArray(value);
const isNumber = (value: Value): value is FilledNumber =>
  typeof value === 'object' && 'number' in value && typeof value.number === 'number';
const isDate = (value: Value): value is FilledDate =>
  typeof value === 'object' && 'date' in value && typeof value.date === 'string';
export const isPicture = (value: Value): value is SizedPicture =>
  typeof value === 'object' && 'picture' in value && typeof value.picture === 'number';

/** NaN of what is no number. */
function numberOf(value: Value): number {
  if (typeof value === 'number') return value;
  if (isNumber(value)) return value.number;
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value)
    ? Number(value)
    : Number.NaN;
}

/** Whether a condition is met. */
export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (isPicture(value)) return true;
  if (typeof value === 'object') return value.text !== '';
  return typeof value === 'string' ? value !== '' : Boolean(value);
}

/** A value as it is printed. */
export function textOf(value: Value, language: Language): string {
  if (typeof value === 'number')
    return formatNumber(value, Number.isInteger(value) ? 0 : 2, language);
  if (typeof value === 'string') return value;
  return typeof value === 'object' && 'text' in value && typeof value.text === 'string'
    ? value.text
    : '';
}

function formatNumber(value: number, decimals: number, language: Language): string {
  const [whole = '', rest] = Math.abs(value).toFixed(decimals).split('.');
  const isNegative = Number(value.toFixed(decimals)) < 0;
  const digits = groupDigits(whole, language);
  return `${isNegative ? '−' : ''}${digits}${rest === undefined ? '' : `.${rest}`}`;
}

/** A millionth is more than any amount needs, and hides what binary fractions leave. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
const orNothing = (value: number): Value => (Number.isFinite(value) ? rounded(value) : '');

function compare(one: Value, other: Value): number {
  const difference = numberOf(one) - numberOf(other);
  if (Number.isFinite(difference)) return difference;
  const [first, second] = [keyOf(one), keyOf(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function keyOf(value: Value): string {
  if (isDate(value)) return value.date;
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'number' ? String(value) : textOf(value, 'de');
}

/** The values of names, the innermost list last; language of the printed text. */
export interface Surroundings {
  readonly scopes: readonly Scope[];
  readonly language: Language;
  /** How many entries filters may still read: filters in filters multiply. */
  readonly budget: { entries: number };
}

/** What an expression is worth in a case; empty if it calculates with what is no number. */
export function evaluate(tree: Expression, around: Surroundings): Value {
  switch (tree.kind) {
    case 'text':
      return tree.text;
    case 'number':
      return tree.unit === '%' ? tree.value / 100 : tree.value;
    case 'name':
      return around.scopes.findLast((scope) => Object.hasOwn(scope, tree.name))?.[tree.name] ?? '';
    case 'negative':
      return orNothing(-numberOf(evaluate(tree.of, around)));
    case 'not':
      return !isTrue(evaluate(tree.of, around));
    case 'binary':
      return operate(tree.operator, evaluate(tree.left, around), () =>
        evaluate(tree.right, around),
      );
    case 'filter':
      return filters[tree.filter](evaluate(tree.of, around), tree.inputs, around);
  }
}

function operate(operator: BinaryOperator, left: Value, right: () => Value): Value {
  switch (operator) {
    case 'and':
      return isTrue(left) && isTrue(right());
    case 'or':
      return isTrue(left) || isTrue(right());
    case '+':
      return orNothing(numberOf(left) + numberOf(right()));
    case '-':
      return orNothing(numberOf(left) - numberOf(right()));
    case '*':
      return orNothing(numberOf(left) * numberOf(right()));
    case '/':
      return orNothing(numberOf(left) / numberOf(right()));
    case '=':
      return compare(left, right()) === 0;
    case '!=':
      return compare(left, right()) !== 0;
    case '<':
      return compare(left, right()) < 0;
    case '<=':
      return compare(left, right()) <= 0;
    case '>':
      return compare(left, right()) > 0;
    case '>=':
      return compare(left, right()) >= 0;
  }
}

type Filter = (value: Value, inputs: readonly Expression[], around: Surroundings) => Value;

const listOf = (value: Value): readonly Scope[] => (isList(value) ? value : []);
function inEntry(input: Expression | undefined, entry: Scope, around: Surroundings): Value {
  around.budget.entries -= 1;
  if (around.budget.entries < 0) throw new FieldFault('too_long');
  return input ? evaluate(input, { ...around, scopes: [...around.scopes, entry] }) : '';
}
const first = ([input]: readonly Expression[], around: Surroundings): Value | undefined =>
  input && evaluate(input, around);
const printed = (
  format: (value: number, decimals: number, language: Language) => string,
): Filter => {
  return (value, inputs, around) => {
    const number = numberOf(value);
    const decimals = numberOf(first(inputs, around) ?? 2);
    if (!Number.isFinite(number) || !Number.isFinite(decimals)) return '';
    return format(number, Math.min(6, Math.max(0, Math.round(decimals))), around.language);
  };
};

const filters: Readonly<Record<FilterName, Filter>> = {
  chf: printed((value, _, language) => `CHF\u00a0${formatNumber(value, 2, language)}`),
  number: printed(formatNumber),
  round(value, inputs, around) {
    const step = numberOf(first(inputs, around) ?? 1);
    const number = numberOf(value);
    return step > 0 ? orNothing(Math.round(rounded(number / step)) * step) : '';
  },
  date: (value, inputs, around) =>
    formatDate(
      isDate(value) ? value.date : textOf(value, around.language),
      textOf(first(inputs, around) ?? '', around.language),
      around.language,
    ),
  upper: (value, _, { language }) => textOf(value, language).toLocaleUpperCase(localeOf(language)),
  lower: (value, _, { language }) => textOf(value, language).toLocaleLowerCase(localeOf(language)),
  default: (value, inputs, around) => (isTrue(value) ? value : (first(inputs, around) ?? '')),
  count: (value) => listOf(value).length,
  sum: (value, [input], around) =>
    rounded(
      listOf(value).reduce((sum, entry) => sum + (numberOf(inEntry(input, entry, around)) || 0), 0),
    ),
  where: (value, [input], around) =>
    listOf(value).filter((entry) => isTrue(inEntry(input, entry, around))),
  sort: (value, [input], around) =>
    listOf(value).toSorted((one, other) =>
      compare(inEntry(input, one, around), inEntry(input, other, around)),
    ),
  reverse: (value) => listOf(value).toReversed(),
  limit: (value, inputs, around) =>
    listOf(value).slice(0, Math.max(0, numberOf(first(inputs, around) ?? 0) || 0)),
  width: (value, [input]) => sized(value, { width: lengthOf(input) }),
  height: (value, [input]) => sized(value, { height: lengthOf(input) }),
  box: (value, [input, other]) => sized(value, { width: lengthOf(input), height: lengthOf(other) }),
};

const sized = (value: Value, size: Pick<SizedPicture, 'width' | 'height'>): Value =>
  isPicture(value) ? { ...value, ...size } : '';

/** Without a unit in centimetres. */
function lengthOf(input: Expression | undefined): Length {
  if (input?.kind !== 'number') return 0;
  if (input.unit === '%') return { percent: input.value };
  return Math.round(input.value * (input.unit === 'mm' ? 56.7 : 567));
}

/** A day in the form of Word: `d. MMMM yyyy`. */
function formatDate(iso: string, format: string, language: Language): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?/.exec(iso);
  if (!match) return '';
  const [, yyyy = '', MM = '', dd = '', HH = '00', mm = '00'] = match;
  const day = new Date(Date.UTC(Number(yyyy), Number(MM) - 1, Number(dd)));
  const name = (options: Intl.DateTimeFormatOptions) =>
    day.toLocaleDateString(localeOf(language), { ...options, timeZone: 'UTC' });
  const parts: Readonly<Record<string, () => string>> = {
    yyyy: () => yyyy,
    yy: () => yyyy.slice(2),
    MMMM: () => name({ month: 'long' }),
    MMM: () => name({ month: 'short' }),
    MM: () => MM,
    M: () => String(Number(MM)),
    dddd: () => name({ weekday: 'long' }),
    dd: () => dd,
    d: () => String(Number(dd)),
    HH: () => HH,
    mm: () => mm,
  };
  return format
    .slice(0, 40)
    .replaceAll(/yyyy|yy|MMMM|MMM|MM|M|dddd|dd|d|HH|mm/g, (part) => parts[part]?.() ?? part);
}
