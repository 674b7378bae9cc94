import { existsSync, rmSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { repeat } from '#shared/lib/clock.ts';
import { buildFrame } from '../front/frame.ts';
import { runServer, type ListenOptions, type RunningServer } from '../front/process.ts';
import { StartError } from '../front/problem.ts';
import { countedTotal } from '../front/store/list-counts.ts';
import { mountAssignOperations } from './writing/assign-operations.ts';
import { type GatewayContext, openGatewayContext, type GatewayContextOptions } from './context.ts';
import { mountDispatchPage } from './dispatch/dispatch-page.ts';
import { mountPublicEndpoints } from './status/open-endpoints.ts';
import { reasonOf } from './writing/outcome.ts';
import { recordRefusals } from './auth/refused-attempts.ts';
import { mountReadOperations } from './reading/read-operations.ts';
import { mountReportDocuments } from './reading/report-documents.ts';
import { readState } from './state.ts';
import { withStatusPort } from '../front/status/status-endpoints.ts';
import { statusOf } from './status/health.ts';
import { mountWriteOperations } from './writing/write-operations.ts';

/**
 * Builds the gateway over its context. `app.close()` drains the gateway but leaves the context
 * open.
 */
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
  /** The address of /health and /metrics, if they have a separate port. */
  readonly statusUrl: string | undefined;
}

/**
 * Locks the folder, opens the store, reads the partner's cases, and listens.
 * @throws {StartError} if the folder or the storage cannot be used. At the first start it also
 *   throws if the partner cannot be used; later the store is served without the partner.
 */
export async function runGateway(
  options: GatewayContextOptions & { readonly listen: ListenOptions },
): Promise<RunningGateway> {
  const { directory } = options;
  const isNew = !existsSync(directory);
  /** The value is false if another process locked the folder first. */
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
    const { context } = running;
    const at = { host, port: options.statusPort };
    return await withStatusPort(running, statusOf(context), context.metrics, at);
  } catch (error) {
    // A new gateway that did not start leaves no folder.
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
