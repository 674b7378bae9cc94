/** The text is not base64 (RFC 4648 section 4). */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';
}

const padding = 64;
const whiteSpace = 65;
/** A quote or a backslash. Either one ends a run of characters inside a JSON string. */
const stop = 66;
const foreign = 255;

/** The value of each byte: 0 to 63, or one of the classes above. */
function valuesOf(extra: Readonly<Record<string, number>>): Uint8Array {
  const values = new Uint8Array(256).fill(foreign);
  const set = (characters: string, valueAt: (index: number) => number) => {
    for (let at = 0; at < characters.length; at += 1) {
      values[characters.charCodeAt(at)] = valueAt(at);
    }
  };
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  set(`${letters}${letters.toLowerCase()}0123456789+/`, (index) => index);
  set('=', () => padding);
  set('\r\n\t ', () => whiteSpace);
  set('"\\', () => stop);
  for (const [character, value] of Object.entries(extra)) set(character, () => value);
  return values;
}

const canonicalValues = valuesOf({});
/** The characters that some encoders write instead: the URL alphabet (RFC 4648 section 5). */
const tolerantValues = valuesOf({ '-': 62, _: 63 });

/**
 * Decodes base64 that comes in pieces of any size.
 *
 * Canonical: standard alphabet, padding present, nothing else, unused bits zero (RFC 4648 sections
 * 3.2, 3.3 and 3.5). Tolerant: white space and the URL alphabet are allowed, padding may be missing.
 */
export class Base64Decoder {
  readonly #isCanonical: boolean;
  readonly #values: Uint8Array;
  /** The bits, characters and padding of the incomplete group of four. */
  #bits = 0;
  #count = 0;
  #padding = 0;
  #isEnded = false;
  /**
   * The buffer is reused, because the many pieces of a document would occupy the garbage collector.
   */
  #decoded = new Uint8Array(0);
  #length = 0;

  constructor({ isCanonical }: { readonly isCanonical: boolean }) {
    this.#isCanonical = isCanonical;
    this.#values = isCanonical ? canonicalValues : tolerantValues;
  }

  /**
   * Decodes a piece up to its first quote or backslash.
   * @returns the position of the quote or backslash; the piece's length if there is none.
   * @throws {Base64Error} if the piece is not base64.
   */
  decode(piece: Uint8Array, from: number): number {
    this.#makeRoom(piece.length - from);
    const values = this.#values;
    let at = from;
    while (at < piece.length) {
      if (this.#count === 0 && !this.#isEnded) at = this.#decodeGroups(piece, at);
      if (at === piece.length) break;
      const value = values[piece[at] ?? 0] ?? foreign;
      if (value === stop) return at;
      this.#take(value);
      at += 1;
    }
    return at;
  }

  /**
   * Decodes one character that was escaped.
   * @throws {Base64Error} if the character is not base64.
   */
  decodeUnit(codeUnit: number): void {
    this.#makeRoom(1);
    const value = codeUnit < 128 ? (this.#values[codeUnit] ?? foreign) : foreign;
    this.#take(value === stop ? foreign : value);
  }

  /**
   * Ends the text.
   * @throws {Base64Error} if the last group is incomplete.
   */
  end(): void {
    if (this.#count === 0 && this.#padding === 0) return;
    if (this.#isCanonical) throw new Base64Error('the length is not a multiple of four');
    if (this.#count === 1) throw new Base64Error('base64 of an impossible length');
    this.#makeRoom(0);
    this.#flush();
  }

  /** The bytes decoded since the last call; valid until the next call of any method. */
  take(): Uint8Array {
    const bytes = this.#decoded.subarray(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  /** Decodes whole groups of four characters without padding, until it meets anything else. */
  #decodeGroups(piece: Uint8Array, from: number): number {
    const values = this.#values;
    const decoded = this.#decoded;
    let length = this.#length;
    let at = from;
    for (; at + 4 <= piece.length; at += 4) {
      const a = values[piece[at] ?? 0] ?? foreign;
      const b = values[piece[at + 1] ?? 0] ?? foreign;
      const c = values[piece[at + 2] ?? 0] ?? foreign;
      const d = values[piece[at + 3] ?? 0] ?? foreign;
      // Every class has a bit above the six of a value.
      if ((a | b | c | d) > 63) break;
      decoded[length] = (a << 2) | (b >> 4);
      decoded[length + 1] = (b << 4) | (c >> 2);
      decoded[length + 2] = (c << 6) | d;
      length += 3;
    }
    this.#length = length;
    return at;
  }

  #take(value: number): void {
    if (value === whiteSpace && !this.#isCanonical) return;
    if (value > padding) throw new Base64Error('a character that is not base64');
    if (this.#isEnded) throw new Base64Error('base64 goes on after its padding');
    if (value === padding) {
      if (this.#count < 2) throw new Base64Error('padding in the wrong place');
      this.#padding += 1;
    } else {
      if (this.#padding > 0) throw new Base64Error('base64 goes on after its padding');
      this.#bits = (this.#bits << 6) | value;
      this.#count += 1;
    }
    if (this.#count + this.#padding === 4) this.#flush();
  }

  /** Writes the bytes of a group, whole or padded. */
  #flush(): void {
    const unusedBits = (4 - this.#count) * 6;
    const bits = this.#bits << unusedBits;
    const bytes = this.#count - 1;
    const rest = bits & (0xffffff >> (bytes * 8));
    if (this.#isCanonical && rest !== 0) throw new Base64Error('unused bits are set');
    for (let byte = 0; byte < bytes; byte += 1) {
      this.#decoded[this.#length] = (bits >> (16 - byte * 8)) & 0xff;
      this.#length += 1;
    }
    this.#isEnded = this.#count < 4;
    this.#bits = 0;
    this.#count = 0;
    this.#padding = 0;
  }

  /** Enlarges the buffer for the bytes of further characters. */
  #makeRoom(characters: number): void {
    // Four characters become three bytes; the incomplete group needs room as well.
    const wanted = this.#length + Math.ceil(characters / 4) * 3 + 6;
    if (this.#decoded.length >= wanted) return;
    const larger = new Uint8Array(wanted);
    larger.set(this.#decoded.subarray(0, this.#length));
    this.#decoded = larger;
  }
}
