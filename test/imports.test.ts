import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config, { engineOrder, orderRule } from '../.dependency-cruiser.mjs';

/** A file of the engine, or a file with this name in one of its folders. */
const inEngine = (place: string, name: string) =>
  `main/engine/${place}${place.endsWith('/') ? name : ''}`;

/** Per rule: a file that may not import another, and that other. */
const violations: Record<string, [from: string, to: string]> = {
  'no-circular': ['main/engine/sync/circular.ts', 'main/engine/sync/turn-back.ts'],
  'shared-alone': ['shared/lib/shared-alone.ts', 'main/bridge/b.ts'],
  'shared-runs-anywhere': ['shared/lib/shared-runs-anywhere.ts', 'node:fs'],
  'source-never-imports-test': ['main/engine/sync/never-test.ts', 'test/main/b.ts'],
  'renderer-never-main': ['renderer/stores/never-main.ts', 'main/bridge/b.ts'],
  'main-never-renderer': ['main/browser/never-renderer.ts', 'renderer/stores/b.ts'],
  'pages-not-transport': ['renderer/pages/not-transport.ts', 'renderer/transport/b.ts'],
  'components-know-nothing': ['renderer/components/knows-stores.ts', 'renderer/stores/b.ts'],
  'stores-not-views': ['renderer/stores/not-views.ts', 'renderer/pages/b.ts'],
  'work-alone': ['main/engine/work/alone.ts', 'main/engine/cache/b.ts'],
  'cache-alone': ['main/engine/cache/alone.ts', 'main/engine/work/b.ts'],
  'partner-alone': ['main/partner/alone.ts', 'main/engine/work/b.ts'],
  'keys-alone': ['main/engine/keys/alone.ts', 'main/partner/b.ts'],
  'blobs-alone': ['main/engine/blobs/alone.ts', 'main/engine/keys/b.ts'],
  'sync-not-keys': ['main/engine/sync/not-keys.ts', 'main/engine/keys/b.ts'],
  'calls-from-open-engine-only': ['main/cli/asks-calls.ts', 'main/engine/calls/b.ts'],
  'engine-knows-no-shell': ['main/engine/sync/no-shell.ts', 'main/service/b.ts'],
  'log-alone': ['main/log/alone.ts', 'main/shell/b.ts'],
  'service-alone': ['main/service/alone.ts', 'main/engine/sync/b.ts'],
  'front-alone': ['main/front/alone.ts', 'main/service/claims/b.ts'],
  'gateway-front-and-partner-only': ['main/gateway/front-only.ts', 'main/engine/sync/b.ts'],
  'bridge-sees-the-engine-type': ['main/bridge/type-only.ts', 'main/engine/sync/b.ts'],
  'browser-not-other-shells': ['main/browser/not-others.ts', 'main/cli/b.ts'],
  'cli-not-other-shells': ['main/cli/not-others.ts', 'main/electron/b.ts'],
  'electron-not-other-shells': ['main/electron/not-others.ts', 'main/browser/b.ts'],
  'electron-in-its-shell-only': ['main/browser/its-shell-only.ts', 'electron'],
  'main-runs-without-dev': ['main/engine/sync/without-dev.ts', 'fast-check'],
  'preload-contract-only': ['main/electron/preload-contract.ts', 'main/bridge/b.ts'],
  ...Object.fromEntries(
    engineOrder
      .slice(0, -1)
      .map((place, at): [string, [from: string, to: string]] => [
        orderRule(place),
        [inEngine(place, 'in-order.ts'), inEngine(engineOrder[at + 1] ?? '', 'b.ts')],
      ]),
  ),
};
const allowed: [from: string, to: string] = [
  'main/engine/sync/allowed.ts',
  'main/engine/work/b.ts',
];

interface Report {
  summary: { violations: { from: string; rule: { name: string } }[] };
}

describe('who may import whom', () => {
  const root = join(import.meta.dirname, '..');
  let dir: string;
  let found: { from: string; rule: string }[];

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }

  function relativeImport(from: string, to: string): string {
    const relative = posix.relative(posix.dirname(from), to);
    return relative.startsWith('.') ? relative : `./${relative}`;
  }

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'imports-'));
    for (const name of [
      '.dependency-cruiser.mjs',
      'package.json',
      'tsconfig.base.json',
      'node_modules',
    ]) {
      symlinkSync(join(root, name), join(dir, name));
    }
    for (const [from, to] of [...Object.values(violations), allowed]) {
      const isFile = to.endsWith('.ts');
      if (isFile) write(to, 'export const b = 1;\n');
      write(
        from,
        `import * as b from '${isFile ? relativeImport(from, to) : to}';\nexport const a = b;\n`,
      );
    }
    write(
      'main/engine/sync/turn-back.ts',
      "import { a } from './circular.ts';\nexport const c = a;\n",
    );
    const args = ['shared', 'main', 'renderer', 'test'];
    args.push('--config', '.dependency-cruiser.mjs', '--output-type', 'json');
    let json: string;
    try {
      const bin = join(root, 'node_modules/.bin/depcruise');
      json = execFileSync(bin, args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      // It exits with the number of violations and still prints the report.
      json = (error as { stdout: string }).stdout;
    }
    const report = JSON.parse(json) as Report;
    found = report.summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('has a violation here for every rule', () => {
    const rules = (config.forbidden ?? []).map((rule) => rule.name ?? '');
    expect(Object.keys(violations).sort()).toEqual(rules.sort());
  });

  it('gives everything in the engine a place in its order', () => {
    const there = readdirSync(join(root, 'main/engine'), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
    expect([...engineOrder].sort()).toEqual(there.sort());
  });

  it.each(Object.entries(violations))('%s bites', (rule, [from]) => {
    expect(found.filter((each) => each.from === from).map((each) => each.rule)).toContain(rule);
  });

  it('lets through what the layers allow', () => {
    expect(found.filter((each) => each.from === allowed[0])).toEqual([]);
  });
});
