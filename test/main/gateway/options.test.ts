import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import { partnerLimits } from '#main/gateway/options.ts';
import { temporaryFolder } from '../../support/processes.ts';

test('options: granted limits replace the published ones, each by itself', () => {
  expect(partnerLimits('standard=120/60s:40 documents=40/60s:20 token=20/60s')).toEqual({
    standard: { capacity: 40, refillPerMinute: 120 },
    documents: { capacity: 20, refillPerMinute: 40 },
    token: { requests: 20, windowMs: 60_000 },
  });
  expect(partnerLimits('standard=10/1s:30')).toEqual({
    standard: { capacity: 30, refillPerMinute: 600 },
    documents: documentsBucket,
  });
  expect(partnerLimits('')).toEqual({ standard: standardBucket, documents: documentsBucket });
});

test.each([
  ['standard=120'],
  ['standard=0/60s:40'],
  ['standard=120/0s:40'],
  ['standard=120/60s:1'],
  ['standard=120/60s'],
  ['token=20/60s:5'],
  ['token=0/60s'],
  ['other=1/1s:2'],
])('options: refuses %s as limits', (text) => {
  expect(() => partnerLimits(text)).toThrow('It must be like');
});

/** The steps of the image in docs/gateway.md. */
function imageSteps(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/gateway.md'), 'utf8');
  const [, dockerfile = ''] = /```dockerfile\n([^`]*)```/.exec(page) ?? [];
  return dockerfile.trim().split('\n');
}

test('container: the steps of the image leave a data folder that its user may write', () => {
  const steps = imageSteps();
  const atUser = steps.findIndex((step) => step.startsWith('USER '));
  const entry = JSON.parse(steps.at(-1)?.replace('ENTRYPOINT ', '') ?? '[]') as string[];
  const data = entry[entry.indexOf('--data') + 1] ?? '';
  expect(data).toMatch(/^\/\w+$/);
  const prepares = steps
    .slice(0, atUser)
    .filter((step) => step.startsWith('RUN ') && step.includes(data));
  expect(prepares).toHaveLength(1);
  // The same commands over another root, for the user of this machine.
  const folder = temporaryFolder();
  try {
    mkdirSync(join(folder.path, 'root'));
    const root = join(folder.path, 'root');
    const imageUser = steps[atUser]?.replace('USER ', '') ?? '';
    const { username, uid } = userInfo();
    const command = (prepares[0] ?? '')
      .replace('RUN ', '')
      .replaceAll(data, root + data)
      .replaceAll(`${imageUser}:${imageUser}`, username);
    execFileSync('sh', ['-ec', command]);
    const { mode, uid: owner } = statSync(root + data);
    expect([owner, mode & 0o777]).toEqual([uid, 0o700]);
  } finally {
    folder.remove();
  }
});

test('container: the copied folders are all that the gateway imports', () => {
  const copied = imageSteps()
    .filter((step) => step.startsWith('COPY '))
    .flatMap((step) => step.split(' ').slice(1, -1));
  const folder = temporaryFolder();
  const root = join(import.meta.dirname, '../../..');
  try {
    for (const name of [...copied, 'scripts']) {
      execFileSync('cp', ['-r', join(root, name), folder.path]);
    }
    execFileSync('ln', ['-s', join(root, 'node_modules'), folder.path]);
    // The loader of scripts/run.mjs stands for a Node that runs TypeScript by itself.
    const help = execFileSync(
      process.execPath,
      ['scripts/run.mjs', 'main/gateway/server.ts', '--help'],
      { cwd: folder.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    expect(help).toBeDefined();
  } finally {
    folder.remove();
  }
});
