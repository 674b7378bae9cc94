import { expect, test } from 'vitest';
import { namedRules } from './named-rules.ts';

test('coverage: each operation, error title, limit, header and payload rule is named by a test', () => {
  const rules = namedRules();
  expect(new Set(rules.map(({ kind }) => kind)).size).toBe(5);
  expect(rules.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['X15', 'rate_limited', 'tokenWindow', 'Retry-After', 'special 14']),
  );
  expect(rules.filter(({ tests }) => tests.length === 0).map(({ id }) => id)).toEqual([]);
});
