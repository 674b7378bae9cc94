import { randomUUID, type KeyObject } from 'node:crypto';
import { fillPath, routes, type OperationId } from '#shared/api/routes.ts';
import type { FixedWindowLimit } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { createCaller, operationUrl, type Caller, type CallPacers } from './call.ts';
import { createServerClock } from './clock.ts';
import { openMemory, type ClientMemory } from './memory.ts';
import type { PacedBucket } from './pacing.ts';
import { createPortalCheck } from './portal-check.ts';
import { createProofSigner, createSender, type ClientLogEntry } from './signed-request.ts';
import { createTokenSource } from './token.ts';
import {
  createTransport,
  type ProxySetting,
  type Transport,
  type TransportFactory,
} from './transport.ts';

export interface ConnectionOptions {
  /** Service base address, http or https, with or without a path. */
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
  /** What the partner calls lastChangedSince (X1). */
  readonly changedSinceParameter?: string | undefined;
  /** Path templates that IT has set, by operation id. */
  readonly paths?: Readonly<Partial<Record<OperationId, string>>> | undefined;
  /** Certificate authorities that IT has added, PEM. */
  readonly certificateAuthorities?: readonly string[] | undefined;
  /** A proxy that IT has set. */
  readonly proxy?: ProxySetting | undefined;
  /** The shell's network stack, with the proxy set in it; Node's own if IT has set authorities. */
  readonly createTransport?: TransportFactory | undefined;
  readonly clock: Clock;
  /** From 0 (inclusive) to 1, for the jitter of retries. */
  readonly random: () => number;
  readonly memory: ClientMemory;
  readonly log?: ((entry: ClientLogEntry) => void) | undefined;
  /** `PartnerClient.pauseMs` has changed. */
  readonly onPause?: (() => void) | undefined;
  /** Requests for tokens that the partner has granted; the published limit if absent. */
  readonly tokenLimit?: FixedWindowLimit | undefined;
}

/**
 * Token, proofs and transport of one client of the partner, without its pacing: the desk has one
 * pacer for each bucket, the gateway one for each of its clients.
 * @throws {DeskError} base_url_invalid
 */
export function openConnection(options: ConnectionOptions) {
  const { clock, random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const paths = options.paths ?? {};
  const closing = new AbortController();
  const memory = openMemory(options.memory);
  const serverClock = createServerClock(clock, memory.state.offsetMs);
  const proofs = createProofSigner({
    key: options.dpopKey,
    htuWithoutQuery: options.htuWithoutQuery ?? false,
    serverNow: () => serverClock.now(),
  });
  const transport = openTransport(options);
  const log = options.log ?? (() => undefined);
  const sender = createSender({ transport, proofs, serverClock, clock, memory, log });
  const portals = createPortalCheck({
    transport,
    plainUrl: () =>
      operationUrl(baseUrl, fillPath(paths.X2 ?? routes.X2.path, { caseId: randomUUID() })),
    closing: closing.signal,
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
    sender,
    closing: closing.signal,
    portals,
    onPause: options.onPause ?? (() => undefined),
    limit: options.tokenLimit,
  });

  return {
    memory,
    serverClock,
    counters: sender.counters,
    lastExchange: () => sender.lastExchange,
    /** How long the token endpoint still asks to wait (429), ms. */
    tokenPauseMs: () => tokens.pauseMs(),
    /** @param refillMs the refill of one token of each bucket */
    callerOf(pacers: CallPacers, refillMs: Readonly<Record<PacedBucket, number>>): Caller {
      return createCaller({
        baseUrl,
        paths,
        changedSinceParameter: options.changedSinceParameter,
        tokens,
        sender,
        pacers,
        portals,
        serverClock,
        clock,
        random,
        refillMs,
        closing: closing.signal,
      });
    },
    close(): void {
      closing.abort(new Error('the client is closed'));
      transport.close();
    },
  };
}

/** The shell's network stack, or Node's own if IT has set authorities: the shell's trusts the system's only. */
export function openTransport({
  clock,
  certificateAuthorities,
  proxy,
  createTransport: createShellTransport,
}: Pick<
  ConnectionOptions,
  'clock' | 'certificateAuthorities' | 'proxy' | 'createTransport'
>): Transport {
  const hasAuthorities = (certificateAuthorities ?? []).length > 0;
  return createShellTransport && !hasAuthorities
    ? createShellTransport({ clock })
    : createTransport({ clock, certificateAuthorities, proxy });
}

/** @throws {DeskError} base_url_invalid */
export function parseBaseUrl(text: string): URL {
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
