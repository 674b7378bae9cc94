import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  createPartnerClient,
  type PartnerClient,
  type PartnerClientOptions,
} from '../../partner/partner-client.ts';
import type { EngineOptions } from '../engine.ts';
import type { DeskPolicy } from '../policy-schema.ts';
import type { ClientPolicy } from './open-workspace.ts';

type PolicyConnection = DeskPolicy['connection'];

/** The policy's values of a connection, which take precedence over those that the user enters. */
export function enteredPolicy(connection: PolicyConnection = {}) {
  const { clientId } = connection;
  return { ...storedPolicy(connection), ...(clientId !== undefined && { clientId }) };
}

/**
 * The policy's values that take precedence over those of a stored connection. The client id is not
 * one of them: another client id is another organization, whose cases must not be mixed with the
 * stored ones.
 */
function storedPolicy(connection: PolicyConnection = {}) {
  const { baseUrl, audience, scope, htuWithoutQuery, changedSinceParameter } = connection;
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(audience !== undefined && { audience }),
    ...(scope !== undefined && { scope }),
    ...(htuWithoutQuery !== undefined && { htuWithoutQuery }),
    ...(changedSinceParameter !== undefined && { changedSinceParameter }),
  };
}

/** The values that IT and the shell set for the client of every connection. */
export function clientPolicy({
  policy = {},
  network,
}: Pick<EngineOptions, 'policy' | 'network'>): ClientPolicy {
  const { limits, paths, proxy, connection } = policy;
  return { limits, paths, proxy, ...network, ...storedPolicy(connection) };
}

/**
 * A client that stores nothing.
 * @throws {DeskError} base_url_invalid
 */
export function createProbe(
  options: EngineOptions,
  input: Pick<
    PartnerClientOptions,
    'baseUrl' | 'audience' | 'clientId' | 'scope' | 'htuWithoutQuery' | 'changedSinceParameter'
  >,
  privateKey: KeyObject,
): PartnerClient {
  const { clock, random, onRequest } = options;
  return createPartnerClient({
    baseUrl: input.baseUrl.trim(),
    audience: input.audience.trim(),
    clientId: input.clientId,
    scope: input.scope,
    htuWithoutQuery: input.htuWithoutQuery,
    changedSinceParameter: input.changedSinceParameter,
    privateKey,
    dpopKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    clock,
    random: () => random.fraction(),
    memory: { load: () => null, save: () => undefined },
    log: onRequest,
    ...clientPolicy(options),
  });
}
