import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locks } from '#main/front/store/shared-store.ts';
import { createDatabase, databaseOf, dropDatabase } from '../main/service/support/database.ts';
import { expectDone, specialPayload, type CreatedClaim } from '../main/service/support/claims.ts';
import {
  createPartner,
  send,
  sha256,
  type Partner,
  type PartnerAnswer,
} from '../main/service/support/partner.ts';
import { startService, temporaryFolder, type RunningService } from '../support/processes.ts';

/*
 * Two processes of the service behind one address, on one PostgreSQL. What they share is shared
 * from the first moment: they are started at once on an empty database.
 */

const publicUrl = 'https://api.example';
const cases = '/v1/experts/cases';
const claims = '/v1/insurers/claims';
const folder = temporaryFolder();
let services: RunningService[];

beforeAll(async () => {
  await createDatabase(folder.path);
  services = await startBoth('off');
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await dropDatabase(folder.path);
  folder.remove();
});

function startBoth(limits: 'on' | 'off'): Promise<RunningService[]> {
  const { url } = databaseOf(folder.path) ?? { url: '' };
  return Promise.all(
    ['first', 'second'].map((name) => {
      const dataDir = join(folder.path, limits, name);
      mkdirSync(dataDir, { recursive: true });
      const where = ['--database', url, '--public-url', publicUrl];
      return startService({
        dataDir,
        args: [...where, '--limits', limits, '--backoffice', '--demo', '3'],
      });
    }),
  );
}

/** The same partner at both processes: each with a token that the other gave. */
async function partners(name: 'insurer' | 'expert'): Promise<[Partner, Partner]> {
  const [first, second] = services.map((service) =>
    createPartner(service.credentials[name], service.baseUrl, { publicUrl }),
  );
  if (!first || !second) throw new Error('there are two services');
  return Promise.all([first, second]);
}

/** The same signed request to both processes at once. */
async function sendToBoth(
  partner: Partner,
  method: string,
  path: string,
  token: string,
): Promise<PartnerAnswer[]> {
  const headers = {
    authorization: `DPoP ${token}`,
    dpop: await partner.proof(method, publicUrl + path, { ath: sha256(token) }),
  };
  return Promise.all(services.map(({ baseUrl }) => send(method, baseUrl + path, { headers })));
}

const newClaim = (policyNumber: string) => ({
  body: { Category: 'special', PayloadJson: JSON.stringify(specialPayload({ policyNumber })) },
});

async function total(partner: Partner): Promise<number> {
  const answer = await expectDone(partner.request('GET', `${claims}?size=1`));
  return (answer.json as { Total: number }).Total;
}

test('two processes: what they start with is made once', async () => {
  const [one, other] = services.map(({ credentials }) => credentials);
  expect(one).toMatchObject({
    insurer: other?.insurer,
    expert: other?.expert,
    backoffice: other?.backoffice,
  });
  const [insurer] = await partners('insurer');
  expect(await total(insurer)).toBe(3);
});

test('two processes: a jti used at one is a replay at the other', async () => {
  const [expert] = await partners('expert');
  // A token of the first is good at the second: they sign with one key.
  const token = await expert.token();
  const pairs = await Promise.all(
    Array.from({ length: 40 }, () => sendToBoth(expert, 'GET', cases, token)),
  );
  for (const pair of pairs) {
    expect(pair.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(pair.find(({ status }) => status === 401)?.json).toMatchObject({
      title: 'invalid_dpop',
      detail: 'replayed jti: the DPoP proof was used before',
    });
  }
});

test('two processes: an idempotency key is honoured across them, under load', async () => {
  const both = await partners('insurer');
  const before = await total(both[0]);
  const pairs = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      Promise.all(
        both.map((insurer) =>
          insurer.request('POST', claims, {
            ...newClaim(`load ${index}`),
            idempotencyKey: `load ${index}`,
          }),
        ),
      ),
    ),
  );
  for (const [one, other] of pairs) {
    expect(one?.status).toBe(201);
    expect(other?.body).toEqual(one?.body);
    const replayed = [one, other].filter((answer) => answer?.headers['idempotency-replayed']);
    expect(replayed).toHaveLength(1);
  }
  const keys = pairs.map(([one]) => (one?.json as CreatedClaim | undefined)?.ExternalKey);
  expect(new Set(keys).size).toBe(30);
  expect(await total(both[0])).toBe(before + 30);
});

