import http from 'node:http';
import https from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DeskError, type HostErrorCode } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';

/** The timeout of DNS, TCP and TLS together. */
const connectMs = 15_000;
/** From the body's last byte to the answer's first. */
const firstByteMs = 60_000;
/** Between two pieces of a body, in either direction. */
const idleMs = 30_000;

/** An answer may take this long in all, and longer by what it brought at the slowest line's rate. */
const answerMs = 120_000;
const slowestBytesPerMs = 2;

/**
 * How long to wait for the next piece of an answer: a server that sends single bytes must not block
 * a request without limit. Only waiting counts, not the reader's work.
 */
export function createIdleTimeout(clock: Clock) {
  let waitedMs = 0;
  let bytes = 0;
  return {
    nextMs: () => Math.min(idleMs, Math.max(0, answerMs + bytes / slowestBytesPerMs - waitedMs)),
    async waitFor<Piece extends { length: number }>(
      next: Promise<IteratorResult<Piece, unknown>>,
    ): Promise<IteratorResult<Piece, unknown>> {
      const startedAt = clock.monotonic();
      const result = await next;
      waitedMs += clock.monotonic() - startedAt;
      if (!result.done) bytes += result.value.length;
      return result;
    },
  };
}

/** A body of known size that is made while it leaves. */
export interface StreamedBody {
  readonly sizeBytes: number;
  /** `taken` is called once the connection has taken the piece. */
  pieces(): AsyncIterable<{ bytes: Uint8Array; taken?: () => void }>;
}

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamedBody | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The body as it arrives, once. Rejects with `DeskError` if it breaks off; ending the iteration
   * early closes the connection.
   */
  readonly body: AsyncIterable<Buffer>;
}

/** A request that got no answer. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly problem: DeskError;
  /** Whether the request began to leave: it may then have been carried out. */
  readonly left: boolean;

  constructor(problem: DeskError, left: boolean) {
    super(problem.code, { cause: problem });
    this.problem = problem;
    this.left = left;
  }
}

