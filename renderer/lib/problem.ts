import { ORPCError } from '@orpc/client';
import { DeskError, type DeskProblem, isDeskProblem } from '#shared/desk/contract/desk-error.ts';

/** A problem as it is shown to the user: one of the engine, or one of the window. */
export type Problem =
  | DeskProblem
  | { readonly code: 'desk_unreachable'; readonly params: Record<string, never> };

/** The engine did not answer: its process has stopped, or the connection to it is cut. */
export class DeskUnreachableError extends Error {
  override readonly name = 'DeskUnreachableError';
}

const internal: Problem = { code: 'internal', params: {} };

/** The problem behind the error of a call, a byte stream or an action of a store. */
export function toProblem(error: unknown): Problem {
  if (error instanceof DeskError) return error.problem;
  if (error instanceof ORPCError) {
    const problem: unknown = error.code === 'DESK' ? error.data : null;
    return isDeskProblem(problem) ? problem : internal;
  }
  // Every other failure is one of the connection: a closed socket, a closed port, a failed fetch.
  return { code: 'desk_unreachable', params: {} };
}
