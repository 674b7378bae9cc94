import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { caseTransitions } from '#shared/api/states.ts';
import { submissionTransitions } from '#shared/api/states.ts';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { descriptions } from '#main/front/openapi/operations.ts';
import { upload } from '../../service/support/claims.ts';
import { send } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

interface Operation {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  operationId: string;
  summary?: string;
  description?: string;
  parameters: { name?: string; in?: string; $ref?: string }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}
interface Document {
  openapi: string;
  info: { description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const { service } = await shareService();
const document = (await send('GET', `${service.baseUrl}/openapi.json`)).json as Document;

test('OpenAPI: 3.1, at the public address', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: service.baseUrl }]);
});

test.each(Object.entries(routes))('OpenAPI: %s is described as it is served', (id, route) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  expect(operation?.operationId).toBe(descriptions[id as OperationId].name);
  expect(operation?.summary).toMatch(new RegExp(`^[A-Z].+ \\(${id}\\)$`));
  expect(operation?.description?.length).toBeGreaterThan(60);
  expect(Object.keys(operation?.responses ?? {})).toContain(String(route.success));
  const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? [];
  expect(inPath.map(({ name }) => `{${name}}`)).toEqual(route.path.match(/\{\w+\}/g) ?? []);
});

test('OpenAPI: every operation describes its input, and every refusal that it can meet', () => {
  for (const [id, route] of Object.entries(routes)) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    const hasBody = ['POST', 'PUT'].includes(route.method) && id !== 'X15';
    expect(operation?.requestBody !== undefined, id).toBe(hasBody);
    const statuses = ['400', '429', '500', ...(route.audience === 'none' ? [] : ['401', '403'])];
    expect(Object.keys(operation?.responses ?? {}), id).toEqual(expect.arrayContaining(statuses));
    const names = operation?.parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
    const schemes = operation?.security?.flatMap((each) => Object.keys(each));
    const proof = id === 'I3' ? [] : ['proof'];
    expect(schemes, id).toEqual(route.audience === 'none' ? proof : ['dpop', ...proof]);
    expect(names?.includes('IdempotencyKey'), id).toBe(route.method === 'POST' && id !== 'token');
  }
});

test('OpenAPI: a claim needs its Category and its PayloadJson', () => {
  for (const route of [routes.I2, routes.I3]) {
    expect(document.paths[route.path]?.['post']?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { required: ['Category', 'PayloadJson'] } } },
    });
  }
});

test('OpenAPI: a member can be added later without a break', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test('OpenAPI: every reference leads somewhere', () => {
  const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
  expect(references.length).toBeGreaterThan(50);
  for (const reference of new Set(references)) {
    const pointer = reference.slice('"$ref":"#/'.length, -1).split('/');
    const target = pointer.reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      document,
    );
    expect(target, reference).toBeTypeOf('object');
  }
});

test.each([
  ['case', caseTransitions],
  ['report submission', submissionTransitions],
])('OpenAPI: the table of the states of a %s has every transition', (name, transitions) => {
  const [, text = ''] = document.info.description.split(`## States of a ${name}\n`);
  const [, table = ''] = text.trim().split('\n\n', 2);
  const [, , ...rows] = table.split('\n');
  expect(rows).toEqual(
    transitions.map(({ from, trigger, to }) => `| ${from} | ${trigger} | ${to} |`),
  );
});

test('OpenAPI: /docs shows the document, with nothing from outside', async () => {
  const page = await send('GET', `${service.baseUrl}/docs/`);
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.text).not.toMatch(/(?:src|href)="https?:/);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe|https?:|[a-z]\.[a-z]/);
  const script = await send('GET', `${service.baseUrl}/docs/static/swagger-ui-bundle.js`);
  expect(script.status).toBe(200);
  expect((await send('GET', `${service.baseUrl}/docs/json`)).json).toEqual(document);
});

test('OpenAPI: what is not there under /docs is a problem document', async () => {
  const answer = await send('GET', `${service.baseUrl}/docs/nothing`);
  expect(answer.status).toBe(404);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.json).toMatchObject({
    title: 'not_found',
    instance: answer.headers['x-correlation-id'],
  });
});

test('schemas: an unknown category is not_found', async () => {
  const answer = await send('GET', `${service.baseUrl}/v1/schemas/claims/boat.json`);
  expect(answer.json).toMatchObject({ title: 'not_found', status: 404 });
});

/** Bodies that the service refuses because of a rule that the document has to name. */
const refusedBodies: [OperationId, object][] = [
  ['X3', { Text: 'x'.repeat(4001) }],
  ['X4', { CostEstimateAmount: 0.001, ApprovedAmount: null }],
  ['X4', { CostEstimateAmount: -1, ApprovedAmount: null }],
  ['X5', { Reason: ' ' }],
  ['X5', { Reason: 'x'.repeat(4001) }],
  ['X8', { Comment: 'x'.repeat(4001) }],
  ['I6', { ...upload(), FileName: '' }],
  ['I6', { ...upload(), FileName: 'a/b.pdf' }],
  ['I6', { ...upload(), FileName: 'x'.repeat(256) }],
  ['I6', { ...upload(), ContentType: 'text/html' }],
  ['I6', { ...upload(), ContentBase64: '' }],
  ['I6', { ...upload(), ContentBase64: '*' }],
];
test.each(refusedBodies)(
  'OpenAPI: the schema of %s refuses what the service refuses: %j',
  async (id, body) => {
    const route = routes[id];
    const method = route.method.toLowerCase();
    const content = document.paths[route.path]?.[method]?.requestBody as {
      content: Record<string, { schema: object }>;
    };
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      content.content['application/json']?.schema ?? {},
    );
    expect(validate(body)).toBe(false);
    const partner = await service.partner(id.startsWith('I') ? 'insurer' : 'expert');
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID());
    const answer = await partner.request(route.method, path, { body });
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    expect([400, 413, 415]).toContain(answer.status);
  },
);

test('/ leads to the page', async () => {
  const answer = await fetch(`${service.baseUrl}/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
});
