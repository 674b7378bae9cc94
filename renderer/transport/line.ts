import type { ClientContext, ClientLink } from '@orpc/client';
import { DeskUnreachableError } from './problem.ts';

const patienceMs = 10_000;

/** A link whose line to the engine may come late, break, and come again. */
export interface Line {
  readonly link: ClientLink<ClientContext>;
  /** What calls go over from now on; null while there is none. */
  readonly use: (over: ClientLink<ClientContext> | null) => void;
}

/** A call made while there is no line waits up to 10 s for one. */
export function createLine(): Line {
  let current: ClientLink<ClientContext> | null = null;
  const waiters = new Set<() => void>();

  async function opened(): Promise<ClientLink<ClientContext>> {
    if (!current) {
      await new Promise<void>((resolve) => {
        const settle = () => {
          clearTimeout(limit);
          waiters.delete(settle);
          resolve();
        };
        const limit = setTimeout(settle, patienceMs);
        waiters.add(settle);
      });
    }
    if (!current) throw new DeskUnreachableError('the desk does not answer');
    return current;
  }

  return {
    link: { call: async (path, input, options) => (await opened()).call(path, input, options) },
    use(over) {
      current = over;
      if (over) for (const wake of [...waiters]) wake();
    },
  };
}
