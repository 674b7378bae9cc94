import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  jsonSchemaOf,
  correlationIdHeader,
  parameterRef,
  problemRef,
} from '../../front/openapi/shared-parts.ts';
import { openapiDocument, json, open } from '../../front/openapi/document.ts';
import { parseBody } from '../../front/parse-request.ts';
import { assignmentPaths } from '../writing/assign-operations.ts';
import { redeemCode } from '../auth/clients.ts';
import type { GatewayContext } from '../context.ts';
import {
  mountForThisMachine,
  mountHealth,
  mountMetrics,
} from '../../front/status/status-endpoints.ts';
import { metricsPaths, statusPaths } from '../../front/status/status-paths.ts';
import { statusOf } from './health.ts';

const enrolmentBody = z.object({
  Code: z.string({ error: 'is required.' }).max(100, 'must be at most 100 characters.'),
  PublicKeyPem: z
    .string({ error: 'is required.' })
    .max(10_000, 'must be at most 10000 characters.'),
});

/** Mounts the endpoints that need no token: enrolment, health, metrics, OpenAPI. */
export function mountPublicEndpoints(app: FastifyInstance, context: GatewayContext): void {
  const { db, clock, limiter, address } = context;

  app.post('/v1/gateway/enrolments', { bodyLimit: 64 * 1024 }, async (request, reply) => {
    // The limit counts before the body is read, so that guessing is slow.
    await limiter.draw('validate', { address: request.ip });
    const body = parseBody(enrolmentBody, request);
    const { clientId, name } = await redeemCode(db, clock, {
      code: body.Code,
      publicKeyPem: body.PublicKeyPem,
      correlationId: request.id,
    });
    return reply.code(201).send({
      BaseUrl: address.publicUrl,
      Audience: address.audience,
      ClientId: clientId,
      Name: name,
    });
  });

  app.get('/openapi.json', () => gatewayDocument(context));
  if (context.hasStatusPort) return;
  mountForThisMachine(app, (scope) => {
    mountHealth(scope, statusOf(context));
    mountMetrics(scope, context.metrics);
  });
}

const text = { type: 'string' };
const ownPaths = {
  ...metricsPaths,
  ...statusPaths({
    summary: 'Partner, store and age of the last pull',
    more: {
      partner: { enum: ['reachable', 'unreachable', 'unknown'] },
      pullAgeSeconds: { type: ['integer', 'null'] },
    },
  }),
};
const openPaths = {
  ...assignmentPaths,
  '/openapi.json': open('getOpenapi', 'This document', json({ type: 'object' })),
  '/v1/gateway/enrolments': {
    post: {
      operationId: 'enrol',
      summary: 'Exchange an enrolment code and a public key for a client id',
      tags: ['authentication'],
      security: [],
      parameters: [parameterRef('CorrelationId')],
      requestBody: { required: true, content: json(jsonSchemaOf(enrolmentBody, 'input')) },
      responses: {
        201: {
          description: 'Success.',
          headers: correlationIdHeader,
          content: json({
            type: 'object',
            required: ['BaseUrl', 'Audience', 'ClientId', 'Name'],
            properties: { BaseUrl: text, Audience: text, ClientId: text, Name: text },
          }),
        },
        ...Object.fromEntries([400, 403, 429, 500].map((status) => [status, problemRef(status)])),
      },
    },
  },
};

/** The OpenAPI document of the gateway. */
export function gatewayDocument({
  address,
  operations,
  hasStatusPort,
}: Pick<GatewayContext, 'address' | 'operations' | 'hasStatusPort'>): Record<string, unknown> {
  return openapiDocument(operations, {
    publicUrl: address.publicUrl,
    openPaths: hasStatusPort ? openPaths : { ...openPaths, ...ownPaths },
    description: [
      'The partner API for the laptops and programs of one expert organization.',
      'If the partner cannot be reached, changes are refused with `upstream_unavailable`.',
    ].join(' '),
    alsoRefuses: [503],
  });
}
