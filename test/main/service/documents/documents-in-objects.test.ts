import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#main/service/store/tables.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openContext, type ServiceContext } from '#main/service/context.ts';
import { discardContent, storeContent } from '#main/front/contents/contents.ts';
import { createContentWriter } from '#main/front/contents/content-writer.ts';
import { startS3Server, type S3ServerForTest } from '../../../support/s3-server.ts';
import {
  acceptedCase,
  contents,
  expectDone,
  handIn,
  idOf,
  openDraft,
  titleOf,
  upload,
} from '../support/claims.ts';
import { databaseOf } from '../support/database.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryLog } from '../support/memory-log.ts';
import { objectsForTest, startService, type ServiceForTest } from '../support/service.ts';
import type { Partner } from '../support/partner.ts';

let bucket: S3ServerForTest;
let service: ServiceForTest;
let insurer: Partner;
let expert: Partner;
let claimId: string;

beforeEach(async () => {
  bucket = await startS3Server();
  service = await startService({ documentsUrl: bucket.url });
  [insurer, expert] = await Promise.all([service.partner('insurer'), service.partner('expert')]);
  claimId = (await acceptedCase(service, insurer)).Id;
});
afterEach(async () => {
  await service.remove();
  await bucket.close();
});

const pdfOf = (sizeBytes: number) =>
  Buffer.concat([contents.pdf, randomBytes(sizeBytes - contents.pdf.length)]);

const add = (bytes: Buffer, idempotencyKey?: string) =>
  insurer.request('POST', `/v1/insurers/claims/${claimId}/documents`, {
    body: upload(bytes),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });

const read = (id: string) => expert.request('GET', `/v1/experts/cases/${claimId}/documents/${id}`);

test('documents in a bucket: of many parts, and none of their bytes in the store', async () => {
  const bytes = pdfOf(12_000_000);
  const added = await expectDone(add(bytes));
  const { Id } = added.json as { Id: string };
  const { ContentBase64 } = (await read(Id)).json as { ContentBase64: string };
  expect(ContentBase64 === bytes.toString('base64')).toBe(true);
  expect(bucket.asked.filter((line) => line.includes('partNumber='))).toHaveLength(3);
  expect(await bucket.objects()).toHaveLength(1);
  const { db } = service.context;
  expect(await db.selectFrom('content_chunks').selectAll().execute()).toEqual([]);
});

test('documents in a bucket: a refused or repeated upload leaves no object', async () => {
  const pdf = pdfOf(6_000_000);
  await expectDone(add(pdf, 'key'));
  const objects = await bucket.objects();
  const bytes = Buffer.concat([Buffer.from('no PDF'), randomBytes(6_000_000)]);
  expect(titleOf(await add(bytes))).toBe('invalid_document');
  expect((await add(pdf, 'key')).headers['idempotency-replayed']).toBe('true');
  expect(await bucket.objects()).toHaveLength(2);
  await service.context.purge();
  const { db } = service.context;
  expect(await db.selectFrom('objects_to_delete').selectAll().execute()).toEqual([]);
  expect(await bucket.objects()).toEqual(objects);
});

test('documents in a bucket: X14 deletes the object, at once or as soon as the bucket answers', async () => {
  const path = `/v1/experts/reports/${await openDraft(expert, claimId)}/documents`;
  const id = await idOf(expert.request('POST', path, { body: upload(pdfOf(6_000_000)) }));
  await expectDone(expert.request('DELETE', `${path}/${id}`));
  bucket.refuse = (method) => method === 'DELETE';
  await expect(service.context.purge()).rejects.toThrow('UnknownError');
  expect(await bucket.objects()).toHaveLength(1);
  bucket.refuse = undefined;
  await service.context.purge();
  expect(await bucket.objects()).toEqual([]);
});

