import { randomUUID, type KeyObject } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { clientAssertionType } from '#shared/api/token.ts';
import { assertionLifetimeS, type FixedWindowLimit, tokenWindow } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { tokenAnswer } from '../answers/answers.ts';
import { backoffMs, maxAttempts, parseRetryAfter, type TokenSource } from './call.ts';
import { orAborted, sleep, type ServerClock } from '../clock.ts';
import type { OpenMemory } from '../memory.ts';
import { maxOverrideMs, longestBlockMs, rateLimited } from '../pacing/pacing.ts';
import {
  isServerFailure,
  isThrottle,
  missingPath,
  passingRefusal,
  readJson,
  readRefusal,
  tokenRefusalError,
} from '../answers/read-answer.ts';
import type { PortalCheck } from './portal-check.ts';
import type { Exchanged, ProofSigner, Sender } from './signed-request.ts';
import { RequestFailure, type Answer } from './transport.ts';

/**
 * The client counts a window longer by this margin, because the windows of client and server do not
 * start together.
 */
const windowMarginMs = 1_000;
/** The lifetime of a token that states none (decisions, "Authentication"). */
const defaultLifetimeMs = 60_000;

export interface TokenSourceOptions {
  readonly url: URL;
  readonly audience: string;
  readonly clientId: string;
  readonly scope: string | undefined;
  readonly privateKey: KeyObject;
  readonly proofs: ProofSigner;
  readonly serverClock: ServerClock;
  readonly clock: Clock;
  readonly random: () => number;
  readonly memory: OpenMemory;
  readonly sender: Sender;
  readonly portals: PortalCheck;
  /** Aborts the requests when the client is closed. */
  readonly closing: AbortSignal;
  /** Called when `TokenSource.pauseMs` has changed. */
  readonly onPause: () => void;
  /** The number of token requests in a time; if absent, the published limit. */
  readonly limit?: FixedWindowLimit | undefined;
}

/**
 * The access token (RFC 6749 section 4.4, RFC 7523, RFC 9449 section 5). All callers share one
 * request. The token is cached until shortly before its expiry, also for the next process. The
 * number of requests in any minute never exceeds the permitted one.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  return new PartnerTokens(options);
}

/**
 * The outcome of one request. `repaired` means that the next one may succeed, with the right clock
 * or nonce.
 */
type Outcome =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'repaired' }
  | { readonly kind: 'failed'; readonly problem: DeskError; readonly waitMs: number };

class PartnerTokens implements TokenSource {
  readonly #options: TokenSourceOptions;
  #running: Promise<string> | null = null;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  async get(signal: AbortSignal): Promise<string> {
    const { token } = this.#options.memory.state;
    if (token?.holder === (await this.#holder()) && this.isFresh(token.value)) return token.value;
    this.#running ??= this.#fetch().finally(() => {
      this.#running = null;
    });
    return orAborted(this.#running, signal);
  }

  isFresh(value: string): boolean {
    const { token } = this.#options.memory.state;
    if (token?.value !== value) return false;
    const reserveMs = Math.min(30_000, token.lifetimeMs / 5);
    return token.expiresAtServerMs - reserveMs > this.#options.serverClock.now();
  }

  invalidate(value: string): void {
    const { memory } = this.#options;
    if (memory.state.token?.value === value) memory.update({ token: null });
  }

  pauseMs(): number | null {
    const ms = this.#blockedMs();
    return ms > 0 ? ms : null;
  }

