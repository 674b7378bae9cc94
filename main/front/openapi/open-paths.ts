import { categories } from '#shared/api/case-words.ts';
import { correlationIdHeader, parameterRef, problemRef } from './shared-parts.ts';

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

export function json(schema: object): object {
  return { 'application/json': { schema } };
}

/** The path of what is served to everybody. */
export function open(operationId: string, summary: string, content: object, path: object[] = []) {
  return {
    get: {
      operationId,
      summary,
      tags: ['description'],
      security: [],
      parameters: [...path, parameterRef('CorrelationId')],
      responses: {
        200: answer('Success.', content),
        404: problemRef(404),
        500: problemRef(500),
      },
    },
  };
}

function answer(description: string, content: object): object {
  return { description, headers: correlationIdHeader, content };
}
