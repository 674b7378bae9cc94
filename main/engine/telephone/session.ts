import { createHmac } from 'node:crypto';
import { isPictureName } from '#shared/photos/picture-kinds.ts';
import {
  keyBytes,
  numberBytes,
  type Refusal,
  sealBytes,
  sessionBytes,
  telephoneLimits,
} from '#shared/telephone/limits.ts';
import {
  type AnnouncedPicture,
  beginSchema,
  type Begun,
  type DeskFault,
  type PictureFault,
  type TelephoneAnswer,
  type TelephoneMessage,
  telephoneMessageSchema,
} from '#shared/telephone/messages.ts';
import {
  counterBytes,
  counterOf,
  deskProof,
  type DirectionKeys,
  directionKeys,
  isSameSecret,
  type Message,
  seal,
  unseal,
} from '#shared/telephone/seal.ts';
import type { Random } from '#shared/lib/random.ts';

/** Where the pictures of a session go. */
export interface PictureStore {
  /** Why no picture can be stored now; null if one can. */
  readonly closed: () => DeskFault | null;
  /** Whether this picture was ever stored on this desk, also before a restart. */
  readonly isStored: (id: string) => boolean;
  /**
   * Stores a picture, once for each id. It resolves when the picture is on the disk and in the
   * report.
   * @returns why it was not stored; null if it was
   */
  readonly store: (
    picture: AnnouncedPicture,
    pieces: readonly Uint8Array[],
  ) => Promise<PictureFault | DeskFault | null>;
  /**
   * Changes what the user said about a picture.
   * @returns why it was not changed; null if it was, or if the picture was removed
   */
  readonly mark: (picture: Pick<AnnouncedPicture, 'id' | 'group' | 'caption'>) => DeskFault | null;
}

/** What the window shows of a session. */
export interface SessionFacts {
  readonly isConnected: boolean;
  /** Pictures that were stored in this session. */
  readonly stored: number;
  /** Pictures that the telephone has and the desk does not, as the telephone last reported. */
  readonly waiting: number;
  /** The user said on the telephone that it was all. */
  readonly isDone: boolean;
  /** How often another device or a wrong code was refused. */
  readonly refused: number;
}

/** The answer to a request: bytes, or the reason of a refusal. */
export type SessionAnswer = Uint8Array | Refusal;

interface Partial {
  readonly picture: AnnouncedPicture;
  readonly pieces: Uint8Array[];
}

const nothing = new Uint8Array();

/**
 * The desk's side of a session with one telephone (shared/telephone/seal.ts). It knows nothing of
 * HTTP, and nothing of a case but what `begun` contains.
 */
