import { defineConfig } from 'vitest/config';

/** Without MUTATION_TESTS: the tests that need neither servers nor a window. */
const ofEverything = [
  'test/shared/**/*.test.ts',
  'test/main/{log,partner,engine/work}/**/*.test.ts',
];

/** The tests that the mutation tool runs. */
export default defineConfig({
  test: {
    include: process.env['MUTATION_TESTS']?.split(',') ?? ofEverything,
    exclude: ['test/main/partner/through-the-service.test.ts'],
    setupFiles: ['test/support/patient-waits.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
