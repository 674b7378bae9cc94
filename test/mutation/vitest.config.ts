import { defineConfig } from 'vitest/config';

/** The tests that the mutation tool runs: they need neither servers nor a window. */
export default defineConfig({
  test: {
    include: ['test/shared/**/*.test.ts', 'test/main/{log,partner,engine/work}/**/*.test.ts'],
    exclude: ['test/main/partner/through-the-service.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