export class TelephoneSession {
  readonly id: Uint8Array;
  /** It is shown in the code and is never sent. */
  readonly key: Uint8Array;
  readonly #parts: {
    readonly pictures: PictureStore;
    readonly begun: Begun;
    readonly onChange: () => void;
  };
  /** Makes the desk's numbers. So an unproven request leaves nothing behind. */
  readonly #numbers: Uint8Array;
  readonly #used = new Set<string>();
  #device: Uint8Array | null = null;
  #link: { readonly keys: DirectionKeys; last: number } | null = null;
  #partial: Partial | null = null;
  /** What became of pictures that came whole, until the telephone asks. */
  readonly #outcomes = new Map<string, Promise<TelephoneAnswer>>();
  /** Resolves when all pictures that came whole are stored. */
  #stored: Promise<unknown> = Promise.resolve();
  /** The pictures that came whole and are not stored yet: at most two. */
  #storing = 0;
  /** The pictures that have not come whole, as the telephone last reported. */
  #absent = 0;
  #facts: SessionFacts = { isConnected: false, stored: 0, waiting: 0, isDone: false, refused: 0 };
  #isEnded = false;

  constructor(
    random: Pick<Random, 'bytes'>,
    parts: {
      readonly pictures: PictureStore;
      readonly begun: Begun;
      readonly onChange: () => void;
    },
  ) {
    this.id = random.bytes(sessionBytes);
    this.key = random.bytes(keyBytes);
    this.#numbers = random.bytes(keyBytes);
    this.#parts = parts;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  #change(facts: { -readonly [Name in keyof SessionFacts]?: SessionFacts[Name] }): void {
    const before = JSON.stringify(this.#facts);
    this.#facts = { ...this.#facts, ...facts };
    if (JSON.stringify(this.#facts) !== before) this.#parts.onChange();
  }

  /** Ends the session: what comes later is refused. It resolves when nothing is being stored. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#link = null;
    this.#partial = null;
    await this.#stored;
  }

  /** Whether a request names this session, and the session still lives. */
  #isMine(bytes: Uint8Array): boolean {
    return !this.#isEnded && isSameSecret(bytes.subarray(0, sessionBytes), this.id);
  }

  /** The desk's number for a number of the page: fresh for each, and unknown to everybody else. */
  #handshakeOf(telephone: Uint8Array) {
    const desk = createHmac('sha256', this.#numbers).update(telephone).digest();
    return { session: this.id, telephone, desk: Uint8Array.from(desk) };
  }

  /** Proves the desk to a page. */
  hello(bytes: Uint8Array): SessionAnswer {
    if (bytes.length !== sessionBytes + numberBytes) return 'malformed';
    if (!this.#isMine(bytes)) return 'ended';
    const handshake = this.#handshakeOf(bytes.slice(sessionBytes));
    return Buffer.concat([handshake.desk, deskProof(this.key, handshake)]);
  }

  /** Accepts the first telephone that knows the key, and the same telephone again. */
  begin(bytes: Uint8Array): SessionAnswer {
    const from = sessionBytes + numberBytes;
    if (bytes.length < from + sealBytes) return 'malformed';
    if (!this.#isMine(bytes)) return 'ended';
    const number = bytes.slice(sessionBytes, from);
    const name = Buffer.from(number).toString('hex');
    const keys = directionKeys(this.key, this.#handshakeOf(number));
    const message = unseal(keys.up, 0, bytes.subarray(from));
    const begin = beginSchema.safeParse(message?.head);
    if (!begin.success) return this.#refuse('unproven');
    // A recorded beginning would make its keys valid again.
    if (this.#used.has(name)) return this.#refuse('unproven');
    const device = Uint8Array.from(Buffer.from(begin.data.device, 'hex'));
    if (this.#device !== null && !isSameSecret(this.#device, device))
      return this.#refuse('otherTelephone');
    // It is the session's own telephone, which would say hello again after `unproven`.
    if (this.#used.size >= telephoneLimits.begins) return 'ended';
    this.#used.add(name);
    this.#device = device;
    this.#link = { keys, last: 0 };
    this.#change({ isConnected: true });
    return seal(keys.down, 0, { head: this.#parts.begun, body: nothing });
  }

  #refuse(refusal: Refusal): Refusal {
    this.#change({ refused: this.#facts.refused + 1 });
    return refusal;
  }

  /** Answers a message of the telephone. Each counter is used once, and none is lower than before. */
  async send(bytes: Uint8Array): Promise<SessionAnswer> {
    if (bytes.length < counterBytes + sealBytes) return 'malformed';
    if (this.#isEnded) return 'ended';
    const link = this.#link;
    const counter = counterOf(bytes);
    if (!link || !(counter > link.last)) return 'unproven';
    const message = unseal(link.keys.up, counter, bytes.subarray(counterBytes));
    if (!message) return 'unproven';
    link.last = counter;
    const known = telephoneMessageSchema.safeParse(message.head);
    if (!known.success) return 'malformed';
    const answer = await this.#answer(known.data, message);
    return answer === null
      ? 'malformed'
      : seal(link.keys.down, counter, { head: answer, body: nothing });
  }

  async #answer(
    message: TelephoneMessage,
    { body }: Pick<Message, 'body'>,
  ): Promise<TelephoneAnswer | null> {
    if (message.type === 'look') {
      this.#report(message.waiting, message.isDone);
      return { type: 'seen' };
    }
    // The page has pictures of several reports. Another one's picture is never stored here.
    const isForeign = 'report' in message && message.report !== this.#parts.begun.report;
    if (isForeign) return null;
    if (message.type === 'mark') {
      const fault = this.#parts.pictures.mark(message);
      return fault === null ? { type: 'seen' } : { type: 'later', fault };
    }
    if (message.type === 'announce') return await this.#announce(message);
    return await this.#take(message.id, message.number, body);
  }

  /** @param absent the pictures that have not come whole */
  #report(absent: number, isDone: boolean): void {
    this.#absent = absent;
    this.#change({ waiting: absent + this.#storing, isDone });
  }

  async #announce(picture: AnnouncedPicture): Promise<TelephoneAnswer> {
    const { pictures } = this.#parts;
    const { id } = picture;
    this.#report(picture.waiting, false);
    const outcome = await this.#outcomes.get(id);
    this.#outcomes.delete(id);
    if (outcome) return outcome;
    // The laptop's caption may be newer than the announced one. A change comes as a `mark`.
    if (pictures.isStored(id)) return { type: 'stored' };
    if (this.#facts.stored >= telephoneLimits.pictures) return { type: 'later', fault: 'too_many' };
    if (!isPictureName(picture.fileName)) return { type: 'refused', fault: 'unusable' };
    const fault = pictures.closed();
    if (fault !== null) return { type: 'later', fault };
    const before = this.#partial?.picture;
    const isSame = before?.id === id && before.sizeBytes === picture.sizeBytes;
    const pieces = isSame ? (this.#partial?.pieces ?? []) : [];
    // In memory are this picture and the one that is being stored. One that another interrupts
    // begins again.
    this.#partial = { picture, pieces };
    return { type: 'next', number: pieces.length };
  }

  async #take(id: string, number: number, body: Uint8Array): Promise<TelephoneAnswer | null> {
    if (this.#outcomes.has(id)) return { type: 'storing' };
    const partial = this.#partial;
    if (partial?.picture.id !== id)
      return { type: this.#parts.pictures.isStored(id) ? 'stored' : 'unknown' };
    const { picture, pieces } = partial;
    if (number === pieces.length) {
      const left = picture.sizeBytes - number * telephoneLimits.chunkBytes;
      if (body.length !== Math.min(left, telephoneLimits.chunkBytes)) return null;
      pieces.push(body);
      if (body.length === left) return await this.#store(partial);
    }
    return { type: 'next', number: pieces.length };
  }

  /** Begins to store a picture as soon as the one before it is stored. */
  async #store({ picture, pieces }: Partial): Promise<TelephoneAnswer> {
    const { pictures } = this.#parts;
    this.#partial = null;
    this.#absent = Math.max(0, this.#absent - 1);
    this.#storing += 1;
    const before = this.#stored;
    const outcome = before
      .then(() => pictures.store(picture, pieces))
      .then((fault): TelephoneAnswer => {
        this.#storing -= 1;
        if (fault !== null) this.#absent += 1;
        const stored = this.#facts.stored + (fault === null ? 1 : 0);
        this.#change({ stored, waiting: this.#absent + this.#storing });
        if (fault === null) return { type: 'stored' };
        return fault === 'unusable' ? { type: 'refused', fault } : { type: 'later', fault };
      });
    this.#stored = outcome;
    this.#outcomes.set(picture.id, outcome);
    await before;
    return { type: 'storing' };
  }
}
