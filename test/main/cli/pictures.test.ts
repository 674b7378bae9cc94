import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'jpeg-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readExif } from '#shared/photos/read-exif.ts';
import {
  caseInProgress,
  createDeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { picturesPdf, smallPdf } from '../../support/pdf-files.ts';
import { printedBatch } from '../../support/printed.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import {
  makeCameraPhoto,
  makeDetailedJpeg,
  makeJpeg,
  makeScan,
  placeMark,
  telephonePhotos,
  thumbnailMark,
} from '../../support/sample-files.ts';
import { openServerView, type ServerView } from '../../support/server-view.ts';

// Nothing hidden leaves the device also if no window has looked at a picture.

const folder = serviceFolderHere();
const desk = createDeskRunner(folder.at('home'), { env: folder.ownLimits });
const inbox = folder.at('inbox');
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../support/fixtures', name));
let service: ServiceHere;
let view: ServerView;
let externalKey: string;

const photo = makeCameraPhoto({
  width: 80,
  height: 60,
  orientation: 6,
  takenAt: '2026:05:01 10:11:12',
  seed: 3,
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
    takenAt: '2026-05-01T10:11:12',
    orientation: 6,
    place: null,
    device: null,
  });
  const png = sent.get('cut.png') ?? Buffer.alloc(0);
  expect(png.length).toBe(png.indexOf('IEND') + 8);
  expect(sent.get('report.pdf')?.equals(document)).toBe(true);
}