  async #holder(): Promise<string> {
    const { url, clientId, scope, proofs } = this.#options;
    return JSON.stringify([url.href, clientId, scope ?? null, await proofs.jkt()]);
  }

  #blockedMs(): number {
    const { memory, clock } = this.#options;
    const ms = (memory.state.tokenBlockedUntilMs ?? 0) - clock.now();
    if (ms <= maxOverrideMs) return ms;
    // The clock was set back since. The end is stored, so that it comes nearer from now on.
    memory.update({ tokenBlockedUntilMs: clock.now() + maxOverrideMs });
    return maxOverrideMs;
  }

  #setBlock(tokenBlockedUntilMs: number | null): void {
    const { memory, onPause } = this.#options;
    if (memory.state.tokenBlockedUntilMs === tokenBlockedUntilMs) return;
    memory.update({ tokenBlockedUntilMs });
    onPause();
  }

  /** Waits until the server's pause is over, including one of an earlier process. */
  async #awaitBlock(): Promise<void> {
    const { clock, closing } = this.#options;
    const ms = this.#blockedMs();
    if (ms > longestBlockMs) throw rateLimited(ms, clock.now());
    if (ms > 0) await sleep(clock, ms, closing);
  }

  /** Waits until one more request stays within the window of the server. */
  async #awaitWindow(): Promise<void> {
    const { serverClock, memory, clock, closing, limit = tokenWindow } = this.#options;
    const span = limit.windowMs + windowMarginMs;
    for (;;) {
      const now = serverClock.now();
      // The known server time varies by a second. If a stored request is dated far ahead of it, the
      // clock has been set since.
      const recent = memory.state.tokenRequests.filter((at) => Math.abs(now - at) < span);
      const oldest = recent.at(-limit.requests);
      if (oldest === undefined) {
        memory.update({ tokenRequests: [...recent, now] });
        return;
      }
      await sleep(clock, oldest + span - now, closing);
    }
  }

  async #fetch(): Promise<string> {
    let failures = 0;
    let mayRepair = true;
    for (;;) {
      await this.#awaitBlock();
      await this.#awaitWindow();
      const outcome = await this.#attempt(failures + 1, mayRepair);
      if (outcome.kind === 'token') return outcome.token;
      if (outcome.kind === 'repaired') {
        mayRepair = false;
        continue;
      }
      if (++failures >= maxAttempts) throw outcome.problem;
      await sleep(this.#options.clock, outcome.waitMs, this.#options.closing);
    }
  }

  /** @param attempt the number of the attempt, from 1 */
  async #attempt(attempt: number, mayRepair: boolean): Promise<Outcome> {
    try {
      const exchanged = await this.#request();
      const { status } = exchanged.answer;
      if (status < 200 || status >= 300) {
        return await this.#takeRefusal(exchanged, attempt, mayRepair);
      }
      this.#setBlock(null);
      return { kind: 'token', token: await this.#take(exchanged) };
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      const { problem } = error;
      if (problem.code !== 'connection_lost') throw problem;
      return { kind: 'failed', problem, waitMs: backoffMs(attempt, this.#options.random) };
    }
  }

  async #request(): Promise<Exchanged> {
    const { url, clientId, audience, scope, privateKey, serverClock, closing } = this.#options;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: clientAssertionType,
      client_assertion: await signAssertion({
        clientId,
        audience,
        key: privateKey,
        serverNowMs: serverClock.now(),
      }),
      ...(scope !== undefined && { scope }),
    });
    return this.#options.sender.send(
      {
        operation: 'token',
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(form.toString()),
        accessToken: undefined,
      },
      closing,
    );
  }

  async #takeRefusal(
    { answer, host, correlationId, corrected, nonceOffered }: Exchanged,
    attempt: number,
    mayRepair: boolean,
  ): Promise<Outcome> {
    const { url, clientId, audience, serverClock, sender, portals, random } = this.#options;
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], serverClock.now());
    const refusal = await readRefusal(answer, host, correlationId);
    sender.noteTitle(refusal.title);
    if (isThrottle(refusal)) return this.#takeThrottle(retryAfterMs);
    // One repair is possible: the server's time if the known one was wrong, or the nonce that the
    // server requires.
    const isMendable = corrected || nonceOffered;
    if (isMendable && mayRepair && !isServerFailure(refusal)) return { kind: 'repaired' };
    this.#setBlock(null);
    const offsetMs = serverClock.offsetMs();
    const problem =
      missingPath('token', url, refusal) ??
      tokenRefusalError(refusal, { clientId, audience, offsetMs });
    if (!passingRefusal(refusal)) throw await portals.judge(problem, answer);
    return { kind: 'failed', problem, waitMs: backoffMs(attempt, random) };
  }

  #takeThrottle(retryAfterMs: number | null): Outcome {
    const { sender, clock, random } = this.#options;
    sender.countThrottle();
    const waitMs = retryAfterMs ?? tokenWindow.windowMs * random();
    const problem = rateLimited(waitMs, clock.now());
    this.#setBlock(clock.now() + waitMs);
    if (waitMs > longestBlockMs) throw problem;
    return { kind: 'failed', problem, waitMs };
  }

  /** Reads the token and stores it. */
  async #take({ answer, host }: Exchanged): Promise<string> {
    const parsed = tokenAnswer.safeParse(await this.#readJson(answer, host));
    if (!parsed.success) {
      throw new DeskError('answer_invalid', { operation: 'token', detail: 'access_token' });
    }
    const { value, expiresInS } = parsed.data;
    const now = this.#options.serverClock.now();
    // The lifetime is expires_in; if absent, the token's own exp; if absent, a minute (decisions,
    // "Authentication").
    const expiresInMs = expiresInS === null ? lifetimeByExp(value, now) : expiresInS * 1000;
    const lifetimeMs = expiresInMs !== null && expiresInMs > 0 ? expiresInMs : defaultLifetimeMs;
    const holder = await this.#holder();
    const token = { value, expiresAtServerMs: now + lifetimeMs, lifetimeMs, holder };
    this.#options.memory.update({ token });
    return value;
  }

  async #readJson(answer: Answer, host: string): Promise<unknown> {
    try {
      return await readJson(answer, host, 'token');
    } catch (error) {
      throw error instanceof DeskError ? await this.#options.portals.judge(error, answer) : error;
    }
  }
}

/** The lifetime by the exp of a token; the token belongs to the server and may not be a JWT. */
function lifetimeByExp(token: string, nowMs: number): number | null {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? null : exp * 1000 - nowMs;
  } catch {
    return null;
  }
}

/**
 * The client assertion of one token request (RFC 7523 section 3; specification, "Authentication",
 * step 2), signed RS256.
 * @param options.audience address of the token endpoint
 * @param options.serverNowMs server time
 */
function signAssertion(options: {
  clientId: string;
  audience: string;
  key: KeyObject;
  serverNowMs: number;
}): Promise<string> {
  const { clientId, audience, key, serverNowMs } = options;
  const iat = Math.floor(serverNowMs / 1000);
  return new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(iat)
    .setExpirationTime(iat + assertionLifetimeS)
    .sign(key);
}
