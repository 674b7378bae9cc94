import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

/** Tests that run beside each other; the end-to-end ones are Playwright's. */
export default defineConfig({
  test: {
    // More than the cores: the long ones wait, for processes that start and for limits that refill.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'test/*.test.ts',
            'test/{shared,main,spec,contract,faults,scripts}/**/*.test.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [vue()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          include: ['test/renderer/**/*.test.ts'],
          server: { deps: { inline: ['vuetify'] } },
        },
      },
    ],
  },
});
