import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { json, problem } from '../../../support/partner/hostile-server.ts';
import { startGateway, type GatewayForTest } from '../support/gateway.ts';
import { startOddPartner, type OddPartner } from '../support/odd-partner.ts';

/* What devices read through the gateway, and how often the partner is asked for it. */

const [one, two] = [randomUUID(), randomUUID()];
let partner: OddPartner;
let gateway: GatewayForTest;
let device: Awaited<ReturnType<GatewayForTest['laptop']>>;

beforeAll(async () => {
  partner = await startOddPartner(one, two);
  gateway = await startGateway(partner);
  await gateway.context.pull.stop();
  device = await gateway.laptop();
  await device.token();
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(async () => {
  // The gateway has read ahead.
  await gateway.context.db
    .updateTable('cases')
    .set({ documents_as_of: null, reports_as_of: null })
    .execute();
  partner.seen.length = 0;
});
afterEach(() => vi.restoreAllMocks());

const documents = (caseId: string) => `/v1/experts/cases/${caseId}/documents`;
const document = (Id: string, more: object = {}) => ({
  Id,
  FileName: `${Id}.txt`,
  ContentType: 'text/plain',
  SizeBytes: 3,
  CreatedAt: '2026-03-01T10:00:00.000Z',
  ...more,
});
const listOf = (...Items: readonly object[]) =>
  json(200, { Total: Items.length, Page: 1, Size: 200, Items });
const content = (Id: string) => json(200, document(Id, { ContentBase64: 'YWJj' }));
/** A new document of a case, which the gateway has listed. */
async function listed(caseId: string): Promise<string> {
  const id = randomUUID();
  partner.next(listOf(document(id)));
  expect((await device.request('GET', documents(caseId))).status).toBe(200);
  return id;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const askedFor = (path: string) => partner.seen.filter(({ url }) => url === path).length;

test('X7: one that two devices ask for at once is fetched once', async () => {
  const id = await listed(one);
  const path = `${documents(one)}/${id}`;
  partner.next(content(id));
  const answers = await Promise.all([device.request('GET', path), device.request('GET', path)]);
  expect(answers.map(({ json: found }) => found)).toMatchObject([
    { Id: id, ContentBase64: 'YWJj' },
    { Id: id, ContentBase64: 'YWJj' },
  ]);
  expect(askedFor(path)).toBe(1);
});

test('X7: those who waited for a fetch that failed fetch it once more', async () => {
  const id = await listed(two);
  const path = `${documents(two)}/${id}`;
  const admitted = vi.spyOn(gateway.context.jtis, 'use');
  const refuse = async (...args: Parameters<ReturnType<typeof problem>>) => {
    while (admitted.mock.calls.length < 3) await turn();
    // They have found that the document is being fetched.
    for (let number = 0; number < 100; number += 1) await turn();
    await problem(403, 'forbidden')(...args);
  };
  partner.next(refuse, content(id));
  const answers = await Promise.all([1, 2, 3].map(() => device.request('GET', path)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403]);
  expect(askedFor(path)).toBe(2);
});
