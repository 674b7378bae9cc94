import { vi } from 'vitest';
import { waitLimitMs } from './long.ts';

/*
 * `vi.waitFor` and `vi.waitUntil` give up after one second, which is too short on a busy machine.
 * Here they end before the time limit of a test, so that the message names the missing event. With fake timers they are unchanged: each check advances the time, so a longer limit would
 * also accept an event that comes too late.
 */

const { waitFor, waitUntil } = vi;

type Options = Parameters<typeof waitFor>[1];
const patient = (options: Options) =>
  typeof options === 'number' || vi.isFakeTimers() ? options : { timeout: waitLimitMs, ...options };

vi.waitFor = (check, options) => waitFor(check, patient(options));
vi.waitUntil = (check, options) => waitUntil(check, patient(options));
