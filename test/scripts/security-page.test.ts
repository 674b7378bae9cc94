import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../support/processes.ts';

// IT decides by docs/security.md, and docs/shell.md names what was run where: every row names tests that
// exist, and no fuse is said to be what it is not.

/** The cells of a chapter's table, row by row, without its head. */
function rowsOf(page: string, chapter: string): string[][] {
  const text =
    readFileSync(join(root, 'docs', page), 'utf8')
      .split(`## ${chapter}\n`)[1]
      ?.split('\n## ')[0] ?? '';
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Whether a test of this name is there; `folder/*` is all of a folder. */
function isTest(name: string): boolean {
  const path = name.startsWith('test/') ? name : join('test/main', name);
  const other = name.startsWith('test/') ? name : join('test', name);
  return [path, other].some((each) =>
    each.endsWith('/*')
      ? existsSync(join(root, each.slice(0, -2)))
      : ['test', 'spec'].some((kind) => existsSync(join(root, `${each}.${kind}.ts`))),
  );
}

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

describe.each([
  ['security.md', 'Threat model', 8],
  ['security.md', "Electron's security checklist", 20],
  ['shell.md', 'What was run', 24],
] as const)('in %s the table of %s', (page, chapter, count) => {
  const rows = rowsOf(page, chapter);

  it('has every row', () => {
    expect(rows).toHaveLength(count);
  });

  it.each(rows.map((row) => [row[0] ?? '', row]))('%s names tests that exist', (_what, row) => {
    const names = namesIn(row.at(-1));
    expect(names.length > 0).toBe(row[1] !== 'not run');
    expect(names.filter((name) => !isTest(name))).toEqual([]);
  });
});

it('says of every fuse what the packages are built with', () => {
  const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
  const built = [...config.matchAll(/^ {2}(\w+): (true|false)$/gm)].map(
    ([, name = '', value]) => [name.toLowerCase(), value === 'true' ? 'on' : 'off'] as const,
  );
  const states = new Map(built);
  const documented = rowsOf('security.md', 'Fuses');
  expect(documented).toHaveLength(8);
  for (const [fuse = '', state] of documented) {
    const name = fuse.toLowerCase();
    expect([fuse, states.get(name) ?? states.get(`enable${name}`)]).toEqual([fuse, state]);
  }
});

it('has one exact version of Electron', () => {
  const schema = z.object({ devDependencies: z.record(z.string(), z.string()) });
  const { devDependencies } = schema.parse(
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );
  expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
});
