import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClaimOver } from '../support/claims.ts';
import { send, tokenForm, type Partner } from '../support/partner.ts';
import { startService, type ServiceForTest } from '../support/service.ts';

/* What the two stores do each in its own way, and must do alike; run over both of them. */

const long = 'Donaudampfschiffahrt'.repeat(40);

let service: ServiceForTest;
let insurer: Partner;

beforeEach(async () => {
  service = await startService();
  insurer = await service.partner('insurer');
});
afterEach(() => service.remove());

async function found(q: string): Promise<number> {
  const answer = await insurer.request('GET', `/v1/insurers/claims?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  return (answer.json as { Total: number }).Total;
}

const searches = [
  ['accents as marks of their own', 'Zu\u0308rcher', 1],
  ['one character', '7', 2],
  ['signs as they stand', 'uster,', 0],
  ['a number', '12500.5', 2],
  ['a part of a number', '2500', 2],
  ['ß as ss', 'BAHNHOFSTRAẞE', 1],
  ['a long word, whole', long, 1],
  ['a long word, its middle', long.slice(7, 300), 1],
  ['no text at all lists everything', '  ', 2],
  ['quotes and operators are signs', '"Noëmi" AND* (', 0],
  ['a backslash is a sign', 'Z\\rcher', 0],
] as const;

test('q: what is found, and what is not', async () => {
  await createClaimOver(insurer, { remarks: long });
  await createClaimOver(insurer, {
    insured: {
      name: 'Hans Muster',
      phone: '+41 52 555 00 00',
      address: 'Dorfplatz 3',
      postalCode: '8610',
      city: 'Uster',
      carMake: 'John Deere',
      licensePlate: 'TG 77',
    },
  });
  for (const [name, q, count] of searches) expect(await found(q), name).toBe(count);
});

test('a NUL, which not every store can hold, is asked for in vain and breaks nothing', async () => {
  await createClaimOver(insurer);
  expect(await found('Noëmi\0Zürcher')).toBe(1);
  const expert = await service.partner('expert');
  const listed = await expert.request('GET', '/v1/experts/cases?q=%00');
  expect(listed.json).toMatchObject({ Total: 0 });
  const proof = { jti: 'a\0b' };
  const path = '/v1/insurers/claims';
  expect((await insurer.request('GET', path, { proof })).status).toBe(200);
  expect((await insurer.request('GET', path, { proof })).status).toBe(401);
  const refused = await send('POST', `${service.baseUrl}/v1/oauth/token`, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      dpop: await insurer.proof('POST', `${service.baseUrl}/v1/oauth/token`),
    },
    body: tokenForm('insurer-\0', 'e30.e30.e30'),
  });
  expect(refused.status).toBe(401);
});

test('sums and times come back as the numbers that they are', async () => {
  const claim = await createClaimOver(insurer);
  const { db } = service.context;
  const largest = 99_999_999_999;
  await db
    .updateTable('claims')
    .set({ cost_estimate_rappen: largest })
    .where('id', '=', claim.Id)
    .execute();
  const row = await db.selectFrom('claims').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    cost_estimate_rappen: largest,
    approved_rappen: null,
    created_at: service.clock.now(),
  });
});
