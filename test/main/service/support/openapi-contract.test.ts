import { expect, test } from 'vitest';
import { specialPayload } from './claims.ts';
import { assertContract } from './openapi-contract.ts';
import { startService as startProcess, temporaryFolder } from '../../../support/processes.ts';
import { send, type PartnerAnswer } from './partner.ts';
import { shareService } from './service.ts';

const { service, insurer } = await shareService();
const url = `${service.baseUrl}/v1/insurers/claims`;
const answer = await insurer.request('POST', '/v1/insurers/claims', {
  body: { Category: 'special', PayloadJson: JSON.stringify(specialPayload()) },
});

const assertAnswer = (changes: Partial<PartnerAnswer>) =>
  assertContract({ method: 'POST', url, body: undefined, answer: { ...answer, ...changes } });

test('contract: an answer as it is described passes', async () => {
  await expect(assertAnswer({})).resolves.toBeUndefined();
});

test.each<[string, () => Partial<PartnerAnswer>, RegExp]>([
  ['another status', () => ({ status: 202 }), /the status is not described/],
  [
    'another header',
    () => ({ headers: { ...answer.headers, server: 'x' } }),
    /header server is not/,
  ],
  ['a header less', () => ({ headers: { 'content-type': 'application/json' } }), /is missing/],
  [
    'another type',
    () => ({ headers: { ...answer.headers, 'content-type': 'text/plain' } }),
    /the type text\/plain is not described/,
  ],
  ['a member more', () => ({ json: { ...(answer.json as object), Extra: 1 } }), /Extra/],
  ['a member less', () => ({ json: {} }), /required/],
  ['another form', () => ({ json: { ...(answer.json as object), Id: '7' } }), /\/Id/],
])('contract: %s fails', async (_name, changes, message) => {
  await expect(assertAnswer(changes())).rejects.toThrow(message);
});

test('contract: a path is compared as it was sent', async () => {
  const refusal = { ...answer, status: 401 };
  const at = (path: string) =>
    assertContract({
      method: 'GET',
      url: `${service.baseUrl}${path}`,
      body: undefined,
      answer: refusal,
    });
  // This is not the list of claims, although a URL would normalize it to that. Nothing is served
  // here.
  await expect(at('/v1/insurers/x/../claims')).rejects.toThrow(/the status is not described/);
  // This is the list of claims, whose 401 needs the header.
  await expect(at('/v1/%69nsurers/claims?q=1')).rejects.toThrow(/the type application\/json/);
});

test('contract: the answers of a service in a process of its own are held to its document', async () => {
  const folder = temporaryFolder();
  const running = await startProcess({ dataDir: folder.path, args: ['--limits', 'off'] });
  const url = `${running.baseUrl}/v1/insurers/claims`;
  const right = await send('GET', url);
  expect(right.status).toBe(401);
  const wrong = { method: 'GET', url, body: undefined, answer: { ...right, status: 200 } };
  await expect(assertContract(wrong)).rejects.toThrow(/OpenAPI: GET/);
  await running.stop();
  folder.remove();
});
