import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { extractAll, getRawHeader } from '@electron/asar';
import { z } from 'zod';
import { Arch, build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectFusesOfRelease } from '../support/fuses.ts';
import { smokeOrLong } from '../support/long.ts';
import { makeRuntime } from '../support/made-up-runtime.ts';
import { root, temporaryFolder } from '../support/processes.ts';

// The whole packaging for each system over a made-up runtime: what gets in, and what is switched
// off. Signing, installers and the runtime itself are the release workflow's.

const systems = {
  linux: {
    name: 'LINUX',
    contents: 'linux-unpacked',
    resources: 'resources',
    executable: 'appraiser-desk',
    launcher: 'appraiser-desk-cli',
  },
  win32: {
    name: 'WINDOWS',
    contents: 'win-unpacked',
    resources: 'resources',
    executable: 'Appraiser Desk.exe',
    launcher: 'appraiser-desk-cli.cmd',
  },
  darwin: {
    name: 'MAC',
    contents: 'mac/Appraiser Desk.app',
    resources: 'Contents/Resources',
    executable: '',
    launcher: 'Contents/Resources/appraiser-desk-cli',
  },
} as const;
type System = keyof typeof systems;

/** Bytes of the archive and of the unpacked files next to it, without Electron. */
const budgetBytes = 41_000_000;
const recognitionBudgetBytes = 10_000_000;

const { path: folder, remove } = temporaryFolder();
afterAll(remove);

interface Entry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly unpacked: boolean;
}

const nodeSchema = z.object({
  get files() {
    return z.record(z.string(), nodeSchema).optional();
  },
  size: z.number().optional(),
  unpacked: z.boolean().optional(),
});

