import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  documentsBucket,
  type FixedWindowLimit,
  standardBucket,
  type TokenBucketLimit,
} from '#shared/api/limits.ts';
import type { OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Answered, Call, Caller } from '../partner/requests/call.ts';
import { openConnection, type ConnectionOptions } from '../partner/connection.ts';
import { documentCall } from '../partner/requests/content-calls.ts';
import { checked } from '../partner/requests/requests.ts';
import { foreignAnswer, mayBeJson, readJson, readText } from '../partner/answers/read-answer.ts';
import type { StreamedBody } from '../partner/requests/transport.ts';
import { jsonContentType, type Answer } from '../front/answer.ts';
import type { SharedLimits } from '../front/limits/limits-in-database.ts';
import { reasonOf } from './writing/outcome.ts';
import { createPartnerBucket } from './turns/partner-bucket.ts';
import type { Kysely } from 'kysely';
import { createCallLane } from './turns/call-lane.ts';
import { Tickets } from './turns/tickets.ts';
import { type OwnKind, type Party, Turns, type TurnSignal } from './turns/turns.ts';
import type { GatewayTables } from './tables.ts';

export interface UpstreamOptions extends Pick<
  ConnectionOptions,
  'baseUrl' | 'audience' | 'clientId' | 'privateKey' | 'dpopKey' | 'log' | 'changedSinceParameter'
> {
  readonly db: Kysely<GatewayTables>;
  readonly clock: Clock;
  /** The limits that the partner has granted; if absent, the published ones. */
  readonly limits?: PartnerLimits | undefined;
  /** The database with the levels of the partner's buckets, if processes share them. */
  readonly shared: SharedLimits | undefined;
  /** Wakes the other processes, if processes share a database. */
  readonly signal?: TurnSignal | undefined;
  /** Called for each turn at a limit. A turn of the gateway itself has no client. */
  readonly onTurn: (turn: Turn) => void;
}

export interface Turn {
  readonly bucket: 'standard' | 'documents';
  readonly client: string;
  readonly waitMs: number;
}

export interface PartnerLimits {
  readonly standard: TokenBucketLimit;
  readonly documents: TokenBucketLimit;
  /** The limit of token requests; if absent, the published one. */
  readonly token?: FixedWindowLimit | undefined;
}

/** A change that is to be passed on. */
export interface Change {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
  readonly body: (() => Uint8Array | StreamedBody) | undefined;
  readonly idempotencyKey: string | undefined;
  readonly correlationId: string;
  /** Aborted if the caller disconnected. Then a request that was not sent yet is dropped. */
  readonly disconnected: AbortSignal;
  /**
   * Called when the request has its turn, also for each further attempt. The request is sent only
   * after the promise has resolved.
   */
  readonly beforeSending: () => Promise<void>;
}

export type Upstream = ReturnType<typeof openUpstream>;

/** The origin of a request: a client of the gateway, or the gateway's own reading. */
export type Asker = { readonly client: string } | 'pull' | Exclude<OwnKind, 'poll'>;

/** A client without a name is the gateway itself, which reads ahead. */
function partyOf(asker: Asker): Party {
  if (asker === 'pull') return 'poll';
  return typeof asker === 'string' || asker.client !== '' ? asker : 'ahead';
}

/**
 * The number of requests in a turn. After a client's change of a case, the case is read; after an
 * upload it is not.
 */
const requestsPerTurn = { standard: 2, documents: 1 };

/**
 * The connection of the gateway, which is a single client of the partner. Every method rejects with
 * `DeskError`, or with what failed in the gateway itself.
 */
