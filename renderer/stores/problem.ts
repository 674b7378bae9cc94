import { toProblem as problemOf, type Problem as TransportProblem } from '../transport/problem.ts';

/** What went wrong in a store's action, for the page that asked for it. */
export type Problem = TransportProblem;

/** The problem behind anything that a store's action rejected with. */
export const toProblem = (error: unknown): Problem => problemOf(error);

/** Tells whoever asked for an act how it went, once it is over. */
export async function tell(
  act: Promise<unknown>,
  told: (problem: Problem | null) => void,
): Promise<void> {
  told(await act.then(() => null, toProblem));
}
