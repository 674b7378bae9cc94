import type { Logger } from 'pino';
import { z } from 'zod';
import type { EngineOptions } from '#main/engine/engine-options.ts';
import type { DeskPolicy } from './policy-schema.ts';
import { policyCertificates } from './policy.ts';

/**
 * What a policy makes of an engine's options, the same in every shell.
 * @throws {DeskError} policy_invalid if a certificate file cannot be used
 */
export function policyOptions(
  policy: DeskPolicy,
  log: Logger,
): Required<Pick<EngineOptions, 'policy' | 'network' | 'log'>> {
  return {
    policy,
    network: { certificateAuthorities: policyCertificates(policy) },
    // The partner's server may put anything into its correlation id.
    log: ({ correlationId, ...entry }) =>
      log.info(
        { ...entry, correlationId: z.uuid().safeParse(correlationId).data ?? null },
        'request',
      ),
  };
}
