const quote = 0x22;
const backslash = 0x5c;

/**
 * Takes strings that no record of the partner API has out of a JSON text, as it arrives, so that one
 * sick record costs neither the memory nor the records next to it. In the place of such a string is
 * an object: where a text is expected the record cannot be read, and the others can.
 *
 * It tracks strings, not the grammar: what is not JSON stays what is not JSON.
 */
export class LongStrings {
  readonly #maxBytes: number;
  readonly #out: Buffer[] = [];
  #outBytes = 0;
  /** Of the string that has begun, from its quote on; empty once it is too long. */
  #string: Buffer[] = [];
  #stringBytes = 0;
  #isInString = false;
  /** The last byte of a piece was a backslash that escapes the first one of the next. */
  #isEscaped = false;

  /** @param maxBytes of a string */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are stored. */
  get bytes(): number {
    return this.#outBytes + (this.#stringBytes > this.#maxBytes ? 0 : this.#stringBytes);
  }

  write(piece: Buffer): void {
    let at = 0;
    while (at < piece.length)
      at = this.#isInString ? this.#inside(piece, at) : this.#outside(piece, at);
  }

  /** The text; one that ends within a string has no end either. */
  text(): Buffer {
    return Buffer.concat([...this.#out, ...this.#string]);
  }

  #outside(piece: Buffer, from: number): number {
    const found = piece.indexOf(quote, from);
    const end = found < 0 ? piece.length : found;
    this.#append(piece.subarray(from, end));
    if (found < 0) return end;
    this.#isInString = true;
    this.#stringBytes = 0;
    this.#extend(piece.subarray(found, found + 1));
    return found + 1;
  }

  #inside(piece: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    let end = piece.indexOf(quote, at);
    for (;;) {
      const stop = end < 0 ? piece.length : end;
      const escape = piece.subarray(at, stop).indexOf(backslash);
      if (escape < 0) break;
      at += escape + 2;
      // Looked for again only if the quote itself was escaped: a text of escapes alone stays cheap.
      if (end >= 0 && end < at) end = piece.indexOf(quote, at);
    }
    if (end < 0) {
      this.#isEscaped = at > piece.length;
      this.#extend(piece.subarray(from));
      return piece.length;
    }
    this.#extend(piece.subarray(from, end + 1));
    this.#close();
    return end + 1;
  }

  #extend(bytes: Buffer): void {
    this.#stringBytes += bytes.length;
    if (this.#stringBytes > this.#maxBytes) this.#string = [];
    else this.#string.push(bytes);
  }

  #close(): void {
    this.#isInString = false;
    const isLong = this.#stringBytes > this.#maxBytes;
    const written = isLong
      ? [Buffer.from(`{"tooLong":${String(this.#stringBytes)}}`)]
      : this.#string;
    written.forEach((bytes) => this.#append(bytes));
    this.#string = [];
    this.#stringBytes = 0;
  }

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#outBytes += bytes.length;
    this.#out.push(bytes);
  }
}
