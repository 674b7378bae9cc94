import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseObjectLocation } from '#main/front/contents/object-location.ts';
import { openS3Store, type ObjectStore } from '#main/front/contents/s3-store.ts';
import { s3Keys } from '../../../support/s3-keys.ts';
import { startS3Server, type S3ServerForTest } from '../../../support/s3-server.ts';

let server: S3ServerForTest;
let objects: ObjectStore;

const open = (url: string, credentials = s3Keys) =>
  openS3Store({ location: parseObjectLocation(url), credentials });

beforeEach(async () => {
  server = await startS3Server();
  objects = open(server.url);
});
afterEach(async () => {
  objects.close();
  await server.close();
});

test.each([1, 7, 5 * 1024 * 1024, 12_000_001])(
  'objects: %i bytes come back as they were',
  async (sizeBytes) => {
    const id = randomUUID();
    const bytes = randomBytes(sizeBytes);
    const pieces = Array.from({ length: Math.ceil(sizeBytes / 65_536) }, (_, at) =>
      bytes.subarray(at * 65_536, (at + 1) * 65_536),
    );
    await objects.put(id, Readable.from(pieces));
    expect(await server.objects()).toEqual([`desk/${id}`]);
    expect(bytes.equals(await buffer(await objects.open(id)))).toBe(true);
    await objects.remove(id);
    expect(await server.objects()).toEqual([]);
    await objects.remove(id);
  },
);

test('objects: a stream that fails leaves no object', async () => {
  for (const [sizeBytes, message] of [
    [10, 'the caller went away'],
    // s3rver refuses what ends an upload in parts, which hides the reason.
    [6_000_000, 'not allowed'],
  ] as const) {
    const broken = Readable.from(
      (function* () {
        yield randomBytes(sizeBytes);
        throw new Error('the caller went away');
      })(),
    );
    await expect(objects.put(randomUUID(), broken)).rejects.toThrow(message);
  }
  expect(await server.objects()).toEqual([]);
});

test('objects: what the storage refuses for the moment is tried again', async () => {
  let refusals = 2;
  server.refuse = () => (refusals -= 1) >= 0;
  const id = randomUUID();
  await objects.put(id, Readable.from([Buffer.from('content')]));
  expect(await server.objects()).toEqual([`desk/${id}`]);
});

test('objects: an object that does not exist cannot be opened', async () => {
  await expect(objects.open(randomUUID())).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('objects: the check at the start needs no right but to write, read and delete', async () => {
  await objects.assertUsable();
  expect(server.asked.map((line) => line.replace(/[\da-f]{8}-[\da-f-]{27}/, 'ID'))).toEqual([
    'PUT /documents-test/desk/start-check-ID?x-id=PutObject',
    'GET /documents-test/desk/start-check-ID?x-id=GetObject',
    'DELETE /documents-test/desk/start-check-ID?x-id=DeleteObject',
  ]);
  expect(await server.objects()).toEqual([]);
});

test.each([
  ['there is no bucket', (url: string) => open(url.replace('//documents', '//no'))],
  ['the keys are refused', (url: string) => open(url, { ...s3Keys, accessKeyId: 'hidden' })],
  ['cannot be reached', (url: string) => open(url.replace(/%3A\d+/, '%3A1'))],
])('objects: a bucket that cannot be used says why: %s', async (words, openOther) => {
  const other = openOther(server.url);
  const reason = await other.assertUsable().catch((error: unknown) => String(error));
  expect(reason).toContain(words);
  expect(reason).not.toContain('hidden');
  other.close();
});

test('object location: bucket, prefix, endpoint and region', () => {
  expect(
    parseObjectLocation('s3://my.bucket/a/b/?endpoint=http://minio.example:9000/s3/&region=eu-1'),
  ).toEqual({
    bucket: 'my.bucket',
    prefix: 'a/b/',
    endpoint: 'http://minio.example:9000/s3',
    region: 'eu-1',
  });
  expect(parseObjectLocation('s3://bucket')).toEqual({
    bucket: 'bucket',
    prefix: '',
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
  });
});

test.each([
  '',
  'bucket',
  'https://bucket/hidden',
  's3://hidden:secret@bucket',
  's3://bucket?secret=hidden',
  's3://bucket?endpoint=https://hidden:secret@host',
  's3://bucket?endpoint=ftp://hidden',
  's3://bucket?endpoint=https://host/?key=hidden',
  's3://hidden_bucket',
  's3://bucket/hidden//b',
  's3://bucket/hidden%20b',
  's3://bucket?region=hidden/1',
])('object location: %j is refused without being repeated', (text) => {
  expect(() => parseObjectLocation(text)).toThrow(TypeError);
  expect(() => parseObjectLocation(text)).not.toThrow(/hidden/);
});
