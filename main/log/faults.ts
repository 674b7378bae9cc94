import { randomUUID } from 'node:crypto';
import { DeskError, diskProblem } from '#shared/desk/contract/errors.ts';
import { originOf } from '#shared/lib/error-origin.ts';

/** A log for unexpected errors; pino's loggers match it. */
export interface FaultLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * The errors that were logged. An error that passes several layers is logged by the first and
 * retains its reference.
 */
const logged = new WeakMap<Error, DeskError>();

/**
 * Converts any thrown value to a DeskError. An unexpected error becomes `internal` and is logged
 * once, with its name, code and stack frames, under the reference that the user sees. Its message
 * is not logged, because it may quote a case.
 * @param where the activity, for the log, such as `cases.list` or `delivery`
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

/** Whether the error was thrown by a layer without a log, so that it has no reference. */
const lacksReference = ({ problem }: DeskError) =>
  problem.code === 'internal' && typeof problem.params.correlationId !== 'string';

/**
 * Handles the failure of a task that nobody awaits: an unexpected error is logged; others are shown
 * in the status.
 * @param signal once it is aborted, a task that stops is not a fault
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

/**
 * Ends parts one after the other, each although one before it failed.
 * @throws the first failure; later ones are logged
 */
export async function endEach(
  where: string,
  log: FaultLog,
  ends: readonly (() => unknown)[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  const [first, ...later] = failures;
  later.forEach(logFault(where, log));
  if (failures.length > 0) throw first;
}
