import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKeptViews, type RecordMoment } from '#main/service/claims/kept-views.ts';
import { createClaimOver } from '../support/claims.ts';
import type { Partner } from '../support/partner.ts';
import { startService, type ServiceForTest } from '../support/service.ts';

let service: ServiceForTest;
let insurer: Partner;

beforeEach(async () => {
  service = await startService();
  insurer = await service.partner('insurer');
});
afterEach(() => service.remove());

/** Writes another view under a record, as another process may. */
async function overwrite(number: number, text: string): Promise<void> {
  await service.context.db
    .updateTable('claim_views')
    .set({ json: Buffer.from(text) })
    .where('claim_number', '=', number)
    .execute();
}

/** Lets a record's moment pass, as a change does. */
async function touch({ number, last_changed_at }: RecordMoment): Promise<RecordMoment> {
  const touched = { number, last_changed_at: last_changed_at + 1 };
  await service.context.db
    .updateTable('claims')
    .set(touched)
    .where('number', '=', number)
    .execute();
  return touched;
}

async function createRecords(count: number): Promise<RecordMoment[]> {
  for (let made = 0; made < count; made += 1) await createClaimOver(insurer);
  return service.context.db
    .selectFrom('claims')
    .select(['number', 'last_changed_at'])
    .orderBy('number')
    .execute();
}

test('views: one is kept for its moment, and read again for another', async () => {
  const [first, second] = await createRecords(2);
  if (!first || !second) throw new Error('no records');
  const views = createKeptViews(service.context.db);
  const textOf = async (asked: readonly RecordMoment[]) =>
    [...(await views(asked)).values()].map(String);

  const [was] = await textOf([first]);
  await overwrite(first.number, 'new');
  await overwrite(second.number, 'other');
  expect(await textOf([first])).toEqual([was]);
  expect((await textOf([first, second])).sort()).toEqual([was, 'other'].sort());
  const changed = await touch(first);
  expect(await textOf([changed])).toEqual(['new']);
  expect(await views([])).toEqual(new Map());
});

test('views: one of another moment does not count, and is kept for its own', async () => {
  const [was] = await createRecords(1);
  if (!was) throw new Error('no record');
  const views = createKeptViews(service.context.db);
  const is = await touch(was);
  await overwrite(was.number, 'new');
  expect(await views([was])).toEqual(new Map());
  await overwrite(was.number, 'newer');
  expect(String((await views([is])).get(is.number))).toBe('new');
  expect(await views([was])).toEqual(new Map());
});

test('views: a long one is read each time', async () => {
  const [record] = await createRecords(1);
  if (!record) throw new Error('no record');
  const views = createKeptViews(service.context.db);
  await overwrite(record.number, 'x'.repeat(16 * 1024 + 1));
  await views([record]);
  await overwrite(record.number, 'new');
  expect(String((await views([record])).get(record.number))).toBe('new');
});
