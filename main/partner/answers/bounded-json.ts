const quote = 0x22;
const backslash = 0x5c;
/** The codes of the brackets that begin and end an object or an array. */
const begins = new Set([0x7b, 0x5b]);
const ends = new Set([0x7d, 0x5d]);
/** No record of the partner API nests its values deeper than ten levels. */
const depthMax = 64;

/**
 * Removes strings that are longer than those of any record, and values that are nested deeper, from
 * a JSON text while it arrives. So one faulty record costs neither memory nor the other records. An
 * object replaces such a value: where the schema expects a text, only this record becomes
 * unreadable.
 *
 * The class tracks strings and brackets, not the grammar: a text that is not JSON stays invalid.
 */
export class BoundedJson {
  readonly #maxBytes: number;
  readonly #out: Buffer[] = [];
  #outBytes = 0;
  #weight = 0;
  /** The current string from its quote on; empty once the string is too long. */
  #string: Buffer[] = [];
  #stringBytes = 0;
  #isInString = false;
  /**
   * Whether the last byte of a piece was a backslash that escapes the first byte of the next piece.
   */
  #isEscaped = false;
  /** The position of the next backslash in the piece; the length of the piece if it has no other. */
  #escapeAt = -1;
  #depth = 0;

  /** @param maxBytes the longest string that stays in the text */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of stored bytes. */
  get bytes(): number {
    const isLeftOut = this.#isDeep || this.#stringBytes > this.#maxBytes;
    return this.#outBytes + (isLeftOut ? 0 : this.#stringBytes);
  }

  /** The cost of parsing the text: its bytes outside strings, and 16 for each string. */
  get weight(): number {
    return this.#weight;
  }

  write(piece: Buffer): void {
    let at = 0;
    this.#escapeAt = -1;
    while (at < piece.length)
      at = this.#isInString ? this.#inside(piece, at) : this.#outside(piece, at);
  }

  /** The text. If it ended within a string, the string stays without an end. */
  text(): Buffer {
    return Buffer.concat([...this.#out, ...this.#string]);
  }

  #outside(piece: Buffer, from: number): number {
    const found = piece.indexOf(quote, from);
    const end = found < 0 ? piece.length : found;
    this.#structure(piece.subarray(from, end));
    if (found < 0) return end;
    if (!this.#isDeep) this.#weight += 16;
    this.#isInString = true;
    this.#stringBytes = 0;
    this.#extend(piece.subarray(found, found + 1));
    return found + 1;
  }

  get #isDeep(): boolean {
    return this.#depth > depthMax;
  }

  /** Takes what is between two strings, without what is nested too deep. */
  #structure(bytes: Buffer): void {
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (begins.has(byte)) {
        if (this.#depth === depthMax) {
          this.#appendStructure(bytes.subarray(from, at));
          this.#append(Buffer.from('{"tooDeep":true}'));
        }
        this.#depth += 1;
      } else if (ends.has(byte)) {
        this.#depth -= 1;
        if (this.#depth === depthMax) from = at + 1;
      }
    }
    if (!this.#isDeep) this.#appendStructure(bytes.subarray(from));
  }

  #appendStructure(bytes: Buffer): void {
    this.#weight += bytes.length;
    this.#append(bytes);
  }

  #inside(piece: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    let end = piece.indexOf(quote, at);
    for (;;) {
      const escape = this.#nextEscape(piece, at);
      if (escape >= (end < 0 ? piece.length : end)) break;
      at = escape + 2;
      // The quote is searched again only if it was escaped, so that a text of escapes stays cheap.
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

  /** Each byte is searched once, although many strings of a piece have no backslash. */
  #nextEscape(piece: Buffer, from: number): number {
    if (this.#escapeAt >= from) return this.#escapeAt;
    const found = piece.indexOf(backslash, from);
    this.#escapeAt = found < 0 ? piece.length : found;
    return this.#escapeAt;
  }

  #extend(bytes: Buffer): void {
    this.#stringBytes += bytes.length;
    if (this.#stringBytes > this.#maxBytes || this.#isDeep) this.#string = [];
    else this.#string.push(bytes);
  }

  #close(): void {
    this.#isInString = false;
    const isLong = this.#stringBytes > this.#maxBytes && !this.#isDeep;
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
