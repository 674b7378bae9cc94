/** The text is not base64 as RFC 4648 section 4 defines it. */
export class Base64Error extends Error {
  readonly code = 'invalid_base64';
}

/**
 * Decodes base64 that comes in pieces of any size, strictly: standard alphabet, padding present,
 * nothing else in it (not even white space), unused bits zero (RFC 4648, 3.2, 3.3, 3.5).
 */
export class Base64Decoder {
  #rest = '';
  #ended = false;

  /**
   * Decodes what completes whole groups of four characters; the rest waits for the next piece.
   * @throws {Base64Error}
   */
  push(text: string): Buffer {
    const all = this.#rest + text;
    const whole = all.length - (all.length % 4);
    this.#rest = all.slice(whole);
    const bytes = this.#decode(all.slice(0, whole));
    if (this.#ended && this.#rest !== '') throw new Base64Error('characters follow the padding');
    return bytes;
  }

  /** @throws {Base64Error} when the last group is not complete. */
  end(): void {
    if (this.#rest !== '') throw new Base64Error('the length is not a multiple of four');
  }

  #decode(groups: string): Buffer {
    if (groups === '') return Buffer.alloc(0);
    if (this.#ended) throw new Base64Error('characters follow the padding');
    const bytes = Buffer.from(groups, 'base64');
    // Node's decoder skips what it does not know, so that fewer bytes come out, but takes the URL
    // alphabet too, unused bits, and the lower byte of a character beyond ASCII, which has more
    // than one byte. Encoding all of it again would take as long as decoding.
    const last = groups.slice(-4);
    const isCanonical =
      bytes.length === (groups.length / 4) * 3 - paddingOf(last) &&
      Buffer.byteLength(groups) === groups.length &&
      !groups.includes('-') &&
      !groups.includes('_') &&
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
