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
  clock.advance(60_000);
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

test('store check: one write at a time, and what it says in the end', async () => {
  const clock = createFakeClock();
  const writes: PromiseWithResolvers<null>[] = [];
  const check = createStoreCheck(clock, () => {
    const write = Promise.withResolvers<null>();
    writes.push(write);
    return write.promise;
  });
  const first = check();
  clock.advance(1999);
  const second = check();
  clock.advance(1);
  expect(await first).toBe('slow');
  clock.advance(1998);
  writes[0]?.resolve(null);
  expect([await second, writes.length]).toEqual(['ok', 1]);
  clock.advance(1000);
  const third = check();
  expect(writes).toHaveLength(2);
  writes[1]?.reject(Object.assign(new Error('disk'), { code: 'EROFS' }));
  expect(await third).toBe('read_only');
});

test.each([
  ['SQLITE_FULL', 'full'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['53100', 'full'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_READONLY_DBMOVED', 'read_only'],
  ['EROFS', 'read_only'],
  ['25006', 'read_only'],
  ['ECONNREFUSED', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['ENOENT', 'unreachable'],
  ['ETIMEDOUT', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['57P01', 'unreachable'],
  ['08006', 'unreachable'],
  ['08P01', 'unreachable'],
  ['53300', 'busy'],
  ['23514', 'failing'],
  ['SQLITE_FULLER', 'failing'],
  ['x53100', 'failing'],
  ['xSQLITE_READONLY', 'failing'],
  ['25006x', 'failing'],
  ['x53300', 'failing'],
  ['53300x', 'failing'],
  ['xENOENT', 'failing'],
  ['ENOENTx', 'failing'],
  ['57P0x', 'failing'],
  ['08-06', 'failing'],
])('store check: the code %s says %s', (code, health) => {
  expect(storeFailureOf(Object.assign(new Error('secret'), { code }))).toBe(health);
});

test('store check: an error without a code says only that the store fails', () => {
  expect(storeFailureOf(new Error('secret'))).toBe('failing');
  expect(storeFailureOf(null)).toBe('failing');
});
