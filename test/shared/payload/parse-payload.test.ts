import { expect, it } from 'vitest';
import { parsePayload } from '#shared/payload/parse-payload.ts';

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
