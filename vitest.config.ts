import { availableParallelism } from 'node:os';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import { testLimitMs, waitLimitMs } from './test/support/long.ts';

/** `npm run test:long` runs every test of the store over PostgreSQL and S3, `npm test` a part. */
const isLong = process.env['TEST_LONG'] === '1';

/** A test that hangs fails in the end; none fails because the machine is busy. */
const limits = {
  expect: { poll: { timeout: waitLimitMs } },
  testTimeout: testLimitMs,
  hookTimeout: testLimitMs,
  setupFiles: ['note-cost', 'end-children', 'patient-waits'].map(
    (name) => `test/support/${name}.ts`,
  ),
};

/**
 * Node imports the sources itself, as the programs do. Vite would transform each again for each
 * project.
 */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/** Tests that start programs, servers or a packaging; their costs are listed apart. */
const long = [
  'test/{faults,scripts}/**/*.test.ts',
  'test/main/{cli,gateway,start}/**/*.test.ts',
  'test/main/engine/{home,keys}/**/*.test.ts',
  'test/imports.test.ts',
];

/**
 * Tests that replace modules (`vi.mock`), or import what only a bundler can: each has a process of
 * its own.
 */
const alone = [
  'test/faults/half-files.test.ts',
  'test/main/front/openapi/generators.test.ts',
  'test/shared/photos/{damage,strip-picture,tiff}.test.ts',
  'test/main/electron/**/*.test.ts',
  'test/main/engine/{disk/new-file,work/set-aside,backup/automatic-backups}.test.ts',
];
const aloneInWindow = [
  'test/renderer/components/pdf-{page,viewer}.test.ts',
  'test/renderer/lib/thumbnails.test.ts',
];

/** Tests of what several processes share, which a store in a file is not. */
const onlyShared = [
  'test/main/service/store/shared-store.test.ts',
  'test/main/front/store/notifications.test.ts',
  'test/main/front/limits/limits-in-database.test.ts',
  'test/main/gateway/{shared-store,two-gateways,turns/bucket-in-database}.test.ts',
  'test/faults/{two-processes,database-gone,rolling-restart,operators-day,laboratory}.test.ts',
];

const ofWindow = {
  environment: 'happy-dom' as const,
  ...limits,
  setupFiles: [...limits.setupFiles, 'test/renderer/fixtures/empty-document.ts'],
  server: { deps: { inline: ['vuetify'] } },
};

/** Tests that run beside each other; the end-to-end ones are Playwright's. */
export default defineConfig({
  test: {
    // More than the cores: the long ones wait, for processes that start and for limits that refill.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          isolate: false,
          ...native,
          include: ['test/{shared,main,spec,contract}/**/*.test.ts'],
          exclude: [...alone, ...long, ...onlyShared],
          ...limits,
        },
      },
      {
        test: {
          name: 'node-long',
          environment: 'node',
          isolate: false,
          ...native,
          include: long,
          exclude: [
            ...alone,
            ...onlyShared,
            // Make installers, and install on this machine, for minutes.
            ...(isLong ? [] : ['test/scripts/{installed-package,windows-installer}.test.ts']),
          ],
          ...limits,
        },
      },
      {
        test: { name: 'node-alone', environment: 'node', include: alone, ...limits },
      },
      {
        test: {
          // The same tests, over the service's other store.
          name: 'node-postgres',
          environment: 'node',
          isolate: false,
          ...native,
          include: [
            // What the two stores do each in their own way.
            'test/spec/{audit,claims,fields,lists}.test.ts',
            'test/main/service/store/*.test.ts',
            'test/main/front/store/{migrate,earlier-steps,notifications,list-counts,text-search}.test.ts',
            'test/main/front/limits/limits-in-database.test.ts',
            'test/main/front/{auth/replay,may-have-run}.test.ts',
            'test/main/service/claims/find-claims.test.ts',
            'test/main/gateway/shared-store.test.ts',
            'test/main/gateway/**/{turns,two-gateways,partner-bucket,bucket-in-database,office}.test.ts',
            'test/faults/{two-processes,database-gone,rolling-restart,restore,laboratory}.test.ts',
            ...(isLong
              ? [
                  'test/spec/**/*.test.ts',
                  'test/main/{service/backoffice,front/limits}/*.test.ts',
                  'test/main/service/{health,documents/documents-in-objects,practice/seed}.test.ts',
                  'test/main/front/idempotency.test.ts',
                  'test/faults/{fuzz/fuzz,service-killed,operators-day}.test.ts',
                  'test/main/gateway/{dispatch,gateway,keys,lists,load}.test.ts',
                ]
              : []),
          ],
          exclude: ['test/main/front/limits/token-bucket.test.ts'],
          globalSetup: 'test/support/postgres.ts',
          ...limits,
        },
      },
      {
        test: {
          // Documents in a bucket, and everything else in files.
          name: 'node-s3',
          environment: 'node',
          isolate: false,
          ...native,
          include: [
            'test/spec/{audit,fields}.test.ts',
            ...(isLong ? ['test/spec/documents.test.ts'] : []),
          ],
          globalSetup: 'test/support/s3-server.ts',
          ...limits,
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
                ...limits,
              },
            },
          ]
        : []),
      {
        plugins: [vue()],
        test: {
          name: 'renderer',
          isolate: false,
          include: ['test/renderer/**/*.test.ts'],
          exclude: aloneInWindow,
          ...ofWindow,
        },
      },
      {
        plugins: [vue()],
        test: { name: 'renderer-alone', include: aloneInWindow, ...ofWindow },
      },
    ],
  },
});
