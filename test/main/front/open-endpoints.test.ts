import { expect, test } from 'vitest';
import { createStoreCheck } from '#main/front/open-endpoints.ts';
import { createFakeClock } from '../service/support/fake-clock.ts';

test('store check: a store that does not answer within 2 s is failing', async () => {
  const clock = createFakeClock();
  const check = createStoreCheck(clock, () => new Promise(() => undefined));
  const health = check();
  clock.advance(2000);
  await expect(health).resolves.toBe('failing');
});

test('store check: writes at most once a second, and reports a failed write', async () => {
  const clock = createFakeClock();
  let writes = 0;
  const check = createStoreCheck(clock, () => {
    writes += 1;
    return writes === 1 ? Promise.resolve() : Promise.reject(new Error('disk full'));
  });
  expect(await check()).toBe('ok');
  clock.advance(999);
  expect(await check()).toBe('ok');
  expect(writes).toBe(1);
  clock.advance(1);
  expect(await check()).toBe('failing');
});
