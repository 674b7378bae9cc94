import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { categories } from '#shared/api/case-words.ts';
import { caseTransitions, submissionTransitions } from '#shared/api/states.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import type { ServiceContext } from './context.ts';
import { jsonContentType } from '../front/answer.ts';
import { answer, json, open, openapiDocument } from '../front/openapi/document.ts';
import { Problem } from '../front/problem.ts';

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

/** What needs no token and is outside the limits: health, payload schemas, OpenAPI, /docs. */
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

  app.get('/openapi.json', () => serviceDocument(context));
  void app.register(swagger, {
    mode: 'static',
    // The cast is needed because the plugin knows no type for 3.1; it passes the document through.
    specification: { document: serviceDocument(context) } as unknown as StaticDocumentSpec,
  });
  void app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    // Built for each request, because the public address is known only after the service listens.
    transformSpecification: () => serviceDocument(context),
  });
}

/** The OpenAPI document of the service. */
export function serviceDocument({
  address,
  operations,
}: Pick<ServiceContext, 'address' | 'operations'>): Record<string, unknown> {
  return openapiDocument(operations, {
    publicUrl: address.publicUrl,
    openPaths,
    description: [
      'Exchange of insurance claims between insurers and experts (appraisers).',
      '## States of a case',
      'A new claim is Created. A transition that is not listed is refused with `invalid_state`.',
      table(caseTransitions),
      '## States of a report submission',
      'A new submission is a Draft.',
      table(submissionTransitions),
    ].join('\n\n'),
  });
}

function table(
  transitions: readonly { readonly from: string; readonly trigger: string; readonly to: string }[],
): string {
  const rows = transitions.map(({ from, trigger, to }) => `| ${from} | ${trigger} | ${to} |`);
  return ['| from | trigger | to |', '|---|---|---|', ...rows].join('\n');
}

export type Health = 'ok' | 'failing';

/** A store that does not answer in this time is failing. */
const timeoutMs = 2000;
/** Health needs no token, so its result is cached to spare the store. */
const cachedMs = 1000;

/**
 * Makes a check of the store. It writes a row, because a store on a full or read-only disk can still
 * be read.
 */
export function createHealthCheck({
  db,
  clock,
}: Pick<ServiceContext, 'db' | 'clock'>): () => Promise<Health> {
  let last: { readonly atMs: number; readonly health: Promise<Health> } | undefined;

  async function write(): Promise<Health> {
    const row = { name: 'health checks', value: 1 };
    await db
      .insertInto('counters')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
      )
      .execute();
    return 'ok';
  }

  function check(): Promise<Health> {
    const { promise, resolve } = Promise.withResolvers<Health>();
    const cancel = clock.after(timeoutMs, () => resolve('failing'));
    void write()
      .catch((): Health => 'failing')
      .then((health) => {
        cancel();
        resolve(health);
      });
    return promise;
  }

  return () => {
    const nowMs = clock.monotonic();
    if (!last || nowMs - last.atMs >= cachedMs) last = { atMs: nowMs, health: check() };
    return last.health;
  };
}

/** `paths` of what the service serves to everybody, outside the limits; see open-endpoints.ts. */
export const openPaths = {
  '/openapi.json': open('openapi', 'This document', json({ type: 'object' })),
  '/docs': open('docs', 'This document, to read', {
    'text/html': { schema: { type: 'string' } },
  }),
  '/v1/schemas/claims/{category}.json': open(
    'schema',
    "The JSON Schema of a category's payload",
    json({ type: 'object' }),
    [
      {
        name: 'category',
        in: 'path',
        required: true,
        schema: { type: 'string', enum: [...categories] },
      },
    ],
  ),
  '/health': healthPath(),
};

function healthPath() {
  const { get } = open('health', 'Whether the service can work', json(healthSchema('ok')));
  return {
    get: {
      ...get,
      responses: {
        ...get.responses,
        503: answer('The store cannot be read or written.', json(healthSchema('failing'))),
      },
    },
  };
}

function healthSchema(status: 'ok' | 'failing'): object {
  return {
    type: 'object',
    required: ['status'],
    properties: { status: { const: status } },
  };
}
