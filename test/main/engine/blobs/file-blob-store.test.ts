import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BlobDamagedError,
  type BlobStore,
  type StoredBlob,
  openFileBlobStore,
} from '#main/engine/blobs/file-blob-store.ts';

const key = randomBytes(32);
const chunk = 64 * 1024;
let dir: string;
let store: BlobStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'blobs-'));
  store = await openFileBlobStore({ dir, key, now: Date.now });
});
afterEach(() => rm(dir, { recursive: true }));

async function put(content: Buffer, pieces: readonly number[] = [content.length]) {
  const writer = await store.createWriter();
  let at = 0;
  for (const size of pieces) {
    await writer.write(content.subarray(at, at + size));
    at += size;
  }
  await writer.write(content.subarray(at));
  return writer.finish();
}

async function read(blobId: string, range?: { start: number; end: number }): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of store.open(blobId, range) as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

const fileOf = (blob: StoredBlob) => join(dir, blob.blobId);

describe('file blob store', () => {
  it.each([0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 4 * chunk, 4 * chunk + 1, 9 * chunk + 17])(
    'gives back %i bytes',
    async (size) => {
      const content = randomBytes(size);
      const blob = await put(content);
      expect(blob.sizeBytes).toBe(size);
      expect(blob.sha256).toBe(createHash('sha256').update(content).digest('hex'));
      expect(store.has(blob.blobId)).toBe(true);
      expect((await read(blob.blobId)).equals(content)).toBe(true);
      expect((await stat(fileOf(blob))).mode & 0o777).toBe(0o600);
    },
  );

  it('property: any range of any content, regardless of how it was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 * chunk + 5 }),
        fc.array(fc.integer({ min: 0, max: 2 * chunk }), { maxLength: 5 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (size, pieces, a, b) => {
          const content = randomBytes(size);
          const { blobId } = await put(content, pieces);
          const [start, end] = [a, b]
            .map((part) => Math.floor(part * (size - 1)))
            .sort((x, y) => x - y);
          const range = { start: start ?? 0, end: end ?? 0 };
          const expected = content.subarray(range.start, range.end + 1);
          expect((await read(blobId, range)).equals(expected)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('refuses a range outside of the file', async () => {
    const { blobId } = await put(Buffer.from('abc'));
    for (const range of [
      { start: 0, end: 3 },
      { start: 2, end: 1 },
      { start: -1, end: 1 },
    ]) {
      await expect(read(blobId, range)).rejects.toBeInstanceOf(BlobDamagedError);
    }
  });

  it('stores the same bytes once, under a name that is not their hash', async () => {
    const first = await put(Buffer.from('same'));
    const second = await put(Buffer.from('same'));
    expect(second).toEqual(first);
    expect(first.blobId).not.toBe(first.sha256);
    expect(await store.list()).toEqual([first.blobId]);
    const other = await openFileBlobStore({
      dir: join(dir, 'other'),
      key: randomBytes(32),
      now: Date.now,
    });
    const writer = await other.createWriter();
    await writer.write(Buffer.from('same'));
    expect((await writer.finish()).blobId).not.toBe(first.blobId);
  });

  it('stores what is not hashed under a new name each time', async () => {
    const content = randomBytes(5 * chunk + 3);
    const stored: StoredBlob[] = [];
    for (let time = 0; time < 2; time += 1) {
      const writer = await store.createUnhashedWriter();
      for (let at = 0; at < content.length; at += 50_000) {
        const piece = Buffer.from(content.subarray(at, at + 50_000));
        await writer.write(piece);
        // The bytes are the caller's again.
        piece.fill(0);
      }
      stored.push(await writer.finish());
    }
    for (const { blobId, sizeBytes } of stored) {
      expect(sizeBytes).toBe(content.length);
      expect((await read(blobId)).equals(content)).toBe(true);
    }
    expect(new Set(await store.list())).toEqual(new Set(stored.map(({ blobId }) => blobId)));
    expect(new Set(stored.map(({ blobId }) => blobId)).size).toBe(2);
  });

  it('writing the same bytes again heals a damaged file', async () => {
    const blob = await put(Buffer.from('precious'));
    await writeFile(fileOf(blob), 'damaged');
    await put(Buffer.from('precious'));
    expect((await read(blob.blobId)).toString()).toBe('precious');
  });

  it('leaves nothing of an aborted write, and removes what a crash left', async () => {
    const aborted = await store.createWriter();
    await aborted.write(randomBytes(100_000));
    await aborted.abort();
    await aborted.abort();
    expect(await readdir(dir)).toEqual([]);
    await expect(aborted.finish()).rejects.toThrow('the blob writer is closed');

    const crashed = await store.createWriter();
    await crashed.write(randomBytes(100_000));
    expect(await readdir(dir)).toHaveLength(1);
    await openFileBlobStore({ dir, key, now: Date.now });
    expect(await readdir(dir)).toEqual([]);
    await crashed.abort();
  });

  it('deletes, also what is not there, and nothing outside of its folder', async () => {
    const blob = await put(Buffer.from('x'));
    await store.delete(blob.blobId);
    await store.delete(blob.blobId);
    expect(store.has(blob.blobId)).toBe(false);
    await expect(read(blob.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
    await writeFile(join(dir, 'secret'), 'x');
    expect(store.has('../secret')).toBe(false);
    await expect(store.delete('../secret')).rejects.toBeInstanceOf(BlobDamagedError);
  });

  it('closes the file when a reader stops early', async () => {
    const blob = await put(randomBytes(4 * chunk));
    const reading = store.open(blob.blobId);
    // Not `once`, which rejects at the error that leaving a stream is.
    const closed = new Promise((resolve) => reading.once('close', resolve));
    for await (const piece of reading as AsyncIterable<Buffer>) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await closed;
    // On other systems than Linux this sees nothing, and so proves nothing.
    const open = await readdir('/proc/self/fd').catch(() => []);
    const targets = await Promise.all(
      open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(targets).not.toContain(fileOf(blob));
  });
});

describe('a damaged file is an error, never bytes', () => {
  it('property: one bit anywhere', async () => {
    const blob = await put(randomBytes(2 * chunk + 100));
    const whole = await readFile(fileOf(blob));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        await writeFile(fileOf(blob), changed);
        await expect(read(blob.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
      }),
      { numRuns: 100 },
    );
  });

  it('property: cut anywhere, at a chunk too, and even if the range is before the cut', async () => {
    const blob = await put(randomBytes(3 * chunk));
    const whole = await readFile(fileOf(blob));
    const cuts = fc.oneof(
      fc.nat(whole.length - 1),
      fc.constantFrom(36 + chunk + 16, 36 + 2 * (chunk + 16), 36, 0),
    );
    await fc.assert(
      fc.asyncProperty(cuts, async (length) => {
        await writeFile(fileOf(blob), whole.subarray(0, length));
        await expect(read(blob.blobId, { start: 0, end: 0 })).rejects.toBeInstanceOf(
          BlobDamagedError,
        );
      }),
      { numRuns: 60 },
    );
    await writeFile(fileOf(blob), Buffer.concat([whole, Buffer.from([0])]));
    await expect(read(blob.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
  });

  it('two chunks swapped, and two files swapped', async () => {
    const one = await put(randomBytes(3 * chunk));
    const two = await put(randomBytes(3 * chunk));
    const [first, second] = await Promise.all([readFile(fileOf(one)), readFile(fileOf(two))]);
    const sealed = chunk + 16;
    const swapped = Buffer.concat([
      first.subarray(0, 36),
      first.subarray(36 + sealed, 36 + 2 * sealed),
      first.subarray(36, 36 + sealed),
      first.subarray(36 + 2 * sealed),
    ]);
    await writeFile(fileOf(one), swapped);
    await expect(read(one.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
    await writeFile(fileOf(one), second);
    await writeFile(fileOf(two), first);
    await expect(read(one.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
    await expect(read(two.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
  });

  it('another key', async () => {
    const blob = await put(Buffer.from('x'));
    store = await openFileBlobStore({ dir, key: randomBytes(32), now: Date.now });
    await expect(read(blob.blobId)).rejects.toBeInstanceOf(BlobDamagedError);
  });
});

it('a full disk is named as such, and nothing is left', async () => {
  // A file size limit of the process fails a write as a full disk does (EFBIG for ENOSPC).
  const script = `
    import { openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
    process.on('SIGXFSZ', () => {});
    const store = await openFileBlobStore({ dir: process.env.BLOBS, key: Buffer.alloc(32), now: Date.now });
    const writer = await store.createWriter();
    try { for (;;) await writer.write(Buffer.alloc(65_536)); }
    catch (error) { console.log(error.code); }`;
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'ulimit -f 512; exec "$0" --input-type=module --eval "$1"', process.execPath, script],
    { env: { ...process.env, BLOBS: dir } },
  );
  expect(stdout.trim()).toBe('disk_full');
  expect(await readdir(dir)).toEqual([]);
});
