/**
 * Takes the values of `ContentBase64` out of JSON while it streams past, whatever its place among
 * the other members: the decoded bytes go to a receiver, and the rest of the text, with the
 * content's number (0, 1, ...) in its place, is small and parsed as usual. A null stays null.
 *
 * Only strings are tracked, not the grammar: text that is no JSON comes out as no JSON and is
 * refused by the parser afterwards.
 */
export interface ContentReceiver {
  begin(): void;
  /** The bytes are others once it has resolved. */
  data(bytes: Buffer): void | Promise<void>;
  end(): void;
}

/** Content that is no base64 (RFC 4648 section 4, padding optional at the end only). */
export class ContentError extends Error {
  override readonly name = 'ContentError';
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const contentKey = Buffer.from('ContentBase64');

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

type State = 'outside' | 'string' | 'content';

export class ContentScanner {
  readonly #receiver: ContentReceiver;
  readonly #maxRestBytes: number;
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #state: State = 'outside';
  /** The last string seen, while it may still turn out to be the key before a content. */
  #lastString: Buffer[] = [];
  #keyIsContent = false;
  #afterColon = false;
  /** An escape sequence that a chunk's end cut off, with its backslash. */
  #escape: string | null = null;
  #contents = 0;
  #decoder = new Base64Decoder();

  constructor(receiver: ContentReceiver, maxRestBytes: number) {
    this.#receiver = receiver;
    this.#maxRestBytes = maxRestBytes;
  }

  /** Bytes outside of the contents so far. */
  get restBytes(): number {
    return this.#restBytes;
  }

  /** @throws {ContentError} */
  async write(chunk: Buffer): Promise<void> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'outside') at = this.#outside(chunk, at);
      else if (this.#state === 'string') at = this.#string(chunk, at);
      else at = await this.#content(chunk, at);
    }
  }

  /** The text without the contents, to be parsed. Cut off inside of a content, it does not parse. */
  rest(): string {
    return Buffer.concat(this.#rest).toString('utf8');
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#maxRestBytes) throw new ContentError('too much beside the content');
    // A copy, so that a chunk of content is not held for a few bytes of it.
    this.#rest.push(Buffer.from(bytes));
  }

  #outside(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === quote) {
        if (this.#afterColon && this.#keyIsContent) {
          this.#keep(chunk.subarray(from, at));
          this.#keep(Buffer.from(String(this.#contents++)));
          this.#state = 'content';
          this.#decoder = new Base64Decoder();
          this.#receiver.begin();
        } else {
          this.#keep(chunk.subarray(from, at + 1));
          this.#state = 'string';
          this.#lastString = [];
        }
        this.#afterColon = false;
        this.#keyIsContent = false;
        return at + 1;
      }
      if (byte === colon) {
        this.#keyIsContent = Buffer.concat(this.#lastString).equals(contentKey);
        this.#afterColon = true;
      } else if (!isSpace(byte)) {
        this.#afterColon = false;
        this.#lastString = [];
      }
    }
    this.#keep(chunk.subarray(from, at));
    return at;
  }

  #string(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#escape !== null) {
      // Whatever follows the backslash is no end of the string.
      this.#escape = null;
      at++;
    }
    for (;;) {
      const end = indexOfEither(chunk, at);
      if (end === -1) {
        this.#keepString(chunk.subarray(from));
        return chunk.length;
      }
      if (chunk[end] === quote) {
        this.#keepString(chunk.subarray(from, end));
        this.#keep(chunk.subarray(end, end + 1));
        this.#state = 'outside';
        return end + 1;
      }
      if (end + 1 === chunk.length) {
        this.#escape = '\\';
        this.#keepString(chunk.subarray(from));
        return chunk.length;
      }
      at = end + 2;
    }
  }

  #keepString(bytes: Buffer): void {
    this.#keep(bytes);
    const length = this.#lastString.reduce((sum, part) => sum + part.length, 0);
    // One byte more than the key is enough to know that it is another.
    if (length <= contentKey.length) {
      this.#lastString.push(Buffer.from(bytes.subarray(0, contentKey.length + 1 - length)));
    }
  }

  async #content(chunk: Buffer, from: number): Promise<number> {
    let at = from;
    if (this.#escape !== null) at = this.#finishEscape(chunk, at);
    while (at < chunk.length) {
      const found = indexOfEither(chunk, at);
      const end = found === -1 ? chunk.length : found;
      if (end > at) await this.#give(this.#decoder.write(chunk.subarray(at, end)));
      if (end === chunk.length) return end;
      if (chunk[end] === quote) {
        await this.#give(this.#decoder.end());
        this.#receiver.end();
        this.#state = 'outside';
        return end + 1;
      }
      this.#escape = '\\';
      at = this.#finishEscape(chunk, end + 1);
    }
    return at;
  }

  /** JSON serializers write `/` as `\/` and `+` as `\u002B`; both occur in base64. */
  #finishEscape(chunk: Buffer, from: number): number {
    let at = from;
    let escape = this.#escape ?? '\\';
    while (at < chunk.length && escape.length < (escape[1] === 'u' ? 6 : 2)) {
      escape += String.fromCharCode(chunk[at++] ?? 0);
    }
    const isWhole = escape.length === (escape[1] === 'u' ? 6 : 2);
    this.#escape = isWhole ? null : escape;
    if (isWhole) this.#decoder.push(unescape(escape));
    return at;
  }

  async #give(bytes: Buffer): Promise<void> {
    if (bytes.length > 0) await this.#receiver.data(bytes);
  }
}

