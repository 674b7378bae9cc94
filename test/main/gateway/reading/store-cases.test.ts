import { beforeEach, expect, test } from 'vitest';
import {
  assignCase,
  caseIdsOf,
  handOverCase,
  partnerCase,
  partnerCaseOf,
  stampOf,
  storeCases,
} from '#main/gateway/reading/store-cases.ts';
import { shareGatewayStore } from '../support/store.ts';
import { machineClock } from '../../service/support/fake-clock.ts';

const store = shareGatewayStore();
/** The gateway's clock, in milliseconds since 1970. */
let nowMs: number;

beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 1);
});

const id = '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11';

const other = '7d1f0c52-3f0e-4b1a-9d57-5a1e2b0c4d66';
const clock = { ...machineClock, now: () => nowMs };

/** Stores cases that the partner answered. @returns how many of them changed */
const answeredWith = (cases: readonly object[], askedAt = nowMs) =>
  store()
    .db.transaction()
    .execute((db) =>
      storeCases(
        db,
        clock,
        cases.map((each) => partnerCase.parse(each)),
        askedAt,
      ),
    );

function answered(status: string, stamp: string, askedAt: number, externalKey = 'K-1') {
  const body = { Id: id, ExternalKey: externalKey, Status: status, LastChangedAt: stamp };
  return answeredWith([{ ...body, PayloadJson: '{}' }], askedAt);
}

const stored = () =>
  store().db.selectFrom('cases').select(['status', 'changed_at']).executeTakeFirstOrThrow();

const newer = '2026-03-01T10:00:00.000Z';
const older = '2026-03-01T09:00:00.000Z';

test('gateway: an answer that a newer one has overtaken changes nothing', async () => {
  const askedAt = nowMs;
  nowMs += 1000;
  expect(await answered('Final', newer, nowMs - 500)).toBe(1);
  const before = await stored();
  nowMs += 1000;
  // It was asked for before the newer one was stored, at the last moment too.
  expect(await answered('Accepted', older, askedAt)).toBe(0);
  expect(await answered('Accepted', older, before.changed_at)).toBe(0);
  expect(await stored()).toEqual(before);
});

test('gateway: an older state that is asked for later is that of a restored partner', async () => {
  expect(await answered('Final', newer, nowMs)).toBe(1);
  const { changed_at: before } = await stored();
  nowMs += 1000;
  expect(await answered('Accepted', older, before + 1)).toBe(1);
  const after = await stored();
  expect(after.status).toBe('Accepted');
  // Above what any client has seen.
  expect(after.changed_at).toBeGreaterThan(before);
});

test('gateway: the same state again changes nothing, and an equal stamp with another state does', async () => {
  expect(await answered('Final', newer, nowMs)).toBe(1);
  expect(await answered('Final', newer, nowMs + 1)).toBe(0);
  expect(await answered('Final', newer, nowMs, 'K-2')).toBe(1);
});

test('gateway: stamps are compared as times, whatever zone they are written in', async () => {
  const askedAt = nowMs;
  expect(await answered('Final', '2026-03-01T09:30:00Z', askedAt)).toBe(1);
  // Half an hour earlier, although the text is greater.
  expect(await answered('Accepted', '2026-03-01T10:00:00+01:00', askedAt)).toBe(0);
  expect(await answered('Accepted', '2026-03-01T10:30:00+01:00', askedAt)).toBe(1);
});

test('gateway: of a case only the id is checked, and what is odd counts as empty', async () => {
  expect(partnerCase.safeParse({ ExternalKey: 'K-1' }).error?.issues).toMatchObject([
    { code: 'custom', message: 'is no case' },
  ]);
  expect(partnerCase.safeParse('a case').success).toBe(false);
  const raw = { Id: id, ExternalKey: 7, Status: null, CreatedAt: 'soon', Insurer: 'X', More: [1] };
  const found = partnerCase.parse(raw);
  expect(found.raw).toEqual(raw);
  expect(found.fields).toMatchObject({
    ExternalKey: '',
    Category: '',
    Status: '',
    PayloadJson: '',
    CreatedAt: null,
    Insurer: { Responsible: { Name: '' } },
  });
  expect(await answeredWith([raw])).toBe(1);
  expect(await wholeRow()).toMatchObject({
    created_at: 0,
    partner_changed_at: '',
    responsible: '',
    postal_code: '',
    body_json: JSON.stringify(raw),
  });
});

