import type { Clock } from '#shared/lib/clock.ts';

/** A page asks its questions one after the other; each pause between them is shorter. */
const quietMs = 500;
/** A desk may start without a window, or its page may not load. */
const latestMs = 6000;

export interface FirstPage {
  /** Carries out a call of a window. */
  during<T>(call: () => Promise<T>): Promise<T>;
}

/**
 * Waits until the window has what its first page shows: until no call of a window was open for half
 * a second, at the latest six seconds from now.
 * @param onShown called once
 */
export function awaitFirstPage(clock: Clock, onShown: () => void): FirstPage {
  let open = 0;
  let isShown = false;
  let cancelQuiet: () => void = () => undefined;
  const cancelLatest = clock.after(latestMs, shown);

  function shown(): void {
    isShown = true;
    cancelLatest();
    cancelQuiet();
    onShown();
  }

  return {
    async during(call) {
      open += 1;
      cancelQuiet();
      try {
        return await call();
      } finally {
        open -= 1;
        if (open === 0 && !isShown) cancelQuiet = clock.after(quietMs, shown);
      }
    },
  };
}
