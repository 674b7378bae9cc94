/** The upload's body is not the one JSON object that it must be. */
export class UploadSyntaxError extends Error {
  readonly code = 'invalid_upload';
}

/** All of a body but the streamed member's characters: names, structure, small members. */
export const otherMembersMaxBytes = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const braceOpen = 0x7b;
const braceClose = 0x7d;
const bracketOpen = 0x5b;
const bracketClose = 0x5d;
const colon = 0x3a;
const comma = 0x2c;
const letterU = 0x75;

/**
 * Reads one JSON object whose member `streamed` is a very long string, in pieces of any size.
 * That string's text is given out as it comes; everything else is kept (up to
 * `otherMembersMaxBytes`) with the string emptied, and parsed as JSON at the end. So the order of
 * members does not matter, and JSON.parse alone decides what is JSON.
 *
 * ```
 * structure --"--> string (name or small value) --"--> structure
 *     |
 *     +--" of the streamed member--> streamed --"--> structure
 *                                      |  ^
 *                                      \  escape done
 *                                      v  |
 *                                     escape
 * ```
 */
export class UploadScanner {
  readonly #streamed: string;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #state: 'structure' | 'string' | 'streamed' | 'escape' = 'structure';
  #afterBackslash = false;
  #depth = 0;
  #isObject = false;
  #expectsName = false;
  #readsName = false;
  #nameBytes: Buffer[] = [];
  #name = '';
  readonly #names = new Set<string>();
  #escape = '';

  constructor(streamed: string) {
    this.#streamed = streamed;
  }

  /**
   * Takes the next piece of the body and gives back the streamed member's text in it, as UTF-8:
   * a part of the piece itself where nothing is escaped.
   * @throws {UploadSyntaxError} when the body cannot become a valid upload any more.
   */
  push(piece: Buffer): Buffer {
    const text: Buffer[] = [];
    let at = 0;
    while (at < piece.length) {
      switch (this.#state) {
        case 'structure':
          at = this.#scanStructure(piece, at);
          break;
        case 'string':
          at = this.#scanString(piece, at);
          break;
        case 'streamed':
          at = this.#scanStreamed(piece, at, text);
          break;
        case 'escape':
          at = this.#scanEscape(piece, at, text);
          break;
      }
    }
    const [first = Buffer.alloc(0), ...others] = text;
    return others.length === 0 ? first : Buffer.concat(text);
  }

  /**
   * The body's members, the streamed one (where it is a string) as the empty string.
   * @throws {UploadSyntaxError} when the body is not one JSON object.
   */
  end(): unknown {
    if (this.#state !== 'structure') throw new UploadSyntaxError('the body ends inside a string');
    const bytes = Buffer.concat(this.#kept);
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      throw new UploadSyntaxError('the body is not valid JSON');
    }
  }

  /** Up to and with the next quote. */
  #scanStructure(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === quote) {
        this.#keep(piece.subarray(from, at + 1));
        this.#openString();
        return at + 1;
      }
      if (byte === braceOpen || byte === bracketOpen) {
        this.#depth++;
        if (this.#depth === 1) this.#isObject = this.#expectsName = byte === braceOpen;
      } else if (byte === braceClose || byte === bracketClose) this.#depth--;
      else if (this.#depth === 1 && byte === comma) this.#expectsName = this.#isObject;
      else if (this.#depth === 1 && byte === colon) this.#expectsName = false;
    }
    this.#keep(piece.subarray(from));
    return piece.length;
  }

  #openString(): void {
    this.#readsName = this.#depth === 1 && this.#expectsName;
    const streams =
      this.#depth === 1 && this.#isObject && !this.#readsName && this.#name === this.#streamed;
    this.#state = streams ? 'streamed' : 'string';
  }

  /** A name or a small value, up to and with its closing quote. */
  #scanString(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      if (this.#afterBackslash) this.#afterBackslash = false;
      else if (piece[at] === backslash) this.#afterBackslash = true;
      else if (piece[at] === quote) {
        const rest = piece.subarray(from, at + 1);
        this.#keep(rest);
        if (this.#readsName) this.#closeName(rest);
        this.#state = 'structure';
        return at + 1;
      }
    }
    const rest = piece.subarray(from);
    this.#keep(rest);
    if (this.#readsName) this.#nameBytes.push(Buffer.from(rest));
    return piece.length;
  }

  #closeName(rest: Buffer): void {
    const raw = Buffer.concat([Buffer.from('"'), ...this.#nameBytes, rest]).toString();
    this.#nameBytes = [];
    this.#name = parseString(raw);
    // RFC 8259, 4: with names that are not unique, what a reader makes of it is unpredictable.
    if (this.#names.has(this.#name)) throw new UploadSyntaxError('a member occurs twice');
    this.#names.add(this.#name);
  }

  #scanStreamed(piece: Buffer, from: number, text: Buffer[]): number {
    const closing = piece.indexOf(quote, from);
    const end = closing < 0 ? piece.length : closing;
    const escape = piece.subarray(from, end).indexOf(backslash);
    if (escape >= 0) {
      text.push(piece.subarray(from, from + escape));
      this.#state = 'escape';
      return from + escape + 1;
    }
    text.push(piece.subarray(from, end));
    if (closing < 0) return end;
    this.#keep(piece.subarray(closing, closing + 1));
    this.#state = 'structure';
    return closing + 1;
  }

  /** What follows a backslash: one character, or `u` and four digits (RFC 8259, 7). */
  #scanEscape(piece: Buffer, from: number, text: Buffer[]): number {
    const isUnicode = this.#escape === '' ? piece[from] === letterU : this.#escape.startsWith('u');
    const wanted = (isUnicode ? 5 : 1) - this.#escape.length;
    const taken = piece.toString('latin1', from, Math.min(from + wanted, piece.length));
    this.#escape += taken;
    if (taken.length === wanted) {
      text.push(Buffer.from(parseString(`"\\${this.#escape}"`)));
      this.#escape = '';
      this.#state = 'streamed';
    }
    return from + taken.length;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > otherMembersMaxBytes) {
      throw new UploadSyntaxError('the members beside the content are too large');
    }
    // A copy, because a view would hold the whole piece.
    this.#kept.push(Buffer.from(bytes));
  }
}

function parseString(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new UploadSyntaxError('the body is not valid JSON');
  }
}
