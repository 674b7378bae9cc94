import type { KeyObject } from 'node:crypto';
import type { z } from 'zod';
import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { chfFromRappen } from '#shared/lib/money.ts';
import {
  caseAnswer,
  documentAnswer,
  documentContentAnswer,
  pageAnswer,
  submissionAnswer,
  submissionDocumentAnswer,
  uploadAnswer,
} from './answers.ts';
import { createCaller, operationUrl, type Call } from './call.ts';
import type { ClientMemory } from './client-memory.ts';
import { createServerClock } from './clock-offset.ts';
import { createDigester, scanAnswer } from './download.ts';
import { createExchanger, type ClientLogEntry, type Exchanged } from './exchange.ts';
import { discardBody, foreignAnswer, mayBeJson, mediaTypeOf, readJson } from './json-answer.ts';
import { openMemory } from './memory-state.ts';
import { createPacer } from './pacing.ts';
import type { PartnerClient } from './partner-client.ts';
import { createProofSigner } from './proof.ts';
import { createTransport, type ProxySetting, type TransportFactory } from './request.ts';
import { createTokenSource } from './token.ts';
import { uploadBody, uploadBodyBytes } from './upload.ts';

export interface PartnerClientOptions {
  /** Service base address, http or https, with or without a path of its own. */
  readonly baseUrl: string;
  /** Address of the token endpoint, as the assertion's aud names it. */
  readonly audience: string;
  readonly clientId: string;
  /** RSA, signs the client assertions. */
  readonly privateKey: KeyObject;
  /** P-256, signs the proofs. */
  readonly dpopKey: KeyObject;
  readonly scope?: string | undefined;
  /** RFC 9449's form of htu instead of the partner API's. */
  readonly htuWithoutQuery?: boolean | undefined;
  /** Path templates that IT has set, by operation id. */
  readonly paths?: Readonly<Partial<Record<OperationId, string>>> | undefined;
  /** Limits that IT has set; the published ones where absent. */
  readonly limits?:
    | {
        readonly standard?: TokenBucketLimit | undefined;
        readonly documents?: TokenBucketLimit | undefined;
      }
    | undefined;
  /** Certificate authorities that IT has added, PEM. */
  readonly certificateAuthorities?: readonly string[] | undefined;
  /** A proxy that IT has set. */
  readonly proxy?: ProxySetting | undefined;
  /** The shell's network stack; Node's own where IT has set a proxy or authorities. */
  readonly createTransport?: TransportFactory | undefined;
  readonly clock: Clock;
  /** From 0 (inclusive) to 1, for the jitter of retries. */
  readonly random: () => number;
  readonly memory: ClientMemory;
  readonly log?: ((entry: ClientLogEntry) => void) | undefined;
  /** `PartnerClient.pauseMs` has changed. */
  readonly onPause?: (() => void) | undefined;
}

const json = (value: unknown) => () => Buffer.from(JSON.stringify(value));

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new DeskError('base_url_invalid', { field: 'baseUrl', rule: 'url' });
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new DeskError('base_url_invalid', { field: 'baseUrl', rule: 'scheme' });
  }
  if (url.username !== '' || url.password !== '') {
    throw new DeskError('base_url_invalid', { field: 'baseUrl', rule: 'no-credentials' });
  }
  return url;
}

/**
 * The client of one connection. Nothing is sent before the first call.
 * @throws {DeskError} base_url_invalid
 */
