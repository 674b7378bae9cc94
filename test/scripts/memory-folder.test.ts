import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryFolder } from '../../scripts/lib/memory-folder.mjs';
import { temporaryFolder } from '../support/processes.ts';

it.skipIf(process.platform === 'win32')(
  'a folder in memory is for every user, and is removed at the end',
  () => {
    const parent = temporaryFolder();
    const memory = memoryFolder(parent.path, 0);
    expect(statSync(memory?.path ?? '').mode & 0o7777).toBe(0o1777);
    expect(readdirSync(memory?.path ?? '')).toEqual([]);
    memory?.remove();
    expect(readdirSync(parent.path)).toEqual([]);
    parent.remove();
  },
);

it('there is none without enough memory, or on a system that has no such folder', () => {
  const parent = temporaryFolder();
  expect(memoryFolder(parent.path, Infinity)).toBeNull();
  expect(readdirSync(parent.path)).toEqual([]);
  expect(memoryFolder(join(parent.path, 'missing'), 0)).toBeNull();
  parent.remove();
});
