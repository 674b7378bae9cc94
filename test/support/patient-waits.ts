import { vi } from 'vitest';

/*
 * `vi.waitFor` and `vi.waitUntil` give up after a second, which is a measurement of the machine: on a
 * busy one what they wait for comes later. They end shortly before the limit of a test, so that the
 * message says what did not come. Over timers of a test they are as before: each look moves its time on,
 * and what comes after a longer time only would be taken for what was to come by itself.
 */

const longestWaitMs = 15_000;

const { waitFor, waitUntil } = vi;

type Options = Parameters<typeof waitFor>[1];
const patient = (options: Options) =>
  typeof options === 'number' || vi.isFakeTimers()
    ? options
    : { timeout: longestWaitMs, ...options };

vi.waitFor = (check, options) => waitFor(check, patient(options));
vi.waitUntil = (check, options) => waitUntil(check, patient(options));