// oxlint-disable-next-line max-lines-per-function -- one object, each of whose methods is one kind of request
export function openUpstream(options: UpstreamOptions) {
  const { clock, shared, limits: granted } = options;
  const limits = {
    standard: granted?.standard ?? standardBucket,
    documents: granted?.documents ?? documentsBucket,
  };
  const connection = openConnection({
    ...options,
    tokenLimit: granted?.token,
    random: Math.random,
    // After a restart a new token is requested, and the buckets start empty.
    memory: { load: () => null, save: () => undefined },
  });
  const refillMs = {
    standard: 60_000 / limits.standard.refillPerMinute,
    documents: 60_000 / limits.documents.refillPerMinute,
  };
  const turnsAt = (bucket: Turn['bucket']) =>
    new Turns({
      bucket: createPartnerBucket(bucket, limits[bucket], clock, shared),
      tickets: new Tickets(options.db, bucket, clock, refillMs[bucket] * requestsPerTurn[bucket]),
      refillMs: refillMs[bucket],
      clock,
      signal: options.signal,
      onTurn: (party, waitMs) => {
        const client = typeof party === 'string' ? '' : party.client;
        options.onTurn({ bucket, client, waitMs });
      },
    });
  const turns = { standard: turnsAt('standard'), documents: turnsAt('documents') };
  let lastAnswerMs: number | null = null;
  let failure: { readonly atMs: number; readonly reason: string } | null = null;

  function callerOf(asker: Asker, change?: Pick<Change, 'disconnected' | 'beforeSending'>): Caller {
    const disconnected = change?.disconnected;
    const laneAt = (bucket: Turns) =>
      createCallLane({
        first: bucket.lane(partyOf(asker)),
        further: bucket.lane('follow_up'),
        disconnected,
        beforeSending: change?.beforeSending,
      });
    return async (what, request) => {
      const lanes = { standard: laneAt(turns.standard), documents: laneAt(turns.documents) };
      const call = connection.callerOf(lanes, refillMs);
      try {
        const answered = await call(what, { priority: 'person', ...request });
        lastAnswerMs = clock.now();
        return answered;
      } catch (error) {
        const code = error instanceof DeskError ? error.code : null;
        const own = lanes.standard.ownFailure ?? lanes.documents.ownFailure;
        if (own !== undefined && code !== 'outcome_unknown') throw own;
        if (code === 'server_refused') lastAnswerMs = clock.now();
        else if (code !== 'rate_limited' && !disconnected?.aborted) {
          failure = { atMs: clock.now(), reason: reasonOf(error) };
        }
        throw error;
      } finally {
        lanes.standard.end();
        lanes.documents.end();
      }
    };
  }

  return {
    /** Reads an answer in JSON, checked by its schema. */
    async read<Schema extends z.ZodType>(
      asker: Asker,
      schema: Schema,
      what: Pick<Call<unknown>, 'operation' | 'params' | 'query'>,
    ): Promise<Answered<z.output<Schema>>> {
      const { operation } = what;
      return callerOf(asker)({
        ...what,
        read: async ({ answer, host }): Promise<z.output<Schema>> =>
          checked(operation, schema, await readJson(answer, host, operation)),
      });
    },
    /** Returns a JSON answer as a stream, with its size if the partner sends it. */
    async relay(asker: Asker, what: Pick<Call<unknown>, 'operation' | 'params' | 'query'>) {
      const { value } = await callerOf(asker)({
        ...what,
        read: ({ answer, host }) => {
          if (!mayBeJson(answer)) return Promise.reject(foreignAnswer(answer, host));
          const { 'content-length': length, 'content-encoding': encoding } = answer.headers;
          // The body is decoded, and the length of an encoded one is not its own.
          const isOwn = length !== undefined && encoding === undefined;
          return Promise.resolve({
            sizeBytes: isOwn ? Number(length) : undefined,
            body: answer.body,
          });
        },
      });
      return value;
    },
    /** Fetches a document (X7); see `documentCall`. */
    fetchDocument: (
      asker: Asker,
      caseId: string,
      documentId: string,
      sink: (bytes: Uint8Array) => Promise<void>,
    ) => callerOf(asker)(documentCall(caseId, documentId, sink)),
    /** Passes a change on. */
    async pass(client: string, change: Change): Promise<{ answer: Answer; replayed: boolean }> {
      const { operation, params, body, idempotencyKey, correlationId } = change;
      const what: Call<{ answer: Answer; replayed: boolean }> = {
        operation,
        params,
        ...(body && { body }),
        async read({ answer, host }) {
          const text = await readText(answer, host);
          if (text !== '' && !mayBeJson(answer)) throw foreignAnswer(answer, host);
          return {
            answer: {
              status: answer.status,
              contentType: text === '' ? '' : jsonContentType,
              body: Buffer.from(text),
            },
            replayed: answer.headers['idempotency-replayed'] === 'true',
          };
        },
      };
      const { value } = await callerOf({ client }, change)(what, {
        correlationId,
        ...(idempotencyKey !== undefined && {
          idempotencyKey: derivedKey(client, idempotencyKey),
        }),
      });
      return value;
    },
    serverNow: () => connection.serverClock.now(),
    counters: connection.counters,
    turns,
    /**
     * The result is true if the latest request of this process was answered; otherwise it is when
     * and why the request failed. It is null before the first request.
     */
    reachable: (): true | { readonly atMs: number; readonly reason: string } | null => {
      if (failure && failure.atMs > (lastAnswerMs ?? -Infinity)) return failure;
      return lastAnswerMs === null ? null : true;
    },
    close: () => connection.close(),
  };
}

/**
 * A key for the partner. Keys of two clients never collide, and a repeated act always has the same
 * key.
 */
function derivedKey(client: string, key: string): string {
  return createHash('sha256').update(`${client}\n${key}`).digest('hex');
}
