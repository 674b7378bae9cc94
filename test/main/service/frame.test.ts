import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type ServiceForTest } from './support/service.ts';
import { operation } from '#main/service/operation.ts';

let service: ServiceForTest;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

test('a token is issued and bound to the key', async () => {
  const partner = await service.partner('expert');
  expect((await partner.token()).split('.')).toHaveLength(3);
  const answer = await partner.request('GET', '/v1/experts/cases/nothing/there?a=b');
  console.log(answer.status, answer.text, answer.headers);
});
