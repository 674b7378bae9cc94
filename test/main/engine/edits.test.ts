import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import type { DetailsChange } from '#shared/photos/details.ts';
import { noEdit } from '#shared/photos/edit.ts';
import { systemClock } from '#main/shell/system.ts';
import { makeJpeg } from '../../support/sample-files.ts';
import { sharePractice, openTestEngine, testKeychain, testFolder } from './support/test-engine.ts';

const { starter } = sharePractice();
let dir: string;
let vault: Vault;
let desk: Engine;
let found: CaseSummary;
/** What waits for a minute to pass. */
const inAMinute: (() => void)[] = [];

const home = () => join(dir, 'home');
const open = (at: string): Promise<Engine> =>
  openTestEngine({
    home: at,
    vault,
    clock: {
      ...systemClock,
      after(ms, run) {
        if (ms === 60_000) inAMinute.push(run);
        return ms === 60_000 ? () => undefined : systemClock.after(ms, run);
      },
    },
    practice: starter,
  });
/** The desk as it comes back after it was killed right now. */
const afterKill = async (): Promise<Engine> => {
  const copy = join(testFolder(), 'home');
  cpSync(home(), copy, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  return open(copy);
};
/** The first event of a kind from now on. */
async function eventOf(engine: Engine, isIt: (event: DeskEvent) => boolean): Promise<DeskEvent> {
  for await (const event of engine.events()) if (isIt(event)) return event;
  throw new Error('the events ended');
}
const summary = async (engine = desk) => engine.cases.get({ id: found.id });

beforeEach(async () => {
  dir = testFolder();
  vault = testKeychain();
  desk = await open(home());
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  const [first] = items;
  if (!first) throw new Error('practice has no case in progress');
  found = first;
});

describe('typed text', () => {
  it('is there after a kill, marked in the case, the list and Today, and readable by nobody', async () => {
    await desk.edits.save({ id: found.externalKey, comment: 'Kotflügel hinten links' });
    await desk.edits.save({
      id: found.id,
      comment: 'Kotflügel hinten links, Tür',
      estimate: "12'3",
    });
    const back = await afterKill();
    expect((await back.edits.list()).items).toMatchObject([
      { caseId: found.id, comment: 'Kotflügel hinten links, Tür', estimate: "12'3" },
    ]);
    expect((await summary(back)).unsentEdits).toEqual(['comment', 'estimate']);
    const { items, counts } = await back.day.unfinished({ kinds: ['typed'] });
    expect(items).toMatchObject([{ caseId: found.id, parts: ['estimate', 'comment'] }]);
    expect(counts.typed).toBe(1);
    const files = readdirSync(home(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    expect(files.filter((bytes) => bytes.includes('Kotfl'))).toEqual([]);
  });

  it('is removed with the act that sets it, and only with that', async () => {
    await desk.edits.save({ id: found.id, comment: 'mine', estimate: "1'200.50", approved: '9' });
    await desk.edits.save({ id: found.id, reason: 'a reason' });
    await desk.cases.setComment({ id: found.id, text: 'from a sheet' });
    expect((await summary()).unsentEdits).toEqual(['approved', 'comment', 'estimate', 'reason']);
    await desk.cases.setComment({ id: found.id, text: 'mine' });
    await desk.cases.setAmounts({ id: found.id, costEstimateRappen: 120_050, approvedRappen: 800 });
    expect((await summary()).unsentEdits).toEqual(['approved', 'reason']);
    await desk.edits.save({ id: found.id, approved: null, reason: null });
    expect((await summary()).unsentEdits).toEqual([]);
    expect((await desk.edits.list()).total).toBe(0);
  });

  it('that comes just after the act that queued it is nothing unfinished', async () => {
    await desk.cases.setComment({ id: found.id, text: 'seen on site' });
    await desk.cases.setAmounts({ id: found.id, costEstimateRappen: 120_050, approvedRappen: 800 });
    await desk.edits.save({ id: found.id, comment: 'seen on site', estimate: '1200.5' });
    expect((await desk.edits.list()).items).toEqual([]);
    expect((await desk.day.unfinished({})).counts.typed).toBe(0);
    // What was typed goes back to what the case shows.
    await desk.edits.save({ id: found.id, comment: 'seen on site, twice', approved: '8.0' });
    expect((await summary()).unsentEdits).toEqual(['comment']);
    await desk.edits.save({ id: found.id, comment: 'seen on site' });
    expect((await summary()).unsentEdits).toEqual([]);
  });

  it('is in a verified backup of the store within a minute, for when its file is damaged', async () => {
    inAMinute.length = 0;
    await desk.edits.save({ id: found.id, comment: 'typed' });
    for (const run of inAMinute.splice(0)) run();
    const copy = join(dir, 'damaged');
    cpSync(home(), copy, { recursive: true, filter: (path) => !path.endsWith('.lock') });
    for (const name of ['work.db', 'work.db-wal', 'work.db-shm'])
      rmSync(join(copy, 'workspaces', 'practice', name), { force: true });
    const back = await open(copy);
    const [offer] = (await back.tools.workBackups()).items;
    await back.tools.decideOnWorkBackup({ id: offer?.id ?? '', decision: 'take' });
    expect((await back.edits.list()).items).toMatchObject([{ comment: 'typed' }]);
  });

  it('is in a backup, and what is typed here already stays', async () => {
    await desk.edits.save({ id: found.id, comment: 'packed', reason: 'packed too' });
    const file = join(dir, 'work.backup');
    await desk.tools.backUp({ file, passphrase: 'a passphrase' });
    await desk.edits.save({ id: found.id, comment: 'typed since', reason: null });
    expect(await desk.tools.restore({ file, passphrase: 'a passphrase' })).toMatchObject({
      texts: 1,
      notes: 0,
    });
    expect((await desk.edits.list()).items).toMatchObject([
      { caseId: found.id, comment: 'typed since', reason: 'packed too' },
    ]);
  });
});

it('a restore notifies every window, counts texts and notes, and brings the rule of the own cases', async () => {
  await desk.notes.set({ id: found.id, text: 'Hund' });
  await desk.edits.save({ id: found.id, comment: 'packed' });
  await desk.own.mark({ ids: [found.id], own: false });
  const noted = { ids: [found.id], name: ' Anna Muster ' };
  const { before } = await desk.own.setHandler(noted);
  expect(before).toEqual([{ ids: [found.id], name: '' }]);
  expect((await desk.own.setHandler(noted)).before).toMatchObject([{ name: 'Anna Muster' }]);
  const file = join(dir, 'work.backup');
  await desk.tools.backUp({ file, passphrase: 'a passphrase' });
  const other = await open(join(dir, 'other'));
  await other.sync.run({ documents: 'none' });
  const isTold = eventOf(other, ({ type }) => type === 'work.restored');
  const restored = await other.tools.restore({ file, passphrase: 'a passphrase' });
  expect(restored).toMatchObject({ texts: 1, notes: 1 });
  await isTold;
  expect(await other.own.of({ id: found.id })).toEqual({ own: false, mark: false });
  const inHand = await other.cases.list({ handledBy: 'Anna Muster' });
  expect(inHand.items).toMatchObject([{ id: found.id, handledBy: 'Anna Muster' }]);
  expect(await other.own.handlers()).toEqual({ names: ['Anna Muster'] });
  await other.own.setHandler({ ids: [found.id], name: '' });
  expect(await other.cases.list({ handledBy: 'Anna Muster' })).toMatchObject({ total: 0 });
});

it('a text is stored unless another window has a later key, and every window is notified of the stored text', async () => {
  const one = '11111111-1111-4111-8111-111111111111';
  const two = '22222222-2222-4222-8222-222222222222';
  const { id } = found;
  const save = (window: string, comment: string, agoMs: number) =>
    desk.edits.save({ id, comment, by: { window, agoMs } });
  const isTold = eventOf(desk, ({ type }) => type === 'typed.changed');
  expect(await save(one, 'later', 0)).toEqual({ isLate: false });
  expect(await isTold).toMatchObject({ place: 'comment', id, text: 'later', window: one });
  expect(await save(two, 'earlier', 60_000)).toEqual({ isLate: true });
  expect((await desk.edits.list()).items).toMatchObject([{ comment: 'later' }]);
  const isQueued = eventOf(desk, (event) => event.type === 'typed.changed' && event.text === null);
  await desk.cases.setComment({ id, text: 'later' });
  expect(await isQueued).toMatchObject({ place: 'comment', id, window: null });

  const { id: draftId } = await desk.reports.createDraft({ id });
  const report = (window: string, comment: string, agoMs: number) =>
    desk.reports.updateDraft({ draftId, comment, by: { window, agoMs } });
  await report(one, 'of one', 0);
  expect(await report(two, 'of two', 60_000)).toMatchObject({ comment: 'of one' });

  const content = Readable.from([makeJpeg()]);
  const added = await desk.files.addAttachment(draftId, { fileName: 'a.jpg', content });
  const change = (window: string, agoMs: number, details: DetailsChange, fileName?: string) => {
    const input = { draftId, attachmentId: added.id, details, by: { window, agoMs } };
    return desk.reports.updateAttachment({ ...input, fileName });
  };
  await change(one, 0, { caption: 'of one' });
  // What is no text is stored nevertheless.
  const { attachments } = await change(
    two,
    60_000,
    { caption: 'of two', group: 'damage' },
    'b.jpg',
  );
  expect(attachments).toMatchObject([
    { fileName: 'b.jpg', details: { caption: 'of one', group: 'damage' } },
  ]);
});

it('an edit of a photo goes on from the stored one, and no other is replaced', async () => {
  const { id: draftId } = await desk.reports.createDraft({ id: found.id });
  const content = Readable.from([makeJpeg()]);
  const added = await desk.files.addAttachment(draftId, { fileName: 'a.jpg', content });
  const save = (brightness: number, editVersion: number) =>
    desk.reports.updateAttachment({
      draftId,
      attachmentId: added.id,
      details: { edit: { ...noEdit, brightness }, editVersion },
    });
  await save(0.5, 0);
  // A second window drew on the photo as it was before.
  await expect(save(1, 0)).rejects.toMatchObject({ code: 'photo_changed' });
  const { attachments } = await desk.reports.getDraft({ draftId });
  expect(attachments[0]?.details).toMatchObject({ edit: { brightness: 0.5 }, editVersion: 1 });
  await save(1, 1);
});

it('a value that changed at the partner while one typed is shown before it is replaced', async () => {
  await desk.edits.save({ id: found.id, comment: 'mine' });
  // A colleague, of whom the cache hears before the user queues their text.
  const other = await open(join(dir, 'colleague'));
  await other.sync.run({ documents: 'none' });
  await other.cases.setComment({ id: found.id, text: 'a colleague’s' });
  await other.sync.run({ documents: 'none' });
  await desk.sync.run({ documents: 'none' });
  expect((await summary()).expertComment).toBe('a colleague’s');
  await desk.edits.save({ id: found.id, comment: 'mine, longer' });
  const item = await desk.cases.setComment({ id: found.id, text: 'mine, longer' });
  await desk.sync.run({ documents: 'none' });
  expect(await desk.queue.get({ id: item.id })).toMatchObject({
    state: 'attention',
    conflicts: [
      {
        found: 'a colleague’s',
        mine: 'mine, longer',
        seen: found.expertComment,
        by: 'colleague',
        noticedAt: (await desk.cases.history({ id: found.id })).items.find(({ changes }) =>
          changes.some(({ after }) => after === 'a colleague’s'),
        )?.at,
      },
    ],
  });
});

it('a note survives a kill, is found by the list, and is never sent', async () => {
  const hitsOf = async (engine: Engine, q: string) => {
    const { items } = await engine.cases.list({ q });
    const ids = items.map(({ id }) => id);
    const { items: hits } = await engine.cases.hits({ q, ids });
    return hits.map((hit) => [hit.id, ...hit.hits]);
  };
  await desk.notes.set({ id: found.externalKey, text: 'Zwinger hinter dem Haus' });
  const back = await afterKill();
  expect(await back.notes.get({ id: found.id })).toEqual({ text: 'Zwinger hinter dem Haus' });
  expect(await hitsOf(back, 'haus ZWING')).toEqual([
    [found.id, { field: 'note', text: 'Zwinger hinter dem Haus' }],
  ]);
  expect(await hitsOf(back, 'zwinger vor')).toEqual([]);
  expect((await back.queue.list({})).total).toBe(0);
  await back.notes.set({ id: found.id, text: '' });
  expect(await hitsOf(back, 'zwinger')).toEqual([]);
});
