/*
 * The content of a mail's signature (RFC 5652, 3 and 5.1): the mail itself, which programs write into
 * the signature instead of before it. Nobody checks the signature here; only the elements that lead to the content
 * are read (X.690).
 */

/** An element, of which the content is from one place to another. */
interface Element {
  readonly tag: number;
  readonly from: number;
  readonly to: number;
  /** Where the next element begins. */
  readonly next: number;
}

const tags = { sequence: 0x30, octets: 0x04, pieces: 0x24, explicit: 0xa0 } as const;
/** The kinds of messages, as elements in hexadecimal (RFC 5652, 5.1 and 6.1; RFC 5083, 2.1). */
const signedData = '06092a864886f70d010702';
const encryptedData = ['06092a864886f70d010703', '060b2a864886f70d0109100117'];
/** Real ones have six. */
const depthMax = 16;
/** The bit of a tag whose content consists of elements, and that of a length in several bytes. */
const constructedBit = 0x20;
const longBit = 0x80;

class ElementError extends Error {}

/** Whether a signed or encrypted message has its end. A file in another form is not judged. */
export function isWholeMessage(bytes: Uint8Array): boolean {
  if (bytes.length > 0 && bytes[0] !== tags.sequence) return true;
  return orNull(() => elementAt(bytes, 0)) !== null;
}

/** Whether a message is encrypted and has its end. */
export const isEncrypted = (bytes: Uint8Array): boolean =>
  orNull(() => {
    const [type] = firstIn(bytes, elementAt(bytes, 0), tags.sequence);
    return type !== undefined && encryptedData.includes(hexOf(bytes, type));
  }) ?? false;

/** @returns null if it is encrypted, cut off, or has its content elsewhere */
export const signedContent = (bytes: Uint8Array): Uint8Array<ArrayBuffer> | null =>
  orNull(() => {
    const [type, wrapped] = firstIn(bytes, elementAt(bytes, 0), tags.sequence);
    if (!type || !wrapped || hexOf(bytes, type) !== signedData) return null;
    const [signed] = firstIn(bytes, wrapped, tags.explicit);
    const [, , holder] = signed ? firstIn(bytes, signed, tags.sequence) : [];
    const [, inner] = holder ? firstIn(bytes, holder, tags.sequence) : [];
    const [content] = inner ? firstIn(bytes, inner, tags.explicit) : [];
    return content ? octetsOf(bytes, content) : null;
  });

/** Null if an element is not as it should be. */
function orNull<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ElementError) return null;
    throw error;
  }
}

const hexOf = (bytes: Uint8Array, { from, to }: Element) =>
  [0x06, to - from, ...bytes.subarray(from, Math.min(to, from + 16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** The first elements in another one, which has to be of this kind. */
function firstIn(bytes: Uint8Array, element: Element, tag: number): Element[] {
  if (element.tag !== tag) throw new ElementError('kind');
  const found: Element[] = [];
  for (const one of elementsIn(bytes, element)) {
    found.push(one);
    if (found.length === 3) break;
  }
  return found;
}

function* elementsIn(bytes: Uint8Array, { from, to }: Element): Generator<Element> {
  for (let at = from; at < to;) {
    const element = elementAt(bytes.subarray(0, to), at);
    yield element;
    at = element.next;
  }
}

function elementAt(bytes: Uint8Array, at: number, depth = 0): Element {
  const tag = byteAt(bytes, at);
  const first = byteAt(bytes, at + 1);
  if (first === longBit) {
    if ((tag & constructedBit) === 0 || depth === depthMax) throw new ElementError('length');
    const from = at + 2;
    let to = from;
    // Two zeros end what has no length.
    while (byteAt(bytes, to) !== 0 || byteAt(bytes, to + 1) !== 0)
      to = elementAt(bytes, to, depth + 1).next;
    return { tag, from, to, next: to + 2 };
  }
  const figures = first < longBit ? 0 : first - longBit;
  let length = figures === 0 ? first : 0;
  for (let index = 0; index < figures; index += 1)
    length = length * 256 + byteAt(bytes, at + 2 + index);
  const from = at + 2 + figures;
  if (from + length > bytes.length) throw new ElementError('cut off');
  return { tag, from, to: from + length, next: from + length };
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new ElementError('cut off');
  return byte;
}

/** A string of bytes, whole or in pieces (X.690, 8.7). */
function octetsOf(bytes: Uint8Array, content: Element): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(content.to - content.from);
  let length = 0;
  function add(element: Element, depth: number): void {
    if (element.tag === tags.octets) {
      whole.set(bytes.subarray(element.from, element.to), length);
      length += element.to - element.from;
      return;
    }
    if (element.tag !== tags.pieces || depth === depthMax) throw new ElementError('kind');
    for (const piece of elementsIn(bytes, element)) add(piece, depth + 1);
  }
  add(content, 0);
  return whole.subarray(0, length);
}
