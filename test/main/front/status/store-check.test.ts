import { expect, test } from 'vitest';
import { createStoreCheck, storeFailureOf } from '#main/front/status/store-check.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

test('store check: a store that does not answer within 2 s is failing', async () => {
  const clock = createFakeClock();
  const check = createStoreCheck(clock, () => new Promise(() => undefined));
  const health = check();
  clock.advance(2000);
  await expect(health).resolves.toBe('slow');
});

test('store check: writes at most once a second, and reports a failed write', async () => {
  const clock = createFakeClock();
  let writes = 0;
  const check = createStoreCheck(clock, () => {
    writes += 1;
    return writes === 1
      ? Promise.resolve()
      : Promise.reject(Object.assign(new Error('disk'), { code: 'SQLITE_FULL' }));
  });
  expect(await check()).toBe('ok');
  clock.advance(999);
  expect(await check()).toBe('ok');
  expect(writes).toBe(1);
  clock.advance(1);
  expect(await check()).toBe('full');
});

test.each([
  ['SQLITE_FULL', 'full'],
  ['53100', 'full'],
  ['SQLITE_READONLY_DBMOVED', 'read_only'],
  ['ECONNREFUSED', 'unreachable'],
  ['57P01', 'unreachable'],
  ['53300', 'busy'],
  ['23514', 'failing'],
])('store check: the code %s says %s', (code, health) => {
  expect(storeFailureOf(Object.assign(new Error('secret'), { code }))).toBe(health);
});

test('store check: an error without a code says only that the store fails', () => {
  expect(storeFailureOf(new Error('secret'))).toBe('failing');
  expect(storeFailureOf(null)).toBe('failing');
});
