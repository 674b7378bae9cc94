import type { PracticeStarter } from '#main/engine/open-engine.ts';
import { startPracticeService } from '#main/service/practice-thread.ts';

/** As many cases as a person sees at the first start, the same on every laptop. */
const practiceCases = 60;
const practiceSeed = 1;

/** The practice workspace's partner: the whole service on its own thread, with its real limits. */
export const startPractice: PracticeStarter = ({ dataDir, storeKey }) =>
  startPracticeService({
    dataDir,
    storeKey,
    count: practiceCases,
    seed: practiceSeed,
    limits: 'on',
  });
