import { defineConfig } from 'vitest/config';

/** Without MUTATION_TESTS: the tests that need neither servers nor a window. */
const ofEverything = [
  'test/shared/**/*.test.ts',
  'test/main/{log,partner,engine/work}/**/*.test.ts',
];

const named = process.env['MUTATION_TESTS']?.split(',');
const isTest = (file: string) => file.endsWith('.test.ts');

/** The tests that the mutation tool runs, and what they need, such as a database. */
export default defineConfig({
  test: {
    include: named?.filter(isTest) ?? ofEverything,
    globalSetup: named?.filter((file) => !isTest(file)) ?? [],
    exclude: ['test/main/partner/through-the-service.test.ts'],
    setupFiles: ['test/support/patient-waits.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
