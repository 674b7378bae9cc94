/** Bytes of a stream, taken in the portions that the reader wants. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #pending = Buffer.alloc(0);
  #isEnded = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #fill(length: number): Promise<void> {
    const pieces: Uint8Array[] = [this.#pending];
    let filled = this.#pending.length;
    while (filled < length && !this.#isEnded) {
      const next = await this.#source.next();
      if (next.done === true) this.#isEnded = true;
      else {
        pieces.push(next.value);
        filled += next.value.length;
      }
    }
    if (pieces.length > 1) this.#pending = Buffer.concat(pieces);
  }

  /** `length` bytes; fewer only where the stream ends before. */
  async take(length: number): Promise<Buffer> {
    await this.#fill(length);
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(taken.length);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    await this.#fill(1);
    return this.#pending.length === 0;
  }

  /** Lets go of the source before its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
