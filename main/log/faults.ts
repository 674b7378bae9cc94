import { randomUUID } from 'node:crypto';
import { DeskError, diskProblem } from '#shared/desk/errors.ts';
import { originOf } from '#shared/lib/error-origin.ts';

/** Takes unexpected errors; pino's loggers fit. */
export interface FaultLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** An error that passes several layers is logged by the first and retains its reference. */
const logged = new WeakMap<Error, DeskError>();

/**
 * Anything thrown as a DeskError. An unexpected error becomes `internal` and is logged once, with
 * its name, code and stack frames, under the reference that the user sees. Its message is not logged,
 * because it may quote a case.
 *
 * @param where what was being done, for the log, like `cases.list` or `delivery`
 */
export function toDeskError(error: unknown, where: string, log: FaultLog): DeskError {
  if (error instanceof DeskError && !lacksReference(error)) return error;
  const known = (error instanceof Error ? logged.get(error) : undefined) ?? diskProblem(error);
  if (known) return known;
  const correlationId = randomUUID();
  log.error({ correlationId, where, ...originOf(error) }, 'unexpected error');
  const fault = new DeskError('internal', { correlationId }, { cause: error });
  if (error instanceof Error) logged.set(error, fault);
  return fault;
}

/** A layer that has no log throws `internal` without a reference. */
const lacksReference = ({ problem }: DeskError) =>
  problem.code === 'internal' && typeof problem.params.correlationId !== 'string';

/**
 * For a task that no caller awaits: an unexpected error is logged; others show in the status.
 * @param signal once aborted, a task that stops is not a fault
 */
export function logFault(
  where: string,
  log: FaultLog,
  signal?: AbortSignal,
): (error: unknown) => void {
  return (error) => {
    if (signal?.aborted !== true) toDeskError(error, where, log);
  };
}
