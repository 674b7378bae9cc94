import { telephoneLimits } from '#shared/telephone/limits.ts';
import type { Begun, DeskFault } from '#shared/telephone/messages.ts';
import { Link, LinkError, type LinkFault } from './link.ts';
import type { Code, Outbox, Picture } from './outbox.ts';

/** What the page says about the connection. */
export type LinkState = 'connecting' | 'ready' | Exclude<LinkFault, 'unproven'> | DeskFault;

interface SenderOptions {
  readonly outbox: Outbox;
  /** The pictures as the page shows them, in the order of their capture. */
  readonly pictures: () => readonly Picture[];
  readonly isDone: () => boolean;
  readonly onPicture: (picture: Picture) => void;
  readonly onSent: (sentBytes: number, totalBytes: number) => void;
  readonly onState: (state: LinkState, begun: Begun | null) => void;
}

const againMs = 2000;
/** After these only a new code helps. */
const finalFaults: readonly LinkState[] = ['ended', 'other', 'impostor'];

/** Sends what waits, one picture after the other, for as long as the page is open. */
export class Sender {
  readonly #options: SenderOptions;
  #link: Link | null = null;
  #wake: () => void = () => undefined;
  #isStopped = false;

  constructor(options: SenderOptions) {
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

  /** Works with a code until the session ends or `stop` is called. */
  async run(code: Code): Promise<void> {
    const { onState } = this.#options;
    onState('connecting', null);
    while (!this.#isStopped) {
      let waitMs = againMs;
      try {
        this.#link ??= await Link.open(code);
        const state = await this.#step(this.#link);
        onState(state, this.#link.begun);
        if (state === 'ready') waitMs = this.#next() ? 0 : telephoneLimits.lookMs;
      } catch (error) {
        const fault = error instanceof LinkError ? error.fault : 'unreachable';
        this.#link = null;
        if (fault !== 'unproven') onState(fault, null);
        if (fault !== 'unproven' && finalFaults.includes(fault)) return;
      }
      if (waitMs > 0) await this.#rest(waitMs);
    }
  }

  #next(): Picture | undefined {
    const pictures = this.#options.pictures();
    return (
      pictures.find(({ state }) => state === 'waiting') ??
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

  get #waiting(): number {
    return this.#options.pictures().filter(({ state }) => state === 'waiting').length;
  }

  async #step(link: Link): Promise<LinkState> {
    const picture = this.#next();
    if (!picture) {
      await link.send({ type: 'look', waiting: 0, isDone: this.#options.isDone() });
      return 'ready';
    }
    if (picture.state === 'waiting') return await this.#send(link, picture);
    const { id, group, caption } = picture;
    await link.send({ type: 'mark', id, group, caption });
    await this.#settle(picture, { isMarked: true });
    return 'ready';
  }

  /** Sends a picture from the chunk on that the desk asks for. */
  async #send(link: Link, picture: Picture): Promise<LinkState> {
    const { outbox, onSent } = this.#options;
    const { id, fileName, sizeBytes, takenAt, group, caption } = picture;
    const about = { id, fileName, sizeBytes, takenAt, group, caption };
    const bytes = await outbox.bytes(id);
    let answer = await link.send({ type: 'announce', ...about, waiting: this.#waiting });
    while (answer.type === 'next') {
      const { number } = answer;
      const from = number * telephoneLimits.chunkBytes;
      onSent(from, sizeBytes);
      const chunk = bytes.subarray(from, from + telephoneLimits.chunkBytes);
      answer = await link.send({ type: 'chunk', id, number }, chunk);
    }
    if (answer.type === 'later') return answer.fault;
    if (answer.type === 'refused') await this.#settle(picture, { state: 'refused' });
    if (answer.type === 'stored') await this.#settle(picture, { state: 'stored', isMarked: true });
    return 'ready';
  }

  /** Stores the outcome, unless the user changed the marks in the meantime: they are sent again. */
  async #settle(sent: Picture, outcome: Partial<Picture>): Promise<void> {
    const now = this.#options.pictures().find(({ id }) => id === sent.id) ?? sent;
    const isSame = now.group === sent.group && now.caption === sent.caption;
    const settled = { ...now, ...outcome, ...(!isSame && { isMarked: false }) };
    await this.#options.outbox.change(settled);
    this.#options.onPicture(settled);
  }
}
