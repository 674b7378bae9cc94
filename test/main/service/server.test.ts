import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { parseServerOptions } from '#main/service/server-options.ts';
import { createPartner } from './support/partner.ts';

const root = join(import.meta.dirname, '../../..');
let parent: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'server-'));
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rm(parent, { recursive: true }));

const listeningSchema = z.strictObject({
  event: z.literal('listening'),
  baseUrl: z.url(),
  tokenUrl: z.url(),
  audience: z.url(),
  credentials: z.string(),
});
const credentialsSchema = z.looseObject({
  baseUrl: z.url(),
  audience: z.url(),
  insurer: z.object({ clientId: z.string(), privateKeyPem: z.string() }),
  expert: z.object({ organizationId: z.uuid(), clientId: z.string(), privateKeyPem: z.string() }),
  backoffice: z.object({ token: z.string() }),
});

function run(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(process.execPath, ['main/service/server.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return child;
}

async function start(...args: string[]) {
  const child = run(...args);
  const errors = text(child.stderr);
  const line = await new Promise<string>((resolve, reject) => {
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes('\n')) resolve(seen);
    });
    child.once('exit', () => void errors.then((said) => reject(new Error(said))));
  });
  const listening = listeningSchema.parse(JSON.parse(line));
  const credentials = credentialsSchema.parse(
    JSON.parse(await readFile(listening.credentials, 'utf8')),
  );
  return { child, listening, credentials, errors };
}

async function ended(...args: string[]) {
  const child = run(...args);
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode ?? ((await once(child, 'exit'))[0] as number), out, errors };
}

test('service: one line when it listens, credentials for their owner alone', async () => {
  const data = join(parent, 'first');
  const { child, listening, credentials, errors } = await start('--data', data);
  expect(listening.tokenUrl).toBe(`${listening.baseUrl}/v1/oauth/token`);
  expect(listening.audience).toBe(listening.tokenUrl);
  expect(listening.credentials).toBe(join(data, 'credentials.json'));
  expect(Object.keys(credentials).sort()).toEqual([
    'audience',
    'backoffice',
    'baseUrl',
    'expert',
    'insurer',
    'memberless',
    'otherExpert',
  ]);
  expect(credentials.baseUrl).toBe(listening.baseUrl);
  expect((await stat(listening.credentials)).mode & 0o777).toBe(0o600);
  expect((await stat(join(data, 'service.db'))).mode & 0o777).toBe(0o600);

  const partner = await createPartner(credentials.expert, listening.baseUrl);
  const answer = await partner.request('GET', '/v1/experts/cases?q=Ammann');
  expect(answer.status).toBe(200);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  const log = await errors;
  expect(log).toContain(answer.headers['x-correlation-id']);
  expect(log).toContain('"operation":"X1"');
  expect(log).not.toMatch(/Ammann|DPoP|ey[A-Za-z0-9]/);
});

test('service: the same organizations after a restart, even by SIGKILL', async () => {
  const data = join(parent, 'restart');
  const first = await start('--data', data);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await start('--data', data);
  expect(second.credentials.expert).toEqual(first.credentials.expert);
  expect(second.credentials.baseUrl).toBe(second.listening.baseUrl);
  const partner = await createPartner(first.credentials.expert, second.listening.baseUrl);
  await expect(partner.token()).resolves.toBeTypeOf('string');
});

test('service: a folder in use is refused in one sentence', async () => {
  const data = join(parent, 'in-use');
  await start('--data', data);
  const second = await ended('--data', data);
  expect(second).toMatchObject({
    code: 1,
    out: '',
    errors: `another service is using the data folder ${data}.\n`,
  });
});

test('service: a port in use is refused in one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const refused = await ended('--data', join(parent, 'port'), '--port', String(port));
  server.close();
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    errors: 'The port is in use; choose another with --port.\n',
  });
});

test.each([
  [['--nonsense']],
  [['--prot', '8443']],
  [['--port', 'x']],
  [['--port', '70000']],
  [['--demo', '-1']],
  [['--limits', 'x0']],
  [['--limits', 'fast']],
  [['--public-url', 'ftp://x']],
  [['--database', 'mysql://user:hidden@host/name']],
  [['--documents', 's3://user:hidden@bucket']],
  [['--documents', 's3://bucket?secret=hidden']],
  [['extra']],
])('service: %j is wrong usage', (args) => {
  let said = '';
  const parse = () => parseServerOptions(args, (text) => (said += text));
  expect(parse).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(said).toMatch(/^error: .*\n$/);
  expect(said).not.toContain('hidden');
});

test('service: wrong usage ends with 2, and nothing for a program to read', async () => {
  expect(await ended('extra')).toEqual({
    code: 2,
    out: '',
    errors: 'error: too many arguments. Expected 0 arguments but got 1: extra.\n',
  });
});

test('service: --help explains every option', async () => {
  const { code, errors } = await ended('--help');
  expect(code).toBe(0);
  for (const name of [
    '--port',
    '--host',
    '--data',
    '--demo',
    '--demo-seed',
    '--public-url',
    '--audience',
    '--limits',
    '--backoffice',
    '--database',
    '--documents',
  ]) {
    expect(errors).toContain(name);
    // The help is wrapped to the width of a terminal, so an example may be on the next line.
    expect(errors.replaceAll(/\s+/g, ' '), name).toContain(`Example: ${name}`);
  }
});

test('service: SIGTERM answers what is under way and ends with 0', async () => {
  const data = join(parent, 'drain');
  const { child, listening, credentials } = await start('--data', data, '--backoffice');
  const partner = await createPartner(credentials.expert, listening.baseUrl);
  await partner.token();
  const slow = await fetch(`${listening.baseUrl}/_backoffice/faults`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${credentials.backoffice.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ Rules: [{ Path: '/cases', Effect: 'delay', DelayMs: 700 }] }),
  });
  expect(slow.status).toBe(204);
  const asked = partner.request('GET', '/v1/experts/cases');
  // Answered after the slow one has arrived: both use connections of the same process in order.
  await partner.request('GET', '/nowhere');
  child.kill('SIGTERM');
  expect((await asked).status).toBe(200);
  expect((await once(child, 'exit'))[0]).toBe(0);
});

test('service: --demo fills an empty store once', async () => {
  const data = join(parent, 'demo');
  const first = await start('--data', data, '--demo', '4', '--demo-seed', '3');
  const listed = async (service: typeof first) => {
    const partner = await createPartner(service.credentials.insurer, service.listening.baseUrl);
    return (await partner.request('GET', '/v1/insurers/claims')).json as { Total: number };
  };
  expect((await listed(first)).Total).toBe(4);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
  expect((await listed(await start('--data', data, '--demo', '9'))).Total).toBe(4);
});

test('service: a damaged credentials file is named', async () => {
  const data = join(parent, 'damaged');
  const { child, listening } = await start('--data', data);
  child.kill('SIGTERM');
  await once(child, 'exit');
  await writeFile(listening.credentials, 'nonsense');
  const refused = await ended('--data', data);
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain('credentials.json holds no credentials');
});