export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
  const { clock, random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const paths = options.paths ?? {};
  const limits = {
    standard: options.limits?.standard ?? standardBucket,
    documents: options.limits?.documents ?? documentsBucket,
  };
  const closing = new AbortController();
  const memory = openMemory(options.memory);
  const serverClock = createServerClock(clock, memory.state.offsetMs);
  const proofs = createProofSigner({
    key: options.dpopKey,
    htuWithoutQuery: options.htuWithoutQuery ?? false,
    serverNow: () => serverClock.now(),
  });
  const { certificateAuthorities, proxy } = options;
  // A shell's stack follows the system's settings; what IT has set for the desk alone only ours does.
  const isSet = proxy !== undefined || (certificateAuthorities ?? []).length > 0;
  const transport =
    options.createTransport && !isSet
      ? options.createTransport({ clock })
      : createTransport({ clock, certificateAuthorities, proxy });
  const exchanger = createExchanger({
    transport,
    proofs,
    serverClock,
    clock,
    memory,
    log: options.log ?? (() => undefined),
  });
  const tokens = createTokenSource({
    url: operationUrl(baseUrl, paths.token ?? routes.token.path),
    audience: options.audience,
    clientId: options.clientId,
    scope: options.scope,
    privateKey: options.privateKey,
    proofs,
    serverClock,
    clock,
    random,
    memory,
    exchanger,
    closing: closing.signal,
  });
  const onPause = options.onPause ?? (() => undefined);
  const pacers = {
    standard: createPacer('standard', limits.standard, clock, memory, onPause),
    documents: createPacer('documents', limits.documents, clock, memory, onPause),
  };
  const call = createCaller({
    baseUrl,
    paths,
    tokens,
    exchanger,
    pacers,
    serverClock,
    clock,
    random,
    refillMs: {
      standard: 60_000 / limits.standard.refillPerMinute,
      documents: 60_000 / limits.documents.refillPerMinute,
    },
    closing: closing.signal,
  });

  /** A JSON answer, checked by its schema. */
  const reading =
    <Schema extends z.ZodType>(operation: OperationId, schema: Schema) =>
    async ({ answer, host }: Exchanged): Promise<z.output<Schema>> =>
      checked(operation, schema, await readJson(answer, host));

  const casePage = pageAnswer(caseAnswer);
  const documentPage = pageAnswer(documentAnswer);
  const submissionPage = pageAnswer(submissionAnswer);
  const submissionDocumentPage = pageAnswer(submissionDocumentAnswer);
  const paging = (page: { page: number; size: number }) => ({
    page: String(page.page),
    size: String(page.size),
  });

  return {
    listCases: (query, request) =>
      call(
        {
          operation: 'X1',
          query: {
            ...(query.lastChangedSince !== undefined && {
              lastChangedSince: query.lastChangedSince,
            }),
            ...paging(query),
          },
          read: reading('X1', casePage),
        },
        request,
      ),
    getCase: (caseId, request) =>
      call({ operation: 'X2', params: { caseId }, read: reading('X2', caseAnswer) }, request),
    putComment: (caseId, text, delivery) =>
      call(
        { operation: 'X3', params: { caseId }, body: json({ Text: text }), read: nothing },
        delivery,
      ),
    putAmounts: (caseId, { costEstimateRappen, approvedRappen }, delivery) =>
      call(
        {
          operation: 'X4',
          params: { caseId },
          body: json({
            CostEstimateAmount: chfOrNull(costEstimateRappen),
            ApprovedAmount: chfOrNull(approvedRappen),
          }),
          read: nothing,
        },
        delivery,
      ),
    reopen: (caseId, reason, delivery) =>
      call(
        { operation: 'X5', params: { caseId }, body: json({ Reason: reason }), read: nothing },
        delivery,
      ),
    listDocuments: (caseId, page, request) =>
      call(
        {
          operation: 'X6',
          params: { caseId },
          query: paging(page),
          read: reading('X6', documentPage),
        },
        request,
      ),

    fetchDocument(caseId, documentId, sink, request) {
      let given = 0;
      const fetching: Call<z.output<typeof documentAnswer>> = {
        operation: 'X7',
        params: { caseId, documentId },
        mayRepeat: () => given === 0,
        async read({ answer, host }) {
          let contents = 0;
          const found = await scanAnswer(
            answer,
            { host, operation: 'X7' },
            {
              begin() {
                contents++;
              },
              data(bytes) {
                given += bytes.length;
                return sink(bytes);
              },
              end: () => undefined,
            },
          );
          const { document } = checked('X7', documentContentAnswer, found);
          // Two contents went into one sink: nobody can tell them apart any more.
          if (contents !== 1) {
            throw new DeskError('answer_invalid', { operation: 'X7', detail: 'ContentBase64' });
          }
          return { ...document, sizeBytes: given };
        },
      };
      return call(fetching, request);
    },

    createDraft: (caseId, comment, delivery) =>
      call(
        {
          operation: 'X8',
          params: { caseId },
          body: json({ Comment: comment }),
          read: reading('X8', submissionAnswer),
        },
        delivery,
      ),
    updateDraft: (caseId, comment, delivery) =>
      call(
        {
          operation: 'X9',
          params: { caseId },
          body: json({ Comment: comment }),
          read: reading('X9', submissionAnswer),
        },
        delivery,
      ),
    listReports: (caseId, page, request) =>
      call(
        {
          operation: 'X10',
          params: { caseId },
          query: paging(page),
          read: reading('X10', submissionPage),
        },
        request,
      ),
    getReport: (caseId, submissionId, request) =>
      call(
        {
          operation: 'X11',
          params: { caseId, submissionId },
          read: reading('X11', submissionAnswer),
        },
        request,
      ),

    listSubmissionDocuments: (submissionId, page, request) =>
      call(
        {
          operation: 'X12',
          params: { submissionId },
          query: paging(page),
          async read({ answer, host }) {
            const { receiver, digests } = createDigester();
            const found = await scanAnswer(answer, { host, operation: 'X12' }, receiver);
            const { items, ...envelope } = checked('X12', submissionDocumentPage, found);
            return {
              ...envelope,
              items: items.map(({ document, content }) => {
                const digest = digests[content];
                if (digest) return { ...document, ...digest };
                throw new DeskError('answer_invalid', {
                  operation: 'X12',
                  detail: 'ContentBase64',
                });
              }),
            };
          },
        },
        request,
      ),

    uploadDocument: (submissionId, source, delivery) =>
      call(
        {
          operation: 'X13',
          params: { submissionId },
          body: () => uploadBody(source, delivery?.onProgress),
          read: reading('X13', uploadAnswer),
        },
        delivery,
      ),
    deleteSubmissionDocument: (submissionId, docId, delivery) =>
      call({ operation: 'X14', params: { submissionId, docId }, read: nothing }, delivery),
    submit: (submissionId, delivery) =>
      call(
        { operation: 'X15', params: { submissionId }, read: reading('X15', submissionAnswer) },
        delivery,
      ),

    uploadBodyBytes,
    serverNow: () => serverClock.now(),
    pauseMs: (bucket) => pacers[bucket].pauseMs(),
    nextSlotAt: (bucket, requests) => pacers[bucket].nextSlotAt(requests),
    counters: exchanger.counters,
    close() {
      closing.abort(new Error('the client is closed'));
      for (const pacer of Object.values(pacers)) pacer.close();
      transport.close();
      return Promise.resolve();
    },
  };
}

const chfOrNull = (rappen: number | null) => (rappen === null ? null : chfFromRappen(rappen));

/** Operations that answer nothing: any 2xx will do, but a portal's page will not. */
async function nothing({ answer, host }: Exchanged): Promise<null> {
  await discardBody(answer);
  if (!mayBeJson(answer) && mediaTypeOf(answer) !== 'text/plain') throw foreignAnswer(answer, host);
  return null;
}

/** @throws {DeskError} answer_invalid, naming the place by its path and no value */
function checked<Schema extends z.ZodType>(
  operation: OperationId,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DeskError('answer_invalid', { operation, detail: issue?.path.join('.') ?? '' });
}
