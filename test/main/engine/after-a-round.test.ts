import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { openDatabaseKey } from '#main/engine/keys/workspace-keys.ts';
import { systemClock } from '#main/shell/system.ts';
import { sharePractice, openTestEngine, testKeychain, testFolder } from './support/test-engine.ts';

const hour = 60 * 60_000;
const { starter } = sharePractice();
let dir: string;
let vault: Vault;
let desk: Engine;
/** How far the laptop's clock is ahead. */
let aheadMs: number;

beforeEach(async () => {
  dir = testFolder();
  vault = testKeychain();
  aheadMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  desk = await openTestEngine({ home: dir, vault, clock, practice: starter });
});

/** From now on the cache refuses what the trigger names. */
async function refuse(...triggers: readonly string[]): Promise<void> {
  const keyHex = await openDatabaseKey(vault, 'practice', true);
  const file = join(dir, 'workspaces', 'practice', 'cache.db');
  const db = openDatabase({ file, keyHex, durability: 'full' });
  for (const [index, trigger] of triggers.entries()) {
    db.exec(`CREATE TRIGGER refuse${String(index)} BEFORE ${trigger}
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  }
  db.close();
}

describe('a round that has ended', () => {
  it('is reported as it ended, regardless of old documents and texts', async () => {
    await refuse(
      `INSERT ON state WHEN NEW.name = 'last-document-purge'`,
      'UPDATE OF tries ON documents',
    );
    const { pulled, documents } = await desk.sync.run({ documents: 'due' });
    expect(pulled).toBe(60);
    expect(documents).toBeGreaterThan(0);
    await desk.readTexts();
    expect((await desk.sync.status()).problem).toBeNull();
  });

  it('has the documents of closed cases removed, and the list notified', async () => {
    await desk.sync.run({ documents: 'none' });
    const caseId = (await desk.cases.list({ status: 'Final' })).items[0]?.id ?? '';
    const [document] = (await desk.documents.list({ id: caseId, refresh: true })).items;
    await desk.documents.fetch({ caseId, documentId: document?.id ?? '' });
    expect((await desk.cases.get({ id: caseId })).documentsOnLaptop).toBe(1);
    await desk.storage.setRule({ closedDays: 0 });
    const events = desk.events();
    aheadMs = 25 * hour;
    await desk.sync.run({ documents: 'none' });
    let isGone = false;
    for await (const event of events) {
      if (event.type === 'documents.changed') isGone ||= event.caseId === caseId;
      if (isGone && event.type === 'cases.changed' && event.caseIds?.includes(caseId)) break;
    }
    expect((await desk.cases.get({ id: caseId })).documentsOnLaptop).toBe(0);
  });

  it('has old closed cases removed as soon as the rule requires it, says so, and logs it', async () => {
    await desk.sync.run({ documents: 'none' });
    const { total } = await desk.cases.list({});
    const closed = (await desk.cases.list({ status: 'Final' })).total;
    aheadMs = 400 * 24 * hour;
    const events = desk.events();
    expect(await desk.storage.setRule({ caseDays: 365 })).toMatchObject({ caseDays: 365 });
    expect((await desk.cases.list({ status: 'Final' })).total).toBe(0);
    const { total: left } = await desk.cases.list({});
    expect(left).toBeLessThanOrEqual(total - closed);
    for await (const event of events)
      if (event.type === 'sync.changed' && event.status.casesOnLaptop === left) break;
    const [line] = readFileSync(join(dir, 'audit.log'), 'utf8').split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ event: 'cases-removed', workspace: 'practice' });
  });
});

describe('a desk that has asked the insurer nothing yet', () => {
  it('promises no time for what waits, as nobody sends it', async () => {
    await desk.sync.run({ documents: 'none' });
    const { id = '' } = (await desk.cases.list({ status: 'Accepted' })).items[0] ?? {};
    await desk.cases.setComment({ id, text: 'first' });
    await desk.cases.setAmounts({ id, costEstimateRappen: 100 });
    const asked = { reports: 1, files: 1, bytes: 1, values: 1 };
    expect((await desk.queue.forecast(asked)).doneAt).not.toBeNull();
    await desk.close();

    const opened = await openTestEngine({ home: dir, vault, practice: starter });
    const { items } = await opened.queue.list({});
    // It is not known that there is no connection.
    expect(new Set(items.map(({ waitingFor }) => waitingFor))).toEqual(new Set([null, 'turn']));
    expect(items.map(({ doneAt }) => doneAt)).toEqual([null, null]);
    expect(await opened.queue.forecast(asked)).toEqual({ doneAt: null });
    expect((await opened.sync.status()).delivery).toMatchObject({ goesOut: 2, doneAt: null });
  });
});
