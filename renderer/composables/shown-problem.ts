import type { DeskProblem } from '#shared/desk/errors.ts';

/** A problem as components are given it: the engine's, or the window's own. */
export interface ShownProblem {
  readonly code: string;
  readonly params: DeskProblem['params'];
}
