import { telephoneLimits } from '#shared/telephone/limits.ts';
import type { Begun, DeskFault, TelephoneAnswer } from '#shared/telephone/messages.ts';
import { Link, LinkError, type LinkFault } from './link.ts';
import { type Code, isAt, type Outbox, type Picture, type Place, placeOf } from './outbox.ts';

/** What the page says about the connection. */
export type LinkState = 'connecting' | 'ready' | Exclude<LinkFault, 'unproven'> | DeskFault;

interface SenderOptions {
  readonly outbox: Pick<Outbox, 'bytes'>;
  /** All pictures of this telephone, in the order of their capture. */
  readonly pictures: () => readonly Picture[];
  readonly isDone: () => boolean;
  /** Shows and stores a changed picture. */
  readonly keep: (picture: Picture) => Promise<void>;
  readonly onSent: (picture: Picture, sentBytes: number) => void;
  /** The session began. It is awaited before anything is sent. */
  readonly onBegun: (begun: Begun) => Promise<void>;
  readonly onState: (state: LinkState) => void;
}

const againMs = 2000;
/** After these only a new code helps. */
const finalFaults: readonly LinkState[] = ['ended', 'other', 'impostor'];

/** Sends what waits for the report of a code, one picture after the other, for as long as the page is open. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #code: Code;
  #place: Place;
  #link: Link | null = null;
  #wake: () => void = () => undefined;
  #isStopped = false;
  /** The pictures that the desk failed to store. The others come first. */
  readonly #failed = new Set<string>();
  /** The pictures that the desk has whole, and of which it has not said yet that they are stored. */
  readonly #handed = new Set<string>();

  constructor(code: Code, options: SenderOptions) {
    this.#code = code;
    this.#place = placeOf(code);
    this.#options = options;
  }

  /** Something new waits, or the telephone woke up. */
  wake(): void {
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Sends until the session ends or `stop` is called. */
  async run(): Promise<void> {
    const { onState } = this.#options;
    onState('connecting');
    while (!this.#isStopped) {
      let waitMs = againMs;
      try {
        this.#link ??= await this.#open();
        const state = await this.#step(this.#link);
        onState(state);
        if (state === 'ready') waitMs = this.#next() ? 0 : telephoneLimits.lookMs;
      } catch (error) {
        const fault = error instanceof LinkError ? error.fault : 'unreachable';
        this.#link = null;
        if (fault !== 'unproven') onState(fault);
        if (fault !== 'unproven' && finalFaults.includes(fault)) return;
      }
      if (waitMs > 0) await this.#rest(waitMs);
    }
  }

  async #open(): Promise<Link> {
    const link = await Link.open(this.#code);
    // The desk may have been restarted, and then knows nothing of them.
    this.#handed.clear();
    this.#place = { ...this.#place, report: link.begun.report };
    await this.#options.onBegun(link.begun);
    return link;
  }

  get #pictures(): Picture[] {
    return this.#options.pictures().filter((picture) => isAt(this.#place, picture));
  }

  /**
   * The picture that is sent next. While the desk stores one, another one comes; after that the desk
   * is asked about the first.
   */
  #next(): Picture | undefined {
    const pictures = this.#pictures;
    const waiting = pictures.filter(({ state }) => state === 'waiting');
    const handed = waiting.filter(({ id }) => this.#handed.has(id));
    const fresh = waiting.find(({ id }) => !this.#failed.has(id) && !this.#handed.has(id));
    return (
      (handed.length < 2 ? fresh : undefined) ??
      handed[0] ??
      waiting[0] ??
      pictures.find(({ state, isMarked }) => state === 'stored' && !isMarked)
    );
  }

  #rest(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The pictures that the desk does not have whole, also those that it refused. */
  get #missing(): number {
    return this.#pictures.filter(({ id, state }) => state !== 'stored' && !this.#handed.has(id))
      .length;
  }

  async #step(link: Link): Promise<LinkState> {
    const picture = this.#next();
    if (!picture) {
      await link.send({ type: 'look', waiting: this.#missing, isDone: this.#options.isDone() });
      return 'ready';
    }
    if (picture.state === 'waiting') {
      // All that wait have failed: each gets another turn.
      if (this.#failed.has(picture.id)) this.#failed.clear();
      return await this.#send(link, picture);
    }
    const { id, group, caption } = picture;
    const { report } = link.begun;
    const answer = await link.send({ type: 'mark', id, report, group, caption });
    if (answer.type === 'later') return answer.fault;
    await this.#settle(picture, { isMarked: true });
    return 'ready';
  }

  /** Sends a picture from the chunk on that the desk asks for. */
  async #send(link: Link, picture: Picture): Promise<LinkState> {
    const { outbox, onSent } = this.#options;
    const { id, fileName, sizeBytes, takenAt, group, caption } = picture;
    const { report } = link.begun;
    const about = { id, report, fileName, sizeBytes, takenAt, group, caption };
    let answer = await link.send({ type: 'announce', ...about, waiting: this.#missing });
    this.#handed.delete(id);
    if (answer.type === 'next') {
      const bytes = await outbox.bytes(id).catch(() => null);
      if (bytes === null) {
        // The row of the picture says so, and the others are sent.
        await this.#settle(picture, { state: 'unreadable' });
        return 'ready';
      }
      // The desk stores the picture with these marks. If it has stored it before, it ignores them.
      await this.#settle(picture, { isMarked: true });
      answer = await sendChunks(link, { id, bytes, from: answer.number }, (sent) =>
        onSent(picture, sent),
      );
    }
    if (answer.type === 'storing') this.#handed.add(id);
    if (answer.type === 'later') {
      if (answer.fault === 'failed') this.#failed.add(id);
      return answer.fault;
    }
    if (answer.type === 'refused') await this.#settle(picture, { state: 'refused' });
    if (answer.type === 'stored') await this.#settle(picture, { state: 'stored' });
    return 'ready';
  }

  /**
   * Stores the outcome, unless the user added the picture to another report in the meantime. If the
   * user changed the marks, they are sent again.
   */
  async #settle(sent: Picture, outcome: Partial<Picture>): Promise<void> {
    const now = this.#pictures.find(({ id }) => id === sent.id);
    if (!now) return;
    const isSame = now.group === sent.group && now.caption === sent.caption;
    await this.#options.keep({ ...now, ...outcome, ...(!isSame && { isMarked: false }) });
  }
}

/**
 * Sends the bytes of a picture from a chunk on. Each chunk is sealed while the one before it is on
 * its way.
 * @returns the first answer that asks for no other chunk
 */
async function sendChunks(
  link: Link,
  { id, bytes, from }: { id: string; bytes: Uint8Array; from: number },
  onSent: (sentBytes: number) => void,
): Promise<TelephoneAnswer> {
  const { chunkBytes } = telephoneLimits;
  const sealed = (number: number) => {
    const at = number * chunkBytes;
    const message = link.sealed({ type: 'chunk', id, number }, bytes.subarray(at, at + chunkBytes));
    return { number, message };
  };
  let chunk = sealed(from);
  for (;;) {
    onSent(chunk.number * chunkBytes);
    const answering = link.deliver(chunk.message);
    const isLast = (chunk.number + 1) * chunkBytes >= bytes.length;
    const next = isLast ? null : sealed(chunk.number + 1);
    const answer = await answering;
    if (answer.type !== 'next') return answer;
    chunk = next?.number === answer.number ? next : sealed(answer.number);
  }
}
