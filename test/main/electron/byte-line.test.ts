import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { LineClosedError } from '#main/electron/byte-line.ts';
import { linePair } from './ports-stand-in.ts';

const collect = (source: AsyncIterable<Uint8Array>) => buffer(Readable.from(source));

describe('a byte line', () => {
  it('carries bytes in both directions at once', async () => {
    const { near, far } = linePair();
    const up = Buffer.alloc(300_000, 'u');
    const down = Buffer.alloc(200_000, 'd');
    const chunks = (bytes: Buffer) =>
      Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]) as AsyncIterable<Uint8Array>;
    const [atFar, atNear] = await Promise.all([
      collect(far.incoming),
      collect(near.incoming),
      near.sendBytes(chunks(up)),
      far.sendBytes(chunks(down)),
    ]);
    expect([atFar.equals(up), atNear.equals(down)]).toEqual([true, true]);
    near.close();
  });

  it('sends no chunk that was not asked for', async () => {
    const { near, far } = linePair();
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 1;
        yield await Promise.resolve(Buffer.from('x'));
      }
    }
    const sending = near.sendBytes(endless());
    const reader = far.incoming[Symbol.asyncIterator]();
    for (let read = 1; read <= 3; read += 1) await reader.next();
    expect(taken).toBeLessThanOrEqual(4);
    far.close();
    await sending;
  });

  it('tells the reader that bytes are missing if the source fails', async () => {
    const { near, far } = linePair();
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('x'));
      throw new Error('a damaged chunk');
    }
    const sending = near.sendBytes(failing());
    await expect(collect(far.incoming)).rejects.toThrow(LineClosedError);
    await sending;
    near.close();
  });

  it('tells the reader that bytes are missing if the line closes', async () => {
    const { near, far } = linePair();
    const reading = collect(far.incoming);
    near.close();
    await expect(reading).rejects.toThrow(LineClosedError);
    await expect(far.head).rejects.toThrow(LineClosedError);
  });
});
