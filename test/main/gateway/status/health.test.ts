import { beforeEach, expect, test } from 'vitest';
import type { StoreHealth } from '#main/front/status/store-check.ts';
import type { GatewayContext } from '#main/gateway/context.ts';
import { writeState } from '#main/gateway/state.ts';
import { statusOf } from '#main/gateway/status/health.ts';
import { noFindings } from '#main/partner/pull/pull-store.ts';
import { createFakeClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* /health: what the operator is told, and that nothing counts as well that is not. */

const store = shareGatewayStore();
const clock = createFakeClock(Date.UTC(2026, 2, 2));
let reachable: ReturnType<GatewayContext['upstream']['reachable']>;
let bucket: { isFailing: () => boolean } | undefined;

const pulledAt = (agoMs: number) =>
  writeState(store().db, 'pulled_at', String(clock.now() - agoMs));
const found = (findings: object) =>
  writeState(store().db, 'pull_findings', JSON.stringify({ ...noFindings, ...findings }));
const health = async (health: StoreHealth = 'ok') => {
  const upstream = { reachable: () => reachable };
  // The function uses these parts of the context only.
  const context = { db: store().db, clock, upstream, bucket } as unknown as GatewayContext;
  return statusOf(context).health(health);
};

beforeEach(async () => {
  [reachable, bucket] = [true, undefined];
  await pulledAt(0);
});

const well = {
  status: 'ok',
  store: 'ok',
  documents: 'ok',
  partner: 'reachable',
  pullAgeSeconds: 0,
  detail: 'The store is in step with the partner.',
};

test('health: all is well if the store can be written and the partner was read a moment ago', async () => {
  expect(await health()).toEqual(well);
  bucket = { isFailing: () => false };
  expect(await health()).toEqual(well);
});

test.each([
  ['changes', {}, 300],
  ['the whole list', { ignoresSince: true }, 900],
])(
  'health: a partner of which %s is read (%o) is behind from %i s on',
  async (_, findings, fromS) => {
    await found(findings);
    await pulledAt((fromS - 1) * 1000);
    expect(await health()).toEqual({ ...well, pullAgeSeconds: fromS - 1 });
    await pulledAt(fromS * 1000);
    expect(await health()).toEqual({
      ...well,
      status: 'degraded',
      pullAgeSeconds: fromS,
      detail: `The partner was read ${String(fromS / 60)} minutes ago for the last time.`,
    });
    await pulledAt(fromS * 1000 + 59_000);
    expect(await health()).toMatchObject({
      detail: `The partner was read ${String(fromS / 60)} minutes ago for the last time.`,
    });
  },
);

test('health: a partner that was never read is neither reachable nor in step', async () => {
  await store().db.deleteFrom('state').execute();
  reachable = null;
  expect(await health()).toEqual({
    ...well,
    status: 'degraded',
    partner: 'unknown',
    pullAgeSeconds: null,
    detail: 'The partner was not read yet.',
  });
});

test('health: a partner that could not be reached is so until any process has read it', async () => {
  reachable = { atMs: clock.now(), reason: 'it cannot be reached' };
  await pulledAt(1000);
  const away = {
    ...well,
    status: 'degraded',
    partner: 'unreachable',
    pullAgeSeconds: 1,
    detail:
      'The partner cannot be used: it cannot be reached. Cases are served as they were, and changes are refused.',
  };
  expect(await health()).toEqual(away);
  await found({ incomplete: { reason: 'missing', seen: 1, total: 2 } });
  expect(await health()).toEqual(away);
  await found({});
  await pulledAt(0);
  expect(await health()).toEqual(well);
});

test('health: a list that was not read whole is no store in step', async () => {
  await found({ incomplete: { reason: 'missing', seen: 1, total: 2 } });
  const detail = 'The partner’s list of cases could not be read whole; the log says why.';
  expect(await health()).toEqual({ ...well, status: 'degraded', detail });
  await pulledAt(3_600_000);
  expect(await health()).toMatchObject({ status: 'degraded', detail });
});

test('health: a storage for documents that fails is told before what is wrong with the partner', async () => {
  bucket = { isFailing: () => true };
  const failing = {
    ...well,
    status: 'degraded',
    documents: 'failing',
    detail: 'The storage for documents cannot be reached. Documents that are in it are refused.',
  };
  expect(await health()).toEqual(failing);
  reachable = { atMs: clock.now() + 1, reason: 'it cannot be reached' };
  expect(await health()).toEqual({ ...failing, partner: 'unreachable' });
});

test('health: of a store that fails nothing is read, and its failure is told first', async () => {
  await store().db.schema.dropTable('state').execute();
  bucket = { isFailing: () => true };
  expect(await health('full')).toEqual({
    ...well,
    status: 'failing',
    store: 'failing',
    documents: 'failing',
    pullAgeSeconds: null,
    detail: 'The disk of the store is full.',
  });
});

test('health: it is asked of the gateway’s own store, and knows when the process ends', () => {
  const checkStore = () => Promise.resolve('busy' as const);
  const draining = { isOn: true };
  const context = { checkStore, draining } as unknown as GatewayContext;
  expect(statusOf(context)).toMatchObject({ checkStore, draining });
});
