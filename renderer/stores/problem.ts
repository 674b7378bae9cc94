import { toProblem as problemOf, type Problem as TransportProblem } from '../transport/problem.ts';

/** What went wrong in a store's action, for the page that asked for it. */
export type Problem = TransportProblem;

/** The problem behind anything that a store's action rejected with. */
export const toProblem = (error: unknown): Problem => problemOf(error);
