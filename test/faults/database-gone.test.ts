import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { endsWithTests } from '../support/children.ts';
import { createDatabase, dropDatabase } from '../main/service/support/database.ts';
import { createPartner } from '../main/service/support/partner.ts';
import {
  postgresSocketName,
  startCutLine,
  type CutLine,
  type LineState,
} from '../support/cut-line.ts';
import { smokeOrLong } from '../support/long.ts';
import {
  root,
  startGatewayProcess,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/processes.ts';

/* SIGTERM while PostgreSQL is away, in every state of a server. */

const folder = temporaryFolder();
const lineFolder = join(folder.path, 'line');
let line: CutLine;
let partner: RunningService;

const urlOf = (name: string) => `postgres:///${name}?host=${lineFolder}&user=service`;
const databases = ['service', 'gateway'].map((name) =>
  join(folder.path, `gone-${name}-${basename(folder.path)}`),
);
const [serviceUrl = '', gatewayUrl = ''] = databases.map((path) => urlOf(basename(path)));

function folderOf(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { recursive: true });
  return path;
}

beforeAll(async () => {
  const path = join(inject('postgresSocket') ?? '', postgresSocketName);
  line = await startCutLine({ path }, join(folderOf('line'), postgresSocketName));
  for (const database of databases) await createDatabase(database);
  partner = await startService({ dataDir: folderOf('partner'), args: ['--limits', 'off'] });
});
afterAll(async () => {
  await partner.stop();
  await line.stop();
  for (const database of databases) await dropDatabase(database);
  folder.remove();
});

const states = smokeOrLong<LineState[]>(['silent'], ['silent', 'refused']);

test.each(states)('SIGTERM: a service whose database is %s ends with 0', async (state) => {
  line.set('open');
  const service = await startService({
    dataDir: folderOf('service'),
    args: ['--database', serviceUrl, '--limits', 'off'],
  });
  const insurer = await createPartner(service.credentials.insurer, service.baseUrl);
  await insurer.token();
  line.set(state);
  const waiting = insurer.request('GET', '/v1/insurers/claims').catch(() => 'broken off');
  expect((await fetch(`${service.baseUrl}/health`)).status).toBe(503);
  expect(await service.stop()).toBe(0);
  expect(service.log()).not.toContain('could not start');
  await waiting;
});

test.each(states)('SIGTERM: a gateway whose database is %s ends with 0', async (state) => {
  line.set('open');
  const credentials = join(folder.path, 'credentials.json');
  writeFileSync(credentials, JSON.stringify(partner.credentials));
  const where = ['--data', folderOf('gateway'), '--database', gatewayUrl];
  const gateway = await startGatewayProcess([...where, '--upstream-credentials', credentials]);
  line.set(state);
  expect((await fetch(`${gateway.baseUrl}/health`)).status).toBe(503);
  expect(await gateway.stop()).toBe(0);
});

test('SIGTERM: a server that waits for its database at the start ends with 0', async () => {
  line.set('silent');
  const args = [join(root, 'main/service/server.ts'), '--data', folderOf('starting')];
  const child = endsWithTests(
    spawn(process.execPath, [...args, '--database', serviceUrl], { stdio: 'ignore' }),
  );
  const ended = once(child, 'exit');
  const { refused } = line;
  await expect.poll(() => line.refused).toBeGreaterThan(refused);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
