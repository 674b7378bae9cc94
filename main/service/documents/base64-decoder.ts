/** The text is not base64 as RFC 4648 section 4 defines it. */
export class Base64Error extends Error {
  readonly code = 'invalid_base64';
}

const minus = 0x2d;
const underscore = 0x5f;

/**
 * Decodes base64 that comes in pieces of any size, strictly: standard alphabet, padding present,
 * nothing else in it (not even white space), unused bits zero (RFC 4648, 3.2, 3.3, 3.5).
 */
export class Base64Decoder {
  /** Fewer than four characters. */
  #rest = Buffer.alloc(0);
  #ended = false;
  /** Used again, because as many new ones as a document has pieces keep the collector busy. */
  #decoded = Buffer.alloc(0);

  /**
   * Decodes what completes whole groups of four characters; the rest waits for the next piece.
   * @returns bytes that are valid until the next push.
   * @throws {Base64Error}
   */
  push(text: Buffer): Buffer {
    const missing = this.#rest.length === 0 ? 0 : Math.min(4 - this.#rest.length, text.length);
    const first = Buffer.concat([this.#rest, text.subarray(0, missing)]);
    const whole = text.length - ((text.length - missing) % 4);
    const isWhole = first.length % 4 === 0;
    const room = text.length + 4;
    if (this.#decoded.length < room) this.#decoded = Buffer.allocUnsafeSlow(room);
    let bytes = isWhole ? this.#decode(first, 0) : 0;
    bytes += this.#decode(text.subarray(missing, whole), bytes);
    this.#rest = isWhole ? Buffer.from(text.subarray(whole)) : first;
    if (this.#ended && this.#rest.length > 0)
      throw new Base64Error('characters follow the padding');
    return this.#decoded.subarray(0, bytes);
  }

  /** @throws {Base64Error} when the last group is not complete. */
  end(): void {
    if (this.#rest.length > 0) throw new Base64Error('the length is not a multiple of four');
  }

  /** Decodes whole groups to a place of `#decoded`; gives back how many bytes. */
  #decode(groups: Buffer, at: number): number {
    if (groups.length === 0) return 0;
    if (this.#ended) throw new Base64Error('characters follow the padding');
    const bytes = this.#decoded.write(groups.toString('latin1'), at, 'base64');
    // Node's decoder skips what it does not know, so that fewer bytes come out, but takes the URL
    // alphabet too, and unused bits. Encoding all of it again would take as long as decoding.
    const last = groups.toString('latin1', groups.length - 4);
    const isCanonical =
      bytes === (groups.length / 4) * 3 - paddingOf(last) &&
      !groups.includes(minus) &&
      !groups.includes(underscore) &&
      Buffer.from(last, 'base64').toString('base64') === last;
    if (!isCanonical) throw new Base64Error('not canonical base64');
    this.#ended = last.endsWith('=');
    return bytes;
  }
}

/** Characters of padding at the end of a group of four. */
function paddingOf(group: string): number {
  return group.endsWith('==') ? 2 : group.endsWith('=') ? 1 : 0;
}
