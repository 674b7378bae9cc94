import fc from 'fast-check';
import { categories } from '#shared/api/case.ts';
import { dateRequirement } from '#shared/payload/violations.ts';
import { variant, type Json } from './samples.ts';

/** Whether a message is about what no schema can say: a plausible date, a day of the calendar. */
export function isBeyondSchema(message: string, payload: unknown): boolean {
  if (message.includes(' cannot be in the ')) return true;
  if (!message.endsWith(dateRequirement)) return false;
  const value = valueAt(payload, message.slice(0, message.indexOf(': ')));
  return (
    typeof value === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(value)
  );
}

/** The member at a path such as `insuredPersons[2].birthDate`. */
function valueAt(payload: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
      payload,
    );
}

const replacement = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'yes',
    'liability',
    'onsite',
    'private',
    'rail_vehicle',
  ),
  fc.constantFrom<unknown>('2026-02-30', '2026-06-10', '2031-01-01', '1990-13-01'),
  fc.constantFrom<unknown>(0, -1, 1.5, true, [], {}, [{ driverAtIncident: 'yes' }]),
  fc.constantFrom<unknown>('x'.repeat(201), 'x'.repeat(4001), 'x'.repeat(10_001)),
  fc.jsonValue(),
);

/** A sample with some of its members deleted or replaced, at any depth. */
export const mutated = fc
  .tuple(
    fc.constantFrom(...categories),
    fc.array(fc.tuple(fc.nat(), replacement), { maxLength: 6 }),
  )
  .map(([category, changes]) => {
    const payload = variant(category);
    for (const [choice, value] of changes) {
      const members = membersOf(payload);
      const [object, key] = members[choice % members.length] ?? [payload, 'extra'];
      if (value === undefined) Reflect.deleteProperty(object, key);
      else object[key] = JSON.parse(JSON.stringify(value));
    }
    return { category, payload };
  });

function membersOf(value: unknown): [Json, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [Json, string][] => [
    [value as Json, key],
    ...membersOf(inner),
  ]);
}
