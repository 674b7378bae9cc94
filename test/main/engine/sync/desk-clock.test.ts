import { expect, it, vi } from 'vitest';
import { createDeskClock } from '#main/engine/sync/desk-clock.ts';
import { clockSlackMs } from '#shared/desk/delivery/clock.ts';

const device = { now: () => 1000, monotonic: () => 2, uptime: () => 3, after: vi.fn() };

it('shows the time of the device until it follows a client whose time differs much', () => {
  const clock = createDeskClock(device);
  expect(clock.now()).toBe(1000);
  let offsetMs = clockSlackMs;
  clock.follow({ clockOffset: () => ({ offsetMs, source: 'answer' }) });
  expect(clock.now()).toBe(1000);
  offsetMs += 1;
  expect(clock.now()).toBe(1000 + offsetMs);
});

it('waits and measures by the device', () => {
  const clock = createDeskClock(device);
  clock.follow({ clockOffset: () => ({ offsetMs: 10 * clockSlackMs, source: 'answer' }) });
  expect([clock.monotonic(), clock.uptime()]).toEqual([2, 3]);
  const cancel = () => undefined;
  device.after.mockReturnValue(cancel);
  const task = () => undefined;
  expect(clock.after(7, task)).toBe(cancel);
  expect(device.after).toHaveBeenCalledWith(7, task);
});
