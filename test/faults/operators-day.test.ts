import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createDatabase, dropDatabase } from '../main/service/support/database.ts';
import { casesSchema, errorSchema } from '../support/desk-in-process.ts';
import { nginxProgram, proxyConfiguration, startNginx } from '../support/nginx.ts';
import { freePort } from '../support/ports.ts';
import { postgresProgram } from '../support/postgres.ts';
import { createAuthority } from '../support/private-authority.ts';
import { openServerView, type ServerView } from '../support/server-view.ts';
import {
  root,
  runDesk,
  startGatewayProcess,
  startService,
  temporaryFolder,
  type RunningGatewayProcess,
  type RunningService,
} from '../support/processes.ts';

/*
 * One day of an office's operator, in the order of docs/deploy.md and with its commands: two
 * gateways behind nginx with TLS on one PostgreSQL. systemd, `git` and `npm ci` are not played here.
 */

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const laptops = Array.from({ length: 20 }, (_, index) => `Laptop ${index + 1}`);
const processes = ['first', 'second'] as const;
type Process = (typeof processes)[number];

let partner: RunningService;
let atPartner: ServerView;
let publicUrl: string;
let database: string;
let stopNginx = () => Promise.resolve();
const ports = { first: [0, 0], second: [0, 0] } as Record<Process, [number, number]>;
const gateways: Partial<Record<Process, RunningGatewayProcess>> = {};

const isPossible = nginxProgram !== undefined;

beforeAll(async () => {
  if (!isPossible) return;
  mkdirSync(at('partner'));
  partner = await startService({
    dataDir: at('partner'),
    args: ['--demo', '40', '--limits', 'x1000', '--backoffice'],
  });
  atPartner = await openServerView(partner.credentials);
  database = `postgres:///${basename(folder.path)}?host=${encodeURIComponent(inject('postgresSocket') ?? '')}&user=service`;
  await createDatabase(folder.path);
  for (const name of processes) ports[name] = [await freePort(), await freePort()];
  const front = await freePort();
  publicUrl = `https://localhost:${String(front)}`;
  useKey(partner.credentials.expert.privateKeyPem);

  const authority = createAuthority(folder.path);
  const { key, cert } = authority.sign('localhost');
  writeFileSync(at('gateway.key'), key);
  writeFileSync(at('gateway.crt'), cert);
  const whole = proxyConfiguration([
    ['127.0.0.1:8201', `127.0.0.1:${String(ports.first[0])}`],
    ['127.0.0.1:8202', `127.0.0.1:${String(ports.second[0])}`],
    ['/etc/appraiser/tls/gateway', at('gateway')],
    ['server_name gateway.example', 'server_name localhost'],
    ['listen 443', `listen 127.0.0.1:${String(front)}`],
  ]);
  // The first server of the file is the partner's, and this office has none.
  const parts = whole.split(/^(?=server \{|upstream )/m).filter((part) => part.includes('gateway'));
  stopNginx = await startNginx(at('nginx'), parts.join(''), front);

  const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };
  const limits = { standard: unlimited, documents: unlimited };
  writeFileSync(at('policy.json'), JSON.stringify({ certificateFiles: [authority.file], limits }));
  process.env['DESK_POLICY'] = at('policy.json');
});
afterAll(async () => {
  delete process.env['DESK_POLICY'];
  await stopNginx();
  await stopGateways();
  if (isPossible) await partner.stop();
  if (isPossible) await dropDatabase(folder.path);
  folder.remove();
});

/** Writes the office's credentials at the partner. */
function useKey(privateKeyPem: string): void {
  const { baseUrl, audience, expert } = partner.credentials;
  const credentials = { baseUrl, audience, expert: { ...expert, privateKeyPem } };
  writeFileSync(at('partner.json'), JSON.stringify(credentials), { mode: 0o600 });
}

async function start(name: Process): Promise<void> {
  const [port, statusPort] = ports[name];
  gateways[name] = await startGatewayProcess([
    `--port=${String(port)}`,
    `--status-port=${String(statusPort)}`,
    `--data=${at(name)}`,
    '--drain-seconds=1',
    `--upstream-credentials=${at('partner.json')}`,
    `--public-url=${publicUrl}`,
    '--trusted-proxy=127.0.0.1',
    `--database=${database}`,
    '--upstream-limits=standard=600000/60s:10000 documents=600000/60s:10000 token=600/60s',
  ]);
  expect((await fetch(`http://127.0.0.1:${String(statusPort)}/ready`)).status).toBe(200);
}

