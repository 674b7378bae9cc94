import { describe, expect, test } from 'vitest';
import { deflateSync } from 'node:zlib';
import {
  boundReader,
  excessOf,
  type pdfLimits,
  type WorkerScope,
} from '#renderer/lib/pdf/pdf-bounds.ts';

const kilobyte = 1024;
const limits: typeof pdfLimits = {
  streamBytes: 64 * kilobyte,
  pictureBytes: 256 * kilobyte,
  bitmapBytes: 128 * kilobyte,
  decoderBytes: 40 * kilobyte * kilobyte,
  coefficients: 1000,
  requestBytes: 160 * kilobyte,
  operators: 10,
  operatorBytes: 100,
  pagePixels: 100,
  texts: 3,
};

/** A worker's scope before pdf.js runs in it, and what it posts. */
function workerScope(isForFiles = false, more: Partial<WorkerScope> = {}) {
  const posted: unknown[] = [];
  const events = new EventTarget();
  const scope: WorkerScope = {
    ArrayBuffer: globalThis.ArrayBuffer,
    Int8Array: globalThis.Int8Array,
    Uint8Array: globalThis.Uint8Array,
    Int16Array: globalThis.Int16Array,
    DecompressionStream: globalThis.DecompressionStream,
    addEventListener: (type, listener) =>
      events.addEventListener(type, (event) => listener(event as MessageEvent)),
    postMessage: (message: unknown) => void posted.push(message),
    ...more,
  };
  const { takeRefusal } = boundReader(scope, { isForFiles, limits });
  const excesses = () => posted.flatMap((message) => excessOf(message) ?? []);
  const request = (data?: unknown) => events.dispatchEvent(new MessageEvent('message', { data }));

  /** As pdf.js does it. */
  async function asyncGetBytes(bytes: number): Promise<number> {
    const { readable, writable } = new scope.DecompressionStream('deflate');
    const writer = writable.getWriter();
    writer.write(deflateSync(Buffer.alloc(bytes))).catch(() => undefined);
    writer.close().catch(() => undefined);
    const reader = readable.getReader();
    let length = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return length;
      length += value.length;
    }
  }
  const getImageData = (bytes: number) => asyncGetBytes(bytes);
  return { scope, posted, excesses, request, asyncGetBytes, getImageData, takeRefusal };
}

/** The beginning of a JPEG, with its size. */
function jpegHeadOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, ...size, 1, 1, 0x11, 0, 0xff, 0xd9);
}

