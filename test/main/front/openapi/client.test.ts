import { createPrivateKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { operationIds, type OperationId } from '#shared/api/routes.ts';
import { descriptions } from '#main/front/openapi/operations.ts';
import { root } from '../../../support/processes.ts';
import { backoffice, expectDone } from '../../service/support/claims.ts';
import { send, signAssertion, type Partner } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';
import { usesOfEveryOperation } from './generated-client.ts';

/*
 * What a partner makes of the document alone: a client that a generator of others writes, and a
 * request of each operation.
 */

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly schema: unknown }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example: Record<string, string> }>>;
  };
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>;
}
interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const { service } = await shareService();
const document = (await send('GET', `${service.baseUrl}/openapi.json`)).json as Document;

test('OpenAPI: a client that openapi-typescript generates has every operation, with its types', async () => {
  // In the project, whose tsconfig and types it is compiled with.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/generated-client-'));
  try {
    // The cast is needed because the document is what the generator has to judge.
    const nodes = await openapiTS(document as unknown as OpenAPI3);
    writeFileSync(join(folder, 'api.ts'), astToString(nodes));
    const uses = join(folder, 'uses.ts');
    writeFileSync(uses, usesOfEveryOperation);
    const program = ts.createProgram([uses], {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      types: [],
    });
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
    const called = [...usesOfEveryOperation.matchAll(/call\('(\w+)'/g)].map(([, id]) => id);
    const names = operationIds.map((id) => descriptions[id].name);
    expect([...new Set(called)].sort()).toEqual(names.sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('OpenAPI: every time has its format, and every whole number its size', () => {
  const times = /(?:At|From|To|Since)$/;
  const found = { times: 0, numbers: 0 };
  const bare: string[] = [];
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, format, anyOf } = value as {
      type?: unknown;
      format?: unknown;
      anyOf?: unknown[];
    };
    if (times.test(name) && (type !== undefined || anyOf !== undefined)) {
      found.times += 1;
      const one = (anyOf ? anyOf[0] : value) as { type?: unknown; format?: unknown };
      if (one.type !== 'string' || one.format !== 'date-time') bare.push(name);
    }
    if (type === 'integer') {
      found.numbers += 1;
      if (format !== 'int32' && format !== 'int64') bare.push(name);
    }
    for (const [member, inner] of Object.entries(value)) look(member, inner);
    const { name: parameter, schema } = value as { name?: unknown; schema?: unknown };
    if (typeof parameter === 'string') look(parameter, schema);
  };
  look('', document);
  expect(bare).toEqual([]);
  expect(found.times).toBeGreaterThan(20);
  expect(found.numbers).toBeGreaterThan(20);
});

test('OpenAPI: page and size are numbers with their defaults', () => {
  const { parameters = [] } = document.paths['/v1/experts/cases']?.['get'] ?? {};
  const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema;
  expect(schemaOf('page')).toMatchObject({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    default: 1,
  });
  expect(schemaOf('size')).toMatchObject({ minimum: 1, maximum: 200, default: 50 });
  expect(schemaOf('lastChangedSince')).toMatchObject({
    description: expect.stringMatching(/start again at page 1/) as unknown,
  });
});

test('OpenAPI: an example of each operation is accepted, from the document alone', async () => {
  const insurer = await service.partner('insurer');
  const expert = await service.partner('expert');
  /** The path parameters from the links of earlier answers: operation, then parameter to value. */
  const linked = new Map<string, Record<string, string>>();
  const done = new Set<string>();

  async function run(id: OperationId, partner: Partner): Promise<void> {
    const [template, method, operation] = operationOf(document, id);
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = linked.get(descriptions[id].name)?.[name];
      if (value === undefined) throw new Error(`${id}: no link gives ${name}`);
      return value;
    });
    const body = operation.requestBody?.content['application/json']?.example;
    const answer = await partner.request(method.toUpperCase(), path, { body });
    expect(operation.responses, id).toHaveProperty(String(answer.status));
    expect(answer.status, `${id}: ${answer.text}`).toBeLessThan(300);
    done.add(id);
    for (const link of Object.values(operation.responses[answer.status]?.links ?? {})) {
      const values = Object.entries(link.parameters).map(([name, expression]) => [
        name,
        valueOf(expression, linked.get(descriptions[id].name) ?? {}, answer.json),
      ]);
      linked.set(link.operationId, Object.fromEntries(values) as Record<string, string>);
    }
  }

  await requestToken();
  done.add('token');
  for (const id of ['I3', 'I2', 'I4', 'I6', 'I7', 'I5', 'I1'] as const) await run(id, insurer);
  const { claimId } = linked.get('getClaim') ?? {};
  const ExpertOrganizationId = service.credentials.expert.organizationId;
  await expectDone(
    backoffice(service, 'POST', `/claims/${claimId}/assign`, { ExpertOrganizationId }),
  );
  await expectDone(backoffice(service, 'POST', `/claims/${claimId}/accept`));
  const work = [
    'X1',
    'X2',
    'X3',
    'X4',
    'X6',
    'X7',
    'X8',
    'X9',
    'X13',
    'X12',
    'X14',
    'X13',
  ] as const;
  for (const id of [...work, 'X10', 'X11', 'X15'] as const) await run(id, expert);
  for (const id of ['I8', 'I9'] as const) await run(id, insurer);
  const { submissionId } = linked.get('getReport') ?? {};
  await expectDone(backoffice(service, 'POST', `/reports/${submissionId}/approve`));
  await expectDone(backoffice(service, 'POST', `/claims/${claimId}/finalize`));
  await run('X5', expert);
  expect([...done].sort()).toEqual([...operationIds].sort());
});

/** The example of the token request, with a client id and an assertion for its placeholders. */
async function requestToken(): Promise<void> {
  const [path, method, { requestBody }] = operationOf(document, 'token');
  const [[contentType, { example }] = ['', { example: {} }]] = Object.entries(
    requestBody?.content ?? {},
  );
  const { clientId, privateKeyPem } = service.credentials.expert;
  const url = service.baseUrl + path;
  const assertion = await signAssertion(createPrivateKey(privateKeyPem), {
    clientId,
    audience: url,
    nowMs: service.clock.now(),
  });
  const form = new URLSearchParams(example);
  form.set('client_id', clientId);
  form.set('client_assertion', assertion);
  const partner = await service.partner('expert');
  const dpop = await partner.proof('POST', url);
  const answer = await send(method.toUpperCase(), url, {
    headers: { 'content-type': contentType, dpop },
    body: form.toString(),
  });
  expect(answer.status, answer.text).toBe(200);
}

function operationOf({ paths }: Document, id: OperationId): [string, string, Operation] {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === descriptions[id].name) return [path, method, operation];
    }
  }
  throw new Error(`${id} is not in the document`);
}

/** A runtime expression of a link (OpenAPI 3.1, "Runtime Expressions"). */
function valueOf(
  expression: string,
  path: Readonly<Record<string, string>>,
  body: unknown,
): unknown {
  const [, name] = /^\$request\.path\.(\w+)$/.exec(expression) ?? [];
  if (name !== undefined) return path[name];
  const [, pointer = ''] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
  return pointer
    .split('/')
    .reduce<unknown>((at, member) => (at as Record<string, unknown>)[member], body);
}