async function stopGateways(): Promise<void> {
  for (const name of processes) expect((await gateways[name]?.stop()) ?? 0).toBe(0);
}

const run = promisify(execFile);

/** Runs a command of the gateway over its database. @returns what it printed, line by line */
async function command(...words: string[]): Promise<Record<string, unknown>[]> {
  const program = join(root, 'main/gateway/server.ts');
  const { stdout } = await run(process.execPath, [program, ...words, '--database', database]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
}

const desk = (laptop: string, ...words: string[]) => runDesk(at('homes', laptop), ...words);
const connectedSchema = z.looseObject({ workspace: z.looseObject({ clientId: z.string() }) });
const syncedSchema = z.looseObject({ delivered: z.int(), waiting: z.int() });

async function connect(laptop: string, code: unknown): Promise<string> {
  const words = ['--gateway', publicUrl, '--code', String(code)];
  let connected = await desk(laptop, 'connect', ...words);
  // Ten attempts a minute are let through from an address, and here all laptops have the same one.
  while (connected.code === 7) {
    const { until } = connected.json(z.looseObject({ until: z.iso.datetime() }));
    await wait(Math.max(0, Date.parse(until) - Date.now()));
    connected = await desk(laptop, 'connect', ...words);
  }
  expect(connected.code, connected.stderr).toBe(0);
  return connected.json(connectedSchema).workspace.clientId;
}

/** The last comment of each case that the gateway let through. */
const said = new Map<string, string>();

/** Queues a comment without the network. */
async function write(laptop: string, caseId: string, text: string): Promise<void> {
  const written = await desk(laptop, 'comment', caseId, text);
  expect(written.code, written.stderr).toBe(0);
}

async function deliver(laptop: string, caseId: string, text: string): Promise<void> {
  const synced = await desk(laptop, 'sync');
  expect(synced.code, synced.stderr).toBe(0);
  expect(synced.json(syncedSchema)).toMatchObject({ delivered: 1, waiting: 0 });
  said.set(caseId, text);
}

async function refused(laptop: string): Promise<string> {
  const synced = await desk(laptop, 'sync');
  expect(synced.code).toBe(1);
  return synced.json(errorSchema).code;
}

test.skipIf(!isPossible)(
  'a day: install, enrol, revoke, replace, back up, lose, restore, upgrade, rotate, read (needs nginx)',
  async () => {
    // Install.
    for (const name of processes) await start(name);

    // Enrol all laptops with one command.
    writeFileSync(at('laptops.txt'), `${laptops.join('\n')}\n`);
    const to = ['--names', at('laptops.txt'), '--to', at('codes'), '--gateway', publicUrl];
    const codes = await command('enrol', ...to);
    expect(codes.map(({ name }) => name)).toEqual(laptops);
    const clients = new Map<string, string>();
    for (const { name, code, file } of codes) {
      expect(readFileSync(String(file), 'utf8')).toContain(publicUrl);
      clients.set(String(name), await connect(String(name), code));
    }
    expect(new Set(clients.values()).size).toBe(laptops.length);
    expect(await command('codes')).toEqual([]);

    // Each laptop comments on a case.
    const [one = '', two = '', three = ''] = laptops;
    expect((await desk(one, 'sync')).code).toBe(0);
    const { items } = (await desk(one, 'cases')).json(casesSchema);
    const isOpen = ({ status }: { status: string }) => status === 'Accepted';
    const cases = items.filter(isOpen).map(({ id }) => id);
    const caseOf = (laptop: string) => cases[laptops.indexOf(laptop) % cases.length] ?? '';
    for (const laptop of laptops) {
      expect((await desk(laptop, 'sync')).code).toBe(0);
      await write(laptop, caseOf(laptop), `of ${laptop}`);
      await deliver(laptop, caseOf(laptop), `of ${laptop}`);
    }

    // A laptop is stolen.
    await write(two, caseOf(two), 'after the theft');
    await command('revoke', '--client', clients.get(two) ?? '');
    expect(await refused(two)).toBe('access_revoked');

    // A laptop is replaced, and the former one is refused.
    const [replacement] = await command('enrol', '--client', clients.get(three) ?? '');
    expect(await connect('New laptop', replacement?.['code'])).toBe(clients.get(three));
    expect((await desk('New laptop', 'sync')).code).toBe(0);
    await write('New laptop', caseOf(three), 'from the new laptop');
    await deliver('New laptop', caseOf(three), 'from the new laptop');
    expect(await refused(three)).toBe('key_rejected');

    // Back up; then another laptop is revoked, and the audit exported; then the database is lost.
    const dump = at('gateway.dump');
    const since = new Date().toISOString();
    const programs = { dump: postgresProgram('pg_dump'), restore: postgresProgram('pg_restore') };
    execFileSync(programs.dump, ['--format=custom', `--file=${dump}`, database]);
    const [late] = await command('enrol', '--name', 'Lost after the backup');
    const lost = await connect('Lost after the backup', late?.['code']);
    expect((await desk(one, 'sync')).code).toBe(0);
    const [again] = await command('enrol', '--client', clients.get(two) ?? '');
    await connect(two, again?.['code']);
    await command('revoke', '--client', clients.get(two) ?? '');
    await command('revoke', '--client', lost);
    const audit = await command('audit');
    writeFileSync(at('audit.jsonl'), audit.map((line) => JSON.stringify(line)).join('\n'));
    await stopGateways();
    await dropDatabase(folder.path);

    // A comment that is written now waits on the laptop.
    await write(one, caseOf(one), 'while the database is lost');
    expect(await refused(one)).toBe('server_failed');

    // Restore, before the gateway can be reached.
    await createDatabase(folder.path);
    execFileSync(programs.restore, ['--no-owner', `--dbname=${database}`, dump]);
    await command('revoke', '--from-audit', at('audit.jsonl'), '--since', since);
    for (const name of processes) await start(name);
    await deliver(one, caseOf(one), 'while the database is lost');
    expect(await refused(two)).toBe('access_revoked');
    await write('New laptop', caseOf(three), 'after the restore');
    await deliver('New laptop', caseOf(three), 'after the restore');

    // Upgrade: all stop, one starts and looks, then the other.
    await stopGateways();
    await write(one, caseOf(one), 'while it is upgraded');
    expect(await refused(one)).toBe('server_failed');
    await start('first');
    await deliver(one, caseOf(one), 'while it is upgraded');
    await start('second');

    // Rotate the office's key at the partner, one process after the other.
    const { organizationId } = partner.credentials.expert;
    const keys = `/_backoffice/organizations/${organizationId}/keys`;
    const made = z
      .object({ kid: z.string(), privateKeyPem: z.string() })
      .parse(await atPartner.backoffice('POST', keys, {}));
    const organizations = z
      .array(
        z.looseObject({ OrganizationId: z.string(), Keys: z.array(z.object({ Kid: z.string() })) }),
      )
      .parse(await atPartner.backoffice('GET', '/_backoffice/organizations'));
    const own = organizations.find((each) => each.OrganizationId === organizationId);
    const former = own?.Keys.map(({ Kid }) => Kid).filter((kid) => kid !== made.kid) ?? [];
    expect(former).toHaveLength(1);
    useKey(made.privateKeyPem);
    for (const name of processes) {
      expect(await gateways[name]?.stop()).toBe(0);
      await start(name);
    }
    await atPartner.backoffice('DELETE', `${keys}/${former[0] ?? ''}`);
    await write(one, caseOf(one), 'under the new key');
    await deliver(one, caseOf(one), 'under the new key');

    // Read the figures.
    const figures = await fetch(`http://127.0.0.1:${String(ports.first[1])}/metrics`);
    expect(await figures.text()).toMatch(/^server_store_ok 1$/m);

    // Nothing was lost, and the stolen laptop's text is nowhere.
    const later = await openServerView({
      ...partner.credentials,
      expert: { ...partner.credentials.expert, privateKeyPem: made.privateKeyPem },
    });
    for (const [caseId, text] of said)
      expect((await later.case(caseId))['ExpertComment']).toBe(text);
  },
  900_000,
);
