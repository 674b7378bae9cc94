/**
 * Builds the window (dist/renderer), the desktop shell (dist/main) and the service's bundle
 * (dist/service). `node scripts/build.mjs [--if-stale] [renderer] [main] [service]`
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentDigest, readStamp, writeStamp } from './lib/content-stamp.mjs';
import { serviceSources } from './lib/service-sources.mjs';

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

/** Fastify loads TLS and HTTP/2 for every server; the service has neither. */
const withoutTls = {
  name: 'without-tls',
  // Before Vite takes them for what they are, packages of Node.
  enforce: 'pre',
  resolveId: (id, importer) =>
    /^node:http(?:s|2)$/.test(id) && importer?.endsWith('/fastify/lib/server.js')
      ? '\0not-loaded'
      : null,
  load: (id) => (id === '\0not-loaded' ? 'export default {};' : null),
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
        plugins: [withoutTls, inAscii],
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
              entryFileNames: '[name].cjs',
              chunkFileNames: '[name]-[hash].cjs',
            },
          },
        },
      });
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
