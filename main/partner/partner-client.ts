import type { Amounts } from '#shared/desk/amounts.ts';
import type { z } from 'zod';
import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import type { OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { chfOrNull } from '#shared/lib/money.ts';
import {
  caseAnswer,
  documentAnswer,
  documentContentAnswer,
  echoAnswer,
  isSameId,
  pageAnswer,
  submissionAnswer,
  submissionDocumentAnswer,
  submissionDocumentHead,
  tolerantPageAnswer,
  uploadAnswer,
  type ClientEcho,
  type ClientSubmissionDocument,
  type TolerantPage,
} from './answers.ts';
import type { Call, DeliveryOptions, RequestOptions } from './call.ts';
import { openConnection, type ConnectionOptions } from './connection.ts';
import {
  createDigester,
  scanAnswer,
  uploadBody,
  uploadBodyBytes,
  type UploadSource,
} from './document-bodies.ts';
import { createPacer, type PacedBucket } from './pacing.ts';
import { foreignAnswer, mayBeJson, mediaTypeOf, readJson, readShortBody } from './read-answer.ts';
import type { Exchanged } from './signed-request.ts';

export interface PartnerClientOptions extends ConnectionOptions {
  /** Limits that IT has set; the published ones if absent. */
  readonly limits?:
    | {
        readonly standard?: TokenBucketLimit | undefined;
        readonly documents?: TokenBucketLimit | undefined;
      }
    | undefined;
}

interface Paging {
  readonly page: number;
  readonly size: number;
}

/** Takes a content in pieces; each is reused once the call has resolved. */
type Sink = (chunk: Uint8Array) => void | Promise<void>;

export type PartnerClient = ReturnType<typeof createPartnerClient>;

/**
 * The client of one connection: every request to the partner passes through it. Nothing is sent
 * before the first call.
 *
 * Reads and PUTs are retried inside if repeating is safe (429, 5xx, connection refused or reset, at
 * most a few times with full jitter). POSTs and DELETE are sent once per call, except after a 401
 * on an expired token, a 429 or a nonce challenge, when the server certainly did not run them.
 * Every method rejects with `DeskError`; `outcome_unknown` means that the request may have been
 * carried out, everything else that it certainly was not.
 * @throws {DeskError} base_url_invalid
 */
export function createPartnerClient(options: PartnerClientOptions) {
  const { clock } = options;
  const { standard = standardBucket, documents = documentsBucket } = options.limits ?? {};
  const onPause = options.onPause ?? (() => undefined);
  const connection = openConnection(options);
  const { memory, serverClock } = connection;
  const pacers = {
    standard: createPacer('standard', standard, clock, memory, onPause),
    documents: createPacer('documents', documents, clock, memory, onPause),
  };
  const call = connection.callerOf(pacers, {
    standard: 60_000 / standard.refillPerMinute,
    documents: 60_000 / documents.refillPerMinute,
  });

  /** An operation with a JSON answer, checked by its schema. */
  const ask = <Schema extends z.ZodType>(
    operation: OperationId,
    schema: Schema,
    values: Pick<Call<unknown>, 'params' | 'query' | 'body'>,
    request: DeliveryOptions | undefined,
  ) =>
    call(
      {
        operation,
        ...values,
        read: async ({ answer, host }): Promise<z.output<Schema>> =>
          checked(operation, schema, await readJson(answer, host)),
      },
      request,
    );
  /** An operation that need not answer anything. */
  const change = (
    operation: OperationId,
    values: Pick<Call<unknown>, 'params' | 'body'>,
    request: DeliveryOptions | undefined,
  ) => call({ operation, ...values, read: readEcho }, request);

  return {
    /** X1. @param query.lastChangedSince ISO 8601; greater than or equal */
    listCases: (query: Paging & { lastChangedSince?: string }, request?: RequestOptions) =>
      ask('X1', casePage, { query: queryOf(query) }, request),
    /** X2 */
    getCase: (caseId: string, request?: RequestOptions) =>
      ask('X2', about(caseId, caseAnswer), { params: { caseId } }, request),
    /** X3 */
    putComment: (caseId: string, text: string, delivery?: DeliveryOptions) =>
      change('X3', { params: { caseId }, body: json({ Text: text }) }, delivery),
    /** X4, whole Rappen */
    putAmounts: (
      caseId: string,
      { costEstimateRappen, approvedRappen }: Amounts,
      delivery?: DeliveryOptions,
    ) => {
      const body = json({
        CostEstimateAmount: chfOrNull(costEstimateRappen),
        ApprovedAmount: chfOrNull(approvedRappen),
      });
      return change('X4', { params: { caseId }, body }, delivery);
    },
    /** X5 */
    reopen: (caseId: string, reason: string, delivery?: DeliveryOptions) =>
      change('X5', { params: { caseId }, body: json({ Reason: reason }) }, delivery),
    /** X6 */
    listDocuments: (caseId: string, page: Paging, request?: RequestOptions) =>
      ask('X6', documentPage, { params: { caseId }, query: queryOf(page) }, request),

    /**
     * X7. The content is passed to `sink` decoded, as it arrives, in bytes that are reused once it has
     * resolved. Rejects if the answer breaks off or is not what the schema promises.
     */
    fetchDocument(caseId: string, documentId: string, sink: Sink, request?: RequestOptions) {
      return call(documentCall(caseId, documentId, sink), request);
    },

    /** X8 */
    createDraft: (caseId: string, comment: string, delivery?: DeliveryOptions) => {
      const values = { params: { caseId }, body: json({ Comment: comment }) };
      return ask('X8', submissionAnswer, values, delivery);
    },
    /** X9, for the case's one open draft. */
    updateDraft: (caseId: string, comment: string, delivery?: DeliveryOptions) => {
      const values = { params: { caseId }, body: json({ Comment: comment }) };
      return ask('X9', submissionAnswer, values, delivery);
    },
    /** X10 */
    listReports: (caseId: string, page: Paging, request?: RequestOptions) =>
      ask('X10', submissionPage, { params: { caseId }, query: queryOf(page) }, request),
    /** X11 */
    getReport: (caseId: string, submissionId: string, request?: RequestOptions) =>
      ask(
        'X11',
        about(submissionId, submissionAnswer),
        { params: { caseId, submissionId } },
        request,
      ),

    /** X12. Contents are hashed, not stored; one document a page limits the memory. */
    listSubmissionDocuments: (submissionId: string, page: Paging, request?: RequestOptions) =>
      call(
        {
          operation: 'X12',
          params: { submissionId },
          query: queryOf(page),
          async read({ answer, host }): Promise<TolerantPage<ClientSubmissionDocument>> {
            const { receiver, digests } = createDigester();
            const found = await scanAnswer(answer, { host, operation: 'X12' }, receiver);
            const { items, ...envelope } = checked('X12', submissionDocumentPage, found);
            return {
              ...envelope,
              items: items.map(({ document, content }) => {
                const digest = digests[content];
                if (!digest) throw contentInvalid('X12');
                return { ...document, ...digest };
              }),
            };
          },
        },
        request,
      ),

    /**
     * X12, the document at one place of the list, with its content as for `fetchDocument`. Null
     * content: the partner gives none.
     */
    fetchSubmissionDocument(
      submissionId: string,
      place: number,
      sink: Sink,
      request?: RequestOptions,
    ) {
      const content = intoSink('X12', sink);
      const fetching: Call<{
        total: number;
        document: Omit<ClientSubmissionDocument, 'sha256'> | null;
        hasContent: boolean;
      }> = {
        operation: 'X12',
        params: { submissionId },
        query: queryOf({ page: place, size: 1 }),
        mayRepeat: content.mayRepeat,
        async read(exchanged) {
          const { found, contents } = await content.read(exchanged);
          const { items, total } = checked('X12', submissionDocumentHeads, found);
          // Two contents were written into one sink and cannot be separated any more.
          if (contents > 1 || items.length > 1) throw contentInvalid('X12');
          return { total, document: items[0] ?? null, hasContent: contents === 1 };
        },
      };
      return call(fetching, request);
    },

    /** X13 */
    uploadDocument: (submissionId: string, source: UploadSource, delivery?: DeliveryOptions) => {
      const body = () => uploadBody(source, delivery?.onProgress);
      return ask('X13', uploadAnswer, { params: { submissionId }, body }, delivery);
    },
    /** X14 */
    deleteSubmissionDocument: (submissionId: string, docId: string, delivery?: DeliveryOptions) =>
      change('X14', { params: { submissionId, docId } }, delivery),
    /** X15 */
    submit: (submissionId: string, delivery?: DeliveryOptions) =>
      ask('X15', submissionAnswer, { params: { submissionId } }, delivery),

    /** Size in bytes of the body that `uploadDocument` would send (for the 16 MB rule). */
    uploadBodyBytes,
    /** Server time now: laptop time plus the offset learned from Date headers, in ms. */
    serverNow: () => serverClock.now(),
    /** Ms of the wall clock at which that number of requests of this bucket can be sent. */
    nextSlotAt: (bucket: PacedBucket, requests?: number) => pacers[bucket].nextSlotAt(requests),
    /** How long the partner still asks this bucket to wait (429), ms; see `Pacer.pauseMs`. */
    pauseMs(bucket: PacedBucket): number | null {
      const pauses = [pacers[bucket].pauseMs(), connection.tokenPauseMs()].filter(
        (ms) => ms !== null,
      );
      return pauses.length === 0 ? null : Math.max(...pauses);
    },
    /** The limit below the published one that this bucket uses for now; see `Pacer.learn`. */
    loweredLimit: (bucket: PacedBucket) => pacers[bucket].lowered(),
    /** Requests sent and 429 answers received since the client was made. */
    counters: connection.counters,
    lastExchange: connection.lastExchange,
    close(): Promise<void> {
      connection.close();
      for (const pacer of Object.values(pacers)) pacer.close();
      return Promise.resolve();
    },
  };
}

/**
 * X7. The content is passed to `sink` decoded, as it arrives, in bytes that are reused once it has
 * resolved.
 */
export function documentCall(
  caseId: string,
  documentId: string,
  sink: Sink,
): Call<z.output<typeof documentAnswer>> {
  const content = intoSink('X7', sink);
  return {
    operation: 'X7',
    params: { caseId, documentId },
    mayRepeat: content.mayRepeat,
    async read(exchanged) {
      const { found, contents, sizeBytes } = await content.read(exchanged);
      const { document } = checked('X7', documentContentAnswer, found);
      // Two contents were written into one sink and cannot be separated any more.
      if (contents !== 1) throw contentInvalid('X7');
      return { ...document, sizeBytes };
    },
  };
}

/** Gives the contents of answers to `sink`; until it has got bytes, the request may be repeated. */
function intoSink(operation: OperationId, sink: Sink) {
  let sizeBytes = 0;
  return {
    mayRepeat: () => sizeBytes === 0,
    /** @returns the answer without its contents, and how many these were */
    async read({ answer, host }: Exchanged) {
      let contents = 0;
      const found = await scanAnswer(
        answer,
        { host, operation },
        {
          begin() {
            contents++;
          },
          data(bytes) {
            sizeBytes += bytes.length;
            return sink(bytes);
          },
          end: () => undefined,
        },
      );
      return { found, contents, sizeBytes };
    },
  };
}

const casePage = tolerantPageAnswer(caseAnswer);
const documentPage = tolerantPageAnswer(documentAnswer);
const submissionPage = tolerantPageAnswer(submissionAnswer);
const submissionDocumentPage = tolerantPageAnswer(submissionDocumentAnswer);
const submissionDocumentHeads = pageAnswer(submissionDocumentHead);

const json = (value: unknown) => () => Buffer.from(JSON.stringify(value));

function queryOf({ page, size, ...rest }: Paging & { lastChangedSince?: string }) {
  return { ...rest, page: String(page), size: String(size) };
}

/** Any 2xx will do, but a portal's page will not. Null if it contains nothing of the case. */
async function readEcho({ answer, host }: Exchanged): Promise<ClientEcho | null> {
  const text = await readShortBody(answer);
  if (!mayBeJson(answer) && mediaTypeOf(answer) !== 'text/plain') throw foreignAnswer(answer, host);
  try {
    return echoAnswer.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const contentInvalid = (operation: OperationId) =>
  new DeskError('answer_invalid', { operation, detail: 'ContentBase64' });

/** A record that was asked for by its id; an answer with another id is a mismatch. */
const about = <Found extends { readonly id: string }>(id: string, schema: z.ZodType<Found>) =>
  schema
    .refine((found) => isSameId(found.id, id), { path: ['Id'] })
    .transform((found) => ({ ...found, id }));

/** @throws {DeskError} answer_invalid, naming the place by its path and no value */
export function checked<Schema extends z.ZodType>(
  operation: OperationId,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DeskError('answer_invalid', { operation, detail: issue?.path.join('.') ?? '' });
}
