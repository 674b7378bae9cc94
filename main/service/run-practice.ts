import { credentialsTable } from './organizations/credentials.ts';
import { createLog } from '../front/log.ts';
import { systemClock } from '../front/clock.ts';
import { runService } from './app.ts';
import type { PracticeListening, PracticeOptions } from './practice-thread.ts';
import type { Insurer } from './practice/insurer.ts';

const drainMs = 2000;
/**
 * The most connections. Any program of this machine can connect, and must not use up the files that
 * this process may open.
 */
const connectionsMax = 200;

/** A partner API over a store of practice cases, in this thread. */
export interface RunningPractice {
  readonly listening: PracticeListening;
  /** Returns the insurer's functions. */
  insurer(): Promise<Insurer>;
  /** Answers the open requests and closes the store. */
  stop(): Promise<void>;
}

/**
 * Starts the partner API on a free port of 127.0.0.1, with an encrypted store that is filled if it
 * is empty.
 * @throws {Error} as `runService` does
 */
export async function runPractice(options: PracticeOptions): Promise<RunningPractice> {
  const service = await runService({
    directory: options.dataDir,
    storeKey: options.storeKey,
    limits: options.limits,
    clock: systemClock,
    log: createLog('silent'),
    backoffice: true,
    docsPage: false,
    listen: { host: '127.0.0.1', port: 0, connectionsMax },
    credentialsStorage: ({ db }) => credentialsTable(db),
    async seed(context, { insurer, expert }) {
      const { seedPracticeData } = await import('./practice/seed.ts');
      await seedPracticeData(context, {
        visibleCases: options.count,
        seed: options.seed,
        language: options.language,
        insurer,
        expert,
      });
    },
  });
  const { credentials } = service;
  let insurer: Insurer | undefined;
  return {
    listening: {
      baseUrl: service.baseUrl,
      audience: service.context.address.audience,
      expert: credentials.expert,
      insurer: credentials.insurer,
      backofficeToken: credentials.backoffice.token,
    },
    async insurer() {
      // The module is loaded lazily, because few users play the insurer.
      const { createInsurer } = await import('./practice/insurer.ts');
      const { worldOf } = await import('./practice/worlds/world-of.ts');
      insurer ??= createInsurer(service.context, credentials, worldOf(options.language));
      return insurer;
    },
    stop: () => service.stop(drainMs),
  };
}
