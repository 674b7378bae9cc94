import type { FastifyInstance } from 'fastify';
import { routes } from '#shared/api/routes.ts';
import type { ServiceContext } from './context.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where partners reach the service; by default where it listens. */
  readonly publicUrl?: string | undefined;
  /** `aud` of client assertions; by default the token endpoint under the public address. */
  readonly audience?: string | undefined;
}

/**
 * Listens, and makes known to the context under which addresses.
 * @returns the address that it listens on.
 */
export async function listen(
  app: FastifyInstance,
  context: ServiceContext,
  options: ListenOptions,
): Promise<string> {
  const baseUrl = await app.listen({ host: options.host, port: options.port });
  const publicUrl = (options.publicUrl ?? baseUrl).replace(/\/+$/, '');
  context.address.publicUrl = publicUrl;
  context.address.audience = options.audience ?? publicUrl + routes.token.path;
  return baseUrl;
}
