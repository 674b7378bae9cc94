import { answer, json, open } from '../openapi/document.ts';

const text = { type: 'string' };
const works = { enum: ['ok', 'failing'] };

/** An open endpoint that answers 503 with the same members if something fails. */
function withFailure(path: ReturnType<typeof open>, schema: object, sentence: string) {
  const { get } = path;
  return { get: { ...get, responses: { ...get.responses, 503: answer(sentence, json(schema)) } } };
}

interface HealthShape {
  /** What /health tells about. */
  readonly summary: string;
  /** The members of /health that only this server has. */
  readonly more?: Readonly<Record<string, object>>;
}

/** The `paths` of the OpenAPI document for what tells about a server. */
export function statusPaths({ summary, more = {} }: HealthShape) {
  const health = {
    type: 'object',
    required: ['status', 'store', 'documents', ...Object.keys(more), 'detail'],
    properties: {
      status: { enum: ['ok', 'degraded', 'failing'] },
      store: works,
      documents: works,
      ...more,
      detail: text,
    },
  };
  const ready = {
    type: 'object',
    required: ['status', 'detail'],
    properties: { status: { enum: ['ready', 'draining', 'failing'] }, detail: text },
  };
  const live = {
    type: 'object',
    required: ['status'],
    properties: { status: { const: 'live' } },
  };
  return {
    '/health': withFailure(
      open('getHealth', summary, json(health)),
      health,
      'The store cannot be written.',
    ),
    '/ready': withFailure(
      open('getReadiness', 'Whether to send requests to this process', json(ready)),
      ready,
      'The process ends soon, or its store cannot be written.',
    ),
    '/live': open('getLiveness', 'Whether this process answers', json(live)),
  };
}

/** The `paths` of the figures. */
export const metricsPaths = {
  '/metrics': open('getMetrics', 'Figures for Prometheus, for the server’s own machine', {
    'text/plain': { schema: text },
  }),
};
