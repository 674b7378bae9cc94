import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readExif } from '#shared/photos/read-exif.ts';
import {
  caseInProgress,
  createDeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { smallPdf } from '../../support/pdf-files.ts';
import { printedBatch } from '../../support/printed.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';
import {
  makeCameraPhoto,
  makeJpeg,
  makeScan,
  placeMark,
  telephonePhotos,
  thumbnailMark,
} from '../../support/sample-files.ts';
import { openServerView, type ServerView } from '../../support/server-view.ts';

// Nothing hidden leaves the device also if no window has looked at a picture.

const folder = serviceFolder();
const desk = createDeskRunner(folder.at('home'), { env: folder.ownLimits });
const inbox = folder.at('inbox');
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../support/fixtures', name));
let service: RunningService;
let view: ServerView;
let externalKey: string;

const photo = makeCameraPhoto({
  ...{ width: 80, height: 60, orientation: 6, takenAt: '2026:05:01 10:11:12', seed: 3 },
});
const hidden = Buffer.from('BEHINDTHEEND');
const pdf = Buffer.concat([smallPdf('Report'), Buffer.from('% COMMENTMARK\n')]);
const files: Readonly<Record<string, Buffer>> = {
  'front.jpg': photo,
  // A name without an extension, as some telephones share photos.
  IMG_1: Buffer.concat([photo, hidden]),
  'cut.png': fixture('acropalypse.png'),
  'web.webp': fixture('webp-trailing.webp'),
  'scan.tif': Buffer.concat([makeScan([90, 160]), hidden]),
  'report.pdf': pdf,
};

beforeAll(async () => {
  service = await folder.start('--demo', '30', '--limits', 'x1000');
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
  externalKey = await caseInProgress(desk);
  view = await openServerView(service.credentials);
  mkdirSync(join(inbox, externalKey), { recursive: true });
});
afterAll(folder.end);

/** By name, the bytes of the newest report of the case at the partner. */
async function arrived(): Promise<Map<string, Buffer>> {
  const found = (await view.cases()).find((item) => item['ExternalKey'] === externalKey);
  const reports = await view.reports(String(found?.['Id']));
  const newest = reports.toSorted((one, other) =>
    String(other['CreatedAt']).localeCompare(String(one['CreatedAt'])),
  )[0];
  return await view.contents(String(newest?.['Id']));
}

function expectBare(sent: ReadonlyMap<string, Buffer>, document: Buffer): void {
  for (const [name, bytes] of sent) {
    const text = bytes.toString('latin1');
    for (const mark of [placeMark, thumbnailMark, 'DEVICEMARK', 'BEHINDTHEEND'])
      expect(text.includes(mark), `${mark} in ${name}`).toBe(false);
  }
  const front = sent.get('front.jpg') ?? Buffer.alloc(0);
  expect(readExif(new Uint8Array(front).buffer)).toEqual({
    ...{ takenAt: '2026-05-01T10:11:12', orientation: 6, place: null, device: null },
  });
  const png = sent.get('cut.png') ?? Buffer.alloc(0);
  expect(png.length).toBe(png.indexOf('IEND') + 8);
  expect(sent.get('report.pdf')?.equals(document)).toBe(true);
}

it('sends pictures of `desk report` without what is hidden in them, and lists them', async () => {
  const paths = Object.entries(files).map(([name, bytes]) => {
    writeFileSync(folder.at(name), bytes);
    return ['--file', folder.at(name)];
  });
  const report = await desk('report', externalKey, ...paths.flat(), '--submit');
  expect(report.code).toBe(0);
  const named = z.object({ strippedPictures: z.array(z.string()) });
  expect(report.json(named).strippedPictures).toEqual(
    Object.keys(files).filter((name) => name !== 'report.pdf'),
  );
  expect((await desk('sync')).code).toBe(0);
  const sent = await arrived();
  expect([...sent.keys()].toSorted()).toEqual(Object.keys(files).toSorted());
  expectBare(sent, pdf);
  for (const [name, bytes] of Object.entries(files))
    expect(readFileSync(folder.at(name)).equals(bytes), name).toBe(true);
});

it('takes a HEIC and a damaged picture as a draft, and does not queue them', async () => {
  for (const [name, bytes] of [
    ['a.heic', telephonePhotos[0]?.buffer ?? Buffer.alloc(0)],
    ['torn.jpg', makeJpeg().subarray(0, 30)],
  ] as const) {
    writeFileSync(folder.at(name), bytes);
    const before = (await desk('queue')).json(itemsSchema).total;
    const refused = await desk('report', externalKey, '--file', folder.at(name), '--submit');
    expect([refused.code, refused.json(errorSchema).code]).toEqual([1, 'photo_unready']);
    expect((await desk('report', externalKey, '--file', folder.at(name))).code).toBe(0);
    expect((await desk('queue')).json(itemsSchema).total).toBe(before);
  }
});

it('lists a case whose draft has a HEIC from before, and does not end with that error', async () => {
  const folderOf = folder.at('again');
  const key = await caseInProgress(desk);
  mkdirSync(join(folderOf, key), { recursive: true });
  writeFileSync(join(folderOf, key, 'b.heic'), telephonePhotos[1]?.buffer ?? Buffer.alloc(0));
  expect((await desk('batch', folderOf)).code).toBe(0);
  const ran = await desk('batch', folderOf, '--submit');
  expect(ran.json(printedBatch).items).toMatchObject([
    { outcome: 'refused', problem: { code: 'photo_unready' } },
  ]);
});

it('sends pictures of `desk batch` without what is hidden in them, and names a HEIC', async () => {
  for (const [name, bytes] of Object.entries(files))
    writeFileSync(join(inbox, externalKey, name), Buffer.concat([bytes, hidden, hidden]));
  const document = Buffer.concat([pdf, Buffer.from('%% once more')]);
  writeFileSync(join(inbox, externalKey, 'report.pdf'), document);
  const heic = join(inbox, externalKey, 'a.heic');
  writeFileSync(heic, telephonePhotos[1]?.buffer ?? Buffer.alloc(0));
  for (const dry of [['--dry-run'], []]) {
    const ran = await desk('batch', inbox, '--submit', ...dry);
    const { items, reports } = ran.json(printedBatch);
    expect(reports).toEqual([]);
    expect(items.find(({ path }) => path.endsWith('a.heic'))).toMatchObject({
      outcome: 'refused',
      problem: { code: 'photo_unready' },
    });
  }
  writeFileSync(heic.replace('.heic', '.txt'), 'Without the photo');
  rmSync(heic);
  const made = (await desk('batch', inbox, '--submit')).json(printedBatch);
  expect([made.reports.length, made.strippedPictures]).toEqual([1, 5]);
  await desk('sync');
  expectBare(await arrived(), document);
});