test('gateway: an answer about another case is refused, and one in another spelling is not', () => {
  const refused = partnerCaseOf(id).safeParse({ Id: other });
  expect(refused.error?.issues.map(({ path }) => path)).toEqual([['Id']]);
  expect(partnerCaseOf(id).safeParse({ Id: id.toUpperCase() }).success).toBe(true);
});

test('gateway: the stamp of a case is its latest time that is readable', () => {
  const stamp = (times: object) => stampOf(partnerCase.parse({ Id: id, ...times }).fields);
  const times = { CreatedAt: '2026-01-01T00:00:00Z', UpdatedAt: '2026-02-01T00:00:00Z' };
  expect(stamp({ ...times, LastChangedAt: newer })).toBe(newer);
  expect(stamp({ ...times, LastChangedAt: 'yesterday' })).toBe(times.UpdatedAt);
  expect(stamp({ CreatedAt: times.CreatedAt })).toBe(times.CreatedAt);
  expect(stamp({})).toBe('');
});

const wholeRow = () => store().db.selectFrom('cases').selectAll().executeTakeFirstOrThrow();

const payload = { inspectionType: 'onSite', location: { postalCode: '3011', city: 'Köniz' } };
const whole = {
  Id: id,
  ExternalKey: 'K-1',
  Category: 'special',
  Status: 'Accepted',
  PayloadJson: JSON.stringify(payload),
  CreatedAt: older,
  LastChangedAt: newer,
  Insurer: { Responsible: { Name: 'R. Muster' } },
};

test('gateway: a case is stored with what lists filter, order and search by', async () => {
  expect(await answeredWith([])).toBe(0);
  expect(await answeredWith([whole])).toBe(1);
  const row = await wholeRow();
  expect(row).toMatchObject({
    external_key: 'K-1',
    category: 'special',
    status: 'Accepted',
    inspection_type: 'onSite',
    postal_code: '3011',
    responsible: 'R. Muster',
    created_at: Date.parse(older),
    changed_at: nowMs,
    partner_changed_at: newer,
    delisted: 0,
  });
  expect(row.search_text.split('\n').toSorted()).toEqual(['3011', 'k-1', 'koniz', 'onsite']);
  const { LastChangedAt: _, ...kept } = whole;
  expect(JSON.parse(row.body_json)).toEqual(kept);
});

test.each(['{', '7', '{"location": 7}', '{"location": {"postalCode": 7}}'])(
  'gateway: a case with the payload %s has no postal code, and without a creation the time of its stamp',
  async (PayloadJson) => {
    const { CreatedAt: _, ...later } = { ...whole, PayloadJson };
    expect(await answeredWith([later])).toBe(1);
    expect(await wholeRow()).toMatchObject({ created_at: Date.parse(newer), postal_code: '' });
  },
);

test('gateway: a change keeps what the gateway knows of the case itself', async () => {
  await answeredWith([whole]);
  const own = {
    latest_change: 'mark',
    unsure_since: 5,
    documents_as_of: 'then',
    reports_as_of: 'then',
  };
  await store()
    .db.updateTable('cases')
    .set({ ...own, delisted: 1 })
    .execute();
  // The same state, but the case was gone.
  expect(await answeredWith([whole])).toBe(1);
  expect(await wholeRow()).toMatchObject({ ...own, delisted: 0 });
  expect(await answeredWith([{ ...whole, LastChangedAt: '2026-03-01T11:00:00Z' }])).toBe(1);
});

test('gateway: a change is later than every one before, also if the clock goes back', async () => {
  nowMs += 5000;
  await answeredWith([whole]);
  nowMs -= 5000;
  await answeredWith([{ ...whole, Id: other }]);
  const rows = await store()
    .db.selectFrom('cases')
    .select('changed_at')
    .orderBy('number')
    .execute();
  expect(rows).toEqual([{ changed_at: nowMs + 5000 }, { changed_at: nowMs + 5001 }]);
});

async function addClients(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const key = { kid: name, public_jwk: '{}', dispatcher: 0, revoked_at: null };
    await store()
      .db.insertInto('clients')
      .values({ client_id: name, name, created_at: nowMs, ...key })
      .execute();
  }
}

/** Who has which case, as `case client`. */
async function assignments(): Promise<string[]> {
  const rows = await store().db.selectFrom('assignments').selectAll().execute();
  return rows.map(({ case_id, client_id }) => `${case_id} ${client_id}`).toSorted();
}

const anything = { category: '', postal_from: '', postal_to: '', responsible: '' };