test('two processes: two identical requests in flight are one', async ({ signal }) => {
  const both = await partners('insurer');
  await Promise.all(both.map((insurer) => insurer.token()));
  const before = await total(both[0]);
  const holder = await holdTransaction();
  const pending = both.map((insurer) =>
    insurer.request('POST', claims, { ...newClaim('in flight'), idempotencyKey: 'in flight' }),
  );
  // Once a minute a process tidies up, and would wait here too.
  await until(signal, async () => (await waitingFor(holder)) >= 2);
  await holder.query('commit');
  const [one, other] = await Promise.all(pending);
  expect(one?.status).toBe(201);
  expect(other?.body).toEqual(one?.body);
  expect(await total(both[0])).toBe(before + 1);
  await holder.end();
});

test('two processes: SIGTERM ends one in time that waits for the transaction of another', async ({
  signal,
}) => {
  const dataDir = join(folder.path, 'third');
  mkdirSync(dataDir);
  const { url } = databaseOf(folder.path) ?? { url: '' };
  const where = ['--database', url, '--public-url', publicUrl];
  const third = await startService({ dataDir, args: where });
  signal.addEventListener('abort', () => void third.kill());
  const insurer = await createPartner(third.credentials.insurer, third.baseUrl, { publicUrl });
  await insurer.token();
  const holder = await holdTransaction();
  const pending = insurer.request('POST', claims, newClaim('held up')).catch(() => 'broken off');
  await until(signal, async () => (await waitingFor(holder)) >= 1);
  expect(await third.stop()).toBe(0);
  expect(await pending).toBe('broken off');
  await holder.end();
});

test('two processes: no two changes of one record share LastChangedAt', async () => {
  const [insurer] = await partners('insurer');
  const experts = await partners('expert');
  const created = await expectDone(insurer.request('POST', claims, newClaim('changes')));
  const { Id } = created.json as CreatedClaim;
  const [service] = services;
  if (!service) throw new Error('there are two services');
  const office = (path: string, body?: object) =>
    expectDone(
      send(body ? 'POST' : 'GET', `${service.baseUrl}/_backoffice/claims/${Id}/${path}`, {
        headers: {
          authorization: `Bearer ${service.credentials.backoffice.token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  await office('assign', { ExpertOrganizationId: service.credentials.expert.organizationId });
  await office('accept', {});
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      expectDone(
        (experts[index % 2] ?? experts[0]).request('PUT', `${cases}/${Id}/expert-comment`, {
          body: { Text: `comment ${index}` },
        }),
      ),
    ),
  );
  const events = (await office('events')).json as { Name: string; At: string }[];
  const times = events.filter(({ Name }) => Name === 'expert_comment_changed').map(({ At }) => At);
  expect(new Set(times).size).toBe(40);
  expect(times).toEqual(times.toSorted());
});

test('two processes: the buckets are one', async () => {
  await Promise.all(services.map((service) => service.stop()));
  services = await startBoth('on');
  const [expert] = await partners('expert');
  const token = await expert.token();
  const started = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const headers = {
        authorization: `DPoP ${token}`,
        dpop: await expert.proof('GET', publicUrl + cases, { ath: sha256(token) }),
      };
      return send('GET', `${services[index % 2]?.baseUrl}${cases}`, { headers });
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const admitted = answers.filter(({ status }) => status === 200).length;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(admitted).toBeGreaterThanOrEqual(20);
  // A burst of 20 and one a second; one more, because the processes' clocks differ by as long as
  // the database's time took to reach each of them.
  expect(admitted).toBeLessThanOrEqual(Math.floor(20 + seconds) + 1);
});

/** An open transaction blocks the processes; here it is the test's. */
async function holdTransaction(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: databaseOf(folder.path)?.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(${locks.transaction})`);
  return holder;
}

/** How many wait for the holder. */
async function waitingFor(holder: pg.Client): Promise<number> {
  const { rowCount } = await holder.query(
    `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount ?? 0;
}

/** Asks again and again, letting others work in between, until the test's time is up. */
async function until(signal: AbortSignal, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    signal.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
