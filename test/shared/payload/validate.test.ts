import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categories, type Category } from '#shared/api/case.ts';
import { dateRequirement, violationsOf } from '#shared/payload/messages.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import { mismatchMessage, validatePayload } from '#shared/payload/validate.ts';
import { formatViolation } from '#shared/payload/violation.ts';
import { samples, today, variant, type Json } from './samples.ts';

/** What a partner does with the downloaded files: parsed from text, strict, nothing of ours. */
const partners = new Map(
  categories.map((category) => {
    const ajv = new Ajv2020({ strict: true });
    const schema = JSON.parse(JSON.stringify(payloadSchemas[category])) as Json;
    return [category, ajv.compile(schema)];
  }),
);

function agreesWithSchema(category: Category, payload: unknown): boolean {
  return partners.get(category)?.(payload) === true;
}

/** Messages about what no schema can say. */
function isBeyondSchema(message: string, payload: unknown): boolean {
  if (message.includes(' cannot be in the ')) return true;
  return message.endsWith(dateRequirement) && hasImpossibleDay(payload);
}

/** Whether some text is a day by its pattern that the calendar does not have. */
function hasImpossibleDay(payload: unknown): boolean {
  const days = JSON.stringify(payload).match(/\d{4}-\d{2}-\d{2}/g) ?? [];
  return days.some((day) => {
    const date = new Date(`${day}T00:00:00Z`);
    return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day;
  });
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
const mutated = fc
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

describe('validatePayload', () => {
  it.each(categories)('%s: the schema is a strict JSON Schema with its own address', (category) => {
    expect(payloadSchemas[category]).toMatchObject({
      $id: `/v1/schemas/claims/${category}.json`,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    const strict = new Ajv2020({ strict: true, strictTypes: true, validateSchema: true });
    expect(() => strict.compile(payloadSchemas[category])).not.toThrow();
  });

  it('never disagrees with the downloadable schema about what a schema can say', () => {
    fc.assert(
      fc.property(mutated, ({ category, payload }) => {
        const messages = validatePayload(category, payload, today).slice(1);
        const bySchema = messages.filter((message) => !isBeyondSchema(message, payload));
        if (agreesWithSchema(category, payload)) expect(bySchema).toEqual([]);
        else expect(messages.length).toBeGreaterThan(0);
      }),
      { numRuns: 1500 },
    );
  });

  it('tells each violation once, in field order, after the one general message', () => {
    fc.assert(
      fc.property(mutated, ({ category, payload }) => {
        const messages = validatePayload(category, payload, today);
        expect(new Set(messages).size).toBe(messages.length);
        if (messages.length === 0) return;
        expect(messages[0]).toBe(mismatchMessage);
        expect(messages.length).toBeGreaterThan(1);
        const paths = messages.slice(1).map((message) => message.slice(0, message.indexOf(': ')));
        expect(new Set(paths).size).toBe(paths.length);
        const order = Object.keys(payloadSchemas[category].properties ?? {});
        const positions = paths.map((path) => order.indexOf(/^\w+/.exec(path)?.[0] ?? ''));
        expect(positions).not.toContain(-1);
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
      }),
      { numRuns: 1500 },
    );
  });

  it('does not depend on the order of the members', () => {
    fc.assert(
      fc.property(mutated, ({ category, payload }) => {
        const turned = Object.fromEntries(Object.entries(payload).reverse());
        expect(validatePayload(category, turned, today)).toEqual(
          validatePayload(category, payload, today),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on the order in which a validator finds things', () => {
    const validators = new Map(
      categories.map((category) => {
        const ajv = new Ajv2020({ allErrors: true, verbose: true });
        return [category, ajv.compile(payloadSchemas[category])];
      }),
    );
    fc.assert(
      fc.property(mutated, ({ category, payload }) => {
        const validate = validators.get(category);
        validate?.(payload);
        const errors = validate?.errors ?? [];
        const messages = violationsOf(errors).map(formatViolation);
        const turned = violationsOf(errors.toReversed()).map(formatViolation);
        expect(turned.toSorted()).toEqual(messages.toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('answers for any JSON value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...categories), fc.jsonValue(), (category, payload) => {
        expect(validatePayload(category, payload, today).length).toBeGreaterThan(1);
      }),
    );
  });

  it('answers for JSON nested more deeply than functions can call', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(validatePayload('fraud', { ...samples.fraud, extra: deep }, today)).toEqual([]);
    expect(validatePayload('fraud', { ...samples.fraud, insuredPersons: [deep] }, today)).toEqual([
      mismatchMessage,
      'insuredPersons[0]: must be an object.',
    ]);
  });

  it('is not misled by members that every object has by its prototype', () => {
    const payload: unknown = JSON.parse(
      `{"__proto__":{"policyNumber":"1"},"constructor":1,${JSON.stringify(variant('vehicle', { policyNumber: undefined })).slice(1)}`,
    );
    expect(validatePayload('vehicle', payload, today)).toEqual([
      mismatchMessage,
      'policyNumber: is required.',
    ]);
  });
});
