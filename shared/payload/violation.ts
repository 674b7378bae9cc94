import type { JsonSchema } from './schema.ts';

/** One broken requirement. The path is from the payload's root; empty means the payload itself. */
export interface Violation {
  readonly path: readonly (string | number)[];
  /** What the message says after the path: `is required.` */
  readonly requirement: string;
}

/** `insuredPersons[2].birthDate` (decisions, "Validation"). */
function formatPath(path: Violation['path']): string {
  if (path.length === 0) return 'PayloadJson';
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** The message's settled form: path, colon, requirement. */
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
