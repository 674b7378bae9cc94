import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { categories } from '#shared/api/case-words.ts';
import { jsonContentType } from './answer.ts';
import type { ServiceContext } from './context.ts';
import { createHealthCheck } from './health.ts';
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
    async (request, reply) => {
      const category = categories.find((name) => name === request.params.category);
      if (!category) throw new Problem('not_found', 'there is no such category');
      const { payloadSchemas } = await import('#shared/payload/schemas.ts');
      return reply.type(jsonContentType).send(JSON.stringify(payloadSchemas[category]));
    },
  );

  app.get('/openapi.json', async () => {
    const { openapiDocument } = await import('./openapi/document.ts');
    return openapiDocument(context.operations, context.address.publicUrl);
  });

  let reader: Promise<FastifyInstance> | undefined;
  const read = async (request: FastifyRequest, reply: FastifyReply) => {
    reader ??= import('./openapi/reader.ts').then(({ buildReader }) =>
      buildReader(context.operations, context.address.publicUrl),
    );
    const page = await (await reader).inject({ method: 'GET', url: request.url });
    if (page.statusCode === 404) throw new Problem('not_found', 'there is no such address');
    // A connection is the service's own matter, and its inner one has none.
    delete page.headers.connection;
    return reply.code(page.statusCode).headers(page.headers).send(page.rawPayload);
  };
  app.get('/docs', read);
  app.get('/docs/*', read);
  app.addHook('onClose', async () => (await reader)?.close());
}
