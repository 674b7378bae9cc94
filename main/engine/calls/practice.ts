import { DeskError } from '#shared/desk/errors.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/practice.ts';
import type { Handlers } from '../engine.ts';
import type { CurrentWorkspace } from '../workspace/current-workspace.ts';

/** Plays the insurer of the practice workspace; each call answers how things stand afterwards. */
export function practiceCalls(current: CurrentWorkspace): Handlers['practice'] {
  const play = async (
    act: (insurer: PracticeInsurer) => Promise<unknown>,
  ): Promise<PracticeState> => {
    const insurer = current.open?.practice?.partner;
    if (!insurer) throw new DeskError('practice_only');
    await act(insurer);
    return await insurer.state();
  };
  return {
    state: () => play(() => Promise.resolve()),
    setNetwork: ({ network }) => play((insurer) => insurer.setNetwork(network)),
    newClaim: ({ category }) => play((insurer) => insurer.newClaim(category)),
    act: (input) => play((insurer) => insurer.act(input)),
    addDocument: ({ id }) => play((insurer) => insurer.addDocument(id)),
  };
}