export interface Transport {
  /**
   * Sends one request and resolves when the answer's head is here, regardless of its status.
   * Redirects are not followed.
   * @throws {RequestFailure}; what the source of a streamed body throws
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<Answer>;
  close(): void;
}

/** A shell's own network stack in place of this one (`main/electron/net-transport.ts`). */
export type TransportFactory = (options: { clock: Clock }) => Transport;

/** An HTTP proxy without a sign-in, as IT sets it. */
export interface ProxySetting {
  /** http, with its port. */
  readonly url: string;
  /** Hosts that are reached directly; a leading dot takes in all names below. */
  readonly bypass?: readonly string[] | undefined;
}

/**
 * HTTP and HTTPS over keep-alive connections, on node:http because it streams a body of known
 * length without buffering it.
 * @param options.certificateAuthorities PEM, trusted in addition to the usual ones
 * @param options.proxy used instead of a direct connection; without it, what the environment names
 */
export function createTransport(options: {
  clock: Clock;
  certificateAuthorities?: readonly string[] | undefined;
  proxy?: ProxySetting | undefined;
}): Transport {
  const { clock, proxy, certificateAuthorities: extra = [] } = options;
  const viaProxy = { proxyEnv: proxy ? settingOf(proxy) : environmentSetting(process.env) };
  const httpAgent = new http.Agent({ keepAlive: true, ...viaProxy });
  const httpsAgent = new https.Agent({
    keepAlive: true,
    ...viaProxy,
    minVersion: 'TLSv1.2',
    ...(extra.length > 0 && { ca: [...rootCertificates, ...extra] }),
  });
  return {
    send: (request, signal) =>
      sendOnce(request, signal, {
        clock,
        agent: request.url.protocol === 'https:' ? httpsAgent : httpAgent,
      }),
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

/** Node's agents take a proxy in the form of the environment's variables. */
function settingOf({ url, bypass = [] }: ProxySetting): Record<string, string> {
  return { http_proxy: url, https_proxy: url, no_proxy: bypass.join(',') };
}

/** Never for this machine's own addresses: the practice service is on one. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case, as other programs take them. */
function environmentSetting(env: NodeJS.ProcessEnv): Record<string, string> {
  const named = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  return {
    http_proxy: named('http_proxy'),
    https_proxy: named('https_proxy'),
    no_proxy: [...named('no_proxy').split(',').filter(Boolean), ...ownHosts].join(','),
  };
}

interface SendContext {
  readonly clock: Clock;
  readonly agent: http.Agent;
}

// oxlint-disable-next-line max-lines-per-function -- the events of one request, which share whether it left and was answered
function sendOnce(
  outgoing: OutgoingRequest,
  signal: AbortSignal,
  { clock, agent }: SendContext,
): Promise<Answer> {
  const { method, url, body } = outgoing;
  const host = url.host;
  const streamed = body !== null && 'pieces' in body;
  const sizeBytes = body === null ? null : streamed ? body.sizeBytes : body.length;

  // oxlint-disable-next-line max-lines-per-function -- as above
  return new Promise((resolve, reject) => {
    let left = false;
    let answered = false;
    let cancelTimer: () => void = () => undefined;
    const timeout = () => new DeskError('timeout', { host });
    const within = (ms: number) => {
      cancelTimer();
      cancelTimer = clock.after(ms, () => request.destroy(timeout()));
    };
    const fail = (error: unknown) => {
      cancelTimer();
      reject(new RequestFailure(networkFailure(error, host), left));
      request.destroy();
    };

    if (signal.aborted) {
      reject(new RequestFailure(networkFailure(signal.reason, host), false));
      return;
    }
    const start = url.protocol === 'https:' ? https.request : http.request;
    const request = start(url, {
      method,
      agent,
      headers: {
        ...outgoing.headers,
        ...(sizeBytes !== null && { 'content-length': String(sizeBytes) }),
      },
    });

    // Not the request's own `signal` option: it passes its error to the socket, which the agent may
    // own again by then.
    const giveUp = () => {
      if (!answered) fail(signal.reason);
      else request.destroy();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    request.on('close', () => signal.removeEventListener('abort', giveUp));

    within(connectMs);
    request.on('socket', (socket) => {
      const connected = () => {
        left = true;
        within(streamed ? idleMs : firstByteMs);
      };
      // Nothing leaves before the handshake is done; a reused connection has it behind it.
      if (request.reusedSocket || !socket.connecting) connected();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
    });
    // After the answer has begun, an error of the request (a server that stops reading an upload that
    // it refuses) does not matter: the answer's own stream shows whether it is whole.
    request.on('error', (error) => {
      if (!answered) fail(error);
    });
    request.on('response', (response) => {
      answered = true;
      cancelTimer();
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: readBody(response, request, host, clock),
      });
    });

    if (!streamed) {
      request.end(body ?? undefined);
      return;
    }
    const mayGoOn = () => {
      if (answered || request.destroyed) return false;
      if (left) within(idleMs);
      return true;
    };
    writePieces(request, body, mayGoOn).then(
      () => {
        if (!answered) within(firstByteMs);
      },
      (error: unknown) => {
        // The source failed, not the network: its own error is thrown.
        cancelTimer();
        reject(error instanceof Error ? error : new Error('the source failed', { cause: error }));
        request.destroy();
      },
    );
  });
}

/**
 * Writes a streamed body with backpressure, until its end or until the answer cuts it short.
 * @throws what the source throws; a broken connection is the request's own error
 */
async function writePieces(
  request: http.ClientRequest,
  body: StreamedBody,
  mayGoOn: () => boolean,
): Promise<void> {
  let written = 0;
  for await (const { bytes, taken } of body.pieces()) {
    if (!mayGoOn()) return;
    written += bytes.length;
    const isTaken = await new Promise<boolean>((resolve) => {
      const closed = () => resolve(false);
      request.once('close', closed);
      request.write(bytes, (error) => {
        request.off('close', closed);
        resolve(!error);
      });
    });
    if (!isTaken) return;
    taken?.();
  }
  if (written !== body.sizeBytes) {
    throw new DeskError('internal', { reason: 'a body of another size than announced' });
  }
  request.end();
}

/** Encodings of RFC 9110 section 8.4.1 that a server may use although none is accepted. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body without its content encoding; an unknown one stays. */
function decoded(response: IncomingMessage): Readable {
  const createDecoder = decoders[(response.headers['content-encoding'] ?? '').trim().toLowerCase()];
  // Errors of either end the reading of the decoder's output.
  return createDecoder ? pipeline(response, createDecoder(), () => undefined) : response;
}

async function* readBody(
  response: IncomingMessage,
  request: http.ClientRequest,
  host: string,
  clock: Clock,
): AsyncGenerator<Buffer, void, undefined> {
  const pieces: AsyncIterator<Buffer> = decoded(response)[Symbol.asyncIterator]();
  const idleTimeout = createIdleTimeout(clock);
  let ended = false;
  try {
    for (;;) {
      const cancel = clock.after(idleTimeout.nextMs(), () =>
        response.destroy(new DeskError('timeout', { host })),
      );
      const next = await idleTimeout.waitFor(pieces.next()).finally(cancel);
      if (next.done) break;
      yield next.value;
    }
    ended = true;
  } catch (error) {
    throw networkFailure(error, host);
  } finally {
    // An upload that was answered before its end leaves the connection unusable.
    if (!ended || !request.writableFinished) response.destroy();
  }
}

const codes: Readonly<Record<string, HostErrorCode>> = {
  ENOTFOUND: 'address_unknown',
  EAI_AGAIN: 'address_unknown',
  EAI_NODATA: 'address_unknown',
  EAI_NONAME: 'address_unknown',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'offline',
  EHOSTDOWN: 'offline',
  ENETUNREACH: 'offline',
  ENETDOWN: 'offline',
  EADDRNOTAVAIL: 'offline',
  ETIMEDOUT: 'timeout',
};

/** Codes of OpenSSL's verification and of Node's own name check. */
const certificateCode =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|ERROR_IN_CERT|ERR_TLS_CERT_)/;

/** The code of a system, TLS or HTTP parser error; the first one of several. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return '';
}

/** A broken connection as a problem for the user. The cause is for the log. */
export function networkFailure(error: unknown, host: string): DeskError {
  if (error instanceof DeskError) return error;
  const code = codeOf(error);
  const known = codes[code];
  if (known) return new DeskError(known, { host }, { cause: error });
  if (certificateCode.test(code)) {
    return new DeskError('certificate_untrusted', { host, reason: code }, { cause: error });
  }
  // Something answers there, but not by TLS.
  if (/^(?:EPROTO|ERR_SSL_)/.test(code)) {
    return new DeskError('captive_portal', { host, found: 'no-tls' }, { cause: error });
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
    return new DeskError('captive_portal', { host, found: 'no-http' }, { cause: error });
  }
  return new DeskError('connection_lost', { host }, { cause: error });
}
