import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealPackage } from '#main/engine/backup/sealed-package.ts';
import { backUpWork, decideOnWorkBackup, workBackups } from '#main/engine/backup/work-package.ts';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { TestDesk, workspaceRecord } from '../support/test-desk.ts';
import { createEagerClock } from '../support/stepped-clock.ts';
import { FakePartner } from '../../../support/partner/fake-partner.ts';

let desk: TestDesk;
afterEach(() => desk.remove());

describe('a package', () => {
  const passphrase = 'correct horse';
  let draftId: string;
  beforeEach(async () => {
    desk = await TestDesk.open();
    draftId = desk.work.drafts.create('c').id;
    await desk.attach(draftId, 'a.txt', 'a');
  });

  const workspace = () => ({
    record: workspaceRecord(),
    work: desk.work,
    cache: desk.cache,
    workFiles: desk.files,
    client: desk.partner.createClient(),
  });
  const sharedSinceMs = () => desk.work.drafts.get(draftId).sharedSinceMs;

  it('is there only once its reports are marked as shared', async () => {
    const file = join(desk.dir, 'work.desk');
    const store = { file: join(desk.dir, 'work.db'), keyHex: 'ab'.repeat(32) };
    const db = openDatabase({ ...store, durability: 'full' });
    db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON drafts BEGIN SELECT RAISE(ABORT, 'no'); END`);
    await expect(backUpWork(workspace(), { file, passphrase })).rejects.toThrow('no');
    expect(readdirSync(desk.dir).filter((name) => name.includes('work.desk'))).toEqual([]);
    db.exec('DROP TRIGGER refuse');
    db.close();
    await backUpWork(workspace(), { file, passphrase });
    expect(existsSync(file)).toBe(true);
    expect(sharedSinceMs()).toBe(desk.clock.now());
  });

  it('that could not be written marks nothing', async () => {
    const file = join(desk.dir, 'taken.desk');
    writeFileSync(file, 'mine');
    await expect(backUpWork(workspace(), { file, passphrase })).rejects.toThrow('file_exists');
    expect(sharedSinceMs()).toBeNull();
  });

  it('that breaks off, as on a full disk, closes the file that it read', async () => {
    let isClosed = false;
    async function* file() {
      try {
        for (;;) yield await Promise.resolve(Buffer.alloc(64 * 1024));
      } finally {
        isClosed = true;
      }
    }
    let pieces = 0;
    for await (const piece of sealPackage(file(), 'correct horse')) {
      pieces += piece.length;
      if (pieces > 200_000) break;
    }
    expect(isClosed).toBe(true);
  });
});

describe('a backup of damaged work', () => {
  /** What was done is in a backup, and the file itself is spoilt. */
  async function damage(): Promise<void> {
    await desk.restart();
    await desk.die();
    writeFileSync(join(desk.dir, 'work.db'), Buffer.alloc(8192, 7));
    await desk.start();
  }

  it('a report taken back counts as shared since its backup by the server’s clock', async () => {
    const laptopMs = Date.parse('2026-03-02T08:00:00Z');
    const behindMs = 3 * 60 * 60_000;
    const clock = createEagerClock(laptopMs);
    desk = new TestDesk(1, clock, new FakePartner(createEagerClock(laptopMs + behindMs)));
    await desk.start();
    const rowId = await desk.queueReport('c', 'r', [{ name: 'a.txt', content: 'a' }]);
    const { act } = desk.work.outbox.rows.get(rowId);
    const draftId = act.kind === 'report' ? act.draftId : '';
    await damage();
    const { items } = workBackups(desk.work);
    expect(items).toMatchObject([{ entries: 1, drafts: 0, views: 0 }]);
    const [{ id, backedUpAt } = { id: '', backedUpAt: '' }] = items;
    const { work, cache } = desk;
    const parts = { work, cache, client: desk.partner.createClient(), clock };
    expect(decideOnWorkBackup(parts, { id, decision: 'take' })).toMatchObject({
      entries: 1,
      files: 1,
    });
    // The user reads the laptop's clock, as in every other place.
    expect(Date.parse(backedUpAt)).toBe(laptopMs);
    expect(desk.work.drafts.get(draftId).sharedSinceMs).toBe(laptopMs + behindMs);
  });

  it('damaged work is reported before a pause and a failed round, until the user decides', async () => {
    desk = await TestDesk.open();
    const damaged = { code: 'work_corrupt', params: {} };
    desk.queueAmounts(desk.partner.addCase().id, 100);
    await damage();
    desk.partner.pauseMs.standard = 90_500;
    expect(desk.sync.status().problem).toEqual(damaged);
    const offline = { code: 'offline', params: { host: 'partner.test' } } as const;
    desk.sync.state.failed(offline, true);
    desk.partner.pauseMs.standard = null;
    expect(desk.sync.status().problem).toEqual(damaged);
    const [offer] = desk.work.offered();
    if (!offer) throw new Error('nothing is offered');
    desk.work.leaveAside(offer);
    expect(desk.sync.status().problem).toEqual(offline);
    desk.partner.pauseMs.standard = 90_500;
    expect(desk.sync.status().problem).toMatchObject({ code: 'rate_limited' });
  });
});
