import { beforeEach, expect, test } from 'vitest';
import { createServerMetrics } from '#main/front/status/server-metrics.ts';
import type { GatewayContext } from '#main/gateway/context.ts';
import { writeState } from '#main/gateway/state.ts';
import { createMetrics, lastPull } from '#main/gateway/status/metrics.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* The gateway's figures, which say what is so now and name nobody but client ids. */

const store = shareGatewayStore();
const clock = createFakeClock(Date.UTC(2026, 2, 2));
const counters = { requests: 3, throttled: 1 };
const turnsAt = (waiting: number, left: number) => ({
  waiting: () => waiting,
  left: () => Promise.resolve(left),
});
let metrics: ReturnType<typeof createMetrics>;

beforeEach(() => {
  // The figures read these parts only.
  const upstream = {
    counters,
    turns: { standard: turnsAt(1, 10), documents: turnsAt(2, 20) },
  } as unknown as GatewayContext['upstream'];
  metrics = createMetrics(createServerMetrics('gateway'), { db: store().db, clock, upstream });
});

/** The gateway's own lines of /metrics, without what describes them. */
async function figures(name: string): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
}

test('metrics: what is counted elsewhere is read each time', async () => {
  expect(await figures('gateway_partner_requests_total')).toEqual([
    'gateway_partner_requests_total 3',
  ]);
  counters.requests = 5;
  expect(await figures('gateway_partner_requests_total')).toEqual([
    'gateway_partner_requests_total 5',
  ]);
  expect(await figures('gateway_partner_throttled_total')).toEqual([
    'gateway_partner_throttled_total 1',
  ]);
});

test('metrics: each limit has its own queue and its own tokens', async () => {
  for (const [name, value] of [
    ['gateway_waiting_standard', 1],
    ['gateway_waiting_documents', 2],
    ['gateway_partner_left_standard', 10],
    ['gateway_partner_left_documents', 20],
  ] as const) {
    expect(await figures(name)).toEqual([`${name} ${String(value)}`]);
  }
});

test('metrics: the age of the last pull is none before the first, and never negative', async () => {
  const { db } = store();
  const age = async () => {
    expect(await figures('gateway_pull_age_seconds')).toEqual([
      `gateway_pull_age_seconds ${String((await lastPull(db, clock)).ageS).replace('NaN', 'Nan')}`,
    ]);
    return lastPull(db, clock);
  };
  expect(await age()).toEqual({ atMs: NaN, ageS: NaN });
  await writeState(db, 'pulled_at', String(clock.now() - 1499));
  expect(await age()).toEqual({ atMs: clock.now() - 1499, ageS: 1 });
  await writeState(db, 'pulled_at', String(clock.now() + 9000));
  expect(await age()).toMatchObject({ ageS: 0 });
});

test('metrics: clients count until they are revoked', async () => {
  for (const [client_id, revoked_at] of [
    ['one', null],
    ['two', null],
    ['three', 1],
  ] as const) {
    const made = { client_id, name: '', kid: client_id, public_jwk: '{}' };
    const values = { ...made, dispatcher: 0, created_at: 0, revoked_at };
    await store().db.insertInto('clients').values(values).execute();
  }
  expect(await figures('gateway_clients')).toEqual(['gateway_clients 2']);
});

test('metrics: turns are counted by client, with the seconds that they waited', async () => {
  metrics.countTurn({ bucket: 'standard', client: 'one', waitMs: 1500 });
  metrics.countTurn({ bucket: 'documents', client: 'one', waitMs: 500 });
  metrics.countTurn({ bucket: 'standard', client: '', waitMs: 250 });
  expect(await figures('gateway_client_turns_total')).toEqual([
    'gateway_client_turns_total{client="one"} 2',
    'gateway_client_turns_total{client="gateway"} 1',
  ]);
  expect(await figures('gateway_client_turn_seconds_total')).toEqual([
    'gateway_client_turn_seconds_total{client="one"} 2',
    'gateway_client_turn_seconds_total{client="gateway"} 0.25',
  ]);
  expect(await figures('gateway_turn_seconds_sum')).toEqual([
    'gateway_turn_seconds_sum{bucket="standard"} 1.75',
    'gateway_turn_seconds_sum{bucket="documents"} 0.5',
  ]);
});

test('metrics: changes are counted by operation and status, and timed by operation', async () => {
  metrics.passed.inc({ operation: 'X4', status: '204' });
  metrics.seconds.observe({ operation: 'X4' }, 2);
  expect(await figures('gateway_changes_total')).toEqual([
    'gateway_changes_total{operation="X4",status="204"} 1',
  ]);
  expect(await figures('gateway_change_seconds_sum')).toEqual([
    'gateway_change_seconds_sum{operation="X4"} 2',
  ]);
});
