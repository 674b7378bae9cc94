import { existsSync, rmSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { repeat } from '#shared/lib/clock.ts';
import { buildFrame } from '../front/frame.ts';
import { runServer, type ListenOptions, type RunningServer } from '../front/process.ts';
import { StartError } from '../front/problem.ts';
import { countedTotal } from '../front/store/list-counts.ts';
import { mountAssignOperations } from './assign-operations.ts';
import { type GatewayContext, openGatewayContext, type GatewayContextOptions } from './context.ts';
import { mountDispatchPage } from './dispatch-page.ts';
import { mountPublicEndpoints } from './open-endpoints.ts';
import { reasonOf } from './outcome.ts';
import { recordRefusals } from './refused-attempts.ts';
import { mountReadOperations } from './read-operations.ts';
import { mountReportDocuments } from './report-documents.ts';
import { readState } from './state.ts';
import { listenForStatus } from './status-endpoints.ts';
import { mountWriteOperations } from './write-operations.ts';

/** Builds the gateway over its context; `app.close()` drains it but leaves the context open. */
async function buildGateway(context: GatewayContext): Promise<FastifyInstance> {
  const app = buildFrame(context);
  recordRefusals(app, context);
  mountReadOperations(app, context);
  mountReportDocuments(app, context);
  mountWriteOperations(app, context);
  mountAssignOperations(app, context);
  mountPublicEndpoints(app, context);
  mountDispatchPage(app, context);
  await app.ready();
  return app;
}

export interface RunningGateway extends RunningServer<GatewayContext> {
  /** Where /health and /metrics are, if they have a separate port. */
  readonly statusUrl: string | undefined;
}

/**
 * Locks the folder, opens the store, reads the partner's cases, and listens.
 * @throws {StartError} if the folder or the storage cannot be used; on a first start also if the
 * partner cannot, later the store is served without it.
 */
export async function runGateway(
  options: GatewayContextOptions & { readonly listen: ListenOptions },
): Promise<RunningGateway> {
  const { directory } = options;
  const isNew = !existsSync(directory);
  /** False if another process locked the folder first. */
  const folder = { isOurs: false };
  try {
    const running = await runServer(
      'gateway',
      options,
      () => {
        folder.isOurs = true;
        return openGatewayContext(options);
      },
      async (context) => {
        await firstPull(context, options.partner.baseUrl);
        return buildGateway(context);
      },
    );
    running.context.pull.start();
    if (options.statusPort === undefined) return { ...running, statusUrl: undefined };
    const { host } = options.listen;
    const status = await listenForStatus(running.context, {
      host,
      port: options.statusPort,
    }).catch(async (error: unknown) => {
      await running.stop(0);
      throw error;
    });
    return {
      ...running,
      statusUrl: status.url,
      async stop(drainMs) {
        await status.close();
        await running.stop(drainMs);
      },
    };
  } catch (error) {
    // A gateway that did not start leaves no folder.
    if (isNew && folder.isOurs) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

const progressEveryMs = 5000;

/** An empty store cannot answer anything, so a new gateway needs its partner. */
async function firstPull({ db, pull, clock, log }: GatewayContext, baseUrl: string): Promise<void> {
  if ((await readState(db, 'pulled_at')) !== null) return;
  const endProgress = repeat(clock, progressEveryMs, async () => {
    const { cases } = await db
      .selectNoFrom(countedTotal('cases_counts', '', {}).as('cases'))
      .executeTakeFirstOrThrow();
    log.info({ cases }, 'reading the cases of the partner');
  });
  try {
    await pull.now();
  } catch (error) {
    throw new StartError(`the partner at ${baseUrl} cannot be used: ${reasonOf(error)}`);
  } finally {
    await endProgress();
  }
}
