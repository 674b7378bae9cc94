import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import type { MountedOperation } from '../mounted-operation.ts';
import { openapiDocument } from './document.ts';
import { drawCaseStates, drawSubmissionStates } from './state-drawing.ts';

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
 * The OpenAPI document to read, under /docs, with its states drawn. An application of its own,
 * because it is loaded when somebody first asks for it: it would make up half of the service's
 * start.
 */
export async function buildReader(
  operations: readonly MountedOperation[],
  publicUrl: string,
): Promise<FastifyInstance> {
  const document = openapiDocument(operations, publicUrl, {
    case: drawCaseStates(),
    submission: drawSubmissionStates(),
  });
  const app = Fastify({ logger: false });
  await app.register(swagger, {
    mode: 'static',
    // The cast is needed because the plugin knows no type for 3.1; it passes the document through.
    specification: { document } as unknown as StaticDocumentSpec,
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: contentSecurityPolicy });
  await app.ready();
  return app;
}
