import type { Clock } from '#shared/lib/clock.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { sleep } from '../partner/clock.ts';
import type { CallPacer } from '../partner/call.ts';
import type { Slot } from '../partner/pacing.ts';
import type { PartnerBucket } from './partner-bucket.ts';

/** The longest wait for a turn. A request that would wait longer is refused with that time. */
const longestTurnMs = 20_000;

interface Waiter {
  readonly client: string;
  readonly isFirst: boolean;
  readonly sinceMs: number;
  readonly grant: (slot: Slot) => void;
  readonly refuse: (error: unknown) => void;
}

/** The turns of the gateway's clients at one bucket of the partner. */
export interface Turns {
  /**
   * The pacer of one client.
   * @param isFirst true for the pull, which precedes all others and waits without limit.
   */
  lane(client: string, isFirst?: boolean): CallPacer;
  /** Requests that wait. */
  waiting(): number;
  /** Requests that the bucket would let through now. */
  left(): number | Promise<number>;
}

/**
 * Shares one bucket among clients. The next turn is for the waiting client that was served longest
 * ago, so a client with forty requests does not delay one with a single request.
 * @param onTurn called for each turn, with its wait
 */
export function createTurns(
  bucket: PartnerBucket,
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
    const [first] = waiters.toSorted((one, other) => rank(one) - rank(other));
    if (first) waiters.splice(waiters.indexOf(first), 1);
    return first;
  }

  async function serve(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      while (waiters.length > 0) {
        const blockedMs = Math.max(0, blockedUntilMs - clock.monotonic());
        if (blockedMs > 0) {
          await sleep(clock, Math.ceil(blockedMs));
          continue;
        }
        const { waitMs, answered } = await bucket.take();
        if (waitMs > 0) {
          await sleep(clock, Math.ceil(waitMs));
          continue;
        }
        const waiter = next();
        if (!waiter) {
          await answered();
          return;
        }
        servedAt.set(waiter.client, ++served);
        onTurn(waiter.client, clock.monotonic() - waiter.sinceMs);
        // A token is not given back, even if the request never left.
        waiter.grant({ consumed: () => void answered(), release: () => void answered() });
      }
    } catch (error) {
      for (const waiter of waiters.splice(0)) waiter.refuse(error);
    } finally {
      isServing = false;
    }
  }

  /** Requests that precede the next one of this client, with the clients in turn. */
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
      const until = new Date(clock.now() + waitMs).toISOString();
      return Promise.reject(new DeskError('rate_limited', { retryAfterS, until }));
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
        grant: (slot) => {
          signal.removeEventListener('abort', giveUp);
          resolve(slot);
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
    left: () => bucket.left(),
    lane: (client, isFirst = false) => ({
      acquire: (_priority, signal) => acquire(client, isFirst, signal),
      throttled(retryAfterMs) {
        blockedUntilMs = Math.max(blockedUntilMs, clock.monotonic() + retryAfterMs);
      },
      succeeded: () => undefined,
      learn: () => undefined,
    }),
  };
}
