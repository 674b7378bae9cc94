import type { DeskProblem } from '#shared/desk/errors.ts';

/** A problem as components are given it: the engine's, or the window's own. */
export interface ShownProblem {
  readonly code: string;
  readonly params: DeskProblem['params'];
}

/** By it whoever asked for an act learns how it went: null where it is done. */
export type Told = (problem: ShownProblem | null) => void;
