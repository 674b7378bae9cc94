import type * as NodeFs from 'node:fs/promises';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeNewFile } from '#main/engine/disk/write-file.ts';
import { testFolder } from '../support/test-engine.ts';

/** FAT and exFAT know no links; a disk of theirs cannot be had in a test. */
const { disk } = vi.hoisted(() => ({ disk: { hasLinks: true } }));
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof NodeFs>();
  const link: typeof fs.link = async (from, to) => {
    if (!disk.hasLinks) throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    await fs.link(from, to);
  };
  return { ...fs, link };
});

let dir: string;
let file: string;
beforeEach(() => {
  dir = testFolder();
  file = join(dir, 'a.txt');
});

const exists: unknown = expect.objectContaining({
  code: 'file_exists',
  params: { fileName: 'a.txt' },
});

describe.each([
  ['with links', true],
  ['without links', false],
])('a new file on a disk %s', (_disk, hasLinks) => {
  beforeEach(() => (disk.hasLinks = hasLinks));

  it('has its content, and nothing is left next to it', async () => {
    expect(await writeNewFile(file, [Buffer.from('a'), Buffer.from('bc')])).toBe(3);
    expect(readFileSync(file, 'utf8')).toBe('abc');
    expect(readdirSync(dir)).toEqual(['a.txt']);
  });

  it('has no name until it is whole, so that a kill leaves none', async () => {
    const names: string[][] = [];
    function* content() {
      yield Buffer.from('a');
      names.push(readdirSync(dir));
    }
    await writeNewFile(file, content());
    expect(names).toHaveLength(1);
    expect(names[0]).toHaveLength(1);
    expect(names[0]?.[0]).toMatch(/^\.a\.txt\..*\.part$/);
  });

  it('takes no name that is taken, and then reads nothing', async () => {
    writeFileSync(file, 'other');
    const content = vi.fn(function* () {
      yield Buffer.from('a');
    });
    await expect(writeNewFile(file, { [Symbol.iterator]: content })).rejects.toEqual(exists);
    expect(content).not.toHaveBeenCalled();
    expect(readFileSync(file, 'utf8')).toBe('other');
    expect(readdirSync(dir)).toEqual(['a.txt']);
  });

  it('takes no name that is taken in the meantime', async () => {
    function* content() {
      yield Buffer.from('a');
      writeFileSync(file, 'other');
    }
    await expect(writeNewFile(file, content())).rejects.toEqual(exists);
    expect(readFileSync(file, 'utf8')).toBe('other');
    expect(readdirSync(dir)).toEqual(['a.txt']);
  });

  it('is not there if its content fails', async () => {
    function* content() {
      yield Buffer.from('a');
      throw new Error('cut off');
    }
    await expect(writeNewFile(file, content())).rejects.toThrow('cut off');
    expect(readdirSync(dir)).toEqual([]);
  });
});
