import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';

/**
 * The OpenAPI document to read, under /docs. An application of its own, because it is loaded when
 * somebody first asks for it: it would make up half of the service's start.
 */
export async function buildReader(document: Record<string, unknown>): Promise<FastifyInstance> {
  const app = Fastify({ logger: false });
  await app.register(swagger, {
    mode: 'static',
    // The cast is needed because the plugin knows no type for 3.1; it passes the document through.
    specification: { document } as unknown as StaticDocumentSpec,
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  await app.ready();
  return app;
}
