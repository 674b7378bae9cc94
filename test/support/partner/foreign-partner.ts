import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { allowInsecureRequests, validateJwtAccessToken } from 'oauth4webapi';
import { Provider } from 'oidc-provider';
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend';
import { z } from 'zod';

/** A partner's record of one case. */
interface ForeignCase extends Record<string, unknown> {
  readonly Id: string;
  CostEstimateAmount: number | null;
  ApprovedAmount: number | null;
  LastChangedAt: string;
}
interface ForeignSubmission extends Record<string, unknown> {
  readonly Id: string;
  Status: string;
  readonly documents: Record<string, unknown>[];
}

const id = { type: 'string' } as const;
const text = { type: 'string' } as const;
const amount = { type: 'number', nullable: true, minimum: 0, multipleOf: 0.01 };
const pathId = (name: string) => ({ name, in: 'path', required: true, schema: id });
const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const paging = [query('page', { type: 'integer' }), query('size', { type: 'integer' })];
const answer = { 200: { description: 'Success.' } };
const operation = (operationId: string, params: object[], properties?: object) => ({
  operationId,
  parameters: params,
  responses: answer,
  ...(properties && {
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  }),
});

const caseId = pathId('caseId');
const submissionId = pathId('submissionId');
const cases = '/v1/experts/cases';
const reports = '/v1/experts/reports';
const upload = { FileName: text, ContentType: text, ContentBase64: text };

/**
 * The expert's half of the public reference. openapi-backend routes and checks requests with it.
 */
const reference = {
  openapi: '3.0.3',
  info: { title: 'Public reference', version: '1' },
  paths: {
    [cases]: {
      get: operation('listCases', [
        ...paging,
        query('lastChangedSince', { type: 'string', format: 'date-time' }),
      ]),
    },
    [`${cases}/{caseId}`]: { get: operation('getCase', [caseId]) },
    [`${cases}/{caseId}/amounts`]: {
      put: operation('setAmounts', [caseId], {
        CostEstimateAmount: amount,
        ApprovedAmount: amount,
      }),
    },
    [`${cases}/{caseId}/documents`]: { get: operation('listDocuments', [caseId, ...paging]) },
    [`${cases}/{caseId}/reports:draft`]: {
      post: operation('createDraft', [caseId], { Comment: text }),
      put: operation('updateDraft', [caseId], { Comment: text }),
    },
    [`${cases}/{caseId}/reports`]: { get: operation('listReports', [caseId, ...paging]) },
    [`${cases}/{caseId}/reports/{submissionId}`]: {
      get: operation('getReport', [caseId, submissionId]),
    },
    [`${reports}/{submissionId}/documents`]: {
      get: operation('listReportDocuments', [submissionId, ...paging]),
      post: operation('upload', [submissionId], { ...upload, IsSalvageSale: { type: 'boolean' } }),
    },
    [`${reports}/{submissionId}/submit`]: { post: operation('submit', [submissionId]) },
  },
};

const pageQuery = z.object({
  page: z.coerce.number().default(1),
  size: z.coerce.number().default(50),
  lastChangedSince: z.string().optional(),
});
const paramsSchema = z.object({
  caseId: z.string().optional(),
  submissionId: z.string().optional(),
});
const uploadBody = z.object({
  FileName: z.string(),
  ContentType: z.string(),
  ContentBase64: z.string(),
  IsSalvageSale: z.boolean().default(false),
});
const amountsBody = z.object({
  CostEstimateAmount: z.number().nullable(),
  ApprovedAmount: z.number().nullable(),
});
const commentBody = z.object({ Comment: z.string().default('') }).catch({ Comment: '' });

/**
 * Starts a partner made of foreign programs: an unchanged oidc-provider issues the tokens,
 * oauth4webapi checks them with their proofs, and openapi-backend serves the public reference. Only
 * the records are from this file.
 */
