/** Whether `npm run test:long` runs. */
export const isLong = process.env['TEST_LONG'] === '1';

/**
 * Returns the size or the number of repetitions of a test: the smoke form for `npm test`, and the
 * long form for `npm run test:long`.
 */
export const smokeOrLong = <T>(smoke: T, long: T): T => (isLong ? long : smoke);

/**
 * The time after which a test of `npm test` has failed, in milliseconds, and the longest wait in it
 * for one thing. They are for a test that hangs: a busy machine takes twenty times as long as a
 * quiet one.
 */
export const testLimitMs = 300_000;
export const waitLimitMs = 150_000;

/**
 * The longest wait of an end-to-end test for one thing, in milliseconds. It is long, because a busy
 * machine takes twenty times as long as a quiet one.
 */
export const patienceMs = smokeOrLong(120_000, 900_000);
