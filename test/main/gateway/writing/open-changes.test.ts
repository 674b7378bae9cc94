import { beforeEach, expect, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import type { Upstream } from '#main/gateway/upstream.ts';
import {
  closeChange,
  createRefresh,
  openChange,
  readCase,
} from '#main/gateway/writing/open-changes.ts';
import { shareGatewayStore } from '../support/store.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';

/* Whether a case is sure: until when a read of it asks the partner, and what the answer changes. */

const id = '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11';
const other = '7d1f0c52-3f0e-4b1a-9d57-5a1e2b0c4d66';
const clock = createFakeClock(Date.UTC(2026, 2, 1));
const sentForMs = 2 * 60_000;

const store = shareGatewayStore();
/** What the partner answers to X2; it may let time pass, or fail. */
let partner: (caseId: string) => object | Promise<object>;
let asked: string[];

const upstream: Pick<Upstream, 'read'> = {
  async read(asker, schema, { operation, params }) {
    const caseId = params?.['caseId'] ?? '';
    asked.push(`${JSON.stringify(asker)} ${operation} ${caseId}`);
    const value = schema.parse(await partner(caseId));
    return { value, status: 200, correlationId: '', serverDateMs: null };
  },
};
const parts = () => ({ db: store().db, clock, upstream });

const inState = (caseId: string, Status: string, hour = 10) => ({
  Id: caseId,
  ExternalKey: 'K-1',
  Status,
  LastChangedAt: `2026-03-01T${String(hour)}:00:00.000Z`,
  PayloadJson: '{}',
});

function keep(...cases: readonly object[]): Promise<number> {
  const read = cases.map((each) => partnerCase.parse(each));
  return store()
    .db.transaction()
    .execute((db) => storeCases(db, clock, read, clock.now()));
}

const rowOf = (caseId: string) =>
  store().db.selectFrom('cases').selectAll().where('id', '=', caseId).executeTakeFirstOrThrow();

const open = (caseId: string) => openChange(store().db, { caseId, now: clock.now() });

function refused(status: number): DeskError {
  const cause = { status, title: 'no', detail: '', sentence: '', errors: {} };
  return new DeskError('server_refused', { title: 'no', status }, { cause });
}

beforeEach(async () => {
  asked = [];
  partner = (caseId) => inState(caseId, 'Accepted');
  await keep(inState(id, 'Accepted'), inState(other, 'Accepted'));
  await store().db.updateTable('cases').set({ reports_as_of: 'read' }).execute();
});

test('open change: it marks its case alone, whose reports are read again', async () => {
  const untouched = await rowOf(other);
  const mark = await open(id);
  expect(await rowOf(id)).toMatchObject({
    latest_change: mark,
    unsure_since: clock.now(),
    reports_as_of: null,
  });
  expect(await rowOf(other)).toEqual(untouched);
});

test('open change: a case is sure once its last change is closed, whatever other cases have', async () => {
  const first = await open(id);
  const second = await open(id);
  await open(other);
  await closeChange(store(), { caseId: id, mark: first });
  expect((await rowOf(id)).unsure_since).not.toBeNull();
  await closeChange(store(), { caseId: id, mark: second });
  expect((await rowOf(id)).unsure_since).toBeNull();
  expect((await rowOf(other)).unsure_since).not.toBeNull();
});

test('open change: what was read while it was taken for settled does not count after it', async () => {
  const refresh = createRefresh(parts());
  const mark = await open(id);
  // A large document is sent for longer than that.
  clock.advance(sentForMs + 1);
  await refresh(id);
  await store().db.updateTable('cases').set({ reports_as_of: 'read' }).execute();
  const before = await rowOf(id);
  expect(before.unsure_since).toBeNull();
  await closeChange(store(), { caseId: id, mark });
  const after = await rowOf(id);
  expect([after.reports_as_of, after.unsure_since]).toEqual([null, null]);
  // A list that is being read belongs to the change before.
  expect(after.latest_change).not.toBe(before.latest_change);
  expect((await rowOf(other)).reports_as_of).toBe('read');
  // One that was open all the time is marked as it was.
  const next = await open(id);
  await closeChange(store(), { caseId: id, mark: next });
  expect((await rowOf(id)).latest_change).toBe(next);
});

test('reading a case: an answer that a poll has overtaken changes nothing', async () => {
  partner = async (caseId) => {
    clock.advance(1000);
    await keep(inState(caseId, 'Final', 12));
    clock.advance(1000);
    return inState(caseId, 'Accepted', 11);
  };
  await readCase(parts(), id, 'follow_up');
  expect((await rowOf(id)).status).toBe('Final');
  expect(asked).toEqual([`"follow_up" X2 ${id}`]);
});

test.each([403, 404])('reading a case: one that is refused with %i is delisted', async (status) => {
  partner = () => Promise.reject(refused(status));
  await readCase(parts(), id, 'follow_up');
  expect((await rowOf(id)).delisted).toBe(1);
  expect((await rowOf(other)).delisted).toBe(0);
});

test('reading a case: another failure leaves it as it is, and unsure', async () => {
  await open(id);
  clock.advance(sentForMs + 1);
  const before = await rowOf(id);
  partner = () => Promise.reject(refused(500));
  await expect(createRefresh(parts())(id)).rejects.toThrow('server_refused');
  expect(await rowOf(id)).toEqual(before);
});

test('refresh: a lost change is settled two minutes after it was sent, and not before', async () => {
  const refresh = createRefresh(parts());
  await open(id);
  await open(other);
  clock.advance(sentForMs);
  // The answer may be that of a moment before the change arrived.
  partner = (caseId) => {
    clock.advance(1);
    return inState(caseId, 'Final', 12);
  };
  await refresh(id);
  expect(await rowOf(id)).toMatchObject({ status: 'Final' });
  expect((await rowOf(id)).unsure_since).not.toBeNull();
  await refresh(id);
  expect((await rowOf(id)).unsure_since).toBeNull();
  expect((await rowOf(other)).unsure_since).not.toBeNull();
  const left = await store().db.selectFrom('open_changes').select('case_id').execute();
  expect(left).toEqual([{ case_id: other }]);
  expect(asked).toEqual([`"refresh" X2 ${id}`, `"refresh" X2 ${id}`]);
});

/** The partner holds its answers back; each call of the result lets one go. */
function heldBack(): (failure?: Error) => void {
  const waiting: ((failure?: Error) => void)[] = [];
  partner = (caseId) =>
    new Promise((resolve, reject) => {
      waiting.push((failure) => (failure ? reject(failure) : resolve(inState(caseId, 'Accepted'))));
    });
  return (failure) => waiting.shift()?.(failure);
}

test('refresh: who asks during a reading shares the next one, and nobody gets an earlier state', async () => {
  const refresh = createRefresh(parts());
  const answer = heldBack();
  const ended: string[] = [];
  const ask = (caseId: string, name: string) =>
    refresh(caseId).then(
      () => void ended.push(name),
      (error: unknown) => void ended.push(`${name}: ${String(error)}`),
    );
  const first = ask(id, 'first');
  const later = [ask(id, 'second'), ask(id, 'third')];
  const elsewhere = ask(other, 'other');
  expect(asked).toEqual([`"refresh" X2 ${id}`, `"refresh" X2 ${other}`]);
  // The failure of the first reading is not that of the next.
  answer(new Error('lost'));
  await first;
  expect(ended).toEqual(['first: Error: lost']);
  await expect.poll(() => asked.length).toBe(3);
  // The next reading has begun, so its state is too early for a call that comes now.
  const last = [ask(id, 'fourth'), ask(id, 'fifth')];
  answer();
  await elsewhere;
  answer();
  await Promise.all(later);
  await expect.poll(() => asked.length).toBe(4);
  expect(ended.slice(1)).toEqual(['other', 'second', 'third']);
  answer();
  await Promise.all(last);
  const alone = ask(id, 'sixth');
  expect(asked.length).toBe(5);
  answer();
  await alone;
});

test('refresh: who asks at the end of a reading does not make the others ask twice', async () => {
  const refresh = createRefresh(parts());
  const answer = heldBack();
  const again = refresh(id).catch(() => refresh(id));
  const second = refresh(id);
  answer(new Error('lost'));
  await expect.poll(() => asked.length).toBe(3);
  answer();
  await again;
  // A reading still runs, so the next one begins after it.
  const third = refresh(id);
  expect(asked.length).toBe(3);
  answer();
  await second;
  await expect.poll(() => asked.length).toBe(4);
  answer();
  await third;
});
