import { randomBytes } from 'node:crypto';
import type { AnnouncedPicture, Begun, TelephoneAnswer } from '#shared/telephone/messages.ts';
import { telephoneLimits } from '#shared/telephone/limits.ts';
import {
  type DirectionKeys,
  directionKeys,
  seal,
  unseal,
  withCounter,
} from '#shared/telephone/seal.ts';

const none = new Uint8Array();

/** A telephone without a page: it sends what the page sends, over HTTP. */
export class TelephoneClient {
  readonly origin: string;
  readonly #key: Uint8Array;
  readonly #session: Uint8Array;
  readonly #device: string;
  #keys: DirectionKeys = { up: none, down: none };
  #counter = 0;
  /** The token of the report that it sends to. */
  report = '';

  /** @param code what the QR code contains */
  constructor(code: string, device = randomBytes(32).toString('hex')) {
    const { origin, hash } = new URL(code);
    const [key = '', session = ''] = hash.slice(1).split('.');
    this.origin = origin;
    this.#key = new Uint8Array(Buffer.from(key, 'base64url'));
    this.#session = new Uint8Array(Buffer.from(session, 'base64url'));
    this.#device = device;
  }

  /** The status of a request, and its answer if it was accepted. */
  async post(path: string, body: Uint8Array, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${this.origin}${path}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: {
        'content-type': 'application/octet-stream',
        origin: this.origin,
        ...headers,
      },
    });
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  /** @returns the status of a refusal */
  async begin(): Promise<Begun | number> {
    const telephone = new Uint8Array(randomBytes(32));
    const hello = await this.post('/hello', Buffer.concat([this.#session, telephone]));
    if (hello.status !== 200) return hello.status;
    const desk = hello.bytes.slice(0, 32);
    this.#keys = directionKeys(this.#key, { session: this.#session, telephone, desk });
    this.#counter = 0;
    const sealed = seal(this.#keys.up, 0, { head: { device: this.#device }, body: none });
    const { status, bytes } = await this.post(
      '/begin',
      Buffer.concat([this.#session, telephone, sealed]),
    );
    if (status !== 200) return status;
    const begun = unseal(this.#keys.down, 0, bytes)?.head as Begun;
    this.report = begun.report;
    return begun;
  }

  /** The bytes of the next request. */
  request(head: unknown, body: Uint8Array = none): Uint8Array {
    this.#counter += 1;
    return withCounter(this.#counter, seal(this.#keys.up, this.#counter, { head, body }));
  }

  async send(head: unknown, body: Uint8Array = none): Promise<TelephoneAnswer | number> {
    const { status, bytes } = await this.post('/send', this.request(head, body));
    if (status !== 200) return status;
    return unseal(this.#keys.down, this.#counter, bytes)?.head as TelephoneAnswer;
  }

  /** Sends a picture to its end. */
  async picture(
    about: Pick<AnnouncedPicture, 'id' | 'fileName' | 'takenAt'> & Partial<AnnouncedPicture>,
    bytes: Uint8Array,
  ): Promise<TelephoneAnswer | number> {
    const announcement = {
      type: 'announce',
      report: this.report,
      sizeBytes: bytes.length,
      group: null,
      caption: '',
      waiting: 1,
      ...about,
    };
    let answer = await this.send(announcement);
    while (typeof answer === 'object' && answer.type === 'next') {
      const from = answer.number * telephoneLimits.chunkBytes;
      const chunk = bytes.subarray(from, from + telephoneLimits.chunkBytes);
      answer = await this.send({ type: 'chunk', id: about.id, number: answer.number }, chunk);
    }
    if (typeof answer === 'object' && answer.type === 'storing')
      answer = await this.send({ ...announcement, waiting: 0 });
    return answer;
  }
}
