/**
 * The known state of Chromium's network process: whether it answered since it last ended
 * unexpectedly.
 */
export type NetworkState = 'sound' | 'unproven' | 'lost';

export interface RequestEnd {
  /**
   * Whether the request started before the network process ended; then the end of the request
   * proves nothing.
   */
  readonly startedBefore: boolean;
  /** Chromium's name of the error, such as `CONNECTION_RESET`; null if an answer arrived. */
  readonly error: string | null;
}

/**
 * The state after a request ended. If the connection to the network process is broken, each request
 * gets `ERR_FAILED` immediately; any answer and any other error prove a working process. `lost` is
 * final, because only another process of the engine gets a new connection.
 */
export function stateAfter(
  state: NetworkState,
  { startedBefore, error }: RequestEnd,
): NetworkState {
  if (state !== 'unproven' || startedBefore) return state;
  return error === 'FAILED' ? 'lost' : 'sound';
}

export interface NetworkWatch {
  /** Reports that Chromium's network process ended and another one was started. */
  died(): void;
  /**
   * Reports that a request starts. The returned function must be called at its end with its error,
   * or null.
   */
  starts(): (error: string | null) => void;
}

/**
 * Detects whether requests still reach the network after the network process ended. Electron 45
 * renews the connection of a utility process, earlier versions do not (their pull request 49887).
 * Failures count only after such an end, so that a server or proxy that drops each connection never
 * restarts the engine.
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
