import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isLong } from '../support/long.ts';
import { complaintOfNginx, nginxProgram, proxyConfiguration } from '../support/nginx.ts';
import { createAuthority } from '../support/private-authority.ts';
import { root, startGatewayProcess, startService, temporaryFolder } from '../support/processes.ts';

/* What docs/deploy.md hands out, as far as it can be tried on this machine. */

const folder = temporaryFolder();
afterAll(folder.remove);

const has = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, program)));
const servers = ['service', 'gateway'] as const;
const unitOf = (server: string) =>
  readFileSync(join(root, `deploy/systemd/appraiser-${server}@.service`), 'utf8');

test.skipIf(!has('systemd-analyze')).each(servers)(
  'deploy: systemd has nothing to say about the unit of the %s (needs systemd-analyze)',
  (server) => {
    const file = join(folder.path, `appraiser-${server}@8101.service`);
    writeFileSync(file, unitOf(server).replaceAll('/opt/appraiser-desk', root));
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', file],
      { encoding: 'utf8' },
    );
    expect(stderr.split('\n').filter((line) => line.includes(file))).toEqual([]);
    expect(status).toBe(0);
  },
);

test.skipIf(nginxProgram === undefined)(
  'deploy: nginx has nothing to say about the proxy configuration (needs nginx)',
  () => {
    const authority = createAuthority(folder.path);
    const names = ['api', 'gateway'];
    const changes = names.flatMap((name) => {
      const { key, cert } = authority.sign(name);
      return [
        ['crt', cert],
        ['key', key],
      ].map(([kind = '', text = '']) => {
        const file = join(folder.path, `${name}.${kind}`);
        writeFileSync(file, text);
        return [`/etc/appraiser/tls/${name}.${kind}`, file] as const;
      });
    });
    const text = proxyConfiguration(changes);
    expect(complaintOfNginx(join(folder.path, 'nginx'), text)).toBe('');
    const wrong = text.replace('proxy_next_upstream ', 'proxy_next_upstreams ');
    expect(complaintOfNginx(join(folder.path, 'nginx'), wrong)).toContain('proxy_next_upstreams');
  },
);

/** The options that a program explains. */
function optionsOf(server: string): Set<string> {
  const program = join(root, `main/${server}/server.ts`);
  const { stderr } = spawnSync(process.execPath, [program, '--help'], { encoding: 'utf8' });
  return new Set(stderr.match(/--[a-z-]+/g) ?? []);
}

test.each(servers)('deploy: unit and container start the %s with options that it has', (server) => {
  const known = optionsOf(server);
  const unit = /^ExecStart=(.*)$/m.exec(unitOf(server))?.[1] ?? '';
  const container = readFileSync(join(root, 'deploy/Containerfile'), 'utf8');
  const entry = new RegExp(`^ENTRYPOINT (.*main/${server}/server.ts.*)$`, 'm').exec(container)?.[1];
  const words = z.array(z.string()).parse(JSON.parse(entry ?? 'null'));
  for (const given of [unit.split(' '), words]) {
    const program = given.find((word) => word.endsWith('.ts')) ?? '';
    expect(existsSync(join(root, program)), program).toBe(true);
    const options = given.filter((word) => word.startsWith('--'));
    expect(options.length).toBeGreaterThan(2);
    expect(options.filter((option) => !known.has(option))).toEqual([]);
  }
});

test('deploy: the container leaves a data folder that its user may write', () => {
  const steps = readFileSync(join(root, 'deploy/Containerfile'), 'utf8').split('\n');
  const atUser = steps.findIndex((step) => step.startsWith('USER '));
  const imageUser = steps[atUser]?.replace('USER ', '') ?? '';
  const entries = steps.filter((step) => step.startsWith('ENTRYPOINT '));
  const folders = entries.map((step) => /"--data", "([^"]*)"/.exec(step)?.[1] ?? '');
  expect(folders).toEqual(['/data', '/data']);
  const prepares = steps
    .slice(0, atUser)
    .filter((step) => step.startsWith('RUN ') && step.includes('/data'));
  expect(prepares).toHaveLength(1);
  // The same commands over another root, for the user of this machine.
  const { username, uid } = userInfo();
  const at = join(folder.path, 'image');
  mkdirSync(at);
  const command = (prepares[0] ?? '')
    .replace('RUN ', '')
    .replaceAll('/data', join(at, 'data'))
    .replaceAll(`${imageUser}:${imageUser}`, username);
  expect(spawnSync('sh', ['-ec', command]).status).toBe(0);
  const { mode, uid: owner } = statSync(join(at, 'data'));
  expect([owner, mode & 0o777]).toEqual([uid, 0o700]);
});

test('deploy: what the container copies is in the checkout', () => {
  const container = readFileSync(join(root, 'deploy/Containerfile'), 'utf8');
  const copied = [...container.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied).toEqual(['package.json', 'package-lock.json', 'shared', 'main']);
  expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })),
});

/** A copy of the programs with the packages that `npm ci --omit=dev` installs, and no others. */
function productionCopy(): string {
  const at = join(folder.path, 'production');
  mkdirSync(join(at, 'node_modules'), { recursive: true });
  for (const name of ['main', 'shared', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(at, name), { recursive: true });
  if (isLong) {
    const install = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    const { status } = spawnSync('npm', install, { cwd: at, stdio: 'ignore' });
    if (status !== 0) throw new Error(`npm ci ended with ${String(status)}`);
    return at;
  }
  const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, { dev }] of Object.entries(lockSchema.parse(lock).packages)) {
    // A package below another one comes with it.
    if (dev || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(at, path)), { recursive: true });
    symlinkSync(join(root, path), join(at, path));
  }
  return at;
}

test('deploy: a production install has a Node of its own, and starts both servers', async () => {
  const at = productionCopy();
  const present = readdirSync(join(at, 'node_modules'));
  expect(present).toContain('fastify');
  expect(present).not.toContain('vitest');
  const node = join(at, 'node_modules/node/bin/node');
  const service = await startService({
    dataDir: folder.path,
    program: [node, join(at, 'main/service/server.ts')],
    args: ['--demo', '3', '--log-level', 'warn'],
  });
  expect((await fetch(`${service.baseUrl}/docs`)).status).toBe(200);
  expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(200);
  const gateway = await startGatewayProcess(
    ['--data', join(folder.path, 'office'), '--upstream-credentials', service.credentialsPath],
    [node, join(at, 'main/gateway/server.ts')],
  );
  expect((await fetch(`${gateway.baseUrl}/ready`)).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
  expect(await service.stop()).toBe(0);
});
