import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

/** `npm run test:long` runs every test of the store over PostgreSQL and S3, `npm test` a part. */
const isLong = process.env['TEST_LONG'] === '1';

/** A busy machine takes several times as long; a test that hangs is told by any of these. */
const patience = { testTimeout: 180_000, hookTimeout: 180_000 };

/** Tests that replace modules (`vi.mock`): each has a process of its own. */
const alone = [
  'test/main/electron/**/*.test.ts',
  'test/main/engine/{disk/new-file,work/set-aside}.test.ts',
];

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
          isolate: false,
          include: [
            'test/*.test.ts',
            'test/{shared,main,spec,contract,faults,scripts}/**/*.test.ts',
          ],
          exclude: [
            ...alone,
            'test/faults/two-processes.test.ts',
            'test/main/gateway/two-gateways.test.ts',
            'test/main/service/store/shared-store.test.ts',
          ],
          ...patience,
        },
      },
      {
        test: { name: 'node-alone', environment: 'node', include: alone, ...patience },
      },
      {
        test: {
          // The same tests, over the service's other store.
          name: 'node-postgres',
          environment: 'node',
          isolate: false,
          include: [
            'test/spec/{audit,claims,fields,lists,expert-entries}.test.ts',
            'test/main/service/store/*.test.ts',
            'test/main/front/{idempotency,store/migrate}.test.ts',
            'test/main/service/claims/find-claims.test.ts',
            'test/main/gateway/{gateway,two-gateways,partner-bucket,office}.test.ts',
            'test/main/front/auth/replay.test.ts',
            'test/faults/two-processes.test.ts',
            ...(isLong
              ? [
                  'test/spec/**/*.test.ts',
                  'test/main/{service/backoffice,front/limits}/*.test.ts',
                  'test/main/service/{health,documents/documents-in-objects}.test.ts',
                  'test/faults/{fuzz/fuzz,service-killed}.test.ts',
                  'test/main/gateway/dispatch.test.ts',
                ]
              : []),
          ],
          exclude: ['test/main/front/limits/token-bucket.test.ts'],
          globalSetup: 'test/support/postgres.ts',
          ...patience,
        },
      },
      {
        test: {
          // Documents in a bucket, and everything else in files.
          name: 'node-s3',
          environment: 'node',
          isolate: false,
          include: [
            'test/spec/{audit,fields}.test.ts',
            ...(isLong ? ['test/spec/documents.test.ts'] : []),
          ],
          globalSetup: 'test/support/s3-server.ts',
          ...patience,
        },
      },
      ...(isLong
        ? [
            {
              test: {
                // The expert's operations again, through a gateway in front of the service.
                name: 'node-gateway',
                environment: 'node' as const,
                include: ['test/spec/case-states.test.ts'],
                provide: { throughGateway: true },
                ...patience,
              },
            },
          ]
        : []),
      {
        plugins: [vue()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          isolate: false,
          include: ['test/renderer/**/*.test.ts'],
          setupFiles: 'test/renderer/fixtures/empty-document.ts',
          ...patience,
          server: { deps: { inline: ['vuetify'] } },
        },
      },
    ],
  },
});
