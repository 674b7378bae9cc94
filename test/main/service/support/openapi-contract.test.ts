import { afterAll, beforeAll, expect, test } from 'vitest';
import { specialPayload } from './claims.ts';
import { assertContract } from './openapi-contract.ts';
import type { PartnerAnswer } from './partner.ts';
import { startService, type ServiceForTest } from './service.ts';

let service: ServiceForTest;
let url: string;
let answer: PartnerAnswer;

beforeAll(async () => {
  service = await startService();
  url = `${service.baseUrl}/v1/insurers/claims`;
  const insurer = await service.partner('insurer');
  answer = await insurer.request('POST', '/v1/insurers/claims', {
    body: { Category: 'special', PayloadJson: JSON.stringify(specialPayload()) },
  });
});
afterAll(() => service.remove());

const assertAnswer = (changes: Partial<PartnerAnswer>) => {
  assertContract({ method: 'POST', url, body: undefined, answer: { ...answer, ...changes } });
};

test('contract: an answer as it is described passes', () => {
  expect(() => assertAnswer({})).not.toThrow();
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
])('contract: %s fails', (_name, changes, message) => {
  expect(() => assertAnswer(changes())).toThrow(message);
});
