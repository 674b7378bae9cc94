import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareQuery } from '#main/service/store/prepare-query.ts';
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
  ['every word, in any order', 'zurcher NOEMI', 1],
  ['accents as marks of their own', 'Zu\u0308rcher', 1],
  ['one word that is missing', 'zurcher nirgends', 0],
  ['no part of a word', 'zurch', 0],
  ['signs as spaces', '«Zürcher», (Noëmi)', 1],
  ['a word that signs take apart, as a phrase', 'ZH-123-456', 1],
  ['no phrase in another order', '123-ZH', 0],
  ['no phrase over two values', 'Zürcher-Bahnhofstrasse', 0],
  ['a number', '12500.5', 2],
  ['a long word, whole', long, 1],
  ['a long word, not its beginning', long.slice(0, 300), 0],
  ['signs beside a word ask for nothing', '-- Noëmi', 1],
  ['signs alone find nothing', '-- !', 0],
  ['no text at all lists everything', '  ', 2],
  ['quotes and operators are signs', '"Noëmi" AND* (', 0],
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

test('a prepared query sees nothing of a transaction that is open', async () => {
  const { db } = service.context;
  const valueOf = prepareQuery(db, () =>
    db.selectFrom('counters').select('value').where('name', '=', ''),
  );
  let read: Promise<unknown> | undefined;
  const undone = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('counters').values({ name: 'test', value: 1 }).execute();
    read = valueOf(['test']);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await read).toEqual([]);
  await db.insertInto('counters').values({ name: 'test', value: 2 }).execute();
  expect(await valueOf(['test'])).toEqual([{ value: 2 }]);
});

test('a NUL, which not every store can hold, is asked for in vain and breaks nothing', async () => {
  await createClaimOver(insurer);
  expect(await found('Noëmi\0Zürcher')).toBe(1);
  const expert = await service.partner('expert');
  const filtered = await expert.request('GET', '/v1/experts/cases?inspectionType=%00');
  expect(filtered.json).toMatchObject({ Total: 0 });
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
