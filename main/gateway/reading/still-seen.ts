import type { Caller } from '../../front/admit.ts';
import type { GatewayContext } from '../context.ts';
import { loadCase } from './find-cases.ts';

type Pieces = AsyncGenerator<Buffer, void, undefined>;

/**
 * Passes the pieces of the partner's answer on if the caller may still see the case when the first
 * has arrived: while the request waited for its turn, the case may have been taken away.
 * @throws {Problem} the problems of `loadCase`, before the first piece
 */
export async function* ifStillSeen(
  context: GatewayContext,
  caller: Caller,
  caseId: string,
  pieces: Pieces,
): Pieces {
  try {
    const first = await pieces.next();
    await loadCase(context, caller, caseId);
    if (first.done) return;
    yield first.value;
    yield* pieces;
  } finally {
    await pieces.return();
  }
}