export async function startForeignPartner(client: { readonly id: string; readonly key: string }) {
  const records = createRecords();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  const provider = createProvider(baseUrl, client);
  const api = new OpenAPIBackend({
    definition: reference as unknown as Document,
    // The backend's own check of formats needs another package.
    ajvOpts: { strict: false, formats: { 'date-time': true } },
    handlers: {
      ...records.handlers,
      validationFail: ({ validation }) => problem(400, 'invalid_request', validation.errors),
      notFound: () => problem(404, 'not_found'),
    },
  });
  await api.init();
  const issue = provider.callback();
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const body = String(await buffer(request));
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    );
    const as = { issuer: baseUrl, jwks_uri: `${baseUrl}/jwks` };
    const asked = new Request(new URL(url, baseUrl), { method, headers });
    const isAllowed = await validateJwtAccessToken(as, asked, baseUrl, {
      requireDPoP: true,
      // oxlint-disable-next-line typescript/no-deprecated -- deprecated as a warning: it is a local server.
      [allowInsecureRequests]: true,
    }).then(
      () => true,
      () => false,
    );
    const { status, value } = isAllowed
      ? ((await api.handleRequest({
          method,
          path: url,
          headers: { 'content-type': 'application/json' },
          ...(body !== '' && { body }),
        })) as { status: number; value: unknown })
      : problem(401, 'unauthorized');
    const type = status < 300 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, { 'content-type': type });
    response.end(status === 204 ? undefined : JSON.stringify(value));
  };
  server.on('request', (request, response) => {
    void (request.url?.startsWith('/v1/experts') ? serve : issue)(request, response);
  });
  return {
    baseUrl,
    tokenUrl: `${baseUrl}/v1/oauth/token`,
    ...records,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function createProvider(baseUrl: string, client: { readonly id: string; readonly key: string }) {
  const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const resource = {
    scope: '',
    audience: baseUrl,
    accessTokenTTL: 300,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  } as const;
  return new Provider(baseUrl, {
    clients: [
      {
        client_id: client.id,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        id_token_signed_response_alg: 'ES256',
        jwks: { keys: [createPublicKey(client.key).export({ format: 'jwk' })] },
      },
    ],
    clientAuthMethods: ['private_key_jwt'],
    jwks: { keys: [{ ...signingKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    routes: { token: '/v1/oauth/token' },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: { enabled: true, nonceSecret: randomBytes(32) },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        getResourceServerInfo: () => resource,
      },
    },
  });
}

const ok = (value: unknown, status = 200) => ({ status, value });
const problem = (status: number, title: string, errors?: unknown) => ({
  status,
  value: { type: 'about:blank', title, status, errors },
});

function createRecords() {
  const now = () => new Date().toISOString();
  const at = now();
  /** This is a sequential GUID, as a common server framework creates them. */
  const one: ForeignCase = {
    Id: 'd0b2c8b6-2c43-4a1a-63a8-08d9f9c1f0a5',
    ExternalKey: 'F-1',
    Category: 'vehicle',
    Status: 'Accepted',
    PayloadJson: '{}',
    CreatedAt: at,
    UpdatedAt: at,
    LastChangedAt: at,
    ExpertComment: null,
    CostEstimateAmount: null,
    ApprovedAmount: null,
    SavingsAmount: null,
  };
  const submissions: ForeignSubmission[] = [];
  const found = ({ request }: Context) => {
    const { caseId } = paramsSchema.parse(request.params);
    return caseId === undefined || caseId === one.Id;
  };
  const submissionOf = ({ request }: Context) => {
    const { submissionId } = paramsSchema.parse(request.params);
    return submissions.find(({ Id }) => Id === submissionId);
  };
  const pageOf = ({ request }: Context, all: readonly object[]) => {
    const { page, size } = pageQuery.parse(request.query);
    const Items = all.slice((page - 1) * size, page * size);
    return ok({ Total: all.length, Page: page, Size: size, Items });
  };
  const shown = ({ documents: _, ...submission }: ForeignSubmission) => submission;
  const openDraft = () => submissions.find(({ Status }) => Status === 'Draft');
  const changed = () => void (one.LastChangedAt = now());
  /** Returns a handler that answers 404 for an unknown case or submission. */
  const of = (handle: (context: Context) => unknown) => (context: Context) =>
    found(context) ? handle(context) : problem(404, 'not_found');
  const ofSubmission = (handle: (one: ForeignSubmission, context: Context) => unknown) =>
    of((context) => {
      const submission = submissionOf(context);
      return submission ? handle(submission, context) : problem(404, 'not_found');
    });
  const handlers = {
    listCases(context: Context) {
      const { lastChangedSince = '' } = pageQuery.parse(context.request.query);
      return pageOf(context, one.LastChangedAt >= lastChangedSince ? [one] : []);
    },
    getCase: of(() => ok(one)),
    setAmounts: of(({ request }) => {
      Object.assign(one, amountsBody.parse(request.requestBody));
      changed();
      return ok(null, 204);
    }),
    listDocuments: of((context) => pageOf(context, [])),
    createDraft: of(({ request }) => {
      if (openDraft()) return problem(409, 'invalid_state');
      const { Comment } = commentBody.parse(request.requestBody);
      const SequenceNo = submissions.length + 1;
      const times = { SubmittedAt: null, CreatedAt: now(), UpdatedAt: now() };
      const state = { Status: 'Draft', Comment, SequenceNo, RevisionNo: 1 };
      const ids = { Id: randomUUID().toUpperCase(), ClaimId: one.Id };
      const draft: ForeignSubmission = { ...ids, ...state, ...times, documents: [] };
      submissions.push(draft);
      changed();
      return ok(shown(draft), 201);
    }),
    updateDraft: of(({ request }) => {
      const draft = openDraft();
      if (!draft) return problem(404, 'not_found');
      Object.assign(draft, commentBody.parse(request.requestBody), { UpdatedAt: now() });
      return ok(shown(draft));
    }),
    listReports: of((context) => pageOf(context, submissions.map(shown))),
    getReport: ofSubmission((submission) => ok(shown(submission))),
    listReportDocuments: ofSubmission(({ documents }, context) => pageOf(context, documents)),
    upload: ofSubmission((submission, { request }) => {
      const body = uploadBody.parse(request.requestBody);
      const SizeBytes = Buffer.from(body.ContentBase64, 'base64').length;
      const ids = { Id: randomUUID(), SubmissionId: submission.Id, ClaimId: one.Id };
      const document = { ...ids, ...body, SizeBytes, Kind: 'Report', CreatedAt: now() };
      submission.documents.push(document);
      const { ContentBase64: _, ...head } = document;
      return ok(head, 201);
    }),
    submit: ofSubmission((submission) => {
      submission.Status = 'Submitted';
      Object.assign(submission, { SubmittedAt: now() });
      Object.assign(one, { Status: 'ExpertCompleted' });
      changed();
      return ok(shown(submission));
    }),
  };
  return { one, submissions, handlers };
}
