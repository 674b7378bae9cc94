import { rm } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { buildFrame } from '#main/service/front/frame.ts';
import { listen } from '#main/service/run-service.ts';
import { createLog } from '#main/service/front/log.ts';
import { openContext, type ServiceContext } from '#main/service/context.ts';
import { credentialsTable, ensureCredentials } from '#main/service/organizations/credentials.ts';
import { databaseOf, dropDatabase } from './database.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { newDirectory } from './new-directory.ts';
import { createPartner, type Partner } from './partner.ts';

export interface FrameForTest {
  readonly context: ServiceContext;
  readonly clock: FakeClock;
  readonly baseUrl: string;
  readonly directory: string;
  partner(name: 'insurer' | 'expert' | 'otherExpert' | 'memberless'): Promise<Partner>;
  /** Stops it; its data stay. */
  stop(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The service without its operations: those that a test mounts are all there are. */
export async function startFrame(
  mount: (app: FastifyInstance, context: ServiceContext) => void,
  options: { readonly directory?: string; readonly clock?: FakeClock } = {},
): Promise<FrameForTest> {
  const directory = options.directory ?? (await newDirectory());
  const clock = options.clock ?? createFakeClock();
  const log = createLog('silent');
  const context = await openContext({
    directory,
    database: databaseOf(directory),
    limits: 'off',
    clock,
    log,
  });
  const credentials = await ensureCredentials(context, credentialsTable(context.db));
  const app = buildFrame(context);
  mount(app, context);
  const baseUrl = await listen(app, context, {
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'https://api.example',
  });
  const { publicUrl } = context.address;
  const stop = async () => {
    await app.close();
    await context.close();
  };
  return {
    context,
    clock,
    baseUrl,
    directory,
    partner: (name) =>
      createPartner(credentials[name], baseUrl, { publicUrl, now: () => clock.now() }),
    stop,
    async remove() {
      await stop();
      await dropDatabase(directory);
      await rm(directory, { recursive: true });
    },
  };
}
