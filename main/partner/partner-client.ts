import { documentsBucket, standardBucket, type TokenBucketLimit } from '#shared/api/limits.ts';
import { caseOperations } from './operations/case-operations.ts';
import { openConnection, type ConnectionOptions } from './connection.ts';
import { uploadBodyBytes } from './answers/document-bodies.ts';
import { gatewayOperations } from './operations/gateway-operations.ts';
import { createPacer, type PacedBucket } from './pacing/pacing.ts';
import { reportOperations } from './operations/report-operations.ts';
import { requestsOver } from './requests/requests.ts';

export interface PartnerClientOptions extends ConnectionOptions {
  /** The limits that IT has set; if absent, the published ones. */
  readonly limits?:
    | {
        readonly standard?: TokenBucketLimit | undefined;
        readonly documents?: TokenBucketLimit | undefined;
      }
    | undefined;
}

export type PartnerClient = ReturnType<typeof createPartnerClient>;

/**
 * The client of one connection. Every request to the partner passes through it. It sends nothing
 * before the first call.
 *
 * Reads and PUTs are retried inside if a repetition is safe (429, 5xx, connection refused or reset;
 * a few times at most, with full jitter). POSTs and DELETE are sent once per call, except after a
 * 401 on an expired token, a 429 or a nonce challenge, when the server certainly did not carry them
 * out. Every method rejects with `DeskError`. `outcome_unknown` means that the request may have
 * been carried out; after every other error it certainly was not.
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
    /** The name of the parameter lastChangedSince at this partner. */
    changedSinceParameter: options.changedSinceParameter ?? 'lastChangedSince',
    /** The size in bytes of the body that `uploadDocument` would send (for the 16 MB rule). */
    uploadBodyBytes,
    /** The server time now: laptop time plus the offset learned from Date headers, in ms. */
    serverNow: () => serverClock.now(),
    /** The server time minus this device's wall clock, and how it is known. */
    clockOffset: () => serverClock.difference(),
    /** Stores the offset for the next process, because the device's clock may have been set. */
    saveClockOffset(): void {
      const { offsetMs, source } = serverClock.difference();
      if (source !== 'unknown') memory.update({ offsetMs: Math.round(offsetMs) });
    },
    /** This device's wall clock, which may be set wrong, in ms. */
    deviceNow: () => clock.now(),
    /** The time until that number of requests of this bucket can be sent, in ms. */
    slotInMs: (bucket: PacedBucket, requests?: number) =>
      Math.max(0, pacers[bucket].nextSlotAt(requests) - clock.now()),
    /** How long the partner still asks this bucket to wait (429), in ms; see `Pacer.pauseMs`. */
    pauseMs(bucket: PacedBucket): number | null {
      const pauses = [pacers[bucket].pauseMs(), connection.tokenPauseMs()].filter(
        (ms) => ms !== null,
      );
      return pauses.length === 0 ? null : Math.max(...pauses);
    },
    /** The limit below the published one that this bucket uses now; see `Pacer.learn`. */
    loweredLimit: (bucket: PacedBucket) => pacers[bucket].lowered(),
    /** The number of requests sent and of 429 answers received since the client was created. */
    counters: connection.counters,
    lastExchange: connection.lastExchange,
    close(): Promise<void> {
      connection.close();
      for (const pacer of Object.values(pacers)) pacer.close();
      return Promise.resolve();
    },
  };
}
