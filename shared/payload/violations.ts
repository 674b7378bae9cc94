import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from './parts.ts';

/**
 * One broken requirement. The path starts at the payload's root; an empty path means the payload
 * itself.
 */
export interface Violation {
  readonly path: readonly (string | number)[];
  /** The message after the path: `is required.` */
  readonly requirement: string;
}

/**
 * The order of faults. If a validator finds several faults in one member, the first of this order
 * is reported, because it makes the others meaningless.
 */
const keywordsByWeight = [
  'required',
  'type',
  'anyOf',
  'enum',
  'minLength',
  'pattern',
  'maxLength',
  'maxItems',
  'contains',
];

/**
 * Turns a validator's findings into one violation per member. The exception is a list that is too
 * long: it may also have too many drivers, because neither follows from the other. `if` and the
 * branches of `anyOf` repeat another finding and are dropped. The narrower list of values of a
 * conditional rule replaces the base list. Two rules that require the same member are one
 * violation.
 * @param errors from Ajv with `allErrors` and `verbose`
 */
export function violationsOf(errors: readonly ErrorObject[]): Violation[] {
  const byPath = new Map<string, { path: Violation['path']; errors: ErrorObject[] }>();
  for (const error of errors) {
    if (!keywordsByWeight.includes(error.keyword)) continue;
    // An item that `contains` does not count is not an error.
    if (error.schemaPath.includes('/contains/')) continue;
    const path = pathOf(error);
    const key = JSON.stringify([path, error.keyword === 'contains']);
    const found = byPath.get(key);
    if (found) found.errors.push(error);
    else byPath.set(key, { path, errors: [error] });
  }
  return [...byPath.values()].map(({ path, errors: found }) => ({
    path,
    requirement: requirementOf(weightiest(found)),
  }));
}

/**
 * Converts an RFC 6901 pointer to steps. A missing member gets a separate path and is not reported
 * for its parent.
 */
function pathOf(error: ErrorObject): (string | number)[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  if (error.keyword === 'required') path.push(paramOf(error, 'missingProperty'));
  return path;
}

function weightiest(errors: readonly ErrorObject[]): ErrorObject {
  return errors.reduce((best, error) => {
    // The validator reports the branches of an amount and its anyOf; only the anyOf is reported.
    const difference = weight(error) - weight(best);
    if (difference !== 0) return difference < 0 ? error : best;
    return allowedValues(error).length < allowedValues(best).length ? error : best;
  });
}

function weight(error: ErrorObject): number {
  return error.keyword === 'anyOf' ? 0 : keywordsByWeight.indexOf(error.keyword) + 1;
}

function requirementOf(error: ErrorObject): string {
  const title = error.parentSchema?.['title'] as unknown;
  switch (error.keyword) {
    case 'required':
      return 'is required.';
    case 'anyOf':
      return 'must be a number >= 0 or a string of digits.';
    case 'enum':
      return `must be one of: ${allowedValues(error).join(', ')}.`;
    case 'minLength':
      return 'must not be empty.';
    case 'maxLength':
      return `must be at most ${paramOf(error, 'limit')} characters.`;
    case 'maxItems':
      return `must have at most ${paramOf(error, 'limit')} items.`;
    case 'contains':
      return 'at most one person may have driverAtIncident yes.';
    default:
      if (title === 'date') return dateRequirement;
      if (title === 'time') return 'must be a time (HH:MM).';
      return typeRequirement(error);
  }
}

/** The message is also used for a day that does not exist. */
export const dateRequirement = 'must be a date (YYYY-MM-DD).';

function typeRequirement(error: ErrorObject): string {
  const type: unknown = error.parentSchema?.['type'];
  if (Array.isArray(type)) return `must be a ${type.join(' or ')}.`;
  const name = String(type);
  return `must be ${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}.`;
}

function allowedValues(error: ErrorObject): readonly string[] {
  const values = (error.params as { allowedValues?: readonly string[] }).allowedValues;
  return values ?? [];
}

function paramOf(error: ErrorObject, name: 'missingProperty' | 'limit'): string {
  return String((error.params as Record<string, unknown>)[name]);
}

/** Formats a path like `insuredPersons[2].birthDate` (decisions, "Validation"). */
function formatPath(path: Violation['path']): string {
  if (path.length === 0) return 'PayloadJson';
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** The form of the message in the specification: path, colon, requirement. */
export function formatViolation({ path, requirement }: Violation): string {
  return `${formatPath(path)}: ${requirement}`;
}

/**
 * Sorts into the order of the specification's tables, which is the order of the schema's members:
 * a parent before its members, list items by their number. The sort is stable.
 */
export function inFieldOrder(
  violations: readonly Violation[],
  schema: JsonSchema,
): readonly Violation[] {
  const keyed = violations.map((violation) => ({
    violation,
    position: positionOf(violation.path, schema),
  }));
  return keyed
    .sort((a, b) => comparePositions(a.position, b.position))
    .map(({ violation }) => violation);
}

function positionOf(path: Violation['path'], root: JsonSchema): number[] {
  let schema: JsonSchema | undefined = root;
  return path.map((step) => {
    if (typeof step === 'number') {
      schema = schema?.items;
      return step;
    }
    const position = Object.keys(schema?.properties ?? {}).indexOf(step);
    schema = schema?.properties?.[step];
    return position;
  });
}

function comparePositions(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
