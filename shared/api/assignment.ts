import { z } from 'zod';
import { opaqueIdSchema } from './conventions.ts';
import type { Route } from './routes.ts';

const expert = { success: 200, bucket: 'standard', audience: 'expert' } as const;

/**
 * What an office gateway adds to the partner API: G1 lists to whom a client may assign cases, G2
 * assigns cases to one of them.
 */
export const gatewayRoutes = {
  G1: { method: 'GET', path: '/v1/gateway/people', ...expert },
  G2: { method: 'PUT', path: '/v1/gateway/assignments', ...expert },
} as const satisfies Record<string, Route>;
export type GatewayOperationId = keyof typeof gatewayRoutes;

/**
 * If `all`, every client sees every case. If `assigned`, a client sees its own cases, and a
 * dispatcher sees all.
 */
export const visibilities = ['all', 'assigned'] as const;

/**
 * The client ids that a gateway creates begin with this prefix. A desk whose client id does not have
 * it never calls G1.
 */
export const gatewayClientPrefix = 'laptop-';

/** The answer to G1. It names nobody to a client that may not assign cases. */
export const peopleSchema = z.object({
  MayAssign: z.boolean(),
  Visibility: z.enum(visibilities),
  Items: z.array(z.object({ ClientId: z.string(), Name: z.string() })),
});

/** The most cases that one request of G2 may assign. */
export const handOverMax = 200;

/** The body of G2. */
export const handOverSchema = z.object({
  ClientId: z
    .string({ error: 'is required.' })
    .min(1, 'must not be empty.')
    .max(100, 'must be at most 100 characters.'),
  CaseIds: z
    .array(opaqueIdSchema, { error: 'must be a list of case ids.' })
    .min(1, 'must not be empty.')
    .max(handOverMax, `must be at most ${String(handOverMax)} cases.`),
});

/**
 * The answer to G2. If the gateway does not have one of the cases, the others are still assigned.
 */
export const handedOverSchema = z.object({
  Items: z.array(z.object({ CaseId: opaqueIdSchema, IsAssigned: z.boolean() })),
});
