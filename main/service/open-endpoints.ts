import type { FastifyInstance } from 'fastify';
import { categories } from '#shared/api/case-words.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import { jsonContentType } from './answer.ts';
import type { ServiceContext } from './context.ts';
import { createHealthCheck } from './health.ts';
import { openapiDocument } from './openapi/document.ts';
import { mountReader } from './openapi/reader.ts';
import { Problem } from './problem.ts';

/** What needs no token and is outside the limits: health, payload schemas, OpenAPI, its reader. */
export function mountOpenEndpoints(app: FastifyInstance, context: ServiceContext): void {
  const checkHealth = createHealthCheck(context);
  app.get('/health', async (_request, reply) => {
    const status = await checkHealth();
    return reply.code(status === 'ok' ? 200 : 503).send({ status });
  });

  app.get<{ Params: { category: string } }>(
    '/v1/schemas/claims/:category.json',
    (request, reply) => {
      const category = categories.find((name) => name === request.params.category);
      if (!category) throw new Problem('not_found', 'there is no such category');
      return reply.type(jsonContentType).send(JSON.stringify(payloadSchemas[category]));
    },
  );

  const document = () => openapiDocument(context.operations, context.address.publicUrl);
  app.get('/openapi.json', document);
  mountReader(app, document);
}
