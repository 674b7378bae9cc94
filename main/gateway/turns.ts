import type { Clock } from '#shared/lib/clock.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { sleep } from '../partner/clock.ts';
import type { CallPacer } from '../partner/call.ts';
import type { Slot } from '../partner/pacing.ts';
import type { PartnerBucket } from './partner-bucket.ts';
import { renewEveryMs, type Tickets } from './tickets.ts';

/** The longest wait for a turn. A request that would wait longer is refused with that time. */
const longestTurnMs = 20_000;
/** A refused client comes back this much before its turn, so that the turn does not pass unused. */
const marginMs = 5000;
/** While clients wait, the gateway's own reading has one turn after this many of theirs. */
const clientTurnsPerOwn = 2;
/** How long to wait for a turn of another process before looking again, without a notification. */
const lookAgainMs = 1000;

/**
 * Whom a turn is for. `follow_up` belongs to a client's turn: it reads what a change did. The others
 * are the gateway's own reading, in their order.
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

/** The turns of the gateway's clients at one bucket of the partner. */
export interface Turns {
  /** The pacer of one party. */
  lane(party: Party): CallPacer;
  /** Requests that wait. */
  waiting(): number;
  /** Requests that the bucket would let through now. */
  left(): number | Promise<number>;
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

/**
 * Shares one bucket among clients, which take turns as their tickets say, and the gateway's own
 * reading, which has at most a third of the turns while a client waits.
 */
export function createTurns(parts: TurnsParts): Turns {
  const { bucket, tickets, clock } = parts;
  const onTurn = parts.onTurn ?? (() => undefined);
  const waiters = new Set<Waiter>();
  let blockedUntilMs = -Infinity;
  let isServing = false;
  let renewedAtMs = -Infinity;
  /** Whether a token had to be waited for since the latest turn. */
  let isPaced = false;
  let isWoken = false;
  let endPause: () => void = () => undefined;
  const wake = () => {
    isWoken = true;
    endPause();
  };
  parts.signal?.subscribe(wake);

  const blockedMs = () => Math.max(0, blockedUntilMs - clock.monotonic());
  const waitersOf = (client: string) =>
    [...waiters].filter((waiter) => clientOf(waiter.party) === client);

  /** Shows the other processes that these clients wait here. */
  async function renew(): Promise<void> {
    if (clock.monotonic() - renewedAtMs < renewEveryMs) return;
    renewedAtMs = clock.monotonic();
    const clients = new Set([...waiters].flatMap(({ party }) => clientOf(party) ?? []));
    for (const client of clients) await tickets.join(client);
  }

  /** Who is next; undefined if it is a client of another process. */
  async function choose(): Promise<Waiter | undefined> {
    await renew();
    const own = (kind: OwnKind) => [...waiters].find(({ party }) => party === kind);
    const followUp = own('follow_up');
    if (followUp) return followUp;
    const first = await tickets.first();
    const guest = own('poll') ?? own('refresh') ?? own('ahead');
    if (guest && (!first || (await tickets.state()).client_turns >= clientTurnsPerOwn)) {
      return guest;
    }
    if (first?.process !== tickets.process) {
      // The places of this process's clients lapsed while it stood still.
      if (!first) renewedAtMs = -Infinity;
      return undefined;
    }
    const [waiter] = waitersOf(first.client);
    if (!waiter) await tickets.leave(first.client, clock.now());
    return waiter ?? choose();
  }

  /** Waits for the time, or for a notification. */
  async function pause(ms: number): Promise<void> {
    if (isWoken) return;
    const woken = new AbortController();
    endPause = () => woken.abort();
    await sleep(clock, Math.ceil(ms), woken.signal).catch(() => undefined);
  }

  async function serveNext(): Promise<void> {
    if (blockedMs() > 0) return sleep(clock, Math.ceil(blockedMs()));
    isWoken = false;
    const waiter = await choose();
    if (!waiter) return pause(lookAgainMs);
    const { waitMs, answered } = await bucket.take();
    if (waitMs > 0) {
      isPaced = true;
      return sleep(clock, Math.ceil(waitMs));
    }
    // A token is not given back, even if its request was dropped in the meantime.
    if (!waiters.delete(waiter)) return answered();
    const client = clientOf(waiter.party);
    if (client !== undefined) {
      await tickets.served(client, waitersOf(client).length > 0, isPaced);
      isPaced = false;
    }
    if (client === undefined && waiter.party !== 'follow_up') await tickets.servedGuest();
    parts.signal?.notify();
    onTurn(waiter.party, clock.monotonic() - waiter.sinceMs);
    waiter.grant({ consumed: () => void answered(), release: () => void answered() });
  }

  async function serve(): Promise<void> {
    wake();
    if (isServing) return;
    isServing = true;
    try {
      while (waiters.size > 0) await serveNext();
    } catch (error) {
      for (const waiter of waiters) waiter.refuse(error);
      waiters.clear();
    } finally {
      isServing = false;
    }
  }

  /** The time until the turn of a client's request, or of the gateway's own. */
  async function expectedMs(waiter: Waiter): Promise<number> {
    const { party } = waiter;
    const left = await bucket.left();
    const client = clientOf(party);
    if (client === undefined) {
      const before = [...waiters].filter((each) => each.party === party).indexOf(waiter);
      const turnsEach = (await tickets.first()) ? clientTurnsPerOwn + 1 : 1;
      return blockedMs() + Math.max(0, before * turnsEach - left) * parts.refillMs;
    }
    const { before, all } = await tickets.rank(await tickets.join(client));
    const places = before + waitersOf(client).indexOf(waiter) * all;
    const { turn_ms: turnMs } = await tickets.state();
    const freeTurns = (left * parts.refillMs) / turnMs;
    return blockedMs() + Math.max(0, places + 1 - freeTurns) * turnMs;
  }

  /** Refuses a request whose turn is far off; its client keeps its place. */
  async function refuseIfFar(waiter: Waiter): Promise<void> {
    const waitMs = await expectedMs(waiter);
    if (waitMs <= longestTurnMs || !waiters.delete(waiter)) return;
    const client = clientOf(waiter.party);
    if (client !== undefined && waitersOf(client).length === 0) {
      await tickets.leave(client, clock.now() + waitMs);
      parts.signal?.notify();
    }
    const toldMs = waitMs - Math.min(marginMs, waitMs / 10);
    const until = new Date(clock.now() + toldMs).toISOString();
    waiter.refuse(new DeskError('rate_limited', { retryAfterS: Math.ceil(toldMs / 1000), until }));
  }

  function acquire(party: Party, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const giveUp = () => {
        waiters.delete(waiter);
        const client = clientOf(party);
        if (client !== undefined && waitersOf(client).length === 0) {
          void tickets.leave(client, clock.now()).catch(() => undefined);
        }
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        party,
        sinceMs: clock.monotonic(),
        grant: (slot) => {
          signal.removeEventListener('abort', giveUp);
          resolve(slot);
        },
        refuse: (error) => {
          signal.removeEventListener('abort', giveUp);
          reject(error instanceof Error ? error : new Error('no turn'));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiters.add(waiter);
      // The poll and what belongs to a turn wait without limit.
      const entered =
        party === 'poll' || party === 'follow_up' || party === 'ahead'
          ? Promise.resolve()
          : refuseIfFar(waiter);
      entered.then(
        () => void serve(),
        (error: unknown) => {
          waiters.delete(waiter);
          waiter.refuse(error);
        },
      );
    });
  }

  return {
    waiting: () => waiters.size,
    left: () => bucket.left(),
    lane: (party) => ({
      acquire: (_priority, signal) => acquire(party, signal),
      throttled(retryAfterMs) {
        blockedUntilMs = Math.max(blockedUntilMs, clock.monotonic() + retryAfterMs);
      },
      succeeded: () => undefined,
      learn: () => undefined,
    }),
  };
}
