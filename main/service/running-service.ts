import type { FastifyInstance } from 'fastify';
import { buildService } from './app.ts';
import type { ServiceContext } from './context.ts';
import { listen, type ListenOptions } from './listen.ts';
import { openContext, type ContextOptions } from './open-context.ts';
import {
  ensureCredentials,
  type Credentials,
  type CredentialsKeeper,
} from './organizations/credentials.ts';
import { lockDirectory } from './lock-directory.ts';
import { beginFirstStart } from './first-start.ts';

export interface RunOptions extends ContextOptions {
  readonly listen: ListenOptions;
  readonly backoffice: boolean;
  /** Where the credentials are kept; told once the addresses are known. */
  keeperOf(context: ServiceContext): CredentialsKeeper;
  /** Fills a store that has no claims yet. */
  seed?(context: ServiceContext, credentials: Credentials): Promise<void>;
}

export interface RunningService {
  /** The address that it listens on. */
  readonly baseUrl: string;
  readonly context: ServiceContext;
  readonly credentials: Credentials;
  /** Answers what is under way, for `drainMs` at most, and closes the store. */
  stop(drainMs: number): Promise<void>;
}

/**
 * Locks the folder, opens the store, fills it, and listens.
 * @throws {DirectoryInUseError} where another service has the folder; whatever listening throws.
 */
export async function runService(options: RunOptions): Promise<RunningService> {
  const unlock = lockDirectory(options.directory);
  let context: ServiceContext | undefined;
  try {
    const firstStart = options.database ? undefined : beginFirstStart(options.directory);
    const opened = await openContext(options);
    context = opened;
    const credentials = await opened.alone(async () => {
      const ensured = await ensureCredentials(opened, options.keeperOf(opened));
      if (options.seed && (await hasNoClaims(opened))) await options.seed(opened, ensured);
      return ensured;
    });
    firstStart?.finish();
    const app = await buildService(context, {
      backofficeToken: options.backoffice ? credentials.backoffice.token : undefined,
    });
    const baseUrl = await listen(app, context, options.listen);
    return {
      baseUrl,
      context,
      credentials,
      stop: (drainMs) => stop(app, context, unlock, drainMs),
    };
  } catch (error) {
    await context?.close();
    unlock();
    throw error;
  }
}

async function hasNoClaims({ db }: ServiceContext): Promise<boolean> {
  return (await db.selectFrom('claims').select('id').limit(1).executeTakeFirst()) === undefined;
}

async function stop(
  app: FastifyInstance,
  context: ServiceContext | undefined,
  unlock: () => void,
  drainMs: number,
): Promise<void> {
  const impatience = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(impatience);
  await context?.close();
  unlock();
}
