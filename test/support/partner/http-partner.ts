import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { operationIds, routes, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { chfFromRappen, rappenFromChf } from '#shared/lib/money.ts';
import type { Answered } from '#main/partner/requests/call.ts';
import type { PartnerClient } from '#main/partner/partner-client.ts';
import type { SkippingClock } from '../skipping-clock.ts';
import { applyEffects, deliveryRefusal } from './delivery-behaviours.ts';
import type { FakePartner } from './fake-partner.ts';
import { grant, loginPage, problem, reset, startHostileServer } from './hostile-server.ts';
import { misbehave, type Misbehaviour, type WireAnswer } from './misbehaviours.ts';

export interface HttpPartner {
  readonly baseUrl: string;
  /** The active misbehaviours. They affect every `every`th request, up to `times` requests. */
  misbehaviours: readonly Misbehaviour[];
  every: number;
  times: number;
  stop(): Promise<void>;
}

interface Asked {
  readonly params: Record<string, string>;
  readonly query: z.output<typeof querySchema>;
  readonly body: z.output<typeof bodySchema>;
  readonly key: { idempotencyKey?: string };
}

const querySchema = z.object({
  page: z.coerce.number().default(1),
  size: z.coerce.number().default(50),
  lastChangedSince: z.string().optional(),
});
const bodySchema = z.object({
  Text: z.string().default(''),
  Reason: z.string().default(''),
  Comment: z.string().default(''),
  CostEstimateAmount: z.number().nullish(),
  ApprovedAmount: z.number().nullish(),
  FileName: z.string().default(''),
  ContentType: z.string().default(''),
  IsSalvageSale: z.boolean().default(false),
  ContentBase64: z.string().default(''),
});

/** Serves the fake partner over real HTTP, with a rule for each misbehaviour. */
export async function startHttpPartner(
  partner: FakePartner,
  clock: SkippingClock,
): Promise<HttpPartner> {
  const server = await startHostileServer();
  const client = partner.createClient();
  let requests = 0;
  server.now = () => clock.now();
  server.token = (...args) => {
    const isBad = http.misbehaviours.includes('token that is no header');
    return grant(isBad ? { access_token: 'a\r\nb: c' } : {})(...args);
  };
  server.always = async (response, request, incoming) => {
    // The desk has given up.
    if (response.closed) return;
    const end = clock.begin();
    response.once('close', end);
    requests += 1;
    const isBad = requests % http.every === 0 && http.times > 0;
    if (isBad) http.times -= 1;
    const active = isBad ? http.misbehaviours : [];
    const url = new URL(request.url, server.baseUrl);
    const { operation, params } = operationOf(request.method, url.pathname);
    const done = { partner, operation, params };
    const refused = misbehave.before(active, operation, clock) ?? deliveryRefusal(active, done);
    if (refused) return refused(response, request, incoming);
    partner.listBehaviours = misbehave.inList(active);
    partner.ignoresKeys = http.misbehaviours.includes('keys ignored');
    const key = request.headers['idempotency-key'];
    let answer: WireAnswer;
    try {
      const { value } = await execute(operation, client, {
        params,
        query: querySchema.parse(Object.fromEntries(url.searchParams)),
        body: bodySchema.parse(request.body.length > 0 ? JSON.parse(String(request.body)) : {}),
        key: typeof key === 'string' ? { idempotencyKey: key } : {},
      });
      applyEffects(active, done);
      answer = { headers: {}, body: wireOf(value, partner), sent: 'whole' };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      const { problem: refused } = error;
      if (error.code === 'captive_portal') {
        loginPage(response);
        return;
      }
      if (refused.code !== 'server_refused') return reset(response, request, incoming);
      const { status, title } = refused.params;
      return problem(Number(status), title)(response, request, incoming);
    }
    misbehave.after(active, operation, answer, clock);
    if (answer.sent === 'lost') return reset(response, request, incoming);
    // An answer that never ends does not count as work in progress.
    if (answer.sent === 'dripping') end();
    send(response, answer, routes[operation].success);
  };
  const http: HttpPartner = {
    baseUrl: server.baseUrl,
    misbehaviours: [],
    every: 1,
    times: 0,
    stop: () => server.stop(),
  };
  return http;
}

function send(response: ServerResponse, answer: WireAnswer, status: number): void {
  if (answer.body === null) {
    response.writeHead(204, answer.headers).end();
    return;
  }
  const plain = Buffer.from(JSON.stringify(answer.body));
  const bytes = answer.headers['content-encoding'] === 'gzip' ? gzipSync(plain) : plain;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...answer.headers,
  });
  if (answer.sent === 'whole') {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (answer.sent === 'cut') response.destroy();
  });
}

