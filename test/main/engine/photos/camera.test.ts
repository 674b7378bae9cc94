import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { WatchedFolder } from '#main/engine/photos/watched-folder.ts';
import { exifSegment } from '#shared/photos/exif.ts';
import { sharePractice, openTestEngine, testKeychain, testFolder } from '../support/test-engine.ts';
import { faultLog } from '../../../support/fault-log.ts';

const { starter } = sharePractice();
let dir: string;
let card: string;
let desk: Engine;
let draftId: string;
const vault = testKeychain();

const open = (home: string, policy: DeskPolicy = {}): Promise<Engine> =>
  openTestEngine({ home, vault, policy, practice: starter });

/** A JPEG without a picture, as long as wanted, last changed some minutes ago. */
function photo(name: string, { takenAt = null as string | null, bytes = 2000, minutes = 5 } = {}) {
  const path = join(card, name);
  mkdirSync(join(path, '..'), { recursive: true });
  const exif =
    exifSegment({ takenAt, place: null, device: null, orientation: 1 }) ?? new Uint8Array();
  const rest = Buffer.alloc(bytes, name);
  writeFileSync(
    path,
    Buffer.concat([Buffer.from('ffd8', 'hex'), exif, Buffer.from('ffdb', 'hex'), rest]),
  );
  const at = Date.now() / 1000 - minutes * 60;
  utimesSync(path, at, at);
  return path;
}
const offered = async (engine = desk) => await engine.camera.offered({ draftId });
const names = async () => (await offered()).items.map(({ fileName }) => fileName);
async function idOf(name: string): Promise<string> {
  const found = (await offered()).items.find(({ fileName }) => fileName === name);
  if (!found) throw new Error(`${name} is not offered`);
  return found.id;
}
const attached = async (engine = desk) =>
  (await engine.reports.getDraft({ draftId })).attachments.map(({ fileName }) => fileName);

beforeEach(async () => {
  dir = testFolder();
  card = join(dir, 'card');
  mkdirSync(card);
  desk = await open(join(dir, 'home'));
  await desk.sync.run({ documents: 'none' });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  const visited = items.find(({ inspectionDate }) => inspectionDate !== null) ?? items[0];
  if (!visited) throw new Error('practice has no case in progress');
  draftId = (await desk.reports.createDraft({ id: visited.id })).id;
  await desk.camera.setFolder({ folder: card });
});