test('documents in a bucket: a bucket that is away is a 500, up and down, and nothing is made', async () => {
  const added = await expectDone(add(contents.pdf));
  bucket.refuse = () => true;
  const answers = [
    await read((added.json as { Id: string }).Id),
    await add(contents.pdf),
    await add(pdfOf(6_000_000)),
  ];
  for (const refused of answers) {
    expect([refused.status, titleOf(refused)]).toEqual([500, 'internal_error']);
  }
  bucket.refuse = undefined;
  const list = await expert.request('GET', `/v1/experts/cases/${claimId}/documents`);
  expect(list.json).toMatchObject({ Total: 1 });
  await service.context.purge();
  expect(await bucket.objects()).toHaveLength(1);
  expect((await read((added.json as { Id: string }).Id)).status).toBe(200);
});

test('documents in a bucket: I9, X12: of a bucket that is away, a list of contents is a 500', async () => {
  const id = await handIn(expert, claimId);
  const lists = [
    () => insurer.request('GET', `/v1/insurers/claims/${claimId}/reports/${id}/documents`),
    () => expert.request('GET', `/v1/experts/reports/${id}/documents`),
  ];
  for (const list of lists) {
    bucket.refuse = () => true;
    const refused = await list();
    expect([refused.status, titleOf(refused)]).toEqual([500, 'internal_error']);
    bucket.refuse = undefined;
    expect((await list()).json).toMatchObject({ Total: 1, Items: [upload()] });
  }
});

test('documents in a bucket: what a killed process left is swept an hour later', async () => {
  const { context, clock } = service;
  for (const id of ['half', 'whole']) {
    const writer = createContentWriter(context, id, clock.now());
    await writer.push(pdfOf(1_000_000));
    if (id === 'whole') await writer.finish();
  }
  clock.advance(59 * 60_000);
  await context.purge();
  expect(await bucket.objects()).toEqual(['desk/whole']);
  clock.advance(61_000);
  await context.purge();
  expect(await bucket.objects()).toEqual([]);
});

test('documents in a bucket: a purged upload cannot be kept, and its object is deleted', async () => {
  const { context, clock } = service;
  const writer = createContentWriter(context, 'late', clock.now());
  await writer.push(pdfOf(6_000_000));
  const staged = await writer.finish();
  clock.advance(61 * 60_000);
  await context.db.deleteFrom('contents').where('id', '=', 'late').execute();
  const keeping = context.db
    .transaction()
    .execute((db: Kysely<Database>) => storeContent(db, staged, clock.now()));
  await expect(keeping).rejects.toThrow('was purged');
  await discardContent(context.db, staged);
  await context.purge();
  expect(await bucket.objects()).toEqual([]);
});

test('documents in a bucket: what is kept is never discarded', async () => {
  const { context, clock } = service;
  const writer = createContentWriter(context, 'kept', clock.now());
  await writer.push(contents.pdf);
  const staged = await writer.finish();
  await context.db
    .transaction()
    .execute((db: Kysely<Database>) => storeContent(db, staged, clock.now()));
  await discardContent(context.db, staged);
  await context.purge();
  expect(await bucket.objects()).toEqual(['desk/kept']);
});

test('documents in a bucket: a store with such does not start without --documents', async () => {
  await expectDone(add(contents.pdf));
  const open = (url?: string): Promise<ServiceContext> =>
    openContext({
      directory: service.directory,
      database: databaseOf(service.directory),
      objects: objectsForTest(url),
      limits: 'off',
      clock: createFakeClock(),
      log: createMemoryLog().log,
    });
  await service.stop();
  await expect(open()).rejects.toThrow('--documents does not say where');
  await expect(open(bucket.url.replace('//documents', '//no'))).rejects.toThrow('no bucket');
  service = await startService({ directory: service.directory, documentsUrl: bucket.url });
});

test('documents in a bucket: those that were in the store before stay readable', async () => {
  await service.stop();
  service = await startService({ directory: service.directory });
  insurer = await service.partner('insurer');
  const added = await expectDone(add(contents.pdf));
  await service.stop();
  service = await startService({ directory: service.directory, documentsUrl: bucket.url });
  expert = await service.partner('expert');
  expect((await read((added.json as { Id: string }).Id)).status).toBe(200);
  expect(await bucket.objects()).toEqual([]);
});
