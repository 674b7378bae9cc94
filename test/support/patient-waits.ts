import { vi } from 'vitest';

/*
 * `vi.waitFor` and `vi.waitUntil` give up after a second, which is a measurement of the machine: on a
 * busy one what they wait for comes later. They end shortly before the limit of a test, so that the
 * message says what did not come.
 */

const longestWaitMs = 15_000;

const { waitFor, waitUntil } = vi;

type Options = Parameters<typeof waitFor>[1];
const patient = (options: Options) =>
  typeof options === 'number' ? options : { timeout: longestWaitMs, ...options };

vi.waitFor = (check, options) => waitFor(check, patient(options));
vi.waitUntil = (check, options) => waitUntil(check, patient(options));
