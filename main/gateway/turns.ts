import type { Clock } from '#shared/lib/clock.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { sleep } from '../engine/client/clock.ts';
import type { CallPacer } from '../engine/client/call.ts';
import type { Slot } from '../engine/client/pacing.ts';
import type { TokenBucket } from '../front/limits/limits-in-memory.ts';

/** A request waits this long at most for its turn; who would wait longer is told the time. */
const longestTurnMs = 20_000;
const partition = 'partner';

interface Waiter {
  readonly client: string;
  readonly isFirst: boolean;
  readonly sinceMs: number;
  readonly grant: () => void;
  readonly refuse: (error: unknown) => void;
}

/** The turns of the gateway's clients at one bucket of the partner. */
export interface Turns {
  /**
   * The pacer of one client.
   * @param isFirst goes before all others and waits as long as it takes: the pull.
   */
  lane(client: string, isFirst?: boolean): CallPacer;
  /** Requests that wait. */
  waiting(): number;
  /** Requests that the bucket would let through now. */
  left(): number | Promise<number>;
}

/**
 * Shares one bucket among clients: of those that wait, the one goes first that was served longest
 * ago, so a client with forty requests does not hold up one with a single request.
 * @param limit the partner's bucket, in memory or shared by processes
 * @param onTurn told of each turn that was given, with its wait
 */
export function createTurns(
  limit: TokenBucket,
  refillMs: number,
  clock: Clock,
  onTurn: (client: string, waitMs: number) => void = () => undefined,
): Turns {
  const waiters: Waiter[] = [];
  const servedAt = new Map<string, number>();
  let served = 0;
  let blockedUntilMs = -Infinity;
  let isServing = false;

  function next(): Waiter | undefined {
    const rank = (waiter: Waiter) => (waiter.isFirst ? -1 : (servedAt.get(waiter.client) ?? 0));
    const [first] = [...waiters.keys()].sort((a, b) => {
      const [one, other] = [waiters[a], waiters[b]];
      return one && other ? rank(one) - rank(other) || a - b : 0;
    });
    return first === undefined ? undefined : waiters.splice(first, 1)[0];
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      while (waiters.length > 0) {
        const blockedMs = Math.max(0, blockedUntilMs - clock.monotonic());
        const waitMs = blockedMs > 0 ? blockedMs : await limit.take(partition);
        if (waitMs > 0) {
          await sleep(clock, Math.ceil(waitMs));
          continue;
        }
        const waiter = next();
        if (!waiter) return;
        servedAt.set(waiter.client, ++served);
        onTurn(waiter.client, clock.monotonic() - waiter.sinceMs);
        waiter.grant();
      }
    } catch (error) {
      for (const waiter of waiters.splice(0)) waiter.refuse(error);
    } finally {
      isServing = false;
    }
  }

  /** Requests that go before the next one of this client, each client's in turn. */
  function ahead(client: string): number {
    const counts = new Map<string, number>();
    let first = 0;
    for (const waiter of waiters) {
      if (waiter.isFirst) first++;
      else counts.set(waiter.client, (counts.get(waiter.client) ?? 0) + 1);
    }
    const own = counts.get(client) ?? 0;
    return [...counts.values()].reduce((sum, count) => sum + Math.min(count, own + 1), first);
  }

  function acquire(client: string, isFirst: boolean, signal: AbortSignal): Promise<Slot> {
    const blockedMs = Math.max(0, blockedUntilMs - clock.monotonic());
    const waitMs = blockedMs + ahead(client) * refillMs;
    if (!isFirst && waitMs > longestTurnMs) {
      const retryAfterS = Math.ceil(waitMs / 1000);
      return Promise.reject(new DeskError('rate_limited', { retryAfterS }));
    }
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const giveUp = () => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        client,
        isFirst,
        sinceMs: clock.monotonic(),
        grant: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(taken);
        },
        refuse: (error) => reject(error instanceof Error ? error : new Error('no turn')),
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiters.push(waiter);
      void serve();
    });
  }

  return {
    waiting: () => waiters.length,
    left: () => limit.left(partition),
    lane: (client, isFirst = false) => ({
      acquire: (_priority, signal) => acquire(client, isFirst, signal),
      refused(retryAfterMs) {
        blockedUntilMs = Math.max(blockedUntilMs, clock.monotonic() + retryAfterMs);
      },
      passed: () => undefined,
      learn: () => undefined,
    }),
  };
}

/** The bucket has drawn when the turn was given, and a token is not given back. */
const taken: Slot = { drawn: () => undefined, release: () => undefined };
