import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseObjectLocation } from '#main/service/documents/objects/object-location.ts';
import { openObjectStore, type ObjectStore } from '#main/service/documents/objects/object-store.ts';
import { readObject } from '#main/service/documents/objects/read-object.ts';
import { s3Keys, startS3Server, type S3ServerForTest } from '../../../../support/s3-server.ts';

const mebibyte = 1024 * 1024;
let server: S3ServerForTest;
let objects: ObjectStore;

const open = (url: string, credentials = { sessionToken: undefined, ...s3Keys }) =>
  openObjectStore({ location: parseObjectLocation(url), credentials, retryDelayMs: 1 });

beforeEach(async () => {
  server = await startS3Server();
  objects = open(server.url);
});
afterEach(async () => {
  objects.close();
  await server.close();
});

async function uploadInParts(id: string, parts: readonly Buffer[]): Promise<void> {
  const uploadId = await objects.beginUpload(id);
  const etags: string[] = [];
  for (const [index, part] of parts.entries()) {
    etags.push(await objects.putPart(id, uploadId, index + 1, part));
  }
  await objects.completeUpload(id, uploadId, etags);
}

async function readPieces(id: string, sizeBytes: number): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of readObject(objects, id, sizeBytes)) pieces.push(piece);
  return pieces;
}

async function readWhole(id: string, sizeBytes: number): Promise<Buffer> {
  return Buffer.concat(await readPieces(id, sizeBytes));
}

test('objects: one that comes in parts comes back as it was, from any position', async () => {
  const id = randomUUID();
  const parts = [randomBytes(5 * mebibyte), randomBytes(5 * mebibyte), randomBytes(7)];
  await uploadInParts(id, parts);
  const whole = Buffer.concat(parts);
  expect(await server.objects()).toEqual([`desk/${id}`]);
  expect(await server.uploads()).toEqual([]);
  expect(whole.equals(await readWhole(id, whole.length))).toBe(true);
  const rest = await buffer(await objects.open(id, whole.length - 10));
  expect(rest.equals(whole.subarray(-10))).toBe(true);
});

test('objects: what fails on the way is tried again, four times in all', async () => {
  const id = randomUUID();
  server.faults.set('PUT object', ['busy', 'cut', 'lost']);
  await objects.put(id, Buffer.from('content'));
  expect(server.asked).toEqual(['PUT object', 'PUT object', 'PUT object', 'PUT object']);
  expect((await readWhole(id, 7)).toString()).toBe('content');
  server.faults.set('PUT object', ['busy', 'busy', 'busy', 'busy']);
  await expect(objects.put(id, Buffer.from('content'))).rejects.toMatchObject({
    code: 'object_storage_failed',
    status: 503,
    reason: 'SlowDown',
  });
  expect(server.asked.slice(5)).toEqual(Array(4).fill('PUT object'));
});

test('objects: what the storage refuses is not tried again', async () => {
  await expect(objects.open(randomUUID(), 0)).rejects.toMatchObject({
    status: 404,
    reason: 'NoSuchKey',
  });
  expect(server.asked).toEqual(['GET object']);
});

test('objects: an upload whose completion was answered into the void is complete', async () => {
  const id = randomUUID();
  server.faults.set('POST upload', ['lost']);
  await uploadInParts(id, [Buffer.from('content')]);
  expect(server.asked.slice(-3)).toEqual(['POST upload', 'POST upload', 'HEAD object']);
  expect((await readWhole(id, 7)).toString()).toBe('content');
});

test('objects: a completion that fails after its 200 is no completion', async () => {
  server.faults.set('POST upload', ['late-error']);
  const failing = uploadInParts(randomUUID(), [Buffer.from('content')]);
  await expect(failing).rejects.toMatchObject({ reason: 'InternalError' });
});

test('objects: reading goes on where the way broke off, in pieces for base64', async () => {
  const id = randomUUID();
  const bytes = randomBytes(1_000_001);
  await objects.put(id, bytes);
  server.faults.set('GET object', ['half', 'cut', 'half', 'half']);
  const pieces = await readPieces(id, bytes.length);
  expect(pieces.slice(0, -1).every((piece) => piece.length % 3 === 0)).toBe(true);
  expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
});

test('objects: reading ends where nothing comes any more, and where the length is wrong', async () => {
  const id = randomUUID();
  await objects.put(id, Buffer.from('content'));
  await expect(readWhole(id, 8)).rejects.toThrow('shorter');
  await expect(readWhole(id, 6)).rejects.toThrow('longer');
  server.faults.set('GET object', ['cut', 'cut', 'cut', 'cut']);
  await expect(readWhole(id, 7)).rejects.toMatchObject({ code: 'object_storage_failed' });
});

test('objects: removing takes the object and the uploads of it, and there may be none', async () => {
  const [id, other] = [randomUUID(), randomUUID()];
  await objects.put(id, Buffer.from('content'));
  await objects.beginUpload(id);
  await objects.beginUpload(other);
  await objects.remove(id);
  expect(await server.objects()).toEqual([]);
  expect(await server.uploads()).toHaveLength(1);
  await objects.remove(id);
});

test.each([
  ['there is no bucket', 'NoSuchBucket', (url: string) => open(url.replace('//documents', '//no'))],
  [
    'the keys are refused',
    'wrong secret',
    (url: string) => open(url, { ...s3Keys, secretAccessKey: 'wrong', sessionToken: undefined }),
  ],
  [
    'AuthorizationHeaderMalformed',
    'wrong region',
    (url: string) => open(url.replace('eu-test-1', 'eu-test-2')),
  ],
  [
    'InvalidToken',
    'wrong session',
    (url: string) => open(url, { ...s3Keys, sessionToken: 'hidden' }),
  ],
])('objects: a bucket that cannot be used is told at once: %s', async (words, _, openOther) => {
  const other = openOther(server.url);
  const told = await other.assertUsable().catch((error: unknown) => String(error));
  expect(told).toContain(words);
  expect(told).not.toMatch(/hidden|wrong/);
  other.close();
});

test('objects: session tokens are signed', async () => {
  const withToken = await startS3Server({ ...s3Keys, sessionToken: 'token/+=' });
  const other = open(withToken.url, { ...s3Keys, sessionToken: 'token/+=' });
  await other.assertUsable();
  other.close();
  await withToken.close();
});

test('objects: closing breaks off what is under way', async () => {
  server.faults.set('PUT object', ['busy', 'busy', 'busy', 'busy']);
  const putting = objects.put(randomUUID(), Buffer.from('content'));
  objects.close();
  await expect(putting).rejects.toThrow();
});
