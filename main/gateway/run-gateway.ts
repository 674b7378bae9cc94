import { existsSync, mkdirSync, rmSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { buildFrame } from '../front/frame.ts';
import { closeServer, listen, lockDirectory, type ListenOptions } from '../front/listen.ts';
import type { GatewayContext } from './context.ts';
import { mountDispatchPage } from './dispatch-page.ts';
import { openGatewayContext, type GatewayContextOptions } from './open-context.ts';
import { mountOpenEndpoints } from './open-endpoints.ts';
import { reasonOf } from './outcome.ts';
import { mountReadOperations } from './read-operations.ts';
import { mountReportDocuments } from './report-documents.ts';
import { mountWriteOperations } from './write-operations.ts';

/** Builds the gateway over its context; `app.close()` drains it but leaves the context open. */
async function buildGateway(context: GatewayContext): Promise<FastifyInstance> {
  const app = buildFrame(context);
  mountReadOperations(app, context);
  mountReportDocuments(app, context);
  mountWriteOperations(app, context);
  mountOpenEndpoints(app, context);
  mountDispatchPage(app, context);
  await app.ready();
  return app;
}

export interface RunningGateway {
  /** The address that it listens on. */
  readonly baseUrl: string;
  readonly context: GatewayContext;
  /** Answers what is under way, for `drainMs` at most, and closes the store. */
  stop(drainMs: number): Promise<void>;
}

/** The partner that the gateway was given is not reachable, or is none, or does not know it. */
export class PartnerUnusableError extends Error {
  readonly code = 'partner_unusable';

  constructor(baseUrl: string, why: string) {
    super(`the partner at ${baseUrl} cannot be used: ${why}`);
    this.name = 'PartnerUnusableError';
  }
}

/**
 * Locks the folder, opens the store, reads the partner's cases, and listens.
 * @throws {DirectoryInUseError} if another gateway uses the folder
 * @throws {PartnerUnusableError} on a first start; later the store is served without the partner
 */
export async function runGateway(
  options: GatewayContextOptions & { readonly listen: ListenOptions },
): Promise<RunningGateway> {
  const { directory } = options;
  const isNew = !existsSync(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(directory, 'gateway');
  let opened: GatewayContext | undefined;
  try {
    const context = (opened = await openGatewayContext(options));
    await firstPull(context, options.partner.baseUrl);
    const app = await buildGateway(context);
    const baseUrl = await listen(app, context, options.listen);
    context.pull.start();
    return {
      baseUrl,
      context,
      async stop(drainMs) {
        await closeServer(app, drainMs);
        await context.close();
        unlock();
      },
    };
  } catch (error) {
    await opened?.close();
    unlock();
    // A gateway that never began leaves nothing behind.
    if (isNew) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** A store that has never been in step answers nothing, so a new gateway needs its partner. */
async function firstPull({ db, pull }: GatewayContext, baseUrl: string): Promise<void> {
  const pulled = await db
    .selectFrom('state')
    .select('value')
    .where('name', '=', 'pulled_at')
    .executeTakeFirst();
  if (pulled) return;
  await pull.now().catch((error: unknown) => {
    throw new PartnerUnusableError(baseUrl, reasonOf(error));
  });
}
