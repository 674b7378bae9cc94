import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createPartnerClient, type PartnerClientOptions } from './client/partner-client.ts';
import type { PartnerClient } from './client/partner-client.ts';
import type { EngineOptions } from './engine-options.ts';
import { addressOf } from './home/policy-connection.ts';
import type { ClientPolicy } from './workspace/open-workspace.ts';

/** What IT and the shell set for the client of every connection. */
export function clientPolicy(options: Pick<EngineOptions, 'policy' | 'network'>): ClientPolicy {
  const { limits, paths, proxy, connection } = options.policy ?? {};
  return { limits, paths, proxy, ...options.network, ...addressOf(connection) };
}

/**
 * A client that leaves no trace.
 * @throws {DeskError} base_url_invalid
 */
export function createProbe(
  options: EngineOptions,
  input: Pick<
    PartnerClientOptions,
    'baseUrl' | 'audience' | 'clientId' | 'scope' | 'htuWithoutQuery'
  >,
  privateKey: KeyObject,
): PartnerClient {
  const { clock, random, log } = options;
  return createPartnerClient({
    baseUrl: input.baseUrl.trim(),
    audience: input.audience.trim(),
    clientId: input.clientId,
    scope: input.scope,
    htuWithoutQuery: input.htuWithoutQuery,
    privateKey,
    dpopKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    clock,
    random: () => random.fraction(),
    memory: { load: () => null, save: () => undefined },
    log,
    ...clientPolicy(options),
  });
}
