import { numberBytes, telephoneLimits } from '#shared/telephone/limits.ts';
import type { Begun, TelephoneAnswer, TelephoneMessage } from '#shared/telephone/messages.ts';
import {
  directionKeys,
  type DirectionKeys,
  isDeskProof,
  seal,
  unseal,
  withCounter,
} from '#shared/telephone/seal.ts';
import type { Code } from './outbox.ts';

/** Why a request failed. The page shows a sentence for each. */
export type LinkFault =
  /** No answer, or one of somebody else: the page tries again. */
  | 'unreachable'
  /** The desk does not know this start of the page any more: it says hello again. */
  | 'unproven'
  | 'ended'
  | 'other'
  /** The other end does not know the code's key. Nothing was sent. */
  | 'impostor';

export class LinkError extends Error {
  override readonly name = 'LinkError';
  readonly fault: LinkFault;

  constructor(fault: LinkFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

const faults: Readonly<Record<number, LinkFault>> = { 401: 'unproven', 409: 'other', 410: 'ended' };
const none = new Uint8Array();

/** A lost connection does not end by itself. A chunk may take longer than a word. */
const wordMs = 8000;

async function post(path: string, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const response = await fetch(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/octet-stream' },
    signal: AbortSignal.timeout(body.length > 4096 ? telephoneLimits.requestMs : wordMs),
  }).catch((error: unknown) => {
    throw new LinkError('unreachable', error);
  });
  if (!response.ok) throw new LinkError(faults[response.status] ?? 'unreachable');
  const bytes = await response.arrayBuffer().catch((error: unknown) => {
    throw new LinkError('unreachable', error);
  });
  return new Uint8Array(bytes);
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** A message that only the desk can open, and its place in the order of all. */
interface SealedMessage {
  readonly counter: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A connection on which both ends have proved that they know the code's key. */
export class Link {
  readonly begun: Begun;
  readonly #keys: DirectionKeys;
  #counter = 0;

  private constructor(keys: DirectionKeys, begun: Begun) {
    this.#keys = keys;
    this.begun = begun;
  }

  /**
   * Lets the desk prove itself, and then proves this telephone.
   * @throws {LinkError}
   */
  static async open({ key, session, device }: Code): Promise<Link> {
    const telephone = crypto.getRandomValues(new Uint8Array(numberBytes));
    const answer = await post('/hello', joined(session, telephone));
    const handshake = { session, telephone, desk: answer.slice(0, numberBytes) };
    if (!isDeskProof(key, handshake, answer.slice(numberBytes))) throw new LinkError('impostor');
    const keys = directionKeys(key, handshake);
    const sealed = seal(keys.up, 0, { head: { device }, body: none });
    const begun = unseal(keys.down, 0, await post('/begin', joined(session, telephone, sealed)));
    if (!begun) throw new LinkError('impostor');
    return new Link(keys, begun.head as Begun);
  }

  /** Seals a message for `deliver`. */
  sealed(head: TelephoneMessage, body: Uint8Array = none): SealedMessage {
    this.#counter += 1;
    const bytes = seal(this.#keys.up, this.#counter, { head, body });
    return { counter: this.#counter, bytes: joined(withCounter(this.#counter, bytes)) };
  }

  /**
   * Delivers a message and returns the desk's answer to it. The desk refuses one that was sealed
   * before another that it has.
   * @throws {LinkError}
   */
  async deliver({ counter, bytes }: SealedMessage): Promise<TelephoneAnswer> {
    const answer = unseal(this.#keys.down, counter, await post('/send', bytes));
    if (!answer) throw new LinkError('impostor');
    return answer.head as TelephoneAnswer;
  }

  /**
   * Sends a message and returns the desk's answer to it.
   * @throws {LinkError}
   */
  send(head: TelephoneMessage): Promise<TelephoneAnswer> {
    return this.deliver(this.sealed(head));
  }
}
