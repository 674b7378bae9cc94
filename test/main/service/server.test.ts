import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { credentialsFile } from '#main/service/organizations/credentials.ts';
import { parseServerOptions } from '#main/service/server-options.ts';
import { startService } from '#main/service/start-service.ts';
import { endsWithTests } from '../../support/children.ts';
import { root, serviceFolder, type RunningService } from '../../support/processes.ts';
import { createPartner } from './support/partner.ts';

/** A data folder that is removed after the test, when its services have ended. */
function dataFolder() {
  const folder = serviceFolder();
  onTestFinished(folder.end);
  return { data: folder.at('service'), start: folder.start };
}

/** A service that ends by itself. */
async function ended(...args: string[]) {
  const child = endsWithTests(
    spawn(process.execPath, ['main/service/server.ts', ...args], { cwd: root }),
  );
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: child.exitCode ?? ((await once(child, 'exit'))[0] as number), out, errors };
}

/** A service in this process, which would load its modules again in another one. */
const startHere = (...args: string[]) =>
  startService(
    parseServerOptions(args, (text) => {
      throw new Error(text);
    }),
  );

const expertAt = ({ credentials, baseUrl }: RunningService) =>
  createPartner(credentials.expert, baseUrl);

test('service: one line when it listens, credentials for their owner alone', async () => {
  const { data, start } = dataFolder();
  const service = await start();
  const { baseUrl, credentials, credentialsPath } = service;
  const tokenUrl = `${baseUrl}/v1/oauth/token`;
  expect(service.listening).toEqual({
    event: 'listening',
    baseUrl,
    tokenUrl,
    audience: tokenUrl,
    credentials: join(data, 'credentials.json'),
  });
  expect(Object.keys(JSON.parse(readFileSync(credentialsPath, 'utf8')) as object).sort()).toEqual([
    'audience',
    'backoffice',
    'baseUrl',
    'expert',
    'insurer',
    'memberless',
    'otherExpert',
  ]);
  expect(credentials.baseUrl).toBe(baseUrl);
  for (const file of ['credentials.json', 'service.db']) {
    expect(statSync(join(data, file)).mode & 0o777).toBe(0o600);
  }

  const answer = await (await expertAt(service)).request('GET', '/v1/experts/cases?q=Ammann');
  expect(answer.status).toBe(200);
  expect(await service.stop()).toBe(0);
  expect(service.log()).toContain(answer.headers['x-correlation-id']);
  expect(service.log()).toContain('"operation":"X1"');
  expect(service.log()).not.toMatch(/Ammann|DPoP|ey[A-Za-z0-9]/);
});

test('service: the same organizations after a restart, even by SIGKILL', async () => {
  const { start } = dataFolder();
  const first = await start();
  await first.kill();
  const second = await start();
  expect(second.credentials.expert).toEqual(first.credentials.expert);
  expect(second.credentials.baseUrl).toBe(second.baseUrl);
  await expect((await expertAt(second)).token()).resolves.toBeTypeOf('string');
});

test('service: a folder in use is refused in one sentence', async () => {
  const { data, start } = dataFolder();
  await start();
  expect(await ended('--data', data)).toEqual({
    code: 1,
    out: '',
    errors: `another service is using the data folder ${data}.\n`,
  });
});

test('service: a port in use is refused in one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const refused = await ended('--data', dataFolder().data, '--port', String(port));
  server.close();
  expect(refused).toEqual({
    code: 1,
    out: '',
    errors: 'The port is in use; choose another with --port.\n',
  });
});

test('service: a folder or an address that cannot be used is named in one sentence', async () => {
  const { data } = dataFolder();
  const file = join(data, '..', 'file');
  writeFileSync(file, '');
  const locked = join(data, 'service.lock');
  mkdirSync(locked, { recursive: true });
  const refused = [
    [['--data', file], `the data folder ${file} cannot be used: a file is there`],
    [
      ['--data', join(file, 'below')],
      `the data folder ${join(file, 'below')} cannot be used: part of its path is a file`,
    ],
    [['--data', data], `the data folder ${data} cannot be used: ${locked} cannot be written`],
    [
      ['--data', `${data}-2`, '--host', '203.0.113.7'],
      '--host 203.0.113.7 is no address of this machine',
    ],
  ] as const;
  for (const [args, message] of refused)
    await expect(startHere(...args), args.join(' ')).rejects.toMatchObject({
      exitCode: 2,
      message,
    });
  const [[args, message]] = refused;
  expect(await ended(...args)).toEqual({ code: 2, out: '', errors: `${message}.\n` });
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
  [['--host', '']],
  [['--data', '']],
  [['--database', 'mysql://user:hidden@host/name']],
  [['--documents', 's3://user:hidden@bucket']],
  [['--documents', 's3://bucket?secret=hidden']],
  [['extra']],
])('service: %j is wrong usage', (args) => {
  let output = '';
  const parse = () => parseServerOptions(args, (text) => (output += text));
  expect(parse).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(output).toMatch(/^error: .*\n$/);
  expect(output).not.toContain('hidden');
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
  const { start } = dataFolder();
  const service = await start('--backoffice');
  const partner = await expertAt(service);
  await partner.token();
  const slow = await fetch(`${service.baseUrl}/_backoffice/faults`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${service.credentials.backoffice.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ Rules: [{ Path: '/cases', Effect: 'delay', DelayMs: 700 }] }),
  });
  expect(slow.status).toBe(204);
  const asked = partner.request('GET', '/v1/experts/cases');
  // Answered after the slow one has arrived: both use connections of the same process in order.
  await partner.request('GET', '/nowhere');
  const code = service.stop();
  expect((await asked).status).toBe(200);
  expect(await code).toBe(0);
});

test('service: --demo fills an empty store once', async () => {
  const { data } = dataFolder();
  const totalWith = async (...args: string[]) => {
    const service = await startHere('--data', data, '--log-level', 'error', ...args);
    const partner = await createPartner(service.credentials.insurer, service.baseUrl);
    const { json } = await partner.request('GET', '/v1/insurers/claims');
    await service.stop(2000);
    return (json as { Total: number }).Total;
  };
  expect(await totalWith('--demo', '4', '--demo-seed', '3')).toBe(4);
  expect(await totalWith('--demo', '9')).toBe(4);
});

test('credentials: a damaged file is named', async () => {
  const { data } = dataFolder();
  mkdirSync(data);
  writeFileSync(join(data, 'credentials.json'), '{}');
  await expect(startHere('--data', data)).rejects.toThrow('credentials.json holds no credentials');
});

test('credentials: a file that cannot be read is no lost one, which would be replaced', () => {
  const { data } = dataFolder();
  mkdirSync(data);
  const file = join(data, 'credentials.json');
  symlinkSync('credentials.json', file);
  const credentials = credentialsFile(file, { publicUrl: '', audience: '' });
  expect(() => credentials.read()).toThrow('ELOOP');
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
});
