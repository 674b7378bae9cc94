import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { systemClock } from '#main/shell/system.ts';
import { sharePractice, openTestEngine, testKeychain, testFolder } from './support/test-engine.ts';

const hour = 60 * 60_000;
const { starter } = sharePractice();
let dir: string;
let secrets: Map<string, string>;
let vault: Vault;
let desk: Engine;

beforeEach(async () => {
  dir = testFolder();
  secrets = new Map();
  vault = testKeychain(secrets);
  desk = await openTestEngine({ home: dir, vault, practice: starter });
});

function inCache(...statements: readonly string[]): void {
  const [, keyHex = ''] = [...secrets].find(([name]) => name.endsWith('/database-key')) ?? [];
  const file = join(dir, 'workspaces', 'practice', 'cache.db');
  const db = openDatabase({ file, keyHex, durability: 'full' });
  for (const statement of statements) db.exec(statement);
  db.close();
}

/** From now on the cache refuses what the trigger names. */
const refuse = (...triggers: readonly string[]) =>
  inCache(
    ...triggers.map(
      (trigger, index) => `CREATE TRIGGER refuse${String(index)} BEFORE ${trigger}
        BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    ),
  );

describe('a round that has ended', () => {
  it('is reported as it ended, regardless of old documents and texts', async () => {
    refuse(`INSERT ON state WHEN NEW.name = 'last-document-purge'`, 'UPDATE OF tries ON documents');
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
    // As if it had last been done yesterday.
    inCache(`DELETE FROM state WHERE name = 'last-document-purge'`);
    await desk.sync.run({ documents: 'none' });
    let isGone = false;
    for await (const event of events) {
      if (event.type === 'documents.changed') isGone ||= event.caseId === caseId;
      if (isGone && event.type === 'cases.changed' && event.caseIds?.includes(caseId)) break;
    }
    expect((await desk.cases.get({ id: caseId })).documentsOnLaptop).toBe(0);
  });

  it.each([
    ['removes what is past its time', 1, 0, true],
    ['removes it by the insurer’s time if the clock is wrong', 1, 400 * 24 * hour, true],
    ['believes no clock that differs from the insurer’s time', 365, 400 * 24 * hour, false],
  ])(
    'is not needed for the retention, which within a minute after a start %s',
    async (_, days, ms, isGone) => {
      await desk.sync.run({ documents: 'none' });
      expect((await desk.cases.list({ status: 'Final' })).total).toBeGreaterThan(0);
      await desk.close();
      const soon: (() => void)[] = [];
      const clock = {
        ...systemClock,
        now: () => Date.now() + ms,
        after(afterMs: number, run: () => void) {
          if (afterMs === 30_000) soon.push(run);
          return afterMs === 30_000 ? () => undefined : systemClock.after(afterMs, run);
        },
      };
      // A rule of the organization that the desk did not have before.
      const policy = { caseRetentionDays: days };
      desk = await openTestEngine({ home: dir, vault, clock, policy, practice: starter });
      const closed = async () => (await desk.cases.list({ status: 'Final' })).total;
      for (const run of soon) run();
      // The insurer was not reached yet.
      expect(await closed()).toBeGreaterThan(0);
      const events = desk.events();
      desk.startSchedule();
      for await (const event of events)
        if (event.type === 'sync.changed' && event.status.network === 'online') break;
      for (const run of soon) run();
      // A reading behind the removal comes after it.
      await desk.readTexts();
      await vi.waitFor(async () => expect((await closed()) === 0).toBe(isGone));
    },
  );

  it('has old closed cases removed as soon as the rule requires it, says so, and logs it', async () => {
    await desk.sync.run({ documents: 'none' });
    const { total } = await desk.cases.list({});
    const closed = (await desk.cases.list({ status: 'Final' })).total;
    const events = desk.events();
    expect(await desk.storage.setRule({ caseDays: 1 })).toMatchObject({ caseDays: 1 });
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
