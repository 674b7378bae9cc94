import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/api/routes.ts';
import type { FrontContext } from './context.ts';
import { StartError } from './start-error.ts';
import { lockFile } from './store/file-store.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The address that partners use; by default the one that it listens on. */
  readonly publicUrl?: string | undefined;
  /** `aud` of client assertions; by default the token endpoint under the public address. */
  readonly audience?: string | undefined;
}

/**
 * Listens, and sets the context's addresses.
 * @returns the address that it listens on.
 */
export async function listen(
  app: FastifyInstance,
  { address }: Pick<FrontContext, 'address'>,
  options: ListenOptions,
): Promise<string> {
  const baseUrl = await app.listen({ host: options.host, port: options.port });
  address.publicUrl = (options.publicUrl ?? baseUrl).replace(/\/+$/, '');
  address.audience = options.audience ?? address.publicUrl + routes.token.path;
  return baseUrl;
}

/** Closes the server; connections that are still open after `drainMs` are cut. */
export async function closeServer(app: FastifyInstance, drainMs: number): Promise<void> {
  const impatience = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(impatience);
}

/**
 * Locks a data folder for this process; made if it does not exist. The operating system drops the
 * lock with the process, however that ends.
 * @returns the function that unlocks.
 * @throws {StartError} if another process has it.
 */
export function lockDirectory(directory: string, server: 'service' | 'gateway'): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockFile(join(directory, `${server}.lock`));
  if (!unlock) throw new StartError(`another ${server} is using the data folder ${directory}`);
  return unlock;
}
