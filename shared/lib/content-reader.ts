import { Base64Decoder, Base64Error } from './base64-decoder.ts';

/** The text is not JSON, or it has too many bytes outside its contents. */
export class ContentSyntaxError extends Error {
  override readonly name = 'ContentSyntaxError';
}

/** Receives the decoded contents one after the other. */
export interface ContentReceiver {
  begin?(): void;
  /** Receives a piece. Its bytes are valid until the promise has resolved. */
  data(bytes: Uint8Array): void | Promise<void>;
  end?(): void;
}

export interface ContentReaderOptions {
  /** The most bytes that may be outside the contents. */
  readonly maxRestBytes: number;
  /** If true, only canonical base64 is accepted; see `Base64Decoder`. */
  readonly isCanonical: boolean;
  /**
   * With 1, only a member of the outermost object is a content. If undefined, a member of any
   * object is one.
   */
  readonly depth?: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const contentKey = 'ContentBase64';
/**
 * The length of the key with each letter escaped, plus one byte. A longer string must be another
 * key.
 */
const keyMaxBytes = contentKey.length * 6 + 1;

/**
 * Takes the values of `ContentBase64` out of a JSON stream. A receiver gets the decoded bytes. The
 * rest, with the content's number (0, 1, ...) in its place, stays small and is parsed as usual. A
 * value that is not a string is left unchanged.
 *
 * The reader tracks strings and depth, not the grammar: text that is not JSON leaves a rest that is
 * not JSON, and a text that ends inside of a content leaves a rest without an end.
 *
 * ```
 * outside --"--> string (key or small value) --"--> outside
 *    |
 *    +--" after the key--> content --"--> outside
 * ```
 */
export class ContentReader {
  readonly #receiver: ContentReceiver;
  readonly #options: ContentReaderOptions;
  #state: 'outside' | 'string' | 'content' = 'outside';
  #depth = 0;
  readonly #rest: Uint8Array[] = [];
  #restBytes = 0;
  /** The latest string, if it may be the key that precedes a content. */
  #lastString = '';
  #isAfterKey = false;
  /** The beginning of an escape sequence, with its backslash, that continues in the next piece. */
  #escape = '';
  #contents = 0;
  #decoder: Base64Decoder;

  constructor(receiver: ContentReceiver, options: ContentReaderOptions) {
    this.#receiver = receiver;
    this.#options = options;
    this.#decoder = new Base64Decoder(options);
  }

  /** The number of contents that have begun. */
  get contents(): number {
    return this.#contents;
  }

  /**
   * Reads the next piece.
   * @throws {ContentSyntaxError}
   * @throws {Base64Error}
   * @throws the receiver's error
   */
  async write(piece: Uint8Array): Promise<void> {
    let at = 0;
    while (at < piece.length) {
      if (this.#state === 'outside') at = this.#outside(piece, at);
      else if (this.#state === 'string') at = this.#string(piece, at);
      else at = await this.#content(piece, at);
    }
  }

  /** The text without the contents, in UTF-8. */
  rest(): Uint8Array {
    const whole = new Uint8Array(this.#restBytes);
    let at = 0;
    for (const part of this.#rest) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  #append(bytes: Uint8Array): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#options.maxRestBytes) {
      throw new ContentSyntaxError('too much stands beside the content');
    }
    // A copy, because a view would retain the whole piece in memory.
    if (bytes.length > 0) this.#rest.push(bytes.slice());
  }

  /** Reads up to the next quote, including the quote. */
  #outside(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (byte === quote) {
        if (this.#isAfterKey) {
          this.#append(piece.subarray(from, at));
          this.#begin();
        } else {
          this.#append(piece.subarray(from, at + 1));
          this.#state = 'string';
          this.#lastString = '';
        }
        this.#isAfterKey = false;
        return at + 1;
      }
      if (byte === colon) this.#isAfterKey = this.#isKey();
      else if (!isSpace(byte)) {
        this.#isAfterKey = false;
        this.#lastString = '';
        if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
        if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
      }
    }
    this.#append(piece.subarray(from));
    return piece.length;
  }

  /** Whether the latest string is the key of a content, with or without escapes. */
  #isKey(): boolean {
    const { depth = this.#depth } = this.#options;
    if (depth !== this.#depth) return false;
    if (!this.#lastString.includes('\\')) return this.#lastString === contentKey;
    try {
      return JSON.parse(`"${this.#lastString}"`) === contentKey;
    } catch {
      return false;
    }
  }

  #begin(): void {
    // The space separates the number from following text that is not JSON.
    this.#append(bytesOf(`${this.#contents} `));
    this.#contents += 1;
    this.#state = 'content';
    this.#decoder = new Base64Decoder(this.#options);
    this.#receiver.begin?.();
  }

  /** Reads a key or a small value up to its closing quote, including the quote. */
  #string(piece: Uint8Array, from: number): number {
    let at = from;
    // A character after a backslash does not end the string.
    if (this.#escape !== '') at += 1;
    this.#escape = '';
    for (; at < piece.length; at += 1) {
      if (piece[at] === quote) {
        this.#appendToString(piece.subarray(from, at));
        this.#append(piece.subarray(at, at + 1));
        this.#state = 'outside';
        return at + 1;
      }
      if (piece[at] === backslash) at += 1;
    }
    if (at > piece.length) this.#escape = '\\';
    this.#appendToString(piece.subarray(from));
    return piece.length;
  }

  #appendToString(bytes: Uint8Array): void {
    this.#append(bytes);
    const wanted = keyMaxBytes - this.#lastString.length;
    if (wanted > 0) this.#lastString += String.fromCharCode(...bytes.subarray(0, wanted));
  }

  async #content(piece: Uint8Array, from: number): Promise<number> {
    let at = from;
    let isClosed = false;
    while (at < piece.length && !isClosed) {
      if (this.#escape === '') at = this.#decoder.decode(piece, at);
      if (this.#escape !== '' || piece[at] === backslash) at = this.#readEscape(piece, at);
      isClosed = this.#escape === '' && piece[at] === quote;
    }
    if (isClosed) this.#decoder.end();
    const bytes = this.#decoder.take();
    if (bytes.length > 0) await this.#receiver.data(bytes);
    if (!isClosed) return at;
    this.#receiver.end?.();
    this.#state = 'outside';
    return at + 1;
  }

  /** JSON writers escape `/` as `\/` and `+` as `\u002B`; both occur in base64. */
  #readEscape(piece: Uint8Array, from: number): number {
    let at = from;
    const length = () => (this.#escape[1] === 'u' ? 6 : 2);
    while (at < piece.length && this.#escape.length < length()) {
      this.#escape += String.fromCharCode(piece[at] ?? 0);
      at += 1;
    }
    if (this.#escape.length === length()) {
      this.#decoder.decodeUnit(unescape(this.#escape));
      this.#escape = '';
    }
    return at;
  }
}

/** Whether the text is at fault, and not the receiver. */
export function isContentError(error: unknown): error is ContentSyntaxError | Base64Error {
  return error instanceof ContentSyntaxError || error instanceof Base64Error;
}

function unescape(escape: string): number {
  try {
    return String(JSON.parse(`"${escape}"`)).charCodeAt(0);
  } catch (error) {
    throw new ContentSyntaxError('the text is not valid JSON', { cause: error });
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}
