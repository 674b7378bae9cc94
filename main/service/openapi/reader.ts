import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** Nothing from outside, no script and no style but the files of the page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the OpenAPI document to read, under /docs.
 * @param document is asked for at each reading: the public address is known once the service listens.
 */
export function mountReader(
  app: FastifyInstance,
  document: () => Readonly<Record<string, unknown>>,
): void {
  void app.register(swagger, {
    mode: 'static',
    // The cast is needed because the plugin knows no type for 3.1; it passes the document through.
    specification: { document: document() } as unknown as StaticDocumentSpec,
  });
  void app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    transformSpecification: () => document(),
  });
}
