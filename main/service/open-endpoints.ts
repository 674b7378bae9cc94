import type { FastifyInstance } from 'fastify';
import { categories } from '#shared/api/case-words.ts';
import { caseTransitions, submissionTransitions } from '#shared/api/states.ts';
import { payloadSchemas } from '#shared/payload/schemas.ts';
import type { ServiceContext } from './context.ts';
import { jsonContentType } from '../front/answer.ts';
import { json, open, openapiDocument } from '../front/openapi/document.ts';
import {
  mountForThisMachine,
  mountHealth,
  mountMetrics,
  type StatusParts,
} from '../front/status/status-endpoints.ts';
import { metricsPaths, statusPaths } from '../front/status/status-paths.ts';
import { storeSentences } from '../front/status/store-check.ts';
import { Problem } from '../front/problem.ts';

/** Mounts the endpoints without a token and without limits: health, payload schemas, OpenAPI. */
export function mountPublicEndpoints(
  app: FastifyInstance,
  context: ServiceContext,
  paths: OpenPaths,
): void {
  const { metrics, hasStatusPort } = context;
  mountHealth(app, statusOf(context));
  // The document is built for each request, because the address is set only when the server listens.
  app.get('/openapi.json', () => serviceDocument(context, paths));
  if (metrics && !hasStatusPort) mountForThisMachine(app, (scope) => mountMetrics(scope, metrics));

  app.get<{ Params: { category: string } }>(
    '/v1/schemas/claims/:category.json',
    (request, reply) => {
      const category = categories.find((name) => name === request.params.category);
      if (!category) throw new Problem('not_found', 'there is no such category');
      return reply.type(jsonContentType).send(JSON.stringify(payloadSchemas[category]));
    },
  );
}

/** What the service reports about itself. */
export function statusOf({ bucket, checkStore, draining }: ServiceContext): StatusParts {
  return {
    checkStore,
    draining,
    health(store) {
      const documents = bucket?.isFailing() ? 'failing' : 'ok';
      return {
        status: store !== 'ok' ? 'failing' : documents === 'ok' ? 'ok' : 'degraded',
        store: store === 'ok' ? 'ok' : 'failing',
        documents,
        detail:
          store === 'ok' && documents === 'failing'
            ? 'The storage for documents did not answer its latest request.'
            : storeSentences[store],
      };
    },
  };
}

/** The OpenAPI document of the service. */
export function serviceDocument(
  {
    address,
    operations,
    metrics,
    hasStatusPort,
  }: Pick<ServiceContext, 'address' | 'operations' | 'metrics' | 'hasStatusPort'>,
  paths: OpenPaths = openPaths,
): Record<string, unknown> {
  return openapiDocument(operations, {
    publicUrl: address.publicUrl,
    openPaths: metrics && !hasStatusPort ? { ...paths, ...metricsPaths } : paths,
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

/** The `paths` of the public endpoints without the page. */
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
  ...statusPaths({ summary: 'Whether the service can work' }),
};

/** The `paths` with the page under /docs. */
export const openPaths = {
  ...pathsWithoutPage,
  '/docs': open('getDocs', 'This document, to read', {
    'text/html': { schema: { type: 'string' } },
  }),
};

export type OpenPaths = Readonly<Record<string, object>>;

/**
 * @param hasDocsPage whether the page is served, because the document must name nothing that does
 *   not exist
 */
export const openPathsWith = (hasDocsPage: boolean): OpenPaths =>
  hasDocsPage ? openPaths : pathsWithoutPage;
