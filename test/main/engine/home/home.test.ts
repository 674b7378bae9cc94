import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockHome } from '#main/engine/home/home-lock.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import { testFolder } from '../support/test-folder.ts';

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
      lockHome(${JSON.stringify(dir)});
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(() => lockHome(dir)).toThrow(
      expect.objectContaining({ code: 'home_in_use', params: { pid: child.pid } }),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockHome(dir)();
  });
});

describe('settings', () => {
  it('come back as they were chosen', () => {
    const settings = new DeskSettings(dir, {});
    expect(settings.kept.workspaces).toEqual([]);
    settings.setLanguage('de');
    expect(new DeskSettings(dir, {}).kept).toEqual({
      version: 1,
      language: 'de',
      activeId: null,
      workspaces: [],
    });
  });

  it.each([
    ['of a newer version', '{"version":2}', 'home_newer'],
    ['that are damaged', '{"version":1,', 'settings_invalid'],
  ])('%s are left alone', (_, text, code) => {
    const file = join(dir, 'settings.json');
    writeFileSync(file, text);
    expect(() => new DeskSettings(dir, {})).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
