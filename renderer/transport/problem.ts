import { ORPCError } from '@orpc/client';
import { DeskError, type DeskProblem, isDeskProblem } from '#shared/desk/desk-error.ts';

/** What went wrong, as the window sees it: the engine's problems and its own single one. */
export type Problem =
  DeskProblem | { readonly code: 'desk_unreachable'; readonly params: Record<string, never> };

/** The engine did not answer: its process is gone or the line to it is cut. */
export class DeskUnreachableError extends Error {
  override readonly name = 'DeskUnreachableError';
}

/** A problem that came as a byte stream's answer. */
export class FileProblemError extends Error {
  override readonly name = 'FileProblemError';
  readonly problem: DeskProblem;

  constructor(problem: DeskProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

const unreachable: Problem = { code: 'desk_unreachable', params: {} };

/** Any failure of a call or a byte stream as a problem that can be said to a person. */
export function toProblem(error: unknown): Problem {
  if (error instanceof FileProblemError) return error.problem;
  if (error instanceof DeskError) return error.toProblem();
  if (error instanceof ORPCError) {
    const problem: unknown = error.code === 'DESK' ? error.data : null;
    return isDeskProblem(problem) ? problem : { code: 'internal', params: {} };
  }
  // Whatever else fails here is the line itself: a closed socket, a closed port, a failed fetch.
  return unreachable;
}
