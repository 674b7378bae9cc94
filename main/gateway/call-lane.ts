import type { CallPacer } from '../partner/call.ts';
import type { Slot } from '../partner/pacing.ts';

/** The turns of one call, which may need more than one request. */
export interface CallLane extends CallPacer {
  /** Gives back a turn that the call did not use. */
  end(): void;
}

interface CallLaneParts {
  /** Where the call waits for its turn, */
  readonly first: CallPacer;
  /** and where its further attempts do: their client had its turn, and must not wait for a round. */
  readonly further: CallPacer;
  /** Aborted if nobody waits for the answer any more; a request that was sent is not aborted. */
  readonly disconnected?: AbortSignal | undefined;
  /** Called once, with the first turn. */
  readonly beforeSending?: (() => Promise<void>) | undefined;
}

/**
 * A turn that was released is kept for the next attempt: the partner's token may expire while a call
 * waits, and a call without its turn would wait for a whole round again.
 */
export function createCallLane({
  first,
  further,
  disconnected,
  beforeSending,
}: CallLaneParts): CallLane {
  let returned: Slot | undefined;
  let hadTurn = false;
  let prepared: Promise<void> | undefined;

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
    async acquire(_priority, signal) {
      const slot = await take(disconnected ? AbortSignal.any([signal, disconnected]) : signal);
      hadTurn = true;
      try {
        await (prepared ??= beforeSending?.());
      } catch (error) {
        slot.release();
        throw error;
      }
      return { consumed: () => slot.consumed(), release: () => void (returned = slot) };
    },
    end() {
      returned?.release();
      returned = undefined;
    },
  };
}