function entriesOf(archive: string): Entry[] {
  const walk = (node: z.infer<typeof nodeSchema>, path: string): Entry[] =>
    node.files
      ? Object.entries(node.files).flatMap(([name, child]) => walk(child, `${path}/${name}`))
      : [{ path, sizeBytes: node.size ?? 0, unpacked: node.unpacked ?? false }];
  return walk(nodeSchema.parse(getRawHeader(archive).header), '');
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

/** The service's client for buckets, with what it alone brings along. */
const bucketClient =
  /^(?:@aws(?:-sdk)?\/|@smithy\/|(?:base64-js|bowser|buffer|events|ieee754|stream-browserify|tslib)$)/;

/** The service's page under /docs, with what it alone brings along. */
const docsPage = /^(?:@fastify\/swagger(?:-ui)?|json-schema-resolver|yaml)$/;

/** Node for the servers. */
const nodeForServers = /^node(?:-bin-setup)?$/;

/** What `npm ci --omit=dev` installs, without what only servers need. */
function productionModules(): string[] {
  const { packages } = lockSchema.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const names = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    // Which copy lies in which folder is the packager's affair.
    .map(([path]) => path.replace(/.*node_modules\//, ''))
    .filter((name) => ![bucketClient, docsPage, nodeForServers].some((test) => test.test(name)));
  return [...new Set(names)].sort();
}

/** The first bytes of a binary as hex; they identify its system. */
const readHead = (file: string) => readFileSync(file).subarray(0, 4).toString('hex');

async function pack(system: System): Promise<{ dir: string; entries: Entry[] }> {
  const { name, contents, resources } = systems[system];
  const runtime = join(folder, `${system}-runtime`);
  const output = join(folder, system);
  await makeRuntime(runtime, system);
  await build({
    projectDir: root,
    targets: Platform[name].createTarget('dir', Arch.x64),
    publish: 'never',
    config: {
      extends: join(root, 'electron-builder.yml'),
      electronDist: runtime,
      directories: { output },
      mac: { identity: null },
      // Signs again with a tool that only macOS has.
      electronFuses: { resetAdHocDarwinSignature: false },
    },
  });
  const dir = join(output, contents);
  return { dir, entries: entriesOf(join(dir, resources, 'app.asar')) };
}

/** `npm test` packs for this system alone; the long form for each. */
const packed = (Object.keys(systems) as System[]).slice(0, smokeOrLong(1, 3));

describe.each(packed)('the package for %s', (system) => {
  let dir: string;
  let entries: Entry[];
  beforeAll(async () => {
    ({ dir, entries } = await pack(system));
  });

  const paths = () => entries.map(({ path }) => path);

  it('holds main, preload, window and production modules, and nothing else', () => {
    expect(paths()).toEqual(
      expect.arrayContaining([
        '/package.json',
        '/dist/main/electron.js',
        '/dist/main/engine-process.js',
        '/dist/main/pdf-text-worker.js',
        '/dist/main/capture-worker.js',
        '/dist/main/strip-worker.js',
        '/dist/main/one-pdf-worker.js',
        '/dist/main/reduce-worker.js',
        '/node_modules/@cornerstonejs/codec-libjpeg-turbo-8bit/dist/libjpegturbowasm.wasm',
        '/dist/main/cli.js',
        '/dist/main/preload.cjs',
        '/dist/main/fixtures/estimate.pdf',
        '/dist/main/supplied/report.vehicle.de.docx',
        '/dist/renderer/index.html',
      ]),
    );
    const own = paths().filter((path) => !path.startsWith('/node_modules/'));
    const allowed = /^\/(?:dist\/(?:main|renderer)\/.+|package\.json|LICENSE)$/;
    expect(own.filter((path) => !allowed.test(path))).toEqual([]);
    const modules = paths().flatMap(
      (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    );
    expect([...new Set(modules)].sort()).toEqual(productionModules());
  });

  it('holds no source, map, test, environment file or key', () => {
    const unwanted =
      /\.(?:map|ts|mts|cts|vue|pem|key|p12|pfx|tsbuildinfo)$|\/\.env|\/(?:tests?|__tests__)\/|\.(?:test|spec)\.[cm]?js$/;
    expect(paths().filter((path) => unwanted.test(path))).toEqual([]);
  });

  it('has the native modules of this system, outside of the archive', () => {
    const native = entries.filter(({ path }) => path.endsWith('.node'));
    expect(native.map(({ path }) => path).sort()).toEqual([
      `/node_modules/better-sqlite3/prebuilds/${system}-x64.node`,
      '/node_modules/keytar/build/Release/keytar.node',
    ]);
    expect(native.every(({ unpacked }) => unpacked)).toBe(true);
    const magic = { linux: '7f454c46', win32: '4d5a', darwin: 'cffaedfe' }[system];
    const unpackedDir = join(dir, systems[system].resources, 'app.asar.unpacked');
    for (const { path } of native)
      expect(readHead(join(unpackedDir, path))).toMatch(new RegExp(`^${magic}`));
  });

  it('has the images beside the clock, for macOS as templates, outside of the archive', () => {
    const folder = readdirSync(join(dir, systems[system].resources));
    for (const name of ['tray.png', 'trayTemplate.png', 'trayTemplate@2x.png'])
      expect(folder).toContain(name);
  });

  it('has a launcher of the command line, which hands arguments and exit code on', () => {
    const launcher = join(dir, systems[system].launcher);
    if (system === 'win32') {
      // oxlint-disable-next-line vitest/no-conditional-expect -- one body for each system's package
      expect(readFileSync(launcher, 'utf8')).toContain('"%~dp0Appraiser Desk.exe" --cli %*');
      return;
    }
    const executable = join(dir, systems[system].executable || 'Contents/MacOS/Appraiser Desk');
    const made = readFileSync(executable);
    writeFileSync(executable, '#!/bin/sh\nfor arg; do echo "$arg"; done\nexit 8\n');
    const link = join(folder, `${system}-cli`);
    symlinkSync(launcher, link);
    const run = spawnSync(link, ['cases', '--q', 'a b'], { encoding: 'utf8' });
    writeFileSync(executable, made);
    expect(run.status).toBe(8);
    expect(run.stdout).toMatch(/(?:^|\n)--cli\ncases\n--q\na b\n$/);
  });

  it('has the packages that the desk imports as modules, and these are few', () => {
    const archive = join(dir, systems[system].resources, 'app.asar');
    const app = join(folder, `${system}-app`);
    extractAll(archive, app);
    const code = readdirSync(join(app, 'dist/main'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(app, 'dist/main', name), 'utf8'))
      .join('\n');
    const named = [
      ...code.matchAll(/(?:^import|^\} from|^import .* from) ?"([^".][^":]*)"/gm),
      ...code.matchAll(/\bimport\("([^".$][^":]*)"\)/g),
    ];
    // Native code, Electron itself and what only a service with buckets or a page loads.
    const elsewhere = /^(?:electron$|better-sqlite3|keytar|@aws-sdk|@fastify\/swagger)/;
    const names = [...new Set(named.flatMap(([, name = '']) => name))].filter(
      (name) => !builtinModules.includes(name) && !elsewhere.test(name),
    );
    // A start reads the other libraries in the bundle (decision 68).
    expect(names.toSorted()).toEqual(['electron-updater', 'pg']);
    const program = join(app, 'dist/main/imports.mjs');
    writeFileSync(program, names.map((name) => `await import('${name}');\n`).join(''));
    const run = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
  });

  it('loads SQLite by the entry of its platform', () => {
    const dist = join(root, 'dist/main');
    const code = readdirSync(dist)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(dist, name), 'utf8'))
      .join('\n');
    expect(code).toContain('`better-sqlite3/${process.platform}-${process.arch}`');
    expect(code).not.toMatch(/(?:from|import|require\()\s*['"]better-sqlite3['"]/);
  });

  it('has every fuse as docs/security.md says', async () => {
    const executable = systems[system].executable;
    await expectFusesOfRelease(executable === '' ? dir : join(dir, executable));
  });

  it('keeps to its size', () => {
    const sizeOf = (some: readonly Entry[]) => some.reduce((sum, one) => sum + one.sizeBytes, 0);
    const sizeBytes = sizeOf(entries);
    // Tesseract and its four languages, one of each.
    const recognition = entries.filter(({ path }) => /\/(?:tesseract|\w+\.traineddata)/.test(path));
    expect(recognition).toHaveLength(5);
    expect(sizeOf(recognition)).toBeLessThan(recognitionBudgetBytes);
    process.stdout.write(`package for ${system}: ${String(Math.round(sizeBytes / 1e6))} MB\n`);
    expect(sizeBytes - sizeOf(recognition)).toBeLessThan(budgetBytes);
    expect(entries.length).toBeGreaterThan(100);
  });
});

describe('the packages', () => {
  const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');

  it('ask Linux for the C library that their native code needs', () => {
    const prebuilds = ['better-sqlite3/prebuilds/linux-x64.node', 'keytar/prebuilds/linux-x64'];
    const binaries = prebuilds.flatMap((each) => {
      const path = join(root, 'node_modules', each);
      return each.endsWith('.node') ? path : readdirSync(path).map((name) => join(path, name));
    });
    const versions = binaries.flatMap((path) =>
      [...readFileSync(path, 'latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) =>
        Number(minor),
      ),
    );
    const needed = `2.${String(Math.max(...versions))}`;
    expect(config).toContain(`libc6 (>= ${needed})`);
    expect(config).toContain(`glibc >= ${needed}`);
  });

  it('are known to a Linux desktop by the entry in its menu', () => {
    const { desktopName } = z
      .object({ desktopName: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    expect(config).toContain(`\n  executableName: ${desktopName.replace(/\.desktop$/, '')}\n`);
  });

  it('have a template of 16 points for the menu bar of macOS', () => {
    const widths = ['trayTemplate.png', 'trayTemplate@2x.png'].map((name) =>
      // Width and height in a PNG's first chunk.
      readFileSync(join(root, 'build', name)).readUInt32BE(16),
    );
    expect(widths).toEqual([16, 32]);
  });
});
