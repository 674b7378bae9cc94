import type { ClientRequest, IncomingMessage, Net } from 'electron';
import { DeskError, type HostErrorCode } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import {
  createIdleTimeout,
  RequestFailure,
  type Answer,
  type OutgoingRequest,
  type Transport,
} from '#main/partner/requests/transport.ts';
import type { NetworkWatch } from './network-watch.ts';

/**
 * The timeout is the sum of two of Node's transport, because Chromium does not report when it is
 * connected.
 */
const firstByteMs = 75_000;

/**
 * Chromium's errors, the desk's code for each, and whether the request may have been sent. The last
 * two groups also end established connections (net/base/net_errors_posix.cc, net_errors_win.cc).
 */
const codes: readonly (readonly [RegExp, HostErrorCode, left: boolean])[] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|ICANN_NAME_COLLISION/, 'address_unknown', false],
  [/CONNECTION_REFUSED|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION/, 'connection_refused', false],
  [/INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_ACCESS_DENIED/, 'offline', true],
  [/CONNECTION_TIMED_OUT/, 'timeout', true],
];

/** Chromium's name of an error, without its prefix. */
const nameOf = (error: Error) => /net::ERR_(\w+)/.exec(error.message)?.[1] ?? '';

/**
 * Converts Chromium's error to the desk's; `left` is true if the request may have been carried out.
 */
function failureOf(error: Error, host: string): RequestFailure {
  const name = nameOf(error);
  const cause = { cause: error };
  const [, code, left] = codes.find(([pattern]) => pattern.test(name)) ?? [];
  if (code) return new RequestFailure(new DeskError(code, { host }, cause), left === true);
  if (name.startsWith('CERT_')) {
    const untrusted = new DeskError('certificate_untrusted', { host, reason: name }, cause);
    return new RequestFailure(untrusted, false);
  }
  const portal = (found: string) => new DeskError('captive_portal', { host, found }, cause);
  if (name.startsWith('SSL_')) return new RequestFailure(portal('no-tls'), false);
  if (name === 'INVALID_HTTP_RESPONSE') return new RequestFailure(portal('no-http'), true);
  const failed = name === 'TIMED_OUT' ? 'timeout' : 'connection_lost';
  return new RequestFailure(new DeskError(failed, { host }, cause), true);
}

/** Whether the host is this machine. The practice service answers without a network. */
const isLoopback = (host: string) => /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(host);

/**
 * Sends the client's requests through Chromium's network stack, with the system's proxy (its
 * scripts and sign-ins) and the system's certificates. Nothing is cached, and no cookie is stored
 * or sent. Chromium buffers a body until it is sent, because no length can be declared for a
 * streamed one.
 * @param net Electron's module, in the process of the engine
 */
export function createNetTransport(
  net: Pick<Net, 'request' | 'isOnline'>,
  { clock, watch }: { clock: Clock; watch: Pick<NetworkWatch, 'starts'> },
): Transport {
  const open = new Set<ClientRequest>();
  return {
    async send(outgoing, signal) {
      const { method, url, headers } = outgoing;
      if (signal.aborted) throw failureOf(new Error('aborted'), url.host);
      // Only before a request starts is it certain that nothing was sent.
      if (!net.isOnline() && !isLoopback(url.hostname))
        throw new RequestFailure(new DeskError('offline', { host: url.host }), false);
      const request = net.request({
        method,
        url: url.href,
        headers: { ...headers },
        redirect: 'manual',
        credentials: 'omit',
        useSessionCookies: false,
        cache: 'no-store',
      });
      open.add(request);
      // Chromium signs in to a proxy with the system's account. The user is not asked for another
      // one.
      request.on('login', (_info, answer) => answer());
      return await exchange(request, outgoing, {
        signal,
        clock,
        onEnd: watch.starts(),
        onOver: () => open.delete(request),
      });
    },
    close() {
      for (const request of open) request.abort();
    },
  };
}

interface Exchange {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called with Chromium's name of the error, or null if an answer arrived. */
  readonly onEnd: (error: string | null) => void;
  /** Called when nothing more can arrive, so that no request must be aborted any more. */
  readonly onOver: () => void;
}

/**
 * Exchanges one request. It does not end at the request's `close`, which Electron emits as soon as
 * the request is sent.
 */
