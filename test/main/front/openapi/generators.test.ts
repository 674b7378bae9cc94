import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operationIds, routes } from '#shared/api/routes.ts';
import { descriptions } from '#main/front/openapi/operations.ts';
import { clientAssertionType } from '#shared/api/token.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { root } from '../../../support/processes.ts';
import { backoffice, expectDone } from '../../service/support/claims.ts';
import { send, sha256 } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

/* Clients that generators of others make of the document alone: they compile, and call everything. */

const { service } = await shareService();
const insurer = await service.partner('insurer');
const expert = await service.partner('expert');

interface Input {
  readonly path?: readonly string[];
  readonly query?: object;
  readonly body?: object;
}
/** Calls an operation by its name; resolves with the status and the body of the answer. */
type Call = (name: string, input?: Input) => Promise<{ status: number; data: unknown }>;
type Method = (...args: unknown[]) => Promise<unknown>;

interface Generator {
  readonly name: string;
  readonly args: readonly string[];
  /** The file to import, beneath the folder that is generated. */
  readonly entry: string;
  /** What a user of the generator writes in addition. */
  readonly source?: string;
  /** @param sign a fetch that sets the two headers of the sign-in */
  call(client: Record<string, unknown>, sign: typeof fetch): Call;
}

/** The parameters of the paths, in their order, and what else a call takes. */
function pathNames(name: string): string[] {
  return [...routeOf(name).path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
}
function routeOf(name: string) {
  const id = routesOf.get(name);
  if (!id) throw new Error(`${name} is no operation`);
  return routes[id];
}
const hasQueryOf = (name: string) => name.startsWith('list');
const hasBodyOf = (name: string) => {
  const { method } = routeOf(name);
  return (method === 'POST' || method === 'PUT') && name !== 'submitReport';
};

const answered = z.object({ status: z.number(), data: z.unknown() });
const routesOf = new Map(operationIds.map((id) => [descriptions[id].name, id]));
/** Only these two need no token, and so have no header DPoP that a caller must name. */
const hasProof = (name: string) => name !== 'validateClaim';

const heyApi: Generator = {
  name: '@hey-api/openapi-ts',
  args: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
  entry: 'client/index.ts',
  call:
    (client, sign) =>
    async (name, { path = [], query, body } = {}) => {
      const names = pathNames(name);
      const answer = await (client[name] as Method)({
        path: Object.fromEntries(names.map((parameter, at) => [parameter, path[at]])),
        ...{ query, body, headers: { DPoP: '' }, fetch: sign, baseUrl: service.baseUrl },
      });
      const { response, data, error } = answer as {
        response: Response;
        data?: unknown;
        error?: unknown;
      };
      return { status: response.status, data: data ?? error };
    },
};

const swaggerTypescript: Generator = {
  name: 'swagger-typescript-api',
  args: [
    'swagger-typescript-api',
    'generate',
    '-p',
    'openapi.json',
    '-o',
    'client',
    '-n',
    'api.ts',
  ],
  entry: 'client/api.ts',
  call(client, sign) {
    const Api = client['Api'] as new (options: object) => { v1: Record<string, Method> };
    const api = new Api({ baseUrl: service.baseUrl, customFetch: sign });
    return async (name, { path = [], query, body } = {}) => {
      const hasQuery = hasQueryOf(name);
      const hasBody = hasBodyOf(name);
      // It takes what follows a colon in a path for a parameter.
      const suffix = /:\w+$/.exec(routeOf(name).path) ?? [];
      const args = [
        ...path,
        ...suffix,
        ...(hasQuery ? [query ?? {}] : []),
        ...(hasBody ? [body ?? {}] : []),
      ];
      const headers = hasProof(name) ? { DPoP: '' } : {};
      const method = api.v1[name];
      if (!method) throw new Error(`${name} is not generated`);
      const answer = (await method(...args, { headers }).catch(
        (refused: unknown) => refused,
      )) as Response & { data?: unknown; error?: unknown };
      return { status: answer.status, data: answer.data ?? answer.error };
    };
  },
};

const oazapfts: Generator = {
  name: 'oazapfts',
  args: ['oazapfts', 'openapi.json', 'client.ts'],
  entry: 'client.ts',
  call:
    (client, sign) =>
    async (name, { path = [], query, body } = {}) => {
      const args = [
        ...path,
        ...(hasProof(name) ? [''] : []),
        ...(hasBodyOf(name) ? [body ?? {}] : []),
      ];
      const options = { baseUrl: service.baseUrl, fetch: sign };
      return answered.parse(await (client[name] as Method)(...args, query ?? {}, options));
    },
};

const openapiFetch: Generator = {
  name: 'openapi-typescript with openapi-fetch',
  args: ['openapi-typescript', 'openapi.json', '-o', 'schema.ts'],
  entry: 'client.ts',
  source: `
    import createClient from 'openapi-fetch';
    import type { paths } from './schema.ts';
    export const create = (baseUrl: string, fetch: (request: Request) => Promise<Response>) =>
      createClient<paths>({ baseUrl, fetch });
    const typed = create('http://127.0.0.1', (request) => fetch(request));
    // The types are those of the document.
    export const example = async (id: string) => {
      const { data } = await typed.GET('/v1/experts/cases/{caseId}', {
        params: { path: { caseId: id }, header: { DPoP: '' } },
      });
      return data?.LastChangedAt satisfies string | undefined;
    };
  `,
  call(client, sign) {
    const create = client['create'] as (
      baseUrl: string,
      fetch: typeof sign,
    ) => Record<string, Method>;
    const api = create(service.baseUrl, sign);
    return async (name, { path = [], query, body } = {}) => {
      const { method, path: template } = routeOf(name);
      const names = pathNames(name);
      const params = {
        path: Object.fromEntries(names.map((parameter, at) => [parameter, path[at]])),
        ...{ query, header: { DPoP: '' } },
      };
      // It writes JSON unless it is told otherwise.
      const isForm = name === 'getToken';
      const headers = isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {};
      const answer = (await api[method]?.(template, { params, body, headers })) as {
        response: Response;
        data?: unknown;
        error?: unknown;
      };
      return { status: answer.response.status, data: answer.data ?? answer.error };
    };
  },
};

test.each(smokeOrLong([heyApi], [heyApi, swaggerTypescript, oazapfts, openapiFetch]))(
  'OpenAPI: the client that $name generates compiles, and calls every operation',
  async (generator) => {
    mkdirSync(join(root, 'dist'), { recursive: true });
    const folder = mkdtempSync(join(root, 'dist/generated-client-'));
    try {
      const { text } = await send('GET', `${service.baseUrl}/openapi.json`);
      writeFileSync(join(folder, 'openapi.json'), text);
      if (generator.source !== undefined)
        writeFileSync(join(folder, generator.entry), generator.source);
      const [bin = '', ...args] = generator.args;
      const run = spawnSync(join(root, 'node_modules/.bin', bin), args, {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          PATH: `${join(root, 'node_modules/node/bin')}:${process.env['PATH'] ?? ''}`,
        },
      });
      expect(run.status, run.stderr + run.stdout).toBe(0);
      const entry = join(folder, generator.entry);
      expect(messagesOf(entry)).toEqual([]);
      const client = (await import(/* @vite-ignore */ entry)) as Record<string, unknown>;
      const called = new Set<string>();
      const call = generator.call(client, sign);
      await work(async (name, input) => {
        called.add(name);
        return call(name, input);
      });
      expect([...called].sort()).toEqual([...routesOf.keys()].sort());
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  smokeOrLong(120_000, 300_000),
);

/** What the compiler finds in a generated file, as a caller's project would compile it. */
function messagesOf(entry: string): string[] {
  const program = ts.createProgram([entry], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** A fetch that signs in, as docs/integrate.md shows it: no generator knows the scheme DPoP. */
const sign: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const headers = new Headers(request.headers);
  const { method, url } = request;
  const partner = url.includes('/v1/experts') ? expert : insurer;
  const isToken = url.endsWith('/v1/oauth/token');
  const token = isToken ? '' : await partner.token();
  const more = isToken ? {} : { ath: sha256(token) };
  headers.set('dpop', await partner.proof(method, url, more));
  if (!isToken) headers.set('authorization', `DPoP ${token}`);
  const body = ['GET', 'DELETE'].includes(method) ? null : await request.text();
  return fetch(url, { method, headers, ...(body ? { body } : {}) });
};

const idSchema = z.looseObject({ Id: z.string() });
const upload = { FileName: 'a.txt', ContentType: 'text/plain', ContentBase64: 'YQ==' };

/** An insurer's and an expert's work, with every operation once at least. */
async function work(call: Call): Promise<void> {
  const done = async (name: string, input?: Input): Promise<unknown> => {
    const { status, data } = await call(name, input);
    expect(status, `${name}: ${JSON.stringify(data)}`).toBe(routeOf(name).success);
    return data;
  };
  const idOf = async (name: string, input?: Input) => idSchema.parse(await done(name, input)).Id;
  const form = { grant_type: 'client_credentials', client_id: 'nobody' };
  const assertion = { client_assertion_type: clientAssertionType, client_assertion: 'no' };
  expect((await call('getToken', { body: { ...form, ...assertion } })).status).toBe(401);

  const claim = { ...descriptions.I2.example };
  await done('validateClaim', { body: claim });
  const claimId = await idOf('createClaim', { body: claim });
  const path = [claimId];
  const documentId = await idOf('uploadClaimDocument', { path, body: upload });
  await done('listClaims', { query: { size: 5 } });
  await done('getClaim', { path });
  await done('listClaimDocuments', { path });
  await done('getClaimDocument', { path: [claimId, documentId] });
  const ExpertOrganizationId = service.credentials.expert.organizationId;
  await expectDone(
    backoffice(service, 'POST', `/claims/${claimId}/assign`, { ExpertOrganizationId }),
  );
  await expectDone(backoffice(service, 'POST', `/claims/${claimId}/accept`));

  await done('listCases', { query: { size: 5 } });
  await done('getCase', { path });
  await done('setExpertComment', { path, body: { Text: 'Seen.' } });
  await done('setAmounts', { path, body: { CostEstimateAmount: 1.5, ApprovedAmount: null } });
  await done('listCaseDocuments', { path });
  await done('getCaseDocument', { path: [claimId, documentId] });
  const submissionId = await idOf('createReportDraft', { path, body: { Comment: '' } });
  await done('updateReportDraft', { path, body: { Comment: 'Changed.' } });
  const docId = await idOf('uploadReportDocument', { path: [submissionId], body: upload });
  await done('deleteReportDocument', { path: [submissionId, docId] });
  await done('uploadReportDocument', { path: [submissionId], body: upload });
  await done('listReportDocuments', { path: [submissionId] });
  await done('listCaseReports', { path });
  await done('getReport', { path: [claimId, submissionId] });
  await done('submitReport', { path: [submissionId] });
  await done('listClaimReports', { path });
  await done('listClaimReportDocuments', { path: [claimId, submissionId] });
  await expectDone(backoffice(service, 'POST', `/reports/${submissionId}/approve`));
  await expectDone(backoffice(service, 'POST', `/claims/${claimId}/finalize`));
  await done('reopenCase', { path, body: { Reason: 'A supplement.' } });
}
