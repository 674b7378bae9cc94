import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import type { PracticeStarter } from '#main/engine/engine.ts';
import { startPracticeService } from '#main/service/practice-thread.ts';

/** As many cases as the user sees at the first start, the same on every laptop. */
const practiceCases = 60;
const practiceSeed = 1;

/** Ten times the published limits: a first look at case after case is not to be a wait. */
const limitsFactor = 10;
const timesFactor = ({ capacity, refillPerMinute }: TokenBucketLimit): TokenBucketLimit => ({
  capacity: capacity * limitsFactor,
  refillPerMinute: refillPerMinute * limitsFactor,
});

/** The practice workspace's partner: the whole service on its own thread. */
export const startPractice: PracticeStarter = async ({ dataDir, storeKey }) => {
  const service = await startPracticeService({
    dataDir,
    storeKey,
    count: practiceCases,
    seed: practiceSeed,
    limits: limitsFactor,
  });
  const limits = {
    standard: timesFactor(standardBucket),
    documents: timesFactor(documentsBucket),
  };
  return { ...service, limits };
};