function exchange(
  request: ClientRequest,
  { url, body }: OutgoingRequest,
  { signal, clock, onEnd, onOver }: Exchange,
): Promise<Answer> {
  const { host } = url;
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    let hasFailed = false;
    let cancelTimer: () => void = () => undefined;
    const letGo = () => {
      signal.removeEventListener('abort', giveUp);
      onOver();
    };
    const fail = (failure: Error) => {
      hasFailed = true;
      cancelTimer();
      letGo();
      reject(failure);
      request.abort();
    };
    const giveUp = () => {
      if (!isAnswered) fail(new RequestFailure(new DeskError('connection_lost', { host }), true));
      else request.abort();
    };
    signal.addEventListener('abort', giveUp, { once: true });

    /** While bytes are being sent, the request is alive, regardless of how long it takes. */
    const watch = (sent: number, ms: number) => {
      cancelTimer = clock.after(ms, () => {
        const { current } = request.getUploadProgress();
        if (current > sent) watch(current, ms);
        else fail(new RequestFailure(new DeskError('timeout', { host }), true));
      });
    };
    const answer = (status: number, headers: Answer['headers'], content: Answer['body']) => {
      isAnswered = true;
      cancelTimer();
      onEnd(null);
      resolve({ status, headers, body: content });
    };
    request.on('response', (given) => {
      const response = given as IncomingMessage & AnswerStream;
      // The listener is added immediately: an answer that breaks before it is read would end the
      // process. Its reader receives the error.
      response.on('error', () => undefined);
      response.on('close', letGo);
      const content = readBody(response, request, host, clock);
      answer(response.statusCode, response.headers, content);
    });
    // A redirect counts as an answer. Electron then ends the request with an error, because it does
    // not follow.
    request.on('redirect', (status, _method, location, headers) => {
      letGo();
      answer(status, { ...singleHeaders(headers), location }, nothing());
    });
    request.on('error', (error) => {
      if (isAnswered) return;
      onEnd(nameOf(error));
      fail(failureOf(error, host));
    });

    watch(0, firstByteMs);
    write(request, body, () => isAnswered || hasFailed).catch((error: unknown) => {
      fail(error instanceof Error ? error : new Error('the source failed', { cause: error }));
    });
  });
}

async function write(
  request: ClientRequest,
  body: OutgoingRequest['body'],
  isOver: () => boolean,
): Promise<void> {
  if (body === null || !('pieces' in body)) {
    if (body !== null) request.write(Buffer.from(body));
    request.end();
    return;
  }
  // The body is written at once, because Electron copies everything that was written before at each
  // further write.
  const whole = Buffer.alloc(body.sizeBytes);
  let written = 0;
  for await (const { bytes, taken } of body.pieces()) {
    if (isOver()) return;
    if (written + bytes.length <= whole.length) whole.set(bytes, written);
    written += bytes.length;
    taken?.();
  }
  if (isOver()) return;
  if (written !== body.sizeBytes)
    throw new DeskError('internal', { reason: 'a body of another size than announced' });
  request.write(whole);
  request.end();
}

const singleHeaders = (headers: Record<string, string[]>): Answer['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values.join(', ')]),
  );

async function* nothing(): AsyncGenerator<Buffer, void, undefined> {
  // Nobody reads the body of a redirect.
}

/** Electron's answer is a stream, but its type does not say so. */
interface AnswerStream extends AsyncIterable<Buffer> {
  on(event: 'close' | 'error', listener: () => void): unknown;
}

async function* readBody(
  response: AnswerStream,
  request: ClientRequest,
  host: string,
  clock: Clock,
): AsyncGenerator<Buffer, void, undefined> {
  const pieces: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  let isWhole = false;
  const idleTimeout = createIdleTimeout(clock);
  const stopped = { idle: false };
  try {
    for (;;) {
      const cancel = clock.after(idleTimeout.nextMs(), () => {
        stopped.idle = true;
        request.abort();
      });
      const next = await idleTimeout.waitFor(pieces.next()).finally(cancel);
      if (next.done) break;
      yield next.value;
    }
    isWhole = true;
  } catch (error) {
    throw new DeskError(stopped.idle ? 'timeout' : 'connection_lost', { host }, { cause: error });
  } finally {
    if (!isWhole) request.abort();
  }
}