function unescape(escape: string): string {
  try {
    return String(JSON.parse(`"${escape}"`));
  } catch (error) {
    throw new ContentError('a bad escape in the content', { cause: error });
  }
}

function indexOfEither(chunk: Buffer, from: number): number {
  const quoteAt = chunk.indexOf(quote, from);
  // A backslash is rare, so it is looked for up to the quote only.
  const backslashAt = (quoteAt === -1 ? chunk : chunk.subarray(0, quoteAt)).indexOf(
    backslash,
    from,
  );
  return backslashAt === -1 ? quoteAt : backslashAt;
}

/** Decodes base64 that comes in pieces of any length. */
class Base64Decoder {
  /** What was begun and makes no whole group of four yet. */
  #pending = '';
  #padded = false;
  /** Used again for each piece: new ones would have the memory looked through, again and again. */
  #decoded = Buffer.alloc(0);

  /** Adds characters without decoding them yet. */
  push(text: string): void {
    this.#pending += text;
  }

  write(piece: Buffer): Buffer {
    // The group that was begun is completed apart: one text for both would be copied once more.
    const start = Math.min(piece.length, (4 - (this.#pending.length % 4)) % 4);
    const first = this.#pending + piece.toString('latin1', 0, start);
    if (first.length % 4 !== 0) {
      this.#pending = first;
      return Buffer.alloc(0);
    }
    const whole = piece.length - ((piece.length - start) % 4);
    const text = piece.toString('latin1', start, whole);
    const rest = piece.toString('latin1', whole);
    const bytes = this.#decode(first, text);
    if (!bytes) return this.#writeSpaced(first + text + rest);
    this.#pending = rest;
    return bytes;
  }

  end(): Buffer {
    // A copy, because the tail is decoded in the same place.
    const bytes = Buffer.from(this.#writeSpaced(this.#pending));
    const tail = this.#pending;
    this.#pending = '';
    if (tail === '') return bytes;
    if (tail.length === 1) throw new ContentError('base64 of an impossible length');
    return Buffer.concat([bytes, this.#decode('', tail.padEnd(4, '=')) ?? this.#refuse()]);
  }

  /** Some encoders break lines, which is looked for only where something is no base64. */
  #writeSpaced(text: string): Buffer {
    const ready = text.replaceAll(/[\r\n\t ]+/g, '');
    const whole = ready.length - (ready.length % 4);
    this.#pending = ready.slice(whole);
    return this.#decode('', ready.slice(0, whole)) ?? this.#refuse();
  }

  /** The bytes of whole groups of four in two parts, null where they are not base64 throughout. */
  #decode(first: string, text: string): Buffer | null {
    const room = ((first.length + text.length) / 4) * 3;
    if (room > 0 && this.#padded) return null;
    const last = text === '' ? first : text;
    const padding = last.endsWith('==') ? 2 : last.endsWith('=') ? 1 : 0;
    if (this.#decoded.length < room) this.#decoded = Buffer.allocUnsafe(room);
    let length = this.#decoded.write(first, 'base64');
    length += this.#decoded.write(text, length, 'base64');
    // Node passes over what is no base64; the length then falls short.
    if (length !== room - padding) return null;
    this.#padded ||= padding > 0;
    return this.#decoded.subarray(0, length);
  }

  #refuse(): never {
    throw new ContentError(
      this.#padded ? 'base64 goes on after its padding' : 'a character that is no base64',
    );
  }
}
