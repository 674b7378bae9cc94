import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClaimOver } from '../../service/support/claims.ts';
import type { Partner } from '../../service/support/partner.ts';
import { startService, type ServiceForTest } from '../../service/support/service.ts';

/* Over a store in files: what one client searches does not hold up another. */

let service: ServiceForTest;
let insurer: Partner;

beforeEach(async () => {
  service = await startService();
  insurer = await service.partner('insurer');
  await createClaimOver(insurer);
});
afterEach(() => service.remove());

const claims = '/v1/insurers/claims';

/** A query of half a second of processor; a request takes some milliseconds. */
const countTo = 4_000_000;
const counting = sql<{ last: number }>`with recursive numbers(n) as
  (select 1 union all select n + 1 from numbers where n < ${sql.lit(countTo)})
  select max(n) as last from numbers`;

test('a search waits for the search before it, and other requests for neither', async () => {
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const long = counting.execute(service.context.slow.searches).then(note('long'));
  const search = insurer.request('GET', `${claims}?q=a`).then(note('search'));
  const list = insurer.request('GET', `${claims}?size=1&status=Created`).then(note('list'));
  const poll = insurer
    .request('GET', `${claims}?size=1&lastChangedSince=2020-01-01T00:00:00Z`)
    .then(note('poll'));
  const change = createClaimOver(insurer).then(note('change'));
  await Promise.all([long, search, list, poll, change]);
  expect(ended.slice(0, 3).toSorted()).toEqual(['change', 'list', 'poll']);
  expect(ended.slice(3)).toEqual(['long', 'search']);
});

test('a search sees what was committed before it', async () => {
  for (let number = 2; number <= 4; number += 1) {
    await createClaimOver(insurer);
    const { json } = await insurer.request('GET', `${claims}?q=Fendt`);
    expect(json).toMatchObject({ Total: number });
  }
});

test('a query that fails costs no other', async () => {
  const { searches } = service.context.slow;
  await expect(sql`select * from nothing`.execute(searches)).rejects.toMatchObject({
    code: 'SQLITE_ERROR',
  });
  expect((await counting.execute(searches)).rows).toEqual([{ last: countTo }]);
});
