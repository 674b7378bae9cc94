import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import { caseOperations } from './case-operations.ts';
import { openConnection, type ConnectionOptions } from './connection.ts';
import { uploadBodyBytes } from './document-bodies.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createPacer, type PacedBucket } from './pacing.ts';
import { reportOperations } from './report-operations.ts';
import { requestsOver } from './requests.ts';

export interface PartnerClientOptions extends ConnectionOptions {
  /** Limits that IT has set; the published ones if absent. */
  readonly limits?:
    | {
        readonly standard?: TokenBucketLimit | undefined;
        readonly documents?: TokenBucketLimit | undefined;
      }
    | undefined;
}

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
  const requests = requestsOver(call);

  return {
    ...caseOperations(requests),
    ...reportOperations(requests),
    ...gatewayOperations(requests),
    /** What this partner calls lastChangedSince. */
    changedSinceParameter: options.changedSinceParameter ?? 'lastChangedSince',
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
