/*
 * A page of a PDF takes up to hundreds of megabytes of the window while it is drawn. So the pages that
 * the user looks at come first, and what is drawn for a small picture or a recognition begins again
 * after them.
 */

/** The number of pages that the user looks at and that are being drawn. */
let shown = 0;
let resting = Promise.withResolvers<undefined>();
resting.resolve(undefined);
const running = new Map<AbortController, Promise<unknown>>();

/** Draws a page that the user looks at, once everything else has stopped. */
export async function drawShown<Result>(draw: () => Promise<Result>): Promise<Result> {
  if (shown === 0) resting = Promise.withResolvers();
  shown += 1;
  try {
    for (const stop of running.keys()) stop.abort();
    await Promise.all(running.values());
    return await draw();
  } finally {
    shown -= 1;
    if (shown === 0) resting.resolve(undefined);
  }
}

/**
 * Draws something else while the user looks at no page that is being drawn.
 * @param draw stops if its signal fires, and is then called again later
 */
export async function drawAside<Result>(
  draw: (signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    // Another page may begin as soon as one has ended.
    while (shown > 0) await resting.promise;
    signal?.throwIfAborted();
    const stop = new AbortController();
    const drawn = draw(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
    running.set(
      stop,
      drawn.catch(() => undefined),
    );
    try {
      return await drawn;
    } catch (error) {
      if (!stop.signal.aborted || signal?.aborted) throw error;
    } finally {
      running.delete(stop);
    }
  }
}
