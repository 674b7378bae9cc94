import type { FastifyInstance } from 'fastify';
import { categories } from '#shared/api/case-words.ts';
import { caseTransitions, submissionTransitions } from '#shared/api/states.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import type { ServiceContext } from './context.ts';
import { jsonContentType } from '../front/answer.ts';
import { answer, json, open, openapiDocument } from '../front/openapi/document.ts';
import { createStoreCheck, mountOpenEndpoints } from '../front/open-endpoints.ts';
import { Problem } from '../front/problem.ts';

/** What needs no token and is outside the limits: health, payload schemas, OpenAPI. */
export function mountPublicEndpoints(
  app: FastifyInstance,
  context: ServiceContext,
  paths: OpenPaths,
): void {
  mountOpenEndpoints(app, {
    checkStore: createHealthCheck(context),
    health: (status) => ({ status }),
    document: () => serviceDocument(context, paths),
  });

  app.get<{ Params: { category: string } }>(
    '/v1/schemas/claims/:category.json',
    (request, reply) => {
      const category = categories.find((name) => name === request.params.category);
      if (!category) throw new Problem('not_found', 'there is no such category');
      return reply.type(jsonContentType).send(JSON.stringify(payloadSchemas[category]));
    },
  );
}

/** The OpenAPI document of the service. */
export function serviceDocument(
  { address, operations }: Pick<ServiceContext, 'address' | 'operations'>,
  paths: OpenPaths = openPaths,
): Record<string, unknown> {
  return openapiDocument(operations, {
    publicUrl: address.publicUrl,
    openPaths: paths,
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

/** The check of the service's store, by a row that counts the checks. */
export function createHealthCheck({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>) {
  return createStoreCheck(clock, () =>
    db
      .insertInto('counters')
      .values({ name: 'health checks', value: 1 })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set('counters.value', '+', 1) })),
      )
      .execute(),
  );
}

/** `paths` of the public endpoints without the page. */
const pathsWithoutPage = {
  '/openapi.json': open('getOpenapi', 'This document', json({ type: 'object' })),
  '/v1/schemas/claims/{category}.json': open(
    'getPayloadSchema',
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

/** The same with the page under /docs. */
export const openPaths = {
  ...pathsWithoutPage,
  '/docs': open('getDocs', 'This document, to read', {
    'text/html': { schema: { type: 'string' } },
  }),
};

export type OpenPaths = Readonly<Record<string, object>>;

/** @param hasDocsPage whether the page is served: the document names nothing that is not there */
export const openPathsWith = (hasDocsPage: boolean): OpenPaths =>
  hasDocsPage ? openPaths : pathsWithoutPage;

function healthPath() {
  const { get } = open('getHealth', 'Whether the service can work', json(healthSchema('ok')));
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
