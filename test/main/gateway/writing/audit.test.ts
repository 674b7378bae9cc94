import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAudit, type AuditRecord } from '#main/gateway/writing/audit.ts';
import { createCode, revokeClient } from '#main/gateway/auth/clients.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { startGatewayProcess, temporaryFolder } from '../../../support/processes.ts';
import { acceptedCase, backoffice } from '../../service/support/claims.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { createPartner, send } from '../../service/support/partner.ts';
import { startService, type ServiceForTest } from '../../service/support/service.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { enrol, newKey, startGateway } from '../support/gateway.ts';

/* Who did what: the intent before the request, the outcome after it, and refused attempts. */

let service: ServiceForTest;
const cases = '/v1/experts/cases';

beforeEach(async () => {
  service = await startService({ clock: machineClock });
});
afterEach(() => service.remove());

async function entries(db: Kysely<GatewayTables>): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const entry of readAudit(db, 0)) found.push(entry);
  return found;
}

test('audit: a change that left has its entry although its gateway was killed', async ({
  signal,
}) => {
  const folder = temporaryFolder();
  const { Id: caseId } = await acceptedCase(service, await service.partner('insurer'));
  const { audience } = service.context.address;
  const credentials = join(folder.path, 'credentials.json');
  writeFileSync(
    credentials,
    JSON.stringify({ baseUrl: service.baseUrl, audience, expert: service.credentials.expert }),
  );
  const data = join(folder.path, 'data');
  const gateway = await startGatewayProcess([
    '--data',
    data,
    '--upstream-credentials',
    credentials,
  ]);
  const { log } = createMemoryLog();
  const store = await openGatewayStore({ directory: data, log });
  try {
    const { code } = await createCode(store.db, machineClock, { name: 'L', isDispatcher: false });
    const { publicPem, privatePem } = newKey();
    const { json } = await enrol(gateway.baseUrl, code, publicPem);
    const { ClientId: clientId } = json as { ClientId: string };
    const laptop = await createPartner({ clientId, privateKeyPem: privatePem }, gateway.baseUrl);
    const never = { Effect: 'delay', DelayMs: 600_000, Times: 1 };
    await backoffice(service, 'PUT', '/faults', { Rules: [{ Method: 'PUT', ...never }] });
    const lost = laptop
      .request('PUT', `${cases}/${caseId}/expert-comment`, { body: { Text: 'Seen.' } })
      .catch(() => 'lost');
    const expert = await service.partner('expert');
    const comment = async () =>
      ((await expert.request('GET', `${cases}/${caseId}`)).json as { ExpertComment: string })
        .ExpertComment;
    while ((await comment()) !== 'Seen.') signal.throwIfAborted();
    await gateway.kill();
    expect(await lost).toBe('lost');
    const found = await entries(store.db);
    expect(found.find(({ operation }) => operation === 'X3')).toMatchObject({
      clientId,
      subject: caseId,
      status: null,
    });
  } finally {
    await store.close();
    folder.remove();
  }
});

test('audit: a wrong code, a foreign case, a bad proof and a revoked client are entries', async () => {
  const { Id: caseId } = await acceptedCase(service, await service.partner('insurer'));
  const gateway = await startGateway(service, { visibility: 'assigned' });
  const { db } = gateway.context;
  try {
    const laptop = await gateway.laptop();
    const { clientId } = laptop;
    await enrol(gateway.baseUrl, 'AAAA', newKey().publicPem);
    await laptop.request('PUT', `${cases}/${caseId}/expert-comment`, { body: { Text: 'x' } });
    await laptop.request('GET', `${cases}/${caseId}`);
    await send('GET', `${gateway.baseUrl}${cases}`, {
      headers: { authorization: `DPoP ${await laptop.freshToken()}`, dpop: 'none' },
    });
    await revokeClient(db, machineClock, clientId);
    await laptop.freshToken().catch(() => undefined);
    const isWanted = ({ operation }: AuditRecord) => operation !== 'enrolled';
    await expect
      .poll(async () => (await entries(db)).filter(isWanted).length)
      .toBeGreaterThanOrEqual(5);
    const claimed = `${clientId} from 127.0.0.1`;
    expect((await entries(db)).filter(isWanted)).toMatchObject([
      { clientId: '', operation: 'enrol_refused', subject: 'from 127.0.0.1', status: 403 },
      { clientId, operation: 'X3', subject: caseId, status: 403 },
      { clientId, operation: 'X2', subject: caseId, status: 403 },
      { clientId: '', operation: 'X1', subject: claimed, status: 401 },
      { clientId: '', operation: 'token', subject: claimed, status: 401 },
    ]);
  } finally {
    await gateway.remove();
  }
});

test('audit: two changes of one case at the same moment leave it sure, and later reads cost nothing', async () => {
  const { Id: caseId } = await acceptedCase(service, await service.partner('insurer'));
  const gateway = await startGateway(service);
  const { db, upstream, pull } = gateway.context;
  try {
    const [one, other] = [await gateway.laptop(), await gateway.laptop()];
    const path = `${cases}/${caseId}`;
    const answers = await Promise.all([
      one.request('PUT', `${path}/expert-comment`, { body: { Text: 'Seen.' } }),
      other.request('PUT', `${path}/amounts`, {
        body: { CostEstimateAmount: 1, ApprovedAmount: null },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const row = () =>
      db.selectFrom('cases').selectAll().where('id', '=', caseId).executeTakeFirstOrThrow();
    expect((await row()).unsure_since).toBeNull();
    await pull.stop();
    const before = upstream.counters.requests;
    expect((await one.request('GET', path)).json).toMatchObject({ ExpertComment: 'Seen.' });
    await one.request('GET', `${cases}/11111111-1111-4111-8111-111111111111`);
    expect(upstream.counters.requests).toBe(before);
  } finally {
    await gateway.remove();
  }
});
