/** Whether `npm run test:long` runs. */
export const isLong = process.env['TEST_LONG'] === '1';

/**
 * Returns the size or the number of repetitions of a test: the smoke form for `npm test`, and the
 * long form for `npm run test:long`.
 */
export const smokeOrLong = <T>(smoke: T, long: T): T => (isLong ? long : smoke);
