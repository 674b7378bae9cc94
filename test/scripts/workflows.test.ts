import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/processes.ts';
import { dropEmptySecrets } from '../../scripts/lib/builder.mjs';

// The workflow holds the signing keys; docs/security.md says who gets near them.

const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const steps = workflow.split(/^ {6}- /m).slice(1);

const tests = readFileSync(join(root, '.github/workflows/test.yml'), 'utf8');

it.each([
  ['release', workflow],
  ['test', tests],
])('the %s workflow uses GitHub’s own actions alone', (_, text) => {
  const used = [...text.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name);
  expect(used.length).toBeGreaterThan(2);
  expect(used.filter((name) => !/^actions\/[\w-]+@v\d+$/.test(name))).toEqual([]);
});

it('the test workflow runs npm test on every push, and is given no secret', () => {
  expect(tests).toMatch(/^on: \[push/m);
  expect(tests).toMatch(/- run: npm test$/m);
  expect(tests).not.toContain('secrets.');
});

describe('the release workflow', () => {
  it('hands its secrets to the steps that sign, and to no other', () => {
    const withSecrets = steps.filter((step) => step.includes('secrets.'));
    expect(withSecrets).toHaveLength(2);
    for (const step of withSecrets) expect(step).toMatch(/npm run release$/m);
    expect(workflow.split('jobs:')[0]).not.toContain('secrets.');
  });

  it('may write nothing but the draft of a release', () => {
    const [head = '', publish = ''] = workflow.split('  publish:');
    expect(head).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(head).not.toContain('write');
    expect(publish).toContain('--draft');
  });

  it('starts what it packaged, on Linux under X11 and under Wayland, before anything is taken up', () => {
    const at = (part: string) => steps.findIndex((step) => step.includes(part));
    const tries = steps.filter((step) => step.includes('node scripts/try-package.mjs'));
    expect(tries.map((step) => step.includes("== 'Linux'"))).toEqual([true, true, false]);
    expect(tries.map((step) => /xvfb-run|weston/.exec(step)?.[0])).toEqual([
      'xvfb-run',
      'weston',
      undefined,
    ]);
    expect(at('try-package')).toBeGreaterThan(at('npm run release'));
    expect(at('try-package')).toBeLessThan(at('upload-artifact'));
  });

  it('takes up every kind of package that the builder is told to make', () => {
    const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    const targets = [
      ...[...config.matchAll(/- target: (\w+)/g)].map(([, name = '']) => name),
      ...(/^ {2}target: \[(.+)\]$/m.exec(config)?.[1]?.split(', ') ?? []),
    ];
    expect(targets.length).toBe(8);
    for (const target of targets)
      expect(workflow).toContain(`dist/packages/*.${target === 'nsis' ? 'exe' : target}\n`);
  });
});

it('takes a secret that is not there for no path, and leaves the others', () => {
  const env = {
    CSC_LINK: '',
    CSC_KEY_PASSWORD: ' ',
    APPLE_API_KEY: '',
    APPLE_API_KEY_ID: 'A1',
    // Means "do not sign", and not "sign with CSC_LINK".
    WIN_CSC_LINK: '',
    PATH: '',
  };
  dropEmptySecrets(env);
  expect(env).toEqual({ APPLE_API_KEY_ID: 'A1', WIN_CSC_LINK: '', PATH: '' });
});
