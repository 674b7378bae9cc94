import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, databaseOf, dropDatabase } from '../main/service/support/database.ts';
import { contents, specialPayload, upload } from '../main/service/support/claims.ts';
import { createPartner, type PartnerAnswer } from '../main/service/support/partner.ts';
import { nginxProgram, proxyConfiguration, startNginx } from '../support/nginx.ts';
import { freePort } from '../support/ports.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';

/* Two processes of the service behind nginx, as docs/deploy.md sets them up. */

const folder = temporaryFolder();
let stopNginx = () => Promise.resolve();
let ports: [number, number];
let publicUrl: string;
let services: RunningService[] = [];

function start(port: number): Promise<RunningService> {
  const dataDir = join(folder.path, String(port));
  mkdirSync(dataDir, { recursive: true });
  const { url } = databaseOf(folder.path) ?? { url: '' };
  const address = ['--port', String(port), '--public-url', publicUrl, '--database', url];
  return startService({ dataDir, args: [...address, '--limits', 'off', '--drain-seconds', '1'] });
}

beforeAll(async () => {
  if (nginxProgram === undefined) return;
  const [first, second, front] = await Promise.all([freePort(), freePort(), freePort()]);
  ports = [first, second];
  publicUrl = `http://127.0.0.1:${String(front)}`;
  await createDatabase(folder.path);
  services = await Promise.all(ports.map(start));
  const whole = proxyConfiguration([
    ['127.0.0.1:8101', `127.0.0.1:${String(first)}`],
    ['127.0.0.1:8102', `127.0.0.1:${String(second)}`],
  ]);
  // What TLS does is not tried here; `nginx -t` reads the file as it is in deploy.test.ts.
  const plain = whole
    .split(/^(?=server \{)/m)
    .slice(0, 2)
    .join('')
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${String(front)}`);
  stopNginx = await startNginx(join(folder.path, 'nginx'), plain, front);
});
afterAll(async () => {
  await stopNginx();
  await Promise.all(services.map((service) => service.stop()));
  if (nginxProgram !== undefined) await dropDatabase(folder.path);
  folder.remove();
});

test.skipIf(nginxProgram === undefined)(
  'rolling restart: behind nginx no request of anybody fails, and no write is lost (needs nginx)',
  async () => {
    const [{ credentials }] = services as [RunningService];
    const insurer = await createPartner(credentials.insurer, publicUrl);
    await insurer.token();
    const claims = '/v1/insurers/claims';
    const body = { Category: 'special', PayloadJson: JSON.stringify(specialPayload()) };
    const created = await insurer.request('POST', claims, { body });
    const documents = `${claims}/${(created.json as { Id: string }).Id}/documents`;
    const large = Buffer.concat([contents.pdf, randomBytes(1_000_000)]);

    let isOver = false;
    const answers: string[] = [];
    const again = async (what: string, ask: () => Promise<PartnerAnswer>) => {
      let count = 0;
      while (!isOver) {
        const said = await ask().then(({ status }) => String(status), String);
        answers.push(`${what} ${said}`);
        if (said === '201') count += 1;
        await wait(2);
      }
      return count;
    };
    const read = () => insurer.request('GET', `${claims}?size=5`);
    const write = () => insurer.request('POST', claims, { body, idempotencyKey: randomUUID() });
    const send = () => insurer.request('POST', documents, { body: upload(large) });
    const load = [read, read, read].map((each) => again('read', each));
    const writing = [write, write].map((each) => again('write', each));
    const sending = again('upload', send);

    for (const [index, port] of ports.entries()) {
      expect(await services[index]?.stop()).toBe(0);
      services[index] = await start(port);
      expect((await fetch(`http://127.0.0.1:${String(port)}/ready`)).status).toBe(200);
      // The pause of the unit (deploy/systemd): nginx tries one request after fail_timeout, and sends
      // others once that one is answered.
      await wait(6000);
    }
    isOver = true;
    await Promise.all(load);
    const written = (await Promise.all(writing)).reduce((sum, count) => sum + count, 1);
    const sent = await sending;

    const failed = answers.filter((said) => !/^(?:read 200|(?:write|upload) 201)$/.test(said));
    expect(failed).toEqual([]);
    expect(answers.length).toBeGreaterThan(100);
    const { json } = await read();
    expect((json as { Total: number }).Total).toBe(written);
    const list = await insurer.request('GET', `${documents}?size=1`);
    expect((list.json as { Total: number }).Total).toBe(sent);
  },
);
