import http from 'node:http';
import https from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DeskError, type HostErrorCode } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';

/** The timeout of DNS, TCP and TLS together. */
const connectMs = 15_000;
/** The timeout from the last byte of the body to the first byte of the answer. */
const firstByteMs = 60_000;
/** The timeout between two pieces of a body, in either direction. */
const idleMs = 30_000;

/**
 * The total time for an answer. It grows with the bytes that have arrived, at the rate of the
 * slowest connection.
 */
const answerMs = 120_000;
const slowestBytesPerMs = 2;

/**
 * The time to wait for the next piece of an answer. A server that sends single bytes must not block
 * a request without limit. Only the waiting counts, not the work of the reader.
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

/** A body of known size that is created while it is sent. */
export interface StreamedBody {
  readonly sizeBytes: number;
  /** Returns the pieces. `taken` is called once the connection has accepted the piece. */
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
   * The body while it arrives; it can be read once. It rejects with `DeskError` if the body breaks
   * off. Ending the iteration early closes the connection.
   */
  readonly body: AsyncIterable<Buffer>;
}

/** A request that got no answer. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly problem: DeskError;
  /** Whether the sending of the request has begun. Then the request may have been carried out. */
  readonly left: boolean;

  constructor(problem: DeskError, left: boolean) {
    super(problem.code, { cause: problem });
    this.problem = problem;
    this.left = left;
  }
}

export interface Transport {
  /**
   * Sends one request and resolves when the answer's head has arrived, regardless of its status.
   * Redirects are not followed.
   * @throws {RequestFailure}; errors of the source of a streamed body
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<Answer>;
  close(): void;
}

/** A shell's network stack that replaces this one (`main/electron/net-transport.ts`). */
export type TransportFactory = (options: { clock: Clock }) => Transport;

/** An HTTP proxy without a sign-in, as IT sets it. */
export interface ProxySetting {
  /** The http address of the proxy, with its port. */
  readonly url: string;
  /** The hosts that are reached without the proxy. A leading dot includes all names below. */
  readonly bypass?: readonly string[] | undefined;
}

/**
 * HTTP and HTTPS over keep-alive connections. It uses node:http, which streams a body of known
 * length without buffering it.
 * @param options.certificateAuthorities PEM, trusted in addition to the usual ones
 * @param options.proxy used instead of a direct connection; if absent, the proxy of the environment
 *   variables
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

/** Node's agents expect a proxy in the form of the environment variables. */
function settingOf({ url, bypass = [] }: ProxySetting): Record<string, string> {
  return { http_proxy: url, https_proxy: url, no_proxy: bypass.join(',') };
}

/** These hosts never use a proxy, because the practice service runs on this machine. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];

/**
 * The proxy from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case as other programs
 * accept them.
 */
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

    // The request's own `signal` option is not used: it passes its error to the socket, which the
    // agent may own again by then.
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
      // Nothing is sent before the handshake is done. A reused connection has finished it already.
      if (request.reusedSocket || !socket.connecting) connected();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
    });
    // After the answer has begun, an error of the request does not matter, for example if a server
    // stops reading an upload that it refuses. The answer's stream shows whether the answer is
    // complete.
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
        if (!answered && !request.destroyed) within(firstByteMs);
      },
      (error: unknown) => {
        // The source of the body failed, not the network, so the source's error is thrown.
        cancelTimer();
        reject(error instanceof Error ? error : new Error('the source failed', { cause: error }));
        request.destroy();
      },
    );
  });
}

/**
 * Writes a streamed body with backpressure, until it ends or the answer cuts it short.
 * @throws errors of the source; the request reports a broken connection
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

/**
 * The encodings of RFC 9110 section 8.4.1. A server may use one although the request accepts none.
 */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body without its content encoding. An unknown encoding stays. */
function decoded(response: IncomingMessage): Readable {
  const createDecoder = decoders[(response.headers['content-encoding'] ?? '').trim().toLowerCase()];
  // Errors of either stream reach the reader of the decoder's output.
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
    // If an upload was answered before its end, the connection cannot be used again.
    if (!ended || !request.writableFinished) request.destroy();
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

/** The codes of OpenSSL's certificate check and of Node's name check. */
const certificateCode =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|ERROR_IN_CERT|ERR_TLS_CERT_)/;

/** The code of a system, TLS or HTTP parser error. If there are several, it is the first. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return '';
}

/** The error for a broken connection. Its cause is for the log. */
export function networkFailure(error: unknown, host: string): DeskError {
  if (error instanceof DeskError) return error;
  const code = codeOf(error);
  const known = codes[code];
  if (known) return new DeskError(known, { host }, { cause: error });
  if (certificateCode.test(code)) {
    return new DeskError('certificate_untrusted', { host, reason: code }, { cause: error });
  }
  // A server answers at the address, but does not use TLS.
  if (/^(?:EPROTO|ERR_SSL_)/.test(code)) {
    return new DeskError('captive_portal', { host, found: 'no-tls' }, { cause: error });
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
    return new DeskError('captive_portal', { host, found: 'no-http' }, { cause: error });
  }
  return new DeskError('connection_lost', { host }, { cause: error });
}
