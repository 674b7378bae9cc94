/**
 * Builds the window (dist/renderer), the desktop shell (dist/main) and the service's bundle
 * (dist/service). `node scripts/build.mjs [--if-stale] [renderer] [main] [service]`
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentDigest, readStamp, writeStamp } from './lib/content-stamp.cjs';
import { serviceSources } from './lib/service-sources.cjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
// A bundle for development, which Vite would make where the caller's environment says so, holds
// libraries that nobody ships.
process.env.NODE_ENV = 'production';

/** The name of a bundled worker ends differently than its source's. */
const workerNames = {
  name: 'worker-names',
  renderChunk: (code) =>
    code.replaceAll(/\.\/(practice|pdf-text)-worker\.ts/g, (name) => name.replace(/ts$/, 'js')),
};

/**
 * What libraries load at each start and the service never calls, and what stands in its place: TLS
 * and HTTP/2, threads and programs, and the judge of the patterns that stand in paths, which are
 * our own and the router's.
 */
const unused = [
  { id: 'node:http2', importer: 'fastify/lib/server.js', code: 'module.exports = {};' },
  { id: 'node:https', importer: 'fastify/lib/server.js', code: 'module.exports = {};' },
  { id: 'safe-regex2', importer: 'find-my-way/index.js', code: 'module.exports = () => true;' },
  { id: 'node:child_process', importer: 'commander/lib/command.js', code: 'module.exports = {};' },
  { id: 'thread-stream', importer: 'pino/lib/transport.js', code: 'module.exports = {};' },
  {
    id: 'worker_threads',
    importer: 'pino/lib/tools.js',
    code: 'module.exports = { isMainThread: true };',
  },
];

/** Compares a plugin's version with Fastify's, which is asked for by the plugins of /docs alone. */
const later = { id: 'semver', importer: 'fastify/lib/plugin-utils.js' };

const withoutUnused = {
  name: 'without-unused',
  // Before Vite takes packages of Node for what they are.
  enforce: 'pre',
  async resolveId(id, importer = '') {
    const is = (one) => one.id === id && importer.endsWith(`/node_modules/${one.importer}`);
    const index = unused.findIndex(is);
    if (index >= 0) return `\0unused:${index}`;
    if (!is(later)) return null;
    return `\0later:${(await this.resolve(id, importer, { skipSelf: true })).id}`;
  },
  load(id) {
    if (id.startsWith('\0unused:')) return unused[id.slice('\0unused:'.length)].code;
    if (!id.startsWith('\0later:')) return null;
    const path = JSON.stringify(id.slice('\0later:'.length));
    return `for (const name of ['coerce', 'gt', 'satisfies'])
  exports[name] = (...values) => require(${path})[name](...values);`;
  },
};

/**
 * Everything beyond ASCII as an escape. V8 keeps a source with one such character in twice the
 * memory, and Node decodes it several times as slowly.
 */
const inAscii = {
  name: 'in-ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replaceAll(
        /(\\*)([^\0-\x7f])/g,
        // One that was escaped though it need not be, which a regular expression may do, no longer is.
        (_, slashes, unit) =>
          `${slashes.slice(slashes.length % 2)}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The practice workspace reads its documents from beside the bundle. */
const copyFixtures = (outDir) =>
  cpSync(join(root, 'main/service/practice/fixtures'), join(outDir, 'fixtures'), {
    recursive: true,
  });

const nodeBundle = {
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { external: true, target: 'node' },
};

/** Packages that a bundle cannot hold: native ones, and those that read files beside them. */
const notForTheBundle = [
  'better-sqlite3',
  'pg',
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
];

const parts = {
  renderer: {
    sources: ['renderer', 'shared', 'package-lock.json', 'scripts/build.mjs'],
    async build(vite, outDir) {
      await vite.build({
        configFile: join(root, 'renderer/vite.config.ts'),
        logLevel: 'warn',
        build: { outDir, emptyOutDir: true },
      });
    },
  },
  main: {
    sources: ['main', 'shared', 'package.json', 'package-lock.json', 'scripts/build.mjs'],
    async build(vite, outDir) {
      await vite.build({
        ...nodeBundle,
        plugins: [workerNames],
        build: {
          ssr: true,
          outDir,
          target: 'node24',
          rolldownOptions: {
            input: {
              electron: join(root, 'main/electron/main.ts'),
              'engine-process': join(root, 'main/electron/engine-process.ts'),
              'practice-worker': join(root, 'main/service/practice-worker.ts'),
            },
            external: ['electron'],
            output: {
              format: 'es',
              entryFileNames: '[name].js',
              chunkFileNames: '[name]-[hash].js',
            },
          },
        },
      });
      // With pdf.js in it, which is not packaged as a module of its own.
      await vite.build({
        ...nodeBundle,
        ssr: { ...nodeBundle.ssr, external: [], noExternal: true },
        build: {
          ssr: true,
          outDir,
          target: 'node24',
          emptyOutDir: false,
          minify: true,
          rolldownOptions: {
            input: {
              'pdf-text-worker': join(root, 'main/engine/document-text/pdf-text-worker.ts'),
            },
            output: { format: 'es', entryFileNames: '[name].js' },
          },
        },
      });
      copyFixtures(outDir);
      // A sandboxed preload is one CommonJS file.
      await vite.build({
        ...nodeBundle,
        build: {
          ssr: true,
          outDir,
          emptyOutDir: false,
          rolldownOptions: {
            input: { preload: join(root, 'main/electron/preload.ts') },
            external: ['electron'],
            output: { format: 'cjs', entryFileNames: '[name].cjs' },
          },
        },
      });
    },
  },
  service: {
    sources: serviceSources,
    async build(vite, outDir) {
      await vite.build({
        ...nodeBundle,
        plugins: [withoutUnused, inAscii],
        // The warnings are about chunks, and how this bundle is cut is of no interest.
        logLevel: 'error',
        ssr: { noExternal: true, external: notForTheBundle, target: 'node' },
        build: {
          ssr: true,
          outDir,
          target: 'node24',
          minify: true,
          rolldownOptions: {
            input: { server: join(root, 'main/service/server.ts') },
            // An ES module that imports node:http loads all of Node's fetch with it.
            output: {
              format: 'cjs',
              // What runs the bundle knows no `import()`.
              dynamicImportInCjs: false,
              entryFileNames: '[name].cjs',
              chunkFileNames: '[name]-[hash].cjs',
            },
          },
        },
      });
      copyFixtures(outDir);
    },
  },
};

/** Built beside, then moved into place, so that a desk that runs never serves half a build. */
async function build(name) {
  const { sources, build: run } = parts[name];
  const digest = contentDigest(root, sources);
  const target = join(root, 'dist', name);
  const stamp = join(root, 'dist', `.${name}.stamp`);
  if (args.includes('--if-stale') && existsSync(target) && readStamp(stamp) === digest) return;
  process.stderr.write(`Building ${name}.\n`);
  const fresh = `${target}.${process.pid}`;
  const old = `${fresh}.old`;
  mkdirSync(join(root, 'dist'), { recursive: true });
  try {
    await run(await import('vite'), fresh);
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
    writeStamp(stamp, digest);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) await build(name);
