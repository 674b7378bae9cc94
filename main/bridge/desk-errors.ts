import { randomUUID } from 'node:crypto';
import { DeskError, type DeskProblem, diskProblem } from '#shared/desk/errors.ts';

/** Takes what nobody expected; pino's loggers fit. */
export interface BridgeLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Anything thrown as a problem that may leave the engine. A `DeskError` stays as it is; anything else
 * becomes `internal` with a correlation id, under which the log holds the error's name and stack
 * frames, never its message, which may quote a person's data.
 */
export function problemOf(error: unknown, where: string, log: BridgeLog): DeskProblem {
  if (error instanceof DeskError) return error.toProblem();
  const ofTheDisk = diskProblem(error);
  if (ofTheDisk) return ofTheDisk.toProblem();
  const correlationId = randomUUID();
  log.error({ correlationId, where, ...originOf(error) }, 'unexpected error');
  return { code: 'internal', params: { correlationId } };
}

/**
 * The error's name, code and stack frames, for a log. Frames keep the last folder of a path only: a
 * home folder bears a person's name.
 */
export function originOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.replace(/(\(|at )[^()]*?([^\\/()]+[\\/][^\\/()]+)(?=\)?$)/, '$1$2'));
  const code = 'code' in error ? String(error.code) : undefined;
  return { name: error.name, code, frames };
}
