import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { revokeClient } from '#main/gateway/auth/clients.ts';
import { assignCase } from '#main/gateway/reading/store-cases.ts';
import { readAudit, type AuditRecord } from '#main/gateway/writing/audit.ts';
import { problem, reset } from '../../../support/partner/hostile-server.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from '../support/gateway.ts';
import { startOddPartner, type OddPartner } from '../support/odd-partner.ts';
import { createPauses } from '../support/pauses.ts';

/* Changes on their way to the partner: who may send them, how often, and what is recorded. */

const pauses = createPauses();
let partner: OddPartner;
let gateway: GatewayForTest;

beforeAll(async () => {
  partner = await startOddPartner('a', 'b');
  gateway = await startGateway(partner, { visibility: 'assigned', clock: pauses.clock });
  await gateway.context.pull.stop();
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(() => {
  partner.seen.length = 0;
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const throttled = () => gateway.context.upstream.counters.throttled;
const amounts = (id: string) => `/v1/experts/cases/${id}/amounts`;
const change = { body: { CostEstimateAmount: 1, ApprovedAmount: null } };

async function assign(laptop: { clientId: string }, caseId: string, isRemoved = false) {
  const { db } = gateway.context;
  await assignCase(db, machineClock, { caseId, clientId: laptop.clientId, isRemoved });
}

/** A device to which the case is assigned. */
async function deviceFor(caseId: string) {
  const laptop = await gateway.laptop();
  await assign(laptop, caseId);
  await laptop.token();
  return laptop;
}

async function entriesOf({ clientId }: { clientId: string }): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for await (const entry of readAudit(gateway.context.db, 0)) found.push(entry);
  return found.filter((each) => each.clientId === clientId && each.operation !== 'enrolled');
}

const refusals = {
  'whose access ended': {
    end: (laptop: { clientId: string }) =>
      revokeClient(gateway.context.db, machineClock, laptop.clientId),
    refusal: [401, { title: 'unauthorized' }],
  },
  'whose case was taken away': {
    end: (laptop: { clientId: string }) => assign(laptop, 'a', true),
    refusal: [403, { title: 'forbidden' }],
  },
} as const;

test.each(Object.entries(refusals))(
  'write: a device %s while the partner makes its change wait sends it no more',
  async (_, { end, refusal }) => {
    const laptop = await deviceFor('a');
    partner.next(problem(429, 'rate_limited', { 'retry-after': '5' }));
    pauses.stop();
    const before = throttled();
    const sent = laptop.request('PUT', amounts('a'), change);
    while (throttled() === before) await turn();
    await end(laptop);
    pauses.end();
    const answer = await sent;
    expect([answer.status, answer.json]).toMatchObject(refusal);
    expect(partner.changes()).toEqual([`PUT ${amounts('a')}`]);
    expect(await entriesOf(laptop)).toMatchObject([
      { operation: 'X4', subject: 'a', status: refusal[0] },
    ]);
  },
);

test('write: a change that may have been made is not sent again after the access ended, and its outcome is unknown', async () => {
  const laptop = await deviceFor('a');
  partner.next(reset);
  pauses.stop();
  const sent = laptop.request('PUT', amounts('a'), change);
  while (partner.changes().length === 0) await turn();
  await revokeClient(gateway.context.db, machineClock, laptop.clientId);
  pauses.end();
  const answer = await sent;
  expect([answer.status, answer.json]).toMatchObject([503, { title: 'upstream_unavailable' }]);
  expect(partner.changes()).toEqual([`PUT ${amounts('a')}`]);
  expect(await entriesOf(laptop)).toMatchObject([{ operation: 'X4', subject: 'a', status: 0 }]);
});

test('write: an attempt after a long pause leaves its case unsure, although a read made it sure meanwhile', async () => {
  const laptop = await deviceFor('a');
  const { db, refresh } = gateway.context;
  const row = () =>
    db.selectFrom('cases').selectAll().where('id', '=', 'a').executeTakeFirstOrThrow();
  let during: Awaited<ReturnType<typeof row>> | undefined;
  partner.next(problem(429, 'rate_limited', { 'retry-after': '5' }), async (response) => {
    during = await row();
    response.writeHead(204).end();
  });
  pauses.stop();
  const before = throttled();
  const sent = laptop.request('PUT', amounts('a'), change);
  while (throttled() === before) await turn();
  const marked = await row();
  // The pause is longer than a change whose answer was lost is on its way.
  await db.updateTable('open_changes').set({ since: 0 }).execute();
  const read = refresh('a');
  pauses.end();
  await read;
  expect((await sent).status).toBe(204);
  expect(during?.unsure_since).not.toBeNull();
  expect(during?.reports_as_of).toBeNull();
  expect(during?.latest_change).not.toBe(marked.latest_change);
  expect(await row()).toMatchObject({ unsure_since: null });
  expect(await entriesOf(laptop)).toHaveLength(1);
});
