import type { FastifyInstance } from 'fastify';
import { categories } from '#shared/api/case.ts';
import { jsonContentType } from './answer.ts';
import type { ServiceContext } from './context.ts';
import { Problem } from './problem.ts';

/** What needs no token and is outside the limits: health, payload schemas, OpenAPI, its reader. */
export function mountOpenEndpoints(app: FastifyInstance, context: ServiceContext): void {
  app.get('/health', async () => {
    await context.db.selectFrom('signing_keys').select('kid').limit(1).execute();
    return { status: 'ok' };
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
}
