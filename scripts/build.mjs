/**
 * Builds the window (dist/renderer) and the desktop shell with its practice service (dist/main).
 * `node scripts/build.mjs [--if-stale] [renderer] [main]`
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLibraries } from './lib/legal.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
// Without this setting, Vite could bundle the development builds of libraries.
process.env.NODE_ENV = 'production';

/** The workers that the bundled code starts. */
const startedWorkers = new Set();

/** A bundled worker has another extension than its source. */
const workerNames = {
  name: 'worker-names',
  renderChunk: (code) =>
    code.replaceAll(/\.\/([\w-]+-worker)\.ts/g, (_name, worker) => {
      startedWorkers.add(worker);
      return `./${worker}.js`;
    }),
};

/** The service alone starts it; the store of the practice workspace is read without it. */
const notBundled = 'read-worker';

/** Fails if the bundled code starts a worker that no build has made. */
function assertWorkers(outDir) {
  const missing = [...startedWorkers].filter(
    (worker) => worker !== notBundled && !existsSync(join(outDir, `${worker}.js`)),
  );
  if (missing.length > 0) throw new Error(`these workers are not built: ${missing.join(', ')}`);
}

/**
 * Imports SQLite by the entry for its platform. The package's usual entry asks `process.report` for
 * the system's C library on Linux, which is reported to end Electron's processes.
 */
const sqliteOfPlatform = {
  name: 'sqlite-of-platform',
  enforce: 'pre',
  resolveId: (id) => (id === 'better-sqlite3' ? '\0sqlite' : null),
  load: (id) =>
    id === '\0sqlite'
      ? [
          "import { createRequire } from 'node:module';",
          'const entry = `better-sqlite3/${process.platform}-${process.arch}`;',
          'export default createRequire(import.meta.url)(entry);',
        ].join('\n')
      : null,
};

/**
 * The codecs find their WebAssembly next to themselves. The user may replace that of libheif (LGPL).
 */
const withWasm = [
  '@cornerstonejs/codec-libjpeg-turbo-8bit',
  '@jsquash/webp/codec/dec/webp_dec.js',
  'libheif-js',
];

/** What the desktop shell, its engine and the practice service load as modules, seldom or native. */
const asModules = [
  'electron',
  'keytar',
  'electron-updater',
  'pg',
  '@fastify/swagger',
  '@fastify/swagger-ui',
];

const nodeBundle = {
  configFile: false,
  root,
  logLevel: 'warn',
  ssr: { external: true, target: 'node' },
};

const parts = {
  renderer: {
    sources: [
      'renderer',
      'shared',
      'docs',
      'package-lock.json',
      'scripts/build.mjs',
      'scripts/lib/legal.mjs',
    ],
    async build(vite, outDir) {
      await vite.build({
        configFile: join(root, 'renderer/vite.config.ts'),
        logLevel: 'warn',
        build: { outDir, emptyOutDir: true },
      });
      // The page of the telephone is one file, which the engine makes of these two.
      await vite.build({
        configFile: false,
        root,
        logLevel: 'warn',
        build: {
          outDir: join(outDir, 'telephone'),
          target: ['chrome120', 'firefox125', 'safari17.4'],
          lib: {
            entry: join(root, 'renderer/telephone/page.ts'),
            formats: ['iife'],
            name: 'telephone',
            fileName: () => 'telephone.js',
          },
        },
      });
      cpSync(join(root, 'renderer/telephone/page.css'), join(outDir, 'telephone/telephone.css'));
    },
  },
  main: {
    sources: ['main', 'shared', 'package.json', 'package-lock.json', 'scripts/build.mjs'],
    async build(vite, outDir) {
      // Libraries are in this bundle, because a start reads one file faster than hundreds. It is not
      // minified: the log has names and lines of stacks.
      await vite.build({
        ...nodeBundle,
        ssr: { ...nodeBundle.ssr, external: asModules, noExternal: true },
        plugins: [workerNames, sqliteOfPlatform],
        build: {
          ssr: true,
          outDir,
          target: 'node24',
          rolldownOptions: {
            input: {
              electron: join(root, 'main/electron/main.ts'),
              'engine-process': join(root, 'main/electron/engine-process.ts'),
              cli: join(root, 'main/cli/desk.ts'),
              'practice-worker': join(root, 'main/service/practice-worker.ts'),
            },
            output: {
              format: 'es',
              comments: false,
              entryFileNames: '[name].js',
              chunkFileNames: '[name]-[hash].js',
            },
          },
        },
      });
      // This bundle includes the libraries that are not packaged as modules (CONTRIBUTING,
      // Dependencies).
      await vite.build({
        ...nodeBundle,
        ssr: { ...nodeBundle.ssr, external: withWasm, noExternal: true },
        build: {
          ssr: true,
          outDir,
          target: 'node24',
          emptyOutDir: false,
          minify: true,
          license: { fileName: 'bundled.json' },
          rolldownOptions: {
            input: {
              'limited-worker': join(root, 'main/engine/threads/limited-worker.ts'),
              'pdf-text-worker': join(root, 'main/engine/document-text/pdf-text-worker.ts'),
              'sheet-text-worker': join(root, 'main/engine/document-text/sheet-text-worker.ts'),
              'mail-text-worker': join(root, 'main/engine/document-text/mail-text-worker.ts'),
              'xlsx-worker': join(root, 'main/engine/sheets/xlsx-worker.ts'),
              'template-worker': join(root, 'main/engine/templates/template-worker.ts'),
              'file-check-worker': join(root, 'main/engine/readable/file-check-worker.ts'),
              'capture-worker': join(root, 'main/engine/photos/capture-worker.ts'),
              'strip-worker': join(root, 'main/engine/photos/strip-worker.ts'),
              'heic-worker': join(root, 'main/engine/photos/heic-worker.ts'),
              'one-pdf-worker': join(root, 'main/engine/templates/one-pdf/one-pdf-worker.ts'),
              'reduce-worker': join(root, 'main/engine/photos/reduce-worker.ts'),
            },
            output: { format: 'es', entryFileNames: '[name].js' },
          },
        },
      });
      assertWorkers(outDir);
      // The practice workspace reads its documents from the bundle's folder.
      cpSync(join(root, 'main/service/practice/fixtures'), join(outDir, 'fixtures'), {
        recursive: true,
      });
      // The engine also reads the templates that come with the desk from the bundle's folder.
      cpSync(join(root, 'main/engine/templates/supplied'), join(outDir, 'supplied'), {
        recursive: true,
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
};

/** The digest covers contents and not times, because a checkout gives every file a new time. */
function digestOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const isFolder = statSync(join(root, source)).isDirectory();
    const names = isFolder ? readdirSync(join(root, source), { recursive: true }).sort() : [''];
    for (const file of names.map((name) => join(source, name))) {
      if (!statSync(join(root, file)).isFile()) continue;
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * Builds a part in another folder and then moves it, so that a running desk never serves half a
 * build.
 */
async function build(name) {
  const { sources, build: run } = parts[name];
  const digest = digestOf(sources);
  const target = join(root, 'dist', name);
  const stamp = join(root, 'dist', `.${name}.stamp`);
  const isFresh = existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (args.includes('--if-stale') && isFresh) return;
  process.stderr.write(`Building ${name}.\n`);
  const fresh = `${target}.${process.pid}`;
  const old = `${fresh}.old`;
  mkdirSync(join(root, 'dist'), { recursive: true });
  try {
    await run(await import('vite'), fresh);
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
    writeFileSync(stamp, digest);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) await build(name);
if (existsSync(join(root, 'dist/renderer'))) writeLibraries(root);
