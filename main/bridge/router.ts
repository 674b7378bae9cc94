import { implement, ORPCError, os, type Router } from '@orpc/server';
import { calls, contract } from '#shared/desk/contract/contract.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { type DeskProblem, deskProblemSchema } from '#shared/desk/contract/errors.ts';
import type { Engine } from '#main/engine/engine.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';

/**
 * The contract, answered by an engine that checks inputs and outputs itself. Every call fails only
 * with the typed error `DESK`.
 */
export function createRouter(
  engine: Engine,
  log: FaultLog,
): Router<typeof contract, Record<string, never>> {
  const base = os.errors({ DESK: { data: deskProblemSchema } });
  // The loop does not know which input belongs to which call; the type `Engine` has checked it.
  const untyped = engine as unknown as Record<string, Record<string, (input: unknown) => unknown>>;
  const router = Object.entries(calls).map(([group, procedures]) => [
    group,
    Object.fromEntries(
      Object.keys(procedures).map((name) => [
        name,
        base.handler(({ input }) => untyped[group]?.[name]?.(input)),
      ]),
    ),
  ]);
  return {
    ...Object.fromEntries(router),
    // The engine's events begin with the call, not with the first reading of the answer. A later
    // call on the same line may read what an event then changes.
    events: implement(contract.events).handler(({ signal }) =>
      withTypedError(engine.events(signal), log),
    ),
  } as Router<typeof contract, Record<string, never>>;
}

/**
 * Passes the events on. If the window closes or the connection is lost, this loop ends and stops the
 * engine's iterator.
 */
async function* withTypedError(
  events: AsyncIterable<DeskEvent>,
  log: FaultLog,
): AsyncGenerator<DeskEvent, void> {
  try {
    yield* events;
  } catch (error) {
    throw contractErrorOf(error, 'events', log);
  }
}

/** Turns every failure of a call into the contract's one typed error. */
function contractErrorOf(
  error: unknown,
  call: string,
  log: FaultLog,
): ORPCError<'DESK', DeskProblem> {
  const isUnknown = error instanceof ORPCError && error.code === 'NOT_FOUND';
  const data: DeskProblem = isUnknown
    ? { code: 'invalid_input', params: { field: call, rule: 'unknown' } }
    : toDeskError(error, call, log).problem;
  return new ORPCError('DESK', { data });
}

/** Options for oRPC's RPCHandler of any transport: turns every failure into the typed error. */
export function handlerOptions(log: FaultLog) {
  return {
    clientInterceptors: [
      async ({
        next,
        path,
      }: {
        next: () => Promise<unknown>;
        path: readonly string[];
      }): Promise<unknown> => {
        try {
          return await next();
        } catch (error) {
          throw contractErrorOf(error, path.join('.'), log);
        }
      },
    ],
  };
}
