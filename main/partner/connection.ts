import { randomUUID, type KeyObject } from 'node:crypto';
import { fillPath, routes, type OperationId } from '#shared/api/routes.ts';
import type { FixedWindowLimit } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { createCaller, operationUrl, type Caller, type CallPacers } from './requests/call.ts';
import { createServerClock } from './clock.ts';
import { openMemory, type ClientMemory } from './memory.ts';
import type { PacedBucket } from './pacing/pacing.ts';
import { createPortalCheck } from './requests/portal-check.ts';
import { createProofSigner, createSender, type ClientLogEntry } from './requests/signed-request.ts';
import { createTokenSource } from './requests/token.ts';
import {
  createTransport,
  type ProxySetting,
  type Transport,
  type TransportFactory,
} from './requests/transport.ts';

export interface ConnectionOptions {
  /** The base address of the service, http or https, with or without a path. */
  readonly baseUrl: string;
  /** The address of the token endpoint, as the assertion's aud names it. */
  readonly audience: string;
  readonly clientId: string;
  /** The RSA key that signs the client assertions. */
  readonly privateKey: KeyObject;
  /** The P-256 key that signs the proofs. */
  readonly dpopKey: KeyObject;
  readonly scope?: string | undefined;
  /** If true, htu has the form of RFC 9449 instead of the partner API's. */
  readonly htuWithoutQuery?: boolean | undefined;
  /** The partner's name for the parameter lastChangedSince (X1). */
  readonly changedSinceParameter?: string | undefined;
  /** The path templates that IT has set, by operation id. */
  readonly paths?: Readonly<Partial<Record<OperationId, string>>> | undefined;
  /** The certificate authorities that IT has added, as PEM. */
  readonly certificateAuthorities?: readonly string[] | undefined;
  /** The proxy that IT has set. */
  readonly proxy?: ProxySetting | undefined;
  /**
   * The shell's network stack, with its proxy. It is absent if IT has set certificate authorities;
   * then Node's stack is used.
   */
  readonly createTransport?: TransportFactory | undefined;
  readonly clock: Clock;
  /** A random number from 0 (inclusive) to 1, for the jitter of retries. */
  readonly random: () => number;
  readonly memory: ClientMemory;
  readonly log?: ((entry: ClientLogEntry) => void) | undefined;
  /** Called when `PartnerClient.pauseMs` has changed. */
  readonly onPause?: (() => void) | undefined;
  /** The number of token requests that the partner allows; if absent, the published limit. */
  readonly tokenLimit?: FixedWindowLimit | undefined;
}

/**
 * The token, proofs and transport of one client of the partner. Pacing is not included, because the
 * desk has one pacer for each bucket, and the gateway has one for each of its clients.
 * @throws {DeskError} base_url_invalid
 */
export function openConnection(options: ConnectionOptions) {
  const { clock, random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const paths = options.paths ?? {};
  const closing = new AbortController();
  const memory = openMemory(options.memory);
  const serverClock = createServerClock(clock, memory.state);
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
    /** How long the token endpoint still asks the client to wait (429), in ms. */
    tokenPauseMs: () => tokens.pauseMs(),
    /** Creates the caller. @param refillMs the time in which each bucket gets one token */
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

/**
 * The shell's network stack. If IT has set certificate authorities it is Node's, because the
 * shell's trusts only those of the system.
 */
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

/** Parses the base address. @throws {DeskError} base_url_invalid */
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
