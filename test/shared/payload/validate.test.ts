import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categories } from '#shared/api/case-words.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import { mismatchMessage, validatePayload } from '#shared/payload/validate.ts';
import { inFieldOrder } from '#shared/payload/violations.ts';
import { mutated, samples, today, variant } from './samples.ts';
import { parsePayload } from '#shared/payload/parse-payload.ts';

describe('validatePayload', () => {
  it.each(categories)('%s: the schema is a strict JSON Schema with its own address', (category) => {
    expect(payloadSchemas[category]).toMatchObject({
      $id: `/v1/schemas/claims/${category}.json`,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    const strict = new Ajv2020({ strict: true, strictTypes: true, validateSchema: true });
    expect(() => strict.compile(payloadSchemas[category])).not.toThrow();
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

it('sorts violations by the table, parents first, items by number', () => {
  const at = (...path: (string | number)[]) => ({ path, requirement: 'is required.' });
  const sorted = [
    at('insured'),
    at('insuredPersons'),
    at('insuredPersons', 2, 'birthDate'),
    at('insuredPersons', 10, 'birthDate'),
    at('location'),
    at('incidentDate'),
    at('remarks'),
  ];
  expect(inFieldOrder(sorted.toReversed(), payloadSchemas.fraud)).toEqual(sorted);
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

it('reads an object of up to 64 levels', () => {
  expect(JSON.stringify(parsePayload(nested(64)))).toBe(nested(64));
  expect(parsePayload(nested(65))).toBeNull();
  expect(parsePayload(nested(400_000))).toBeNull();
});

it.each(['', 'null', '[1]', '"text"', '7', '{"a":', '['])('takes %o for no object', (json) => {
  expect(parsePayload(json)).toBeNull();
});

it('counts levels, not brackets', () => {
  const flat = { list: Array.from({ length: 100 }, () => [{}]), text: '"\\"{['.repeat(100) };
  expect(parsePayload(JSON.stringify(flat))).toEqual(flat);
});
