import { expect, test } from 'vitest';
import { findingsSchema, noFindings, readingSchema } from '#main/partner/pull/pull-store.ts';

/* What a store retains from one pull to the next, also of an earlier version. */

const reading = {
  since: '2026-03-01T10:00:00Z',
  nextPage: 1,
  startedMs: 0.5,
  total: 3,
  shrank: true,
  highest: '2026-03-01T11:00:00Z',
  items: 4,
  older: 5,
  longestPage: 6,
};
const incomplete = { reason: 'missing', seen: 1, total: 2 };
const findings = {
  incomplete,
  missing: { incomplete, atMs: 7.5 },
  ignoresSince: true,
  longestPage: 8,
};

test('pull store: everything is as it was stored', () => {
  expect(readingSchema.parse(reading)).toEqual(reading);
  const ofEverything = { ...reading, since: null, highest: null };
  expect(readingSchema.parse(ofEverything)).toEqual(ofEverything);
  expect(findingsSchema.parse(findings)).toEqual(findings);
  expect(findingsSchema.parse(noFindings)).toEqual(noFindings);
});

test('pull store: an earlier version counted no pages and missed nothing', () => {
  const { longestPage: _, ...earlier } = reading;
  expect(readingSchema.parse(earlier)).toEqual({ ...reading, longestPage: 0 });
  expect(findingsSchema.parse({ incomplete: null, ignoresSince: false })).toEqual(noFindings);
  expect(noFindings).toEqual({
    incomplete: null,
    missing: null,
    ignoresSince: false,
    longestPage: 0,
  });
});

test.each([
  ['a page before the first', readingSchema, { ...reading, nextPage: 0 }],
  ['half a page', readingSchema, { ...reading, nextPage: 1.5 }],
  ['half a case', readingSchema, { ...reading, total: 0.5 }],
  ['a reading of no time', readingSchema, { ...reading, startedMs: null }],
  ['an unknown reason', findingsSchema, { ...findings, incomplete: { reason: 'tired' } }],
  [
    'a reading that missed something at no time',
    findingsSchema,
    { ...findings, missing: { incomplete } },
  ],
])('pull store: %s is no state', (_, schema, state) => {
  expect(schema.safeParse(state).success).toBe(false);
});
