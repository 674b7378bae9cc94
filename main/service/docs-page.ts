import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from './context.ts';
import { serviceDocument } from './open-endpoints.ts';

/** The page may load nothing from other servers, and no script or style except its files. */
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

/** The OpenAPI document as a page under /docs, for developers of the partner's side. */
export function mountDocsPage(app: FastifyInstance, context: ServiceContext): void {
  void app.register(swagger, {
    mode: 'static',
    // The cast is needed because the plugin has no type for 3.1; it passes the document through.
    specification: { document: serviceDocument(context) } as unknown as StaticDocumentSpec,
  });
  app.get('/', (_request, reply) => reply.redirect('/docs'));
  void app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    // The document is built for each request, because the public address is known only after the
    // service listens.
    transformSpecification: () => serviceDocument(context),
  });
}
