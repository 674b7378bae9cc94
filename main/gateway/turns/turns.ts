import type { Clock } from '#shared/lib/clock.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { sleep } from '../../partner/clock.ts';
import type { CallPacer } from '../../partner/requests/call.ts';
import { longestBlockMs, type Slot } from '../../partner/pacing/pacing.ts';
import type { PartnerBucket } from './partner-bucket.ts';
import { renewEveryMs, type Place, type Tickets } from './tickets.ts';

/**
 * The longest wait for a turn. A request that would wait longer is refused, with the time of its
 * turn.
 */
const longestTurnMs = 20_000;
/** The time by which a refused client should return before its turn, so that the turn is used. */
const marginMs = 5000;
/** While clients wait, the gateway's own reading has one turn after this many of theirs. */
const clientTurnsPerOwn = 2;
/** How long to wait for another process's turn without a notification before checking again. */
const lookAgainMs = 1000;

/**
 * The kinds of the gateway's own turns, in their order. `follow_up` belongs to a client's turn: it
 * reads the effect of a change.
 */
export const ownKinds = ['follow_up', 'poll', 'refresh', 'ahead'] as const;
export type OwnKind = (typeof ownKinds)[number];
export type Party = { readonly client: string } | OwnKind;

interface Waiter {
  readonly party: Party;
  readonly sinceMs: number;
  readonly grant: (slot: Slot) => void;
  readonly refuse: (error: unknown) => void;
}

/** Notifications between processes that share a database. */
export interface TurnSignal {
  notify(): void;
  subscribe(wake: () => void): void;
}

interface TurnsParts {
  readonly bucket: PartnerBucket;
  readonly tickets: Tickets;
  readonly refillMs: number;
  readonly clock: Clock;
  readonly signal?: TurnSignal | undefined;
  /** Called for each turn, with its wait. */
  readonly onTurn?: (party: Party, waitMs: number) => void;
}

const clientOf = (party: Party) => (typeof party === 'string' ? undefined : party.client);

/** The longest wait of a party's requests, in ms. */
function longestMsOf(party: Party): number {
  // Nobody waits for their answers.
  if (party === 'poll' || party === 'ahead') return Infinity;
  // A client's answer waits for it, and it is first in the queue.
  return party === 'follow_up' ? longestBlockMs : longestTurnMs;
}

/**
 * Shares one bucket between clients and the gateway's own reading. The tickets decide about the
 * clients' turns. While a client waits, the gateway has at most a third of the turns.
 */
export class Turns {
  readonly #parts: TurnsParts;
  readonly #waiters = new Set<Waiter>();
  #blockedUntilMs = -Infinity;
  #isServing = false;
  #renewedAtMs = -Infinity;
  /** Whether a request had to wait for a token since the latest turn. */
  #isPaced = false;
  #isWoken = false;
  #endPause: () => void = () => undefined;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
    parts.signal?.subscribe(() => this.#wake());
  }

  /** The number of waiting requests. */
  waiting(): number {
    return this.#waiters.size;
  }

  /** The number of requests that the bucket would let through now. */
  left(): number | Promise<number> {
    return this.#parts.bucket.left();
  }

