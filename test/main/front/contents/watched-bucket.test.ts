import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ObjectStore } from '#main/front/contents/s3-store.ts';
import { watchBucket } from '#main/front/contents/watched-bucket.ts';

const content = Readable.from([]);
const asked: string[] = [];
let outage: Error | undefined;
const answer = <T>(request: string, value: T): Promise<T> => {
  asked.push(request);
  return outage ? Promise.reject(outage) : Promise.resolve(value);
};
const bucket: ObjectStore = {
  assertUsable: () => answer('assertUsable', undefined),
  put: (id, stream) => answer(`put ${id} ${stream === content}`, undefined),
  open: (id) => answer(`open ${id}`, content),
  remove: (id) => answer(`remove ${id}`, undefined),
  close: () => void asked.push('close'),
};

test.each(['put', 'open', 'remove'] as const)(
  'bucket: %s fails for as long as the latest request failed',
  async (name) => {
    const watched = watchBucket(bucket);
    const ask = () =>
      name === 'put' ? watched.objects.put('a', content) : watched.objects[name]('a');
    expect(watched.isFailing()).toBe(false);
    outage = new Error('away');
    asked.length = 0;
    await expect(ask()).rejects.toBe(outage);
    expect(watched.isFailing()).toBe(true);
    outage = undefined;
    expect(await ask()).toBe(name === 'open' ? content : undefined);
    expect(watched.isFailing()).toBe(false);
    const request = name === 'put' ? 'put a true' : `${name} a`;
    expect(asked).toEqual([request, request]);
  },
);

test('bucket: a failure may become another error', async () => {
  const cause = new Error('away');
  outage = cause;
  const watched = watchBucket(bucket, (error) => new Error('a 503', { cause: error }));
  await expect(watched.objects.open('a')).rejects.toMatchObject({ message: 'a 503', cause });
  expect(watched.isFailing()).toBe(true);
  outage = undefined;
});

test('bucket: the check at the start and the end are its own', async () => {
  const { objects } = watchBucket(bucket);
  asked.length = 0;
  await objects.assertUsable();
  objects.close();
  expect(asked).toEqual(['assertUsable', 'close']);
});
