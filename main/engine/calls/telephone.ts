import type { Handlers } from '../engine.ts';
import type { Telephone } from '../telephone/telephone.ts';

/** The telephone as camera: its session with the desk. */
export const telephoneCalls = (telephone: Telephone): Handlers['telephone'] => ({
  state: () => telephone.state(),
  begin: ({ draftId, address }) => telephone.begin(draftId, address),
  end: () => telephone.end(),
});
