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

/** `all`: every client sees every case. `assigned`: its own, and a dispatcher all. */
export const visibilities = ['all', 'assigned'] as const;

/** Ids that a gateway gives begin with this: a desk asks nobody else for G1. */
export const gatewayClientPrefix = 'laptop-';

/** Answer to G1; nobody is named to a client that may not assign. */
export const peopleSchema = z.object({
  MayAssign: z.boolean(),
  Visibility: z.enum(visibilities),
  Items: z.array(z.object({ ClientId: z.string(), Name: z.string() })),
});

/** Cases of one hand-over at most. */
export const handOverMax = 200;

/** Body of G2. */
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

/** Answer to G2: a case that the gateway does not have costs the others nothing. */
export const handedOverSchema = z.object({
  Items: z.array(z.object({ CaseId: opaqueIdSchema, IsAssigned: z.boolean() })),
});
