import { expect, test } from 'vitest';
import { claimTurn, readFindings, readState, writeState } from '#main/gateway/state.ts';
import { noFindings } from '#main/partner/pull/pull-store.ts';
import { shareGatewayStore } from './support/store.ts';

/* What processes of one store know of each other. */

const store = shareGatewayStore();

test('state: a value is kept under its name until the next one', async () => {
  const { db } = store();
  expect(await readState(db, 'cursor')).toBeNull();
  await writeState(db, 'cursor', '1');
  await writeState(db, 'health', '2');
  await writeState(db, 'cursor', '3');
  expect([await readState(db, 'cursor'), await readState(db, 'health')]).toEqual(['3', '2']);
});

test('state: a turn is had once in its time, and a clock that was set back does not end the turns', async () => {
  const { db } = store();
  const claim = (nowMs: number, name = 'turn') => claimTurn(db, name, nowMs, 30_000);
  expect(await Promise.all([claim(100_000), claim(100_000)])).toEqual([true, false]);
  expect(await claim(100_000, 'another')).toBe(true);
  expect([await claim(129_999), await claim(130_000)]).toEqual([false, true]);
  // The last one is in the future now.
  expect([await claim(129_999), await claim(129_999), await claim(159_998)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await claim(159_999)).toBe(true);
});

test('state: without a pull there are no findings, and later those of the last one', async () => {
  const { db } = store();
  expect(await readFindings(db)).toEqual(noFindings);
  const incomplete = { reason: 'missing', seen: 1, total: 2 } as const;
  const found = { ...noFindings, incomplete, ignoresSince: true, longestPage: 200 };
  await writeState(db, 'pull_findings', JSON.stringify(found));
  expect(await readFindings(db)).toEqual(found);
});
