import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { suggestFiles } from '#main/engine/calls/tools.ts';
import { lockHome } from '#main/engine/home/home-lock.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import { OpenedCopies } from '#main/engine/home/opened-copies.ts';
import { endsWithTests } from '../../../support/children.ts';
import { openTestEngine, testFolder } from '../support/test-engine.ts';
import { makeJpeg } from '../../../support/sample-files.ts';

let dir: string;
beforeEach(() => {
  dir = testFolder();
});

describe('lockHome', () => {
  it('names the process that has the home, and ends with it, even when that is killed', async () => {
    const module = pathToFileURL(
      join(import.meta.dirname, '../../../../main/engine/home/home-lock.ts'),
    );
    const source = `
      import { lockHome } from ${JSON.stringify(module.href)};
      // Nobody would hold the lock without its end, and Node could clear it away.
      const unlock = lockHome(${JSON.stringify(dir)});
      process.on('exit', unlock);
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const child = endsWithTests(
      spawn(process.execPath, ['--input-type=module', '-e', source], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    await once(child.stdout, 'data');
    expect(() => lockHome(dir)).toThrow(
      expect.objectContaining({ code: 'home_in_use', params: { pid: child.pid } }),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockHome(dir)();
  });
});

describe.skipIf(process.platform === 'win32')('a home that existed before', () => {
  it.each([
    ['everybody', 0o777, 0o755],
    ['a group', 0o2770, 0o2750],
    ['nobody else', 0o711, 0o711],
    ['everybody, but each for their own files', 0o1777, 0o1777],
  ])('in which %s may write is its owner’s to change', async (_, before, after) => {
    const home = testFolder();
    chmodSync(home, before);
    const engine = await openTestEngine({ home });
    await engine.close();
    expect(statSync(home).mode & 0o7777).toBe(after);
  });
});

describe('settings', () => {
  it('returns the organization’s messages before a visit, and stores the user’s for later', () => {
    new DeskSettings(dir, {}).setVisitMessages({ de: 'Ich komme um {time}.' });
    const managed = new DeskSettings(dir, { visitMessage: { fr: 'J’arrive à {time}.' } });
    expect(managed.visitMessages).toEqual({ fr: 'J’arrive à {time}.' });
    expect(new DeskSettings(dir, {}).visitMessages).toEqual({ de: 'Ich komme um {time}.' });
  });

  it('use the days that IT sets, regardless of the user’s choice before or after', () => {
    const chosen = { keep: 'none', closedDays: 5, caseDays: 400 } as const;
    new DeskSettings(dir, {}).setDocumentRule(chosen);
    const managed = new DeskSettings(dir, { documentRetentionDays: 30, caseRetentionDays: 800 });
    const rule = { keep: 'none', closedDays: 30, caseDays: 800 };
    expect(managed.documentRule()).toEqual(rule);
    managed.setDocumentRule({ closedDays: 90, caseDays: 900 });
    expect(managed.documentRule()).toEqual(rule);
    const partly = new DeskSettings(dir, { documentRetentionDays: 0 });
    expect(partly.documentRule()).toEqual({ keep: 'none', closedDays: 0, caseDays: 900 });
    expect(new DeskSettings(dir, {}).documentRule()).toEqual({
      ...rule,
      closedDays: 90,
      caseDays: 900,
    });
  });

  it('come back as they were chosen', () => {
    const settings = new DeskSettings(dir, {});
    expect(settings.stored.workspaces).toEqual([]);
    settings.setLanguage('de');
    expect(new DeskSettings(dir, {}).stored).toEqual({
      version: 1,
      language: 'de',
      activeId: null,
      workspaces: [],
    });
  });

  it('of a newer version are left alone, even if only an earlier file has them', () => {
    for (const name of ['settings.json', 'settings.1.json']) {
      const file = join(dir, name);
      writeFileSync(file, '{"version":2}');
      expect(() => new DeskSettings(dir, {})).toThrow(
        expect.objectContaining({ code: 'home_newer' }),
      );
      expect(readFileSync(file, 'utf8')).toBe('{"version":2}');
      rmSync(file);
    }
  });
});

describe('a decrypted copy for another program', () => {
  let copies: OpenedCopies;
  beforeEach(() => {
    copies = new OpenedCopies(dir);
  });

  const photo = makeJpeg();
  const file = (fileName: string, content: Buffer = photo) => ({
    stream: Readable.from([content.subarray(0, 300), content.subarray(300)]),
    fileName,
    contentType: 'image/jpeg',
    sizeBytes: content.length,
  });

  it('bears the document’s name and is its owner’s alone', async () => {
    const path = await copies.add(file('Schaden vorne.jpg'));
    expect(basename(path)).toBe('Schaden vorne.jpg');
    expect(readFileSync(path)).toEqual(photo);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const folder of [dirname(path), dirname(dirname(path))])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    // The same document again, while a program has the first open.
    expect(await copies.add(file('Schaden vorne.jpg'))).not.toBe(path);
  });

  it('is removed with all others, and the next desk starts without it', async () => {
    const path = await copies.add(file('a.jpg'));
    new OpenedCopies(dir).clear();
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(dir)).toEqual([]);
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
    expect(readdirSync(join(dir, 'opened'))).toEqual([]);
  });

  it.each(['../../escape.jpg', '/etc/cron.d/x.jpg', 'C:\\Users\\x.jpg', '..\u202Egpj.jpg'])(
    'stays in its folder, even if the partner calls it %j',
    async (fileName) => {
      const path = await copies.add(file(fileName));
      expect(dirname(dirname(path))).toBe(join(dir, 'opened'));
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
    expect(readdirSync(join(dir, 'opened'))).toEqual([]);
  });
});

it('suggests files of today in the folder of documents, else in the home folder, and no file that exists', () => {
  // Late in the evening in UTC it is the next day in Zurich.
  const now = Date.parse('2026-11-20T23:30:00Z');
  expect(suggestFiles(now, dir)).toEqual({
    backup: join(dir, 'appraiser-desk-backup-2026-11-21.desk'),
    bundle: join(dir, 'appraiser-desk-diagnostics-2026-11-21.zip'),
  });
  mkdirSync(join(dir, 'Documents'));
  expect(suggestFiles(now, dir).bundle).toBe(
    join(dir, 'Documents', 'appraiser-desk-diagnostics-2026-11-21.zip'),
  );
  for (const taken of ['', '-2']) writeFileSync(suggestFiles(now, dir).backup, taken);
  expect(suggestFiles(now, dir).backup).toBe(
    join(dir, 'Documents', 'appraiser-desk-backup-2026-11-21-3.desk'),
  );
});
