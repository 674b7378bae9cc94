import { expect, test } from 'vitest';
import { openMemory } from '#main/partner/memory.ts';

/* What the client remembers from one run to the next, and what it makes of a text that it cannot use. */

const empty = {
  version: 2,
  offsetMs: null,
  serverMs: null,
  token: null,
  tokenRequests: [],
  tokenBlockedUntilMs: null,
  buckets: { standard: null, documents: null },
};
const bucket = {
  level: -0.5,
  atMs: 5,
  override: { capacity: 2, refillPerMinute: 3, untilMs: 6 },
  blockedUntilMs: 7,
};
const full = {
  version: 2,
  offsetMs: -1,
  serverMs: 2,
  token: { value: 't', expiresAtServerMs: 3, lifetimeMs: 4, holder: 'h' },
  tokenRequests: Array.from({ length: 100 }, (_, number) => number),
  tokenBlockedUntilMs: 8,
  buckets: { standard: bucket, documents: { ...bucket, override: null, blockedUntilMs: null } },
};

/** The state that is read from a text, and what is saved of it. */
function opened(text: string | null) {
  const saved: string[] = [];
  const memory = openMemory({ load: () => text, save: (each) => void saved.push(each) });
  return { memory, saved };
}
const stateOf = (state: object) => opened(JSON.stringify(state)).memory.state;

test('memory: before the first run nothing is known, and nothing is saved', () => {
  const { memory, saved } = opened(null);
  expect([memory.state, saved]).toEqual([empty, []]);
});

test('memory: everything is as it was saved, also by a version that knew no time of the server', () => {
  expect(stateOf(full)).toEqual(full);
  expect(stateOf(empty)).toEqual(empty);
  const { serverMs: _, ...earlier } = full;
  expect(stateOf(earlier)).toEqual({ ...full, serverMs: null });
});

test('memory: a change is saved at once, with all the rest', () => {
  const { memory, saved } = opened(JSON.stringify(full));
  memory.update({ token: null });
  memory.update({ offsetMs: 9 });
  expect(memory.state).toEqual({ ...full, token: null, offsetMs: 9 });
  expect(saved.map((text) => JSON.parse(text) as unknown)).toEqual([
    { ...full, token: null },
    { ...full, token: null, offsetMs: 9 },
  ]);
});

const buckets = (changed: object) => ({ ...full, buckets: { ...full.buckets, standard: changed } });
const override = (changed: object) =>
  buckets({ ...bucket, override: { ...bucket.override, ...changed } });

test.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['an earlier version', { ...full, version: 1 }],
  ['a token of no length', { ...full, token: { ...full.token, value: '' } }],
  ['a token of nobody', { ...full, token: { ...full.token, holder: undefined } }],
  ['a token without an end', { ...full, token: { value: 't', holder: 'h', lifetimeMs: 4 } }],
  ['a token without a lifetime', { ...full, token: { ...full.token, lifetimeMs: null } }],
  ['too many token requests', { ...full, tokenRequests: [...full.tokenRequests, 100] }],
  ['a bucket without a level', buckets({ ...bucket, level: undefined })],
  ['a bucket of no time', buckets({ ...bucket, atMs: undefined })],
  ['a bucket without its pause', buckets({ ...bucket, blockedUntilMs: undefined })],
  ['a bucket for nothing', override({ capacity: 0 })],
  ['a bucket that never fills', override({ refillPerMinute: 0 })],
  ['a policy without an end', override({ untilMs: undefined })],
])('memory: of %s nothing is taken', (_, text) => {
  const { memory } = opened(typeof text === 'string' ? text : JSON.stringify(text));
  expect(memory.state).toEqual(empty);
});