describe('the watched folder', () => {
  it('offers photos by time of capture, and marks those of the day of the inspection', async () => {
    const { caseId } = await desk.reports.getDraft({ draftId });
    const { inspectionDate } = await desk.cases.get({ id: caseId });
    const day = inspectionDate ?? '2026-05-01';
    photo('DCIM/100/B.JPG', { takenAt: `${day}T14:31:00` });
    photo('DCIM/101/A.jpg', { takenAt: `${day}T14:02:00` });
    photo('plain.jpeg');
    photo('notes.txt');
    photo('.thumbnails/A.jpg');
    photo('1/2/3/4/5/6/deep.jpg');
    symlinkSync('/etc/hostname', join(card, 'link.jpg'));
    symlinkSync('..', join(card, 'round'));
    writeFileSync(join(card, 'empty.jpg'), '');
    const { items, total, isThere } = await offered();
    const shown = items.map(({ fileName, isOfVisit }) => [fileName, isOfVisit]);
    expect(shown.filter(([name]) => name !== 'plain.jpeg')).toEqual([
      ['A.jpg', inspectionDate !== null],
      ['B.JPG', inspectionDate !== null],
    ]);
    expect([total, isThere]).toEqual([3, true]);
    expect(items.find(({ fileName }) => fileName === 'A.jpg')?.takenAt).toBe(`${day}T14:02:00`);
  });

  it('waits for a file that is still being written, and takes it whole or not at all', async () => {
    const path = photo('a.jpg', { minutes: 0 });
    expect(await names()).toEqual([]);
    appendFileSync(path, 'more');
    expect(await names(), 'it grew since').toEqual([]);
    expect(await names(), 'the same at two looks').toEqual(['a.jpg']);
    const id = await idOf('a.jpg');
    appendFileSync(path, 'and more');
    await expect(desk.camera.take({ draftId, id })).rejects.toMatchObject({
      code: 'file_changing',
    });
    expect(await attached()).toEqual([]);
    await offered();
    await desk.camera.take({ draftId, id: await idOf('a.jpg') });
    const [taken] = (await desk.reports.getDraft({ draftId })).attachments;
    expect(taken).toMatchObject({ fileName: 'a.jpg', sizeBytes: statSync(path).size });
  });

  it('never returns a file that changes while it is read', async () => {
    const path = photo('large.jpg', { bytes: 300_000 });
    const folder = new WatchedFolder(card, () => Date.now(), faultLog);
    const [found] = (await folder.look(() => true)) ?? [];
    const pieces = folder.read(found?.id ?? '').content[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toHaveLength(64 * 1024);
    appendFileSync(path, 'more');
    const toEnd = async () => {
      while ((await pieces.next()).done !== true);
    };
    await expect(toEnd()).rejects.toMatchObject({ code: 'file_changing' });
  });

  it('offers nothing twice: what was taken, what was left, and after a kill', async () => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) photo(name);
    const before = readdirSync(card).map((name) => readFileSync(join(card, name), 'hex'));
    const [a, b] = [await idOf('a.jpg'), await idOf('b.jpg')];
    await desk.camera.take({ draftId, id: a });
    // Another window had the same offer.
    await desk.camera.take({ draftId, id: a });
    await desk.camera.leave({ ids: [b] });
    expect([await names(), await attached()]).toEqual([['c.jpg'], ['a.jpg']]);
    const copy = join(dir, 'copy');
    cpSync(join(dir, 'home'), copy, { recursive: true, filter: (path) => !path.endsWith('.lock') });
    const back = await open(copy);
    expect((await offered(back)).items.map(({ fileName }) => fileName)).toEqual(['c.jpg']);
    expect(await attached(back)).toEqual(['a.jpg']);
    expect(
      readdirSync(card).map((name) => readFileSync(join(card, name), 'hex')),
      'nothing on the card is changed',
    ).toEqual(before);
  });

  it('may be away, and come back with what it had', async () => {
    photo('a.jpg');
    const id = await idOf('a.jpg');
    renameSync(card, `${card}-out`);
    expect(await offered()).toMatchObject({ isThere: false, total: 0 });
    await expect(desk.camera.take({ draftId, id })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    expect(await attached()).toEqual([]);
    renameSync(`${card}-out`, card);
    expect(await names()).toEqual(['a.jpg']);
  });

  it('gives nothing that it did not list, and refuses what is no photo', async () => {
    photo('a.jpg');
    await expect(desk.camera.take({ draftId, id: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    const path = join(card, 'lie.jpg');
    writeFileSync(path, '%PDF-1.7 not a photo');
    utimesSync(path, 1, 1);
    await expect(desk.camera.take({ draftId, id: await idOf('lie.jpg') })).rejects.toMatchObject({
      code: 'file_type_mismatch',
    });
    expect(await attached()).toEqual([]);
    expect(await names(), 'it can be left').toContain('lie.jpg');
  });

  it('is a full path that is there, and the organization’s if it set one', async () => {
    await expect(desk.camera.setFolder({ folder: 'DCIM' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const nowhere = join(dir, 'nowhere');
    await expect(desk.camera.setFolder({ folder: nowhere })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    expect(await desk.camera.folder()).toEqual({ folder: card });
    const managed = await open(join(dir, 'managed'), { watchedFolder: nowhere });
    expect(await managed.camera.folder()).toEqual({ folder: nowhere });
    expect(await desk.camera.setFolder({ folder: null })).toEqual({ folder: null });
    expect(await offered()).toMatchObject({ isThere: false, items: [] });
  });
});
