import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '#main/front/store/store.ts';
import { openGatewayStore } from '#main/gateway/context.ts';
import { partnerCase, storeCases } from '#main/gateway/reading/store-cases.ts';
import type { GatewayTables } from '#main/gateway/tables.ts';
import { temporaryFolder } from '../../../support/processes.ts';
import { createMemoryLog } from '../../service/support/memory-log.ts';
import { machineClock } from '../support/gateway.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store<GatewayTables>;
/** The gateway's clock, in milliseconds since 1970. */
let nowMs: number;

beforeEach(async () => {
  folder = temporaryFolder();
  nowMs = Date.UTC(2026, 2, 1);
  const { log } = createMemoryLog();
  const directory = join(folder.path, 'gateway');
  store = await openGatewayStore({ directory, database: undefined, log });
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const id = '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11';

/** Stores what the partner answered. @returns how many cases it changed */
function answered(status: string, stamp: string, askedAt: number, externalKey = 'K-1') {
  const PayloadJson = '{}';
  const body = {
    Id: id,
    ExternalKey: externalKey,
    Status: status,
    PayloadJson,
    LastChangedAt: stamp,
  };
  return store.db
    .transaction()
    .execute((db) =>
      storeCases(db, { ...machineClock, now: () => nowMs }, [partnerCase.parse(body)], askedAt),
    );
}

const stored = () =>
  store.db.selectFrom('cases').select(['status', 'changed_at']).executeTakeFirstOrThrow();

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
