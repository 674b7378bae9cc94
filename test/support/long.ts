const isLong = process.env['TEST_LONG'] === '1';

/** How often a test repeats itself, or over what: `npm test` has its smoke form, `npm run test:long` the long one. */
export const smokeOrLong = <T>(smoke: T, long: T): T => (isLong ? long : smoke);
