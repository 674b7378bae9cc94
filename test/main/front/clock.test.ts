import { expect, test } from 'vitest';
import { createDatabaseClock } from '#main/front/clock.ts';
import { createFakeClock } from '../service/support/fake-clock.ts';

test('database clock: the machine’s time until the database has reported its own', () => {
  const clock = createDatabaseClock(createFakeClock(1_000));
  expect(clock.now()).toBe(1_000);
});

test('database clock: goes on from what the database reported, in whole milliseconds', () => {
  const own = createFakeClock(1_000_000);
  const clock = createDatabaseClock(own);
  clock.set(5_000);
  expect(clock.now()).toBe(5_000);
  own.advance(1.9);
  expect(clock.now()).toBe(5_001);
  clock.set(4_000);
  own.advance(10);
  expect(clock.now()).toBe(4_010);
});
