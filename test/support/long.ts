const isLong = process.env['TEST_LONG'] === '1';

/** How often a test repeats itself: `npm test` has its smoke form, `npm run test:long` the long one. */
export const smokeOrLong = (smoke: number, long: number): number => (isLong ? long : smoke);