test.each([
  ['no condition', {}, true],
  ['its category', { category: 'special' }, true],
  ['another category', { category: 'fraud' }, false],
  ['its person', { responsible: 'R. Muster' }, true],
  ['another person', { responsible: 'X' }, false],
  ['the first postal code', { postal_from: '3011' }, true],
  ['a postal code above', { postal_from: '3012' }, false],
  ['the last postal code', { postal_to: '3011' }, true],
  ['a postal code below', { postal_to: '3010' }, false],
  ['all at once', { category: 'special', postal_from: '3000', postal_to: '3999' }, true],
  ['one of two', { category: 'special', responsible: 'X' }, false],
])('gateway: a rule with %s assigns a new case: %o is %o', async (_, conditions, matches) => {
  await addClients('one');
  const rule = { client_id: 'one', ...anything, ...conditions };
  await store().db.insertInto('rules').values([rule, rule]).execute();
  await answeredWith([whole]);
  // Two rules of one client assign it once.
  expect(await assignments()).toEqual(matches ? [`${id} one`] : []);
});

test('gateway: rules with a last postal code match no case without one, and no known case', async () => {
  await addClients('one');
  await answeredWith([{ ...whole, Id: other }]);
  await store()
    .db.insertInto('rules')
    .values({ client_id: 'one', ...anything, postal_to: '9999' })
    .execute();
  await answeredWith([
    { ...whole, PayloadJson: '{}' },
    { ...whole, Id: other, Status: 'Final' },
  ]);
  expect(await assignments()).toEqual([]);
});

test('gateway: a case is found by its Id and its ExternalKey, and all that share one are', async () => {
  await answeredWith([whole, { ...whole, Id: other, ExternalKey: id }]);
  expect(await caseIdsOf(store().db, 'K-1')).toEqual([id]);
  expect(await caseIdsOf(store().db, other)).toEqual([other]);
  // Another case whose key reads like this Id is not meant.
  expect(await caseIdsOf(store().db, id)).toEqual([id]);
  expect(await caseIdsOf(store().db, 'K-2')).toEqual([]);
  await answeredWith([{ ...whole, Id: other }]);
  expect(await caseIdsOf(store().db, 'K-1')).toEqual([id, other]);
});

test('gateway: a case is assigned by its Id alone, and counts as changed', async () => {
  await addClients('one', 'two');
  await answeredWith([whole]);
  const assign = (caseId: string, clientId = 'one', isRemoved = false) =>
    assignCase(store().db, clock, { caseId, clientId, isRemoved });
  expect(await assign('K-1')).toBe(false);
  expect(await assign(id, 'nobody')).toBe(false);
  expect(await assignments()).toEqual([]);
  const { changed_at: before } = await stored();
  expect(await assign(id)).toBe(true);
  expect(await assign(id, 'two')).toBe(true);
  expect(await assign(id, 'two')).toBe(true);
  expect(await assignments()).toEqual([`${id} one`, `${id} two`]);
  const { changed_at: after } = await stored();
  expect(after).toBe(before + 3);
  expect(await assign(id, 'one', true)).toBe(true);
  expect(await assignments()).toEqual([`${id} two`]);
  // For the others it is as it was.
  expect(await stored()).toMatchObject({ changed_at: after });
});

test('gateway: a case that is handed over has one client, and is unchanged if it had that one alone', async () => {
  await addClients('one', 'two');
  await answeredWith([whole, { ...whole, Id: other }]);
  const handOver = (clientId: string, caseId = id) =>
    handOverCase(store().db, clock, { caseId, clientId });
  expect(await handOver('one', 'K-1')).toBe(false);
  const changed = async () => {
    const { changed_at: at } = await store()
      .db.selectFrom('cases')
      .select('changed_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return at;
  };
  await handOver('two', other);
  const before = await changed();
  expect(await handOver('one')).toBe(true);
  expect(await changed()).toBe(before + 2);
  expect(await handOver('one')).toBe(true);
  expect(await changed()).toBe(before + 2);
  await assignCase(store().db, clock, { caseId: id, clientId: 'two', isRemoved: false });
  expect(await handOver('one')).toBe(true);
  expect(await assignments()).toEqual([`${id} one`, `${other} two`].toSorted());
  expect(await handOver('two')).toBe(true);
  expect(await assignments()).toEqual([`${other} two`, `${id} two`].toSorted());
  await store().db.updateTable('cases').set({ delisted: 1 }).where('id', '=', id).execute();
  expect(await handOver('one')).toBe(false);
});
