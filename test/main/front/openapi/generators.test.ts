import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operationIds, routes } from '#shared/api/routes.ts';
import { descriptions } from '#main/front/openapi/operations.ts';
import { clientAssertionType } from '#shared/api/token.ts';
import { root } from '../../../support/processes.ts';
import { backoffice, expectDone } from '../../service/support/claims.ts';
import { send, sha256 } from '../../service/support/partner.ts';
import { shareService } from '../../service/support/service.ts';

/* A client that a generator of others makes of the document alone: it compiles, and calls everything. */

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

function routeOf(name: string) {
  const id = routesOf.get(name);
  if (!id) throw new Error(`${name} is no operation`);
  return routes[id];
}
const routesOf = new Map(operationIds.map((id) => [descriptions[id].name, id]));

/** Calls what was generated, by its operations' names. */
const callOf =
  (client: Record<string, unknown>): Call =>
  async (name, { path = [], query, body } = {}) => {
    const names = [...routeOf(name).path.matchAll(/\{(\w+)\}/g)];
    const answer = await (client[name] as Method)({
      path: Object.fromEntries(names.map(([, parameter = ''], at) => [parameter, path[at]])),
      query,
      body,
      fetch: sign,
      baseUrl: service.baseUrl,
    });
    const { response, data, error } = answer as {
      response: Response;
      data?: unknown;
      error?: unknown;
    };
    return { status: response.status, data: data ?? error };
  };

test('OpenAPI: the client that @hey-api/openapi-ts generates compiles, and calls every operation', async () => {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/generated-client-'));
  try {
    const { text } = await send('GET', `${service.baseUrl}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), text);
    const args = ['-i', 'openapi.json', '-o', 'client'];
    const run = spawnSync(join(root, 'node_modules/.bin/openapi-ts'), args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/node/bin')}:${process.env['PATH'] ?? ''}`,
      },
    });
    expect(run.status, run.stderr + run.stdout).toBe(0);
    const entry = join(folder, 'client/index.ts');
    expect(messagesOf(entry)).toEqual([]);
    const client = (await import(/* @vite-ignore */ entry)) as Record<string, unknown>;
    const called = new Set<string>();
    const call = callOf(client);
    await work(async (name, input) => {
      called.add(name);
      return call(name, input);
    });
    expect([...called].sort()).toEqual([...routesOf.keys()].sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

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
