import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { decideOnWorkBackup, workBackups } from '#main/engine/backup/work-package.ts';
import { createEagerClock } from '../support/stepped-clock.ts';
import { FakePartner } from '../support/fake-partner.ts';
import { TestDesk } from '../support/test-desk.ts';

const laptopMs = Date.parse('2026-03-02T08:00:00Z');
const behindMs = 3 * 60 * 60_000;
let desk: TestDesk;
afterEach(() => desk.remove());

test('a report taken back counts as shared since its backup by the server’s clock', async () => {
  const clock = createEagerClock(laptopMs);
  desk = new TestDesk(1, clock, new FakePartner(createEagerClock(laptopMs + behindMs)));
  await desk.start();
  const rowId = await desk.queueReport('c', 'r', [{ name: 'a.txt', content: 'a' }]);
  const { act } = desk.work.outbox.get(rowId);
  const draftId = act.kind === 'report' ? act.draftId : '';
  await desk.restart();
  await desk.die();
  writeFileSync(join(desk.dir, 'work.db'), Buffer.alloc(8192, 7));
  await desk.start();
  const { items } = workBackups(desk.work);
  expect(items).toMatchObject([{ entries: 1, drafts: 0, views: 0 }]);
  const [{ id, backedUpAt } = { id: '', backedUpAt: '' }] = items;
  const parts = { work: desk.work, client: desk.partner.createClient(), clock };
  expect(decideOnWorkBackup(parts, { id, decision: 'take' })).toMatchObject({ entries: 1 });
  // What a person reads is the laptop's clock, as in every other place.
  expect(Date.parse(backedUpAt)).toBe(laptopMs);
  expect(desk.work.drafts.get(draftId).sharedSinceMs).toBe(laptopMs + behindMs);
});

const damaged = { code: 'work_corrupt', params: {} };

test('damaged work is told before a pause and a failed round, until a person decides', async () => {
  desk = await TestDesk.open();
  desk.queueAmounts(desk.partner.addCase().id, 100);
  await desk.restart();
  await desk.die();
  writeFileSync(join(desk.dir, 'work.db'), Buffer.alloc(8192, 7));
  await desk.start();
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
