import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { signInPython, signInTypeScript } from '#main/front/openapi/sign-in.ts';
import { root, temporaryFolder } from '../../../support/processes.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { send } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

/* The code that the document shows: it is the one of docs/, and it runs. */

const { service } = await shareService({ clock: machineClock });
const folder = temporaryFolder();
afterAll(() => folder.remove());
const credentials = join(folder.path, 'credentials.json');
const { baseUrl } = service;
const audience = `${baseUrl}/v1/oauth/token`;
writeFileSync(credentials, JSON.stringify({ ...service.credentials, baseUrl, audience }));

const typeScript = join(root, 'docs/example-client.ts');
const python = join(root, 'docs/example-client.py');
const hasPython =
  spawnSync('python3', ['-c', 'import cryptography'], { stdio: 'ignore' }).status === 0;
const path = '/v1/insurers/claims?size=5';
const listSchema = z.object({ Total: z.int(), Size: z.literal(5) });

test('sign-in: the document shows the code of docs/, in under 80 lines each', async () => {
  const text = await send('GET', `${service.baseUrl}/openapi.json`);
  const { info } = z.object({ info: z.object({ description: z.string() }) }).parse(text.json);
  for (const [file, code] of [
    [typeScript, signInTypeScript],
    [python, signInPython],
  ] as const) {
    expect(code).toBe(readFileSync(file, 'utf8'));
    expect(code.split('\n').length).toBeLessThanOrEqual(80);
    expect(info.description).toContain(code);
  }
});

test('sign-in: the TypeScript runs', async () => {
  const args = [typeScript, credentials, 'insurer', 'GET', path];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(listSchema.safeParse(JSON.parse(stdout)).success, stdout).toBe(true);
});

test.skipIf(!hasPython)(
  'sign-in: the Python runs',
  async () => {
    const { stdout } = await promisify(execFile)('python3', [
      python,
      credentials,
      'insurer',
      'GET',
      path,
    ]);
    expect(listSchema.safeParse(JSON.parse(stdout)).success, stdout).toBe(true);
  },
  60_000,
);
