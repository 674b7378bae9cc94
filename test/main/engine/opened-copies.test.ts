import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { OpenedCopies } from '#main/engine/home/opened-copies.ts';
import { makeJpeg } from '../../support/sample-files.ts';
import { testFolder } from './support/test-folder.ts';

let home: string;
let copies: OpenedCopies;
beforeEach(() => {
  home = testFolder();
  copies = new OpenedCopies(home);
});

const photo = makeJpeg();
const file = (fileName: string, content: Buffer = photo) => ({
  stream: Readable.from([content.subarray(0, 300), content.subarray(300)]),
  fileName,
  contentType: 'image/jpeg',
  sizeBytes: content.length,
});

describe('a decrypted copy for another program', () => {
  it('bears the document’s name and is its owner’s alone', async () => {
    const path = await copies.add(file('Schaden vorne.jpg'));
    expect(basename(path)).toBe('Schaden vorne.jpg');
    expect(readFileSync(path)).toEqual(photo);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const dir of [dirname(path), dirname(dirname(path))])
      expect(statSync(dir).mode & 0o777).toBe(0o700);
    // The same document again, while a program has the first open.
    expect(await copies.add(file('Schaden vorne.jpg'))).not.toBe(path);
  });

  it('goes with all others, and the next desk begins without', async () => {
    const path = await copies.add(file('a.jpg'));
    new OpenedCopies(home).clear();
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(home)).toEqual([]);
    copies.clear();
  });

  it.each([
    ['invoice.exe', photo],
    ['photo.jpg', Buffer.from('#!/bin/sh\necho harm\n')],
    ['photo.jpg.desktop', photo],
    ['photo', Buffer.from('MZ\x00\x00')],
    ['page.pdf', Buffer.from('<html><script>1</script></html>')],
  ])('is not made of %s if the content is something else', async (fileName, content) => {
    await expect(copies.add(file(fileName, content))).rejects.toMatchObject({
      code: 'file_not_opened',
      params: { fileName },
    });
    expect(readdirSync(join(home, 'opened'))).toEqual([]);
  });

  it.each(['../../escape.jpg', '/etc/cron.d/x.jpg', 'C:\\Users\\x.jpg', '..\u202Egpj.jpg'])(
    'stays in its folder, even if the partner calls it %j',
    async (fileName) => {
      const path = await copies.add(file(fileName));
      expect(dirname(dirname(path))).toBe(join(home, 'opened'));
      expect(existsSync(path)).toBe(true);
    },
  );

  it('leaves nothing behind if the content breaks off', async () => {
    const stream = Readable.from(
      (function* () {
        yield photo.subarray(0, 100);
        throw new Error('damaged');
      })(),
    );
    await expect(copies.add({ ...file('a.jpg'), stream })).rejects.toThrow('damaged');
    expect(readdirSync(join(home, 'opened'))).toEqual([]);
  });
});
