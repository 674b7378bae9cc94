/** What is known of Chromium's network process: whether it answered since its last death. */
export type NetworkState = 'sound' | 'unproven' | 'lost';

export interface RequestEnd {
  /** Whether the request started before the network process died; its end then proves nothing. */
  readonly startedBefore: boolean;
  /** Chromium's name of the error, like `CONNECTION_RESET`; null if an answer came. */
  readonly error: string | null;
}

/**
 * The state after a request ended. A process whose way to the network process is broken gets
 * `ERR_FAILED` for each request at once; any answer and any other error come from a living one.
 * `lost` is final: only another process of the engine gets another way.
 */
export function stateAfter(
  state: NetworkState,
  { startedBefore, error }: RequestEnd,
): NetworkState {
  if (state !== 'unproven' || startedBefore) return state;
  return error === 'FAILED' ? 'lost' : 'sound';
}

export interface NetworkWatch {
  /** Chromium's network process died, and another one was started. */
  died(): void;
  /** A request starts; the result is to be called with its error, or null, when it ends. */
  starts(): (error: string | null) => void;
}

/**
 * Finds out whether requests still reach the network after its process died. Electron 45 renews
 * the way of a utility process, earlier versions do not (their pull request 49887). Without a
 * death before it no failure counts, so that a server or proxy that drops each connection never
 * restarts the engine.
 *
 * @param onLost called once
 */
export function createNetworkWatch(onLost: () => void): NetworkWatch {
  let state: NetworkState = 'sound';
  let deaths = 0;
  return {
    died() {
      deaths += 1;
      if (state === 'sound') state = 'unproven';
    },
    starts() {
      const startedAfter = deaths;
      return (error) => {
        const before = state;
        state = stateAfter(state, { startedBefore: startedAfter < deaths, error });
        if (state === 'lost' && before !== 'lost') onLost();
      };
    },
  };
}
