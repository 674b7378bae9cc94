import { DeskError } from '#shared/desk/contract/errors.ts';
import type { CallPacer } from '../../partner/requests/call.ts';
import type { Slot } from '../../partner/pacing/pacing.ts';

/** The turns of one call, which may need several requests. */
export interface CallLane extends CallPacer {
  /** Returns a turn that the call did not use. */
  end(): void;
  /** Why the gateway itself could not give a turn, such as its store; undefined if it could. */
  readonly ownFailure: Error | undefined;
}

interface CallLaneParts {
  /** The pacer at which the call waits for its first turn. */
  readonly first: CallPacer;
  /**
   * The pacer of its further attempts. Their client had its turn, and must not wait for another
   * round.
   */
  readonly further: CallPacer;
  /**
   * Aborted if nobody waits for the answer any more. A request that was already sent is not
   * aborted.
   */
  readonly disconnected?: AbortSignal | undefined;
  /** Called at each turn. If it rejects, the turn is not used. */
  readonly beforeSending?: (() => Promise<void>) | undefined;
}

/**
 * Creates the lane of one call. A released turn is used for the next attempt: the partner's token
 * may expire while a call waits, and without its turn the call would wait for a whole round again.
 */
export function createCallLane({
  first,
  further,
  disconnected,
  beforeSending,
}: CallLaneParts): CallLane {
  let returned: Slot | undefined;
  let hadTurn = false;
  let ownFailure: Error | undefined;

  async function take(signal: AbortSignal): Promise<Slot> {
    const slot = returned;
    returned = undefined;
    if (!slot) return (hadTurn ? further : first).acquire('person', signal);
    if (!signal.aborted) return slot;
    slot.release();
    throw signal.reason as Error;
  }

  return {
    ...first,
    get ownFailure() {
      return ownFailure;
    },
    async acquire(_priority, signal) {
      const either = disconnected ? AbortSignal.any([signal, disconnected]) : signal;
      let slot: Slot | undefined;
      try {
        slot = await take(either);
        hadTurn = true;
        await beforeSending?.();
      } catch (error) {
        slot?.release();
        // The caller takes every error for one of the partner.
        const isOwn = !either.aborted && !(error instanceof DeskError);
        if (isOwn && error instanceof Error) ownFailure = error;
        throw error;
      }
      const taken = slot;
      return { consumed: () => taken.consumed(), release: () => void (returned = taken) };
    },
    end() {
      returned?.release();
      returned = undefined;
    },
  };
}
