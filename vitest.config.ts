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
          exclude: [
            'test/faults/two-processes.test.ts',
            'test/main/service/store/shared-store.test.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // The same tests, over the service's other store.
          name: 'node-postgres',
          environment: 'node',
          include: [
            'test/spec/**/*.test.ts',
            'test/main/service/{backoffice,idempotency,limits,reports}/*.test.ts',
            'test/main/service/claims/find-claims.test.ts',
            'test/main/service/{health,auth/replay,documents/documents-in-objects}.test.ts',
            'test/main/service/store/*.test.ts',
            'test/faults/{fuzz/fuzz,service-killed,two-processes}.test.ts',
          ],
          exclude: [
            'test/main/service/limits/token-bucket.test.ts',
            'test/main/service/store/in-turn.test.ts',
          ],
          globalSetup: 'test/support/postgres.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Documents in a bucket, and everything else in files.
          name: 'node-s3',
          environment: 'node',
          include: ['test/spec/documents.test.ts', 'test/main/service/reports/*.test.ts'],
          globalSetup: 'test/support/s3.ts',
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
          testTimeout: 60_000,
          server: { deps: { inline: ['vuetify'] } },
        },
      },
    ],
  },
});