/** The telephones' photos of the tests have two colours, left and right or above and below. */
function expectPicture(jpeg: Buffer | undefined): void {
  const { width, height, data } = decode(jpeg ?? Buffer.alloc(0), { useTArray: true });
  expect(Math.min(width, height)).toBeGreaterThan(0);
  expect(new Set(data.filter((_, at) => at % 4 === 0)).size).toBeGreaterThan(1);
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

it('makes a JPEG of a HEIC of `desk report`, and names it', async () => {
  const [{ buffer: heic } = { buffer: Buffer.alloc(0) }] = telephonePhotos;
  writeFileSync(folder.at('IMG_2.HEIC'), heic);
  const report = await desk('report', externalKey, '--file', folder.at('IMG_2.HEIC'), '--submit');
  expect(report.code).toBe(0);
  const named = z.object({
    strippedPictures: z.array(z.string()),
    convertedPictures: z.array(z.string()),
  });
  expect(report.json(named)).toMatchObject({
    strippedPictures: [],
    convertedPictures: ['IMG_2.jpg'],
  });
  expect((await desk('sync')).code).toBe(0);
  expectPicture((await arrived()).get('IMG_2.jpg'));
  expect(readFileSync(folder.at('IMG_2.HEIC')).equals(heic)).toBe(true);
});

const jpeg = makeJpeg();
const png = Buffer.from(fixture('pictures/web.png'));
/** Of its checksum, behind IHDR. */
png.writeUInt8(png.readUInt8(29) ^ 0xff, 29);
const portrait = telephonePhotos[1]?.buffer ?? Buffer.alloc(0);
const spoiled = {
  'half.jpg': jpeg.subarray(0, jpeg.length / 2),
  // With an end, as a program writes it that was broken off.
  'ended.jpg': Buffer.concat([jpeg.subarray(0, jpeg.length / 2), Buffer.from([0xff, 0xd9])]),
  'checksum.png': png,
  'zeros.heic': Buffer.from(portrait).fill(0, portrait.length / 3, (portrait.length * 2) / 3),
};

it('takes what is damaged as a draft, and does not queue it', async () => {
  for (const [name, bytes] of [
    ['half.heic', telephonePhotos[0]?.buffer.subarray(0, 500) ?? Buffer.alloc(0)],
    ['torn.jpg', makeJpeg().subarray(0, 30)],
    ...Object.entries(spoiled),
  ] as const) {
    writeFileSync(folder.at(name), bytes);
    const before = (await desk('queue')).json(itemsSchema).total;
    const refused = await desk('report', externalKey, '--file', folder.at(name), '--submit');
    expect([refused.code, refused.json(errorSchema).code]).toEqual([1, 'photo_unready']);
    expect((await desk('report', externalKey, '--file', folder.at(name))).code).toBe(0);
    expect((await desk('queue')).json(itemsSchema).total).toBe(before);
  }
});

it('names a JPEG that looks damaged if it is taken as a draft', async () => {
  const key = await caseInProgress(desk);
  const [inboxOf, ended, whole] = [folder.at('damaged'), folder.at('e.jpg'), folder.at('w.jpg')];
  const detailed = makeDetailedJpeg(160, 120);
  writeFileSync(whole, detailed);
  const bytes = Buffer.concat([
    detailed.subarray(0, detailed.length / 2),
    Buffer.from([0xff, 0xd9]),
  ]);
  writeFileSync(ended, bytes);
  mkdirSync(join(inboxOf, key), { recursive: true });
  writeFileSync(join(inboxOf, key, 'e.jpg'), bytes);
  for (const [dry, outcome] of [
    [['--dry-run'], 'ready'],
    [[], 'added'],
  ] as const) {
    const { items } = (await desk('batch', inboxOf, ...dry)).json(printedBatch);
    expect(items).toMatchObject([{ outcome, looksDamaged: true }]);
  }
  const taken = await desk('report', key, '--file', ended, whole);
  expect(taken.code).toBe(0);
  const named = z.object({ damagedPictures: z.array(z.string()) });
  expect(taken.json(named).damagedPictures).toEqual(['e.jpg']);
});

it('queues no PDF with pictures that look damaged, and names it if it is taken as a draft', async () => {
  const key = await caseInProgress(desk);
  const [inboxOf, scan] = [folder.at('scans'), folder.at('scan.pdf')];
  const bytes = picturesPdf(2, 1, {
    width: 160,
    height: 120,
    bytes: Buffer.from(jpeg).fill(0, jpeg.length >> 1, jpeg.length - 100),
    entries: '/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
  });
  writeFileSync(scan, bytes);
  mkdirSync(join(inboxOf, key), { recursive: true });
  writeFileSync(join(inboxOf, key, 'scan.pdf'), bytes);
  const refused = await desk('report', key, '--file', scan, '--submit');
  expect([refused.code, refused.json(errorSchema).code]).toEqual([1, 'pdf_looks_damaged']);
  for (const dry of [['--dry-run'], []]) {
    const { items } = (await desk('batch', inboxOf, '--submit', ...dry)).json(printedBatch);
    expect(items).toMatchObject([{ problem: { code: 'pdf_looks_damaged' } }]);
  }
  const taken = await desk('report', key, '--file', scan);
  expect(taken.code).toBe(0);
  const named = z.object({ damagedPictures: z.array(z.string()) });
  expect(taken.json(named).damagedPictures).toEqual(['scan.pdf']);
});

it('sends the HEIC of a case whose folder was a draft before', async () => {
  const folderOf = folder.at('again');
  const key = await caseInProgress(desk);
  mkdirSync(join(folderOf, key), { recursive: true });
  writeFileSync(join(folderOf, key, 'b.heic'), telephonePhotos[1]?.buffer ?? Buffer.alloc(0));
  expect((await desk('batch', folderOf)).code).toBe(0);
  const ran = (await desk('batch', folderOf, '--submit')).json(printedBatch);
  expect(ran.items).toMatchObject([{ outcome: 'added', problem: null }]);
  expect(ran).toMatchObject({ reports: [{ queueId: expect.any(Number) as number }] });
});

it('sends pictures of `desk batch` without what is hidden in them, and a HEIC as a JPEG', async () => {
  for (const [name, bytes] of Object.entries(files))
    writeFileSync(join(inbox, externalKey, name), Buffer.concat([bytes, hidden, hidden]));
  const document = Buffer.concat([pdf, Buffer.from('%% once more')]);
  writeFileSync(join(inbox, externalKey, 'report.pdf'), document);
  const halves: Readonly<Record<string, Buffer>> = {
    ...spoiled,
    'half.heic': telephonePhotos[1]?.buffer.subarray(0, 600) ?? Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(halves))
    writeFileSync(join(inbox, externalKey, name), Buffer.concat([bytes, hidden]));
  for (const dry of [['--dry-run'], []]) {
    const ran = await desk('batch', inbox, '--submit', ...dry);
    const { items, reports } = ran.json(printedBatch);
    expect(reports).toEqual([]);
    for (const name of Object.keys(halves))
      expect(items.find(({ path }) => path.endsWith(name))).toMatchObject({
        outcome: 'refused',
        problem: { code: 'photo_unready' },
      });
  }
  for (const name of Object.keys(halves)) rmSync(join(inbox, externalKey, name));
  writeFileSync(join(inbox, externalKey, 'a.heic'), telephonePhotos[3]?.buffer ?? Buffer.alloc(0));
  const made = (await desk('batch', inbox, '--submit')).json(printedBatch);
  expect([made.reports.length, made.strippedPictures, made.convertedPictures]).toEqual([1, 5, 1]);
  await desk('sync');
  const sent = await arrived();
  expectPicture(sent.get('a.jpg'));
  sent.delete('a.jpg');
  expectBare(sent, document);
});

it('queues a mail that looks cut off, and names it', async () => {
  const key = await caseInProgress(desk);
  const [inboxOf, mail] = [folder.at('mails'), folder.at('anfrage.eml')];
  const lines = ['From: a@example.ch', 'Content-Type: text/html', '', '<html><p>Der Schaden'];
  writeFileSync(mail, lines.join('\r\n'));
  mkdirSync(join(inboxOf, key), { recursive: true });
  writeFileSync(join(inboxOf, key, 'anfrage.eml'), lines.join('\r\n'));
  const { items } = (await desk('batch', inboxOf, '--submit', '--dry-run')).json(printedBatch);
  expect(items).toMatchObject([{ outcome: 'ready', looksDamaged: true }]);
  const queued = await desk('report', key, '--file', mail, '--submit');
  expect(queued.code).toBe(0);
  expect(queued.json(z.object({ cutMails: z.array(z.string()) })).cutMails).toEqual([
    'anfrage.eml',
  ]);
});
