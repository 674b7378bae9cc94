import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { root, serviceFolder } from '../support/processes.ts';

const folder = serviceFolder();
afterAll(folder.end);

it('every step of docs/integrate.md runs as it stands, with the published limits', async () => {
  const page = readFileSync(join(root, 'docs/integrate.md'), 'utf8');
  const steps = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(steps.length).toBeGreaterThan(10);
  const { credentialsPath } = await folder.start('--backoffice');
  copyFileSync(credentialsPath, folder.at('credentials.json'));
  copyFileSync(join(root, 'docs/example-client.ts'), folder.at('example-client.ts'));
  symlinkSync(join(root, 'node_modules'), folder.at('node_modules'));
  writeFileSync(folder.at('day.ts'), steps.join('\n'));
  const { stdout } = await promisify(execFile)(process.execPath, ['day.ts'], { cwd: folder.path });
  expect(stdout.trim()).toBe('both days are done');
});