describe('what a PDF unpacks to is limited', () => {
  test('a stream, while it is inflated', async () => {
    const { asyncGetBytes, excesses } = workerScope();
    expect(await asyncGetBytes(60 * kilobyte)).toBe(60 * kilobyte);
    expect(excesses()).toEqual([]);
    await expect(asyncGetBytes(60_000_000)).rejects.toThrow('more than');
    expect(excesses()).toEqual(['content']);
  });

  test('all streams of one request', async () => {
    const { asyncGetBytes, excesses, request } = workerScope();
    for (let requests = 0; requests < 3; requests += 1) {
      request();
      await asyncGetBytes(60 * kilobyte);
      await asyncGetBytes(60 * kilobyte);
    }
    expect(excesses()).toEqual([]);
    await expect(asyncGetBytes(60 * kilobyte)).rejects.toThrow('more than');
    expect(excesses()).toEqual(['content']);
  });

  test('pictures by their own size', async () => {
    const { getImageData, excesses } = workerScope();
    for (let pictures = 0; pictures < 3; pictures += 1)
      expect(await getImageData(250 * kilobyte)).toBe(250 * kilobyte);
    expect(excesses()).toEqual([]);
    await expect(getImageData(400 * kilobyte)).rejects.toThrow('more than');
    expect(excesses()).toEqual(['picture']);
    // A picture that is refused gives its turn to the next one.
    expect(await getImageData(250 * kilobyte)).toBe(250 * kilobyte);
  });

  test('the copy of a picture that is reduced', () => {
    const { scope, excesses } = workerScope();
    const _encodeBMP = (bytes: number) => new scope.Uint8Array(bytes);
    expect(_encodeBMP(128 * kilobyte)).toHaveLength(128 * kilobyte);
    expect(() => _encodeBMP(129 * kilobyte)).toThrow('more than');
    expect(excesses()).toEqual(['picture']);
  });

  test('pictures are inflated one after the other, but nothing else waits for them', async () => {
    const { scope, asyncGetBytes } = workerScope();
    const open = (bytes: number) => {
      const getImageData = () => new scope.DecompressionStream('deflate');
      const { readable, writable } = getImageData();
      const writer = writable.getWriter();
      writer.write(deflateSync(Buffer.alloc(bytes))).catch(() => undefined);
      return { reader: readable.getReader(), end: () => writer.close() };
    };
    const [first, second] = [open(100), open(200)];
    const lengths: number[] = [];
    const waiting = second.reader.read().then(({ value }) => lengths.push(value?.length ?? 0));
    second.end().catch(() => undefined);
    expect(await asyncGetBytes(60 * kilobyte)).toBe(60 * kilobyte);
    expect(lengths).toEqual([]);
    first.end().catch(() => undefined);
    expect((await first.reader.read()).value).toHaveLength(100);
    expect((await first.reader.read()).done).toBe(true);
    await waiting;
    expect(lengths).toEqual([200]);
  });

  test('pictures are decoded one after the other', async () => {
    const started: string[] = [];
    const decoded = Promise.withResolvers<undefined>();
    class Decoder {
      readonly #type: string;
      constructor({ type }: { type: string }) {
        this.#type = type;
      }
      decode() {
        started.push(this.#type);
        return this.#type === 'first' ? decoded.promise : Promise.resolve();
      }
      close() {
        started.push(`closed ${this.#type}`);
      }
    }
    const { scope } = workerScope(false, { ImageDecoder: Decoder as never });
    const { ImageDecoder } = scope;
    if (!ImageDecoder) throw new Error('the scope has its decoder');
    const open = (type: string) => new ImageDecoder({ type, data: new Uint8Array() });
    const [first, second] = [open('first'), open('second')];
    const both = [first.decode(), second.decode()];
    await Promise.resolve();
    expect(started).toEqual(['first']);
    decoded.resolve(undefined);
    await Promise.all(both);
    first.close();
    expect(started).toEqual(['first', 'second', 'closed first']);
  });

  test('a JPEG among many is decoded in the size in which it stays', async () => {
    const asked: (number | undefined)[] = [];
    class Decoder {
      constructor({ desiredWidth }: ImageDecoderInit) {
        asked.push(desiredWidth);
      }
      decode() {
        return Promise.resolve({ complete: true });
      }
      close() {
        // There is nothing to free.
      }
    }
    const { scope } = workerScope(false, { ImageDecoder: Decoder as never });
    const { ImageDecoder } = scope;
    if (!ImageDecoder) throw new Error('the scope has its decoder');
    const decodeTogether = async (count: number, jpeg: Uint8Array<ArrayBuffer>, more = {}) => {
      asked.length = 0;
      const init = { type: 'image/jpeg', data: jpeg, ...more };
      const decoders = Array.from({ length: count }, () => new ImageDecoder(init));
      await Promise.all(decoders.map((decoder) => decoder.decode()));
      return [...new Set(asked)];
    };
    const photo = jpegHeadOf(4000, 3000);
    expect(await decodeTogether(1, photo)).toEqual([undefined]);
    expect(await decodeTogether(2, photo)).toEqual([undefined]);
    expect(await decodeTogether(24, photo)).toEqual([2000]);
    expect(await decodeTogether(200, photo)).toEqual([1000]);
    expect(await decodeTogether(1, photo)).toEqual([undefined]);
    expect(await decodeTogether(24, jpegHeadOf(1000, 700))).toEqual([undefined]);
    expect(await decodeTogether(1, jpegHeadOf(14_000, 10_000))).toEqual([7000]);
    // pdf.js has decided.
    expect(await decodeTogether(24, photo, { desiredWidth: 500 })).toEqual([500]);
    expect(await decodeTogether(24, new Uint8Array(9))).toEqual([undefined]);
  });

  test('the pieces of a picture are one, and each is freed', async () => {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const whole = Buffer.from(Array.from({ length: 90 * kilobyte }, (_, at) => (at * 37) % 251));
    const inflated = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const at = pieces.length * 9000;
        const piece = Uint8Array.from(whole.subarray(at, at + 9000));
        pieces.push(piece);
        if (piece.length === 0) controller.close();
        else controller.enqueue(piece);
      },
    });
    class Inflation {
      readonly readable = inflated;
      readonly writable = new WritableStream();
    }
    const { scope } = workerScope(false, { DecompressionStream: Inflation });
    const getImageData = () => new scope.DecompressionStream('deflate');
    const reader = getImageData().readable.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).equals(whole)).toBe(true);
    expect((await reader.read()).done).toBe(true);
    expect(pieces.every(({ length }) => length === 0)).toBe(true);
  });

  test('the buffers that its own program inflates to', () => {
    const { scope, excesses } = workerScope();
    const ensureBuffer = (length: number) => new scope.Uint8Array(length).length;
    const getImageData = (length: number) => ensureBuffer(length);
    expect(ensureBuffer(limits.streamBytes)).toBe(limits.streamBytes);
    expect(getImageData(limits.pictureBytes)).toBe(limits.pictureBytes);
    expect(excesses()).toEqual([]);
    expect(() => ensureBuffer(limits.streamBytes + 1)).toThrow('more than');
    expect(() => getImageData(limits.pictureBytes + 1)).toThrow('more than');
    expect(excesses()).toEqual(['content', 'picture']);
  });

  test.each([
    ['operators and their numbers', { length: 3 }, [new ArrayBuffer(0), new ArrayBuffer(0)]],
    ['pieces of text', { items: ['Zürich'] }, []],
  ])('of a page its %s', (_what, chunk, buffers: Transferable[]) => {
    const { scope, posted, excesses } = workerScope();
    const post = (streamId: number) => scope.postMessage({ streamId, chunk }, buffers);
    const fits = 'length' in chunk ? 2 : 3;
    for (let part = 0; part < fits; part += 1) post(1);
    post(2);
    expect(posted).toHaveLength(fits + 1);
    expect(() => post(1)).toThrow('more than');
    expect(excesses()).toEqual(['content']);
  });

  test('of a page the bytes that its operators bring, of pictures too that the browser draws', () => {
    const { scope, posted, excesses } = workerScope();
    const post = (streamId: number, brought: Transferable) =>
      scope.postMessage({ streamId, chunk: { length: 1 } }, [brought]);
    // The document of these tests draws none.
    const drawn = { width: 5, height: 2, close: () => undefined };
    post(1, new ArrayBuffer(60));
    post(1, drawn);
    post(2, new ArrayBuffer(100));
    expect(posted).toHaveLength(3);
    expect(() => post(1, new ArrayBuffer(1))).toThrow('more than');
    expect(() => post(2, drawn)).toThrow('more than');
    expect(excesses()).toEqual(['content', 'content']);
  });

  test('of a page the pixels of its pictures', () => {
    const { scope, posted, excesses, request } = workerScope();
    const draw = (page: number) =>
      scope.postMessage({ action: 'obj', data: ['i', page, 'Image', { width: 10, height: 5 }] });
    for (let times = 0; times < 3; times += 1) {
      request({ action: 'GetOperatorList', data: { pageProxyId: 1 } });
      draw(1);
      draw(1);
    }
    draw(2);
    expect(posted).toHaveLength(7);
    expect(() => draw(1)).toThrow('more than');
    expect(excesses()).toEqual(['content']);
  });

  test('of all pages the pixels of the pictures that they share, as in the glyphs of a font', () => {
    const { scope, posted, excesses, request } = workerScope();
    const share = () =>
      scope.postMessage({ action: 'commonobj', data: ['i', 'Image', { width: 10, height: 5 }] });
    share();
    request({ action: 'GetOperatorList', data: { pageProxyId: 1 } });
    share();
    scope.postMessage({ action: 'commonobj', data: ['i', 'Image', null] });
    expect(posted).toHaveLength(3);
    expect(share).toThrow('more than');
    expect(excesses()).toEqual(['content']);
  });

  test('of a file in it the error alone is given', async () => {
    const { asyncGetBytes, posted } = workerScope(true);
    await expect(asyncGetBytes(100 * kilobyte)).rejects.toThrow('more than 52428800 bytes');
    expect(posted).toEqual([]);
  });
});

test('the memory of a decoder is limited, and the smaller one is freed once it is copied', () => {
  const { scope, takeRefusal } = workerScope();
  const mebibyte = kilobyte * kilobyte;
  const first = new scope.ArrayBuffer(16 * mebibyte);
  const content = new scope.Int8Array(first);
  content.set(Uint8Array.of(5, 7), 1);
  const second = new scope.ArrayBuffer(32 * mebibyte);
  new scope.Int8Array(second).set(content);
  expect(first.byteLength).toBe(0);
  expect([...new scope.Int8Array(second, 0, 3)]).toEqual([0, 5, 7]);
  expect(takeRefusal()).toBe(false);
  expect(() => new scope.ArrayBuffer(48 * mebibyte)).toThrow('more than');
  expect(second.byteLength).toBe(32 * mebibyte);
  expect([takeRefusal(), takeRefusal()]).toEqual([true, false]);
});
