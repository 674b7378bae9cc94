import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectionCheckSchema } from '#shared/desk/diagnostics.ts';
import { automaticBackupSchema } from '#shared/desk/work-package.ts';
import { createDeskRunner, createMemoryVault, errorSchema } from '../../support/desk-in-process.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';

const folder = serviceFolder();
const resultSchema = connectionCheckSchema.extend({
  backup: automaticBackupSchema,
  items: z.array(connectionCheckSchema.shape.items.element.extend({ message: z.string().min(2) })),
});
let service: RunningService;
let homes = 0;

/** The doctor of a desk whose connection was stored with these options. */
async function doctorOf(...connection: string[]) {
  homes += 1;
  const desk = createDeskRunner(folder.at(`home-${String(homes)}`));
  await desk('connect', ...connection);
  const run = await desk('doctor');
  const { items, backup } = run.json(resultSchema);
  const failed = items.filter(({ outcome }) => outcome === 'failed');
  return {
    code: run.code,
    items,
    backup,
    failed,
    outcomes: items.map(({ outcome }) => outcome).join(' '),
  };
}

function connectionTo(baseUrl: string): string[] {
  const key = folder.at('key.pem');
  writeFileSync(key, service.credentials.expert.privateKeyPem);
  return [
    ...['--base-url', baseUrl, '--audience', service.credentials.audience],
    ...['--client-id', service.credentials.expert.clientId, '--key', key],
  ];
}

async function withServer<T>(
  answer: RequestListener,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.close();
  }
}

beforeAll(async () => {
  service = await folder.start('--demo', '8', '--backoffice');
});
afterAll(folder.end);

describe('desk doctor', () => {
  it('finds nothing wrong with a connection that works', async () => {
    const { code, items, backup, outcomes } = await doctorOf(
      ...['--credentials', service.credentialsPath],
    );
    expect(code).toBe(0);
    expect(backup).toMatchObject({ folder: null, lastAt: null, problem: null });
    expect(outcomes).toBe('ok ok skipped ok ok ok ok ok ok');
    expect(items.find(({ id }) => id === 'list')?.params['caseCount']).toBeGreaterThan(0);
    expect(items.find(({ id }) => id === 'limits')?.params).toEqual({
      standardPerMinute: 60,
      standardBurst: 20,
      documentsPerMinute: 20,
      documentsBurst: 10,
    });
  });

  it('ends with 6 if nothing answers, and says so', async () => {
    const { code, failed, outcomes } = await doctorOf(...connectionTo('http://127.0.0.1:9'));
    expect([code, failed[0]?.problem?.code]).toEqual([6, 'connection_refused']);
    expect(outcomes).toMatch(/^ok failed( skipped){7}$/);
    expect(failed[0]?.message).toContain('127.0.0.1');
  });

  it('names an address that does not resolve', async () => {
    const { code, failed } = await doctorOf(...connectionTo('http://nowhere.invalid'));
    expect([code, failed[0]?.id]).toEqual([6, 'address']);
  });

  it('names a server that speaks no TLS', async () => {
    const { failed } = await withServer(
      () => undefined,
      async (url) => doctorOf(...connectionTo(url.replace('http', 'https'))),
    );
    expect(failed[0]?.id).toBe('encryption');
  });

  it('names a captive portal', async () => {
    const { code, failed, outcomes } = await withServer(
      (_request, response) => response.setHeader('content-type', 'text/html').end('<html>'),
      async (url) => doctorOf(...connectionTo(url)),
    );
    expect([code, failed[0]?.id, failed[0]?.problem?.code]).toEqual([
      6,
      'partner',
      'captive_portal',
    ]);
    expect(outcomes).toBe('ok ok skipped failed skipped skipped skipped skipped skipped');
  });

  it.each([
    [{ title: 'invalid_dpop', status: 401, detail: 'htu' }, 'proof'],
    [{ title: 'invalid_org_context', status: 403 }, 'list'],
    [{ title: 'org_without_members', status: 403 }, 'list'],
  ])('names the step that the partner refuses with %j', async (problem, step) => {
    const home = folder.at(`refused-${problem.title}`);
    const desk = createDeskRunner(home);
    await desk('connect', '--credentials', service.credentialsPath);
    const { token } = service.credentials.backoffice;
    const rules = (list: object[]) =>
      fetch(`${service.baseUrl}/_backoffice/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ Rules: list }),
      });
    const { status, title } = problem;
    await rules([
      { Method: 'GET', Path: '/v1/experts/cases', Effect: 'status', Status: status, Title: title },
    ]);
    const run = await desk('doctor');
    await rules([]);
    const failed = run.json(resultSchema).items.find(({ outcome }) => outcome === 'failed');
    expect([run.code, failed?.id]).toEqual([1, step]);
  });

  it('ends with 3 if no connection is set up', async () => {
    const run = await createDeskRunner(folder.at('none'))('doctor');
    expect([run.code, run.json(errorSchema).code]).toEqual([3, 'no_connection']);
  });

  it('names the address that IT has set, which is the one it asked', async () => {
    const policy = folder.at('policy.json');
    const home = folder.at('set-by-it');
    const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
    writeFileSync(policy, JSON.stringify({ connection: { baseUrl } }));
    const vault = createMemoryVault();
    const connected = createDeskRunner(home, { vault });
    await connected('connect', '--credentials', service.credentialsPath);
    const desk = createDeskRunner(home, { vault, env: { DESK_POLICY: policy } });
    const { items } = (await desk('doctor')).json(resultSchema);
    expect(items[0]).toMatchObject({ id: 'address', params: { host: new URL(baseUrl).host } });
  });
});
