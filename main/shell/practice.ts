import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import type { PracticeStarter } from '#main/engine/engine.ts';
import { startPracticeService } from '#main/service/practice-thread.ts';

/** The number of cases at the first start, which is the same on every laptop. */
const practiceCases = 60;
const practiceSeed = 1;

/** The limits are ten times the published ones, so that a user who tries the desk need not wait. */
const limitsFactor = 10;
const timesFactor = ({ capacity, refillPerMinute }: TokenBucketLimit): TokenBucketLimit => ({
  capacity: capacity * limitsFactor,
  refillPerMinute: refillPerMinute * limitsFactor,
});

/** Starts the partner of the practice workspace: the whole service on a separate thread. */
export const startPractice: PracticeStarter = async ({ dataDir, storeKey, language }) => {
  const service = await startPracticeService({
    dataDir,
    storeKey,
    language,
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
