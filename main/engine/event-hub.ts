import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { Clock } from '#shared/lib/clock.ts';

const aliveEveryMs = 15_000;

/** The key of events of which only the latest unread one matters. */
function coalescingKey(event: DeskEvent): string | null {
  switch (event.type) {
    case 'alive':
    case 'sync.changed':
    case 'workspace.changed':
    case 'events.missed':
    case 'desk.changed':
    case 'update.changed':
    case 'views.changed':
    case 'texts.changed':
    case 'templates.changed':
    case 'batch.changed':
    case 'day.changed':
    case 'telephone.changed':
    case 'work.restored':
      return event.type;
    case 'typed.changed':
      return [event.type, event.place, event.id, event.fileId].join(' ');
    case 'task.progress':
      return `${event.type} ${event.task}`;
    case 'queue.progress':
      return `${event.type} ${event.stepId}`;
    case 'queue.changed':
      return `${event.type} ${event.item.id}`;
    case 'documents.changed':
    case 'reports.changed':
      return `${event.type} ${event.caseId}`;
    case 'cases.changed':
      return event.caseIds === null ? event.type : null;
  }
}

interface Subscriber {
  push(event: DeskEvent): void;
  end(): void;
}

/** Sends events to every window. A slow window neither delays the others nor fills the memory. */
export class EventHub {
  readonly #clock: Clock;
  readonly #subscribers = new Set<Subscriber>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  emit(event: DeskEvent): void {
    for (const subscriber of this.#subscribers) subscriber.push(event);
  }

  /** Ends every subscription. */
  close(): void {
    this.#closed = true;
    for (const subscriber of this.#subscribers) subscriber.end();
  }

  /**
   * Returns every event from the call on, `alive` first, until the signal fires or the hub closes.
   */
  subscribe(signal?: AbortSignal): AsyncIterableIterator<DeskEvent> {
    const queue = new EventQueue();
    let cancelAlive: () => void = () => undefined;
    const alive = () => {
      queue.push({ type: 'alive', at: new Date(this.#clock.now()).toISOString() });
      cancelAlive = this.#clock.after(aliveEveryMs, alive);
    };
    const end = () => {
      cancelAlive();
      this.#subscribers.delete(subscriber);
      signal?.removeEventListener('abort', end);
      queue.end();
    };
    const subscriber: Subscriber = { push: (event) => queue.push(event), end };
    if (this.#closed || signal?.aborted) end();
    else {
      alive();
      this.#subscribers.add(subscriber);
      signal?.addEventListener('abort', end, { once: true });
    }
    return {
      next: () => queue.next(),
      return: () => {
        end();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

/** The most unread events of a window. If there are more, the window reads everything again. */
const unreadMax = 1000;

class EventQueue {
  readonly #waiting: ((result: IteratorResult<DeskEvent>) => void)[] = [];
  /** The unread events in order. Events that do not replace each other have separate keys. */
  readonly #unread = new Map<string | symbol, DeskEvent>();
  #ended = false;

  push(event: DeskEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting({ done: false, value: event });
      return;
    }
    const key = coalescingKey(event) ?? Symbol(event.type);
    this.#unread.delete(key);
    this.#unread.set(key, event);
    if (this.#unread.size <= unreadMax) return;
    // What is one event alone stays, such as the status, which the tray has from nowhere else, and
    // another workspace, which takes what was typed along.
    for (const [known, { type }] of this.#unread) if (known !== type) this.#unread.delete(known);
    this.#unread.delete('events.missed');
    this.#unread.set('events.missed', { type: 'events.missed' });
  }

  next(): Promise<IteratorResult<DeskEvent>> {
    const first = this.#unread.entries().next();
    if (!first.done) {
      const [key, value] = first.value;
      this.#unread.delete(key);
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  end(): void {
    this.#ended = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ done: true, value: undefined });
  }
}