  /** The pacer of one party. */
  lane(party: Party): CallPacer {
    return {
      acquire: (_priority, signal) => this.#acquire(party, signal),
      throttled: (retryAfterMs) => {
        const until = this.#parts.clock.monotonic() + retryAfterMs;
        this.#blockedUntilMs = Math.max(this.#blockedUntilMs, until);
        for (const waiter of this.#waiters) void this.#refuseIfFar(waiter);
      },
      succeeded: () => undefined,
      learn: () => undefined,
    };
  }

  #wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  #blockedMs(): number {
    return Math.max(0, this.#blockedUntilMs - this.#parts.clock.monotonic());
  }

  #waitersOf(client: string): Waiter[] {
    return [...this.#waiters].filter((waiter) => clientOf(waiter.party) === client);
  }

  /**
   * Takes the place of a client. If all its requests were dropped while the place was stored, the
   * place is left again.
   */
  async #join(client: string): Promise<Place> {
    const { clock, tickets } = this.#parts;
    const place = await tickets.join(client);
    if (this.#waitersOf(client).length === 0) await tickets.leave(client, clock.now());
    return place;
  }

  /** Confirms to the other processes that these clients wait here. */
  async #renew(): Promise<void> {
    const { clock } = this.#parts;
    if (clock.monotonic() - this.#renewedAtMs < renewEveryMs) return;
    this.#renewedAtMs = clock.monotonic();
    const clients = new Set([...this.#waiters].flatMap(({ party }) => clientOf(party) ?? []));
    for (const client of clients) await this.#join(client);
  }

  /** The next waiter; undefined if it is a client of another process. */
  async #choose(): Promise<Waiter | undefined> {
    const { clock, tickets } = this.#parts;
    await this.#renew();
    const own = (kind: OwnKind) => [...this.#waiters].find(({ party }) => party === kind);
    const followUp = own('follow_up');
    if (followUp) return followUp;
    const first = await tickets.first();
    const guest = own('poll') ?? own('refresh') ?? own('ahead');
    if (guest && (!first || (await tickets.state()).client_turns >= clientTurnsPerOwn)) {
      return guest;
    }
    if (first?.process !== tickets.process) return undefined;
    const [waiter] = this.#waitersOf(first.client);
    if (!waiter) await tickets.leave(first.client, clock.now());
    return waiter ?? this.#choose();
  }

  /** Waits for a time or for a notification. */
  async #pause(ms: number): Promise<void> {
    if (this.#isWoken) return;
    const woken = new AbortController();
    this.#endPause = () => woken.abort();
    // It rejects only if the pause was ended early.
    await sleep(this.#parts.clock, Math.ceil(ms), woken.signal).catch(() => undefined);
  }

  async #serveNext(): Promise<void> {
    const { bucket, clock } = this.#parts;
    if (this.#blockedMs() > 0) return sleep(clock, Math.ceil(this.#blockedMs()));
    this.#isWoken = false;
    const waiter = await this.#choose();
    if (!waiter) return this.#pause(lookAgainMs);
    const { waitMs, answered } = await bucket.take();
    if (waitMs > 0) {
      this.#isPaced = true;
      return sleep(clock, Math.ceil(waitMs));
    }
    // A token is not returned, even if its request was dropped in the meantime.
    if (!this.#waiters.delete(waiter)) return answered();
    await this.#grant(waiter, answered);
  }

  /** Records the turn of a request that left the queue, and lets the request through. */
  async #grant(waiter: Waiter, answered: () => Promise<void>): Promise<void> {
    const { clock, signal, onTurn } = this.#parts;
    try {
      await this.#record(waiter);
    } catch (error) {
      // `#serve` refuses only the requests in the queue.
      void answered();
      waiter.refuse(error);
      throw error;
    }
    signal?.notify();
    onTurn?.(waiter.party, clock.monotonic() - waiter.sinceMs);
    waiter.grant({ consumed: () => void answered(), release: () => void answered() });
  }

  async #record(waiter: Waiter): Promise<void> {
    const { tickets } = this.#parts;
    const client = clientOf(waiter.party);
    if (client !== undefined) {
      await tickets.served(client, this.#waitersOf(client).length > 0, this.#isPaced);
      this.#isPaced = false;
    }
    if (client === undefined && waiter.party !== 'follow_up') await tickets.servedGuest();
  }

  async #serve(): Promise<void> {
    this.#wake();
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      while (this.#waiters.size > 0) await this.#serveNext();
    } catch (error) {
      for (const waiter of this.#waiters) waiter.refuse(error);
      this.#waiters.clear();
    } finally {
      this.#isServing = false;
    }
  }

  /** The time until the turn of a client's request, or of the gateway itself. */
  async #expectedMs(waiter: Waiter): Promise<number> {
    const { bucket, tickets, refillMs } = this.#parts;
    const { party } = waiter;
    const left = await bucket.left();
    const client = clientOf(party);
    if (client === undefined) {
      const before = [...this.#waiters].filter((each) => each.party === party).indexOf(waiter);
      const isGuest = party !== 'follow_up' && (await tickets.first()) !== undefined;
      const turnsEach = isGuest ? clientTurnsPerOwn + 1 : 1;
      return this.#blockedMs() + Math.max(0, before * turnsEach - left) * refillMs;
    }
    const { before, all } = await tickets.rank(await this.#join(client));
    const places = before + this.#waitersOf(client).indexOf(waiter) * all;
    const { turn_ms: turnMs } = await tickets.state();
    const freeTurns = (left * refillMs) / turnMs;
    return this.#blockedMs() + Math.max(0, places + 1 - freeTurns) * turnMs;
  }

  /** Refuses a request whose turn is far away, or cannot be estimated. */
  async #refuseIfFar(waiter: Waiter): Promise<void> {
    if (longestMsOf(waiter.party) === Infinity) return;
    try {
      const waitMs = await this.#expectedMs(waiter);
      if (waitMs > longestMsOf(waiter.party)) await this.#sendAway(waiter, waitMs);
    } catch (error) {
      this.#waiters.delete(waiter);
      waiter.refuse(error);
    }
  }

  /** Refuses a request until shortly before its turn. Its client keeps its place. */
  async #sendAway(waiter: Waiter, waitMs: number): Promise<void> {
    const { clock, tickets, signal } = this.#parts;
    if (!this.#waiters.delete(waiter)) return;
    const client = clientOf(waiter.party);
    if (client !== undefined && this.#waitersOf(client).length === 0) {
      await tickets.leave(client, clock.now() + waitMs);
      signal?.notify();
    }
    const toldMs = waitMs - Math.min(marginMs, waitMs / 10);
    const until = new Date(clock.now() + toldMs).toISOString();
    waiter.refuse(new DeskError('rate_limited', { retryAfterS: Math.ceil(toldMs / 1000), until }));
  }

  #acquire(party: Party, signal: AbortSignal): Promise<Slot> {
    const { clock, tickets } = this.#parts;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const giveUp = () => {
        this.#waiters.delete(waiter);
        const client = clientOf(party);
        // If the database does not answer, the place lapses automatically.
        if (client !== undefined && this.#waitersOf(client).length === 0)
          void tickets.leave(client, clock.now()).catch(() => undefined);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        party,
        sinceMs: clock.monotonic(),
        grant: (slot) => {
          signal.removeEventListener('abort', giveUp);
          // The request was dropped while its turn was recorded.
          if (signal.aborted) slot.release();
          resolve(slot);
        },
        refuse: (error) => {
          signal.removeEventListener('abort', giveUp);
          reject(error instanceof Error ? error : new Error('no turn'));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiters.add(waiter);
      void this.#refuseIfFar(waiter).then(() => this.#serve());
    });
  }
}
