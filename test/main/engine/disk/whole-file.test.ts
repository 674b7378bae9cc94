import {
  appendFileSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { isOnlyInCloud, takeWhenWritten, wholeFile } from '#main/engine/disk/whole-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'whole-file-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const at = (name: string) => join(dir, name);

describe('a file that is read whole', () => {
  it('is read again if it was written anew while it was read', async () => {
    const file = at('changing.bin');
    // Each writing has a time of its own, also on a disk that counts in hundredths of a second.
    const write = (time: number) => {
      writeFileSync(file, Buffer.alloc(4_000_000, String.fromCharCode(97 + (time % 26))));
      utimesSync(file, time, time);
    };
    const writeOn = (time: number) => {
      write(time);
      if (time > 0) setImmediate(writeOn, time - 1);
    };
    write(60);
    setImmediate(writeOn, 59);
    const read = await buffer(wholeFile(file));
    expect([read.length, new Set(read).size]).toEqual([4_000_000, 1]);
  });

  it('is named if it is not there', async () => {
    await expect(buffer(wholeFile(at('none.pdf')))).rejects.toMatchObject({
      code: 'file_not_found',
      params: { fileName: 'none.pdf' },
    });
  });
});

describe('a file that is refused', () => {
  it('is taken once more if it went on while it was looked at', async () => {
    const file = at('slow.pdf');
    writeFileSync(file, 'half');
    const seen: string[] = [];
    const taken = await takeWhenWritten(file, async () => {
      const text = (await buffer(wholeFile(file))).toString();
      seen.push(text);
      if (text === 'half') {
        appendFileSync(file, ' and whole');
        throw new Error('half');
      }
      return text;
    });
    expect([taken, seen]).toEqual(['half and whole', ['half', 'half and whole']]);
  });

  it('stays refused if it did not change', async () => {
    const file = at('damaged.pdf');
    writeFileSync(file, 'half');
    let tries = 0;
    const taking = takeWhenWritten(file, () => {
      tries += 1;
      return Promise.reject(new Error('damaged'));
    });
    await expect(taking).rejects.toThrow('damaged');
    expect(tries).toBe(1);
  });
});

describe('a placeholder of a file in a cloud', () => {
  it('has a size and takes no place on the disk', async () => {
    writeFileSync(at('empty.pdf'), '');
    truncateSync(at('empty.pdf'), 500_000);
    writeFileSync(at('real.pdf'), Buffer.alloc(500_000, 'x'));
    writeFileSync(at('small.txt'), 'x');
    expect(await isOnlyInCloud(at('empty.pdf'))).toBe(true);
    expect(await isOnlyInCloud(at('real.pdf'))).toBe(false);
    expect(await isOnlyInCloud(at('small.txt'))).toBe(false);
    expect(await isOnlyInCloud(at('none.txt'))).toBe(false);
  });
});