const templates = operationIds.map((operation) => {
  const { method, path } = routes[operation];
  const pattern = path.replace(/\{(\w+)\}/g, '(?<$1>[^/:]+)');
  return { operation, method, pattern: new RegExp(`^${pattern}$`) };
});

function operationOf(method: string, path: string) {
  for (const template of templates) {
    const match = template.method === method ? template.pattern.exec(path) : null;
    if (match) return { operation: template.operation, params: { ...match.groups } };
  }
  throw new Error(`no operation: ${method} ${path}`);
}

const rappenOf = (chf: number | null | undefined) =>
  chf === null || chf === undefined ? null : rappenFromChf(chf);

/** Executes the request in memory. */
function execute(
  operation: OperationId,
  client: PartnerClient,
  { params, query, body, key }: Asked,
): Promise<Answered<unknown>> {
  const { caseId = '', documentId = '', submissionId = '', docId = '' } = params;
  const { lastChangedSince, ...paging } = query;
  const amounts = {
    costEstimateRappen: rappenOf(body.CostEstimateAmount),
    approvedRappen: rappenOf(body.ApprovedAmount),
  };
  const content = Buffer.from(body.ContentBase64, 'base64');
  const upload = {
    fileName: body.FileName,
    contentType: body.ContentType,
    isSalvageSale: body.IsSalvageSale,
    sizeBytes: content.length,
    open: () => Readable.from([content]),
  };
  const calls: Partial<Record<OperationId, () => Promise<Answered<unknown>>>> = {
    X1: () =>
      client.listCases(lastChangedSince === undefined ? paging : { ...paging, lastChangedSince }),
    X2: () => client.getCase(caseId),
    X3: () => client.putComment(caseId, body.Text),
    X4: () => client.putAmounts(caseId, amounts),
    X5: () => client.reopen(caseId, body.Reason, key),
    X6: () => client.listDocuments(caseId, paging),
    X7: () => client.fetchDocument(caseId, documentId, () => undefined),
    X8: () => client.createDraft(caseId, body.Comment, key),
    X9: () => client.updateDraft(caseId, body.Comment),
    X10: () => client.listReports(caseId, paging),
    X11: () => client.getReport(caseId, submissionId),
    X12: () => client.listSubmissionDocuments(submissionId, paging),
    X13: () => client.uploadDocument(submissionId, upload, key),
    X14: () => client.deleteSubmissionDocument(submissionId, docId),
    X15: () => client.submit(submissionId, key),
  };
  const call = calls[operation];
  if (!call) throw new Error(`not an operation of experts: ${operation}`);
  return call();
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a record of the engine in the form of the partner API. */
function wireOf(value: unknown, partner: FakePartner): WireAnswer['body'] {
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'sha256' || name === 'unreadable' || name === 'documents') return [];
    if (name === 'caseId') return [['ClaimId', member]];
    if (name.endsWith('Rappen')) {
      const chf = typeof member === 'number' ? chfFromRappen(member) : null;
      return [[name === 'approvedRappen' ? 'ApprovedAmount' : 'CostEstimateAmount', chf]];
    }
    const wire = Array.isArray(member)
      ? member.map((item) => wireOf(item, partner))
      : (wireOf(member, partner) ?? member);
    return [[name.charAt(0).toUpperCase() + name.slice(1), wire]];
  });
  const content = typeof value['id'] === 'string' ? partner.contents.get(value['id']) : undefined;
  return {
    ...Object.fromEntries(entries),
    ...(content && { ContentBase64: content.toString('base64') }),
  };
}
