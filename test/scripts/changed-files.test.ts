import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changedFiles } from '../../scripts/lib/changed-files.mjs';
import { temporaryFolder } from '../support/processes.ts';

it('names what a branch and its user changed, and nothing that main has', () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder.path,
    });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
  };
  expect(changedFiles(folder.path, '*.vue')).toBeNull();

  git('init', '--quiet', '--initial-branch', 'main');
  for (const name of ['same.vue', 'ours.vue', 'edited.vue', 'removed.vue']) write(name, 'first');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  expect(changedFiles(folder.path, '*.vue')).toEqual([]);

  git('checkout', '--quiet', '-b', 'branch');
  write('ours.vue', 'second');
  write('ours.ts', 'second');
  git('add', '.');
  git('commit', '--quiet', '--message', 'second');
  write('edited.vue', 'third');
  write('new.vue', 'third');
  rmSync(join(folder.path, 'removed.vue'));
  expect(changedFiles(folder.path, '*.vue')).toEqual(['edited.vue', 'ours.vue', 'new.vue']);
});
