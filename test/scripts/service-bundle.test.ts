import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { anyString } from '../main/service/support/claims.ts';
import { createPartner, send } from '../main/service/support/partner.ts';
import { root, temporaryFolder } from '../support/processes.ts';

const credentialsSchema = z.object({
  baseUrl: z.string(),
  expert: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
});

it('npm run service: the bundle does what the sources do', async () => {
  const folder = temporaryFolder();
  const args = [join(root, 'scripts/service.cjs'), '--data', folder.path, '--demo', '8'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = text(child.stderr);
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { credentials } = z.object({ credentials: z.string() }).parse(JSON.parse(line));
    const { baseUrl, expert } = credentialsSchema.parse(
      JSON.parse(readFileSync(credentials, 'utf8')),
    );

    const partner = await createPartner(expert, baseUrl);
    const list = await partner.request('GET', '/v1/experts/cases?size=1');
    expect(list.status).toBe(200);
    // The bundler takes a call for nothing where its value is not used, and left this check out.
    const malformed = await partner.request('GET', '/v1/experts/cases?q=Z%FCrich');
    expect(malformed.json).toMatchObject({ title: 'invalid_request', errors: { q: [anyString] } });
    for (const path of ['/docs', '/openapi.json', '/v1/schemas/claims/special.json']) {
      expect((await send('GET', baseUrl + path)).status, path).toBe(200);
    }

    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await errors).not.toContain('runs from its sources');

    // What its start would pay for, although nothing uses it; see scripts/build.mjs.
    const chunks = globSync(join(root, 'dist/service/*.cjs'));
    const code = chunks.map((file) => readFileSync(file, 'utf8')).join('\n');
    expect({
      http: code.includes('node:http'),
      http2: code.includes('node:http2'),
      programs: code.includes('child_process'),
      threads: code.includes('worker_threads'),
      ascii: !/[^\0-\x7f]/.test(code),
      // What runs the bundle has none.
      imports: /[^.\w]import\s*\(/.test(code),
    }).toEqual({
      http: true,
      http2: false,
      programs: false,
      threads: false,
      ascii: true,
      imports: false,
    });
  } finally {
    child.kill('SIGKILL');
    folder.remove();
  }
});
