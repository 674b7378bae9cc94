import type { ObjectStore } from './object-store.ts';

/** How often reading may break off in a row without having brought a byte. */
const breaksMax = 4;

/**
 * The bytes of an object, in pieces whose lengths are multiples of three but for the last, so that
 * their base64 can be strung together. Where the way breaks off, reading goes on from there.
 * @throws {ObjectStorageError} where it cannot be opened.
 */
export async function* readObject(
  objects: Pick<ObjectStore, 'open'>,
  id: string,
  sizeBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let readBytes = 0;
  for (let breaks = 0; readBytes < sizeBytes;) {
    const stream = await objects.open(id, readBytes);
    try {
      for await (const piece of stream) {
        // A byte stream without an encoding gives buffers.
        const bytes = piece as Buffer;
        readBytes += bytes.length;
        breaks = 0;
        if (readBytes > sizeBytes) throw new Error('the object is longer than the document');
        const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
        const whole = readBytes === sizeBytes ? all.length : all.length - (all.length % 3);
        rest = all.subarray(whole);
        if (whole > 0) yield all.subarray(0, whole);
      }
      if (readBytes < sizeBytes) throw new Error('the object is shorter than the document');
    } catch (error) {
      const isBroken = stream.errored !== null && ++breaks < breaksMax;
      if (!isBroken) throw error;
    } finally {
      stream.destroy();
    }
  }
}
