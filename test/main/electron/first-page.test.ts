import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FirstPage, awaitFirstPage } from '#main/electron/first-page.ts';
import { sleep } from '#main/partner/clock.ts';
import { createSkippingClock, type SkippingClock } from '../../support/skipping-clock.ts';

let clock: SkippingClock;
let page: FirstPage;
const shown = vi.fn<(ms: number) => void>();

beforeEach(() => {
  clock = createSkippingClock(Infinity, undefined, () => 0);
  shown.mockClear();
  page = awaitFirstPage(clock, () => shown(clock.monotonic()));
});
afterEach(() => clock.stop());

const call = (ms: number) => page.during(() => sleep(clock, ms));

it('is shown half a second after its last answer', async () => {
  await call(100);
  await sleep(clock, 300);
  await Promise.all([call(200), call(700)]);
  await sleep(clock, 10_000);
  // Later calls change nothing.
  await call(10);
  await sleep(clock, 10_000);
  expect(shown.mock.calls).toEqual([[1600]]);
});

it('is shown after six seconds without a call, and beside one that lasts', async () => {
  await call(6500);
  await sleep(clock, 10_000);
  expect(shown.mock.calls).toEqual([[6000]]);
});

it('counts a call that failed as answered', async () => {
  await expect(page.during(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await sleep(clock, 10_000);
  expect(shown.mock.calls).toEqual([[500]]);
});
