import { randomUUID, type KeyObject } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { clientAssertionType } from '#shared/api/token.ts';
import { assertionLifetimeS, tokenWindow } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { tokenAnswer } from './answers.ts';
import { backoffMs, maxAttempts, parseRetryAfter, type TokenSource } from './call.ts';
import { orAborted, sleep, type ServerClock } from './clock.ts';
import type { OpenMemory } from './memory.ts';
import { maxOverrideMs, longestBlockMs, rateLimited } from './pacing.ts';
import {
  isServerFailure,
  isThrottle,
  missingPath,
  passingRefusal,
  readJson,
  readRefusal,
  tokenRefusalError,
} from './read-answer.ts';
import type { PortalCheck } from './portal-check.ts';
import type { ProofSigner, Sender } from './signed-request.ts';
import { RequestFailure, type Answer } from './transport.ts';

/** Clocks and windows do not start alike; we count this much longer than a window. */
const windowMarginMs = 1_000;
/** Of a token without a lifetime (decisions, "Authentication"). */
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
  /** Ends the requests when the client is closed. */
  readonly closing: AbortSignal;
  /** `TokenSource.pauseMs` has changed. */
  readonly onPause: () => void;
}

/**
 * The access token (RFC 6749 section 4.4, RFC 7523, RFC 9449 section 5): one request at a time for
 * all callers, cached until shortly before its expiry, also for the next process. Never more than
 * the published number of requests in any minute.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { url, audience, clientId, scope, serverClock, clock, random, memory, sender } = options;
  let running: Promise<string> | null = null;

  const isFresh = (value: string) => {
    const token = memory.state.token;
    if (token?.value !== value) return false;
    const reserveMs = Math.min(30_000, token.lifetimeMs / 5);
    return token.expiresAtServerMs - reserveMs > serverClock.now();
  };
  const holder = async () =>
    JSON.stringify([url.href, clientId, scope ?? null, await options.proofs.jkt()]);

  const blockedMs = () => {
    const untilMs = memory.state.tokenBlockedUntilMs ?? 0;
    return Math.min(untilMs - clock.now(), maxOverrideMs);
  };
  const setBlock = (tokenBlockedUntilMs: number | null) => {
    if (memory.state.tokenBlockedUntilMs === tokenBlockedUntilMs) return;
    memory.update({ tokenBlockedUntilMs });
    options.onPause();
  };

  /** Waits through a pause that the server asked for, of an earlier process too. */
  const awaitBlock = async () => {
    const ms = blockedMs();
    if (ms > longestBlockMs) throw rateLimited(ms, clock.now());
    if (ms > 0) await sleep(clock, ms, options.closing);
  };

  /** Waits until one more request stays within the window of the server. */
  const awaitWindow = async () => {
    const span = tokenWindow.windowMs + windowMarginMs;
    for (;;) {
      const now = serverClock.now();
      // Our idea of server time wavers by a second; a request dated far ahead of it was made under
      // a clock that has been set since.
      const recent = memory.state.tokenRequests.filter((at) => Math.abs(now - at) < span);
      const oldest = recent.at(-tokenWindow.requests);
      if (oldest === undefined) {
        memory.update({ tokenRequests: [...recent, now] });
        return;
      }
      await sleep(clock, oldest + span - now, options.closing);
    }
  };

  const requestToken = async () => {
    const assertion = await signAssertion({
      clientId,
      audience,
      key: options.privateKey,
      serverNowMs: serverClock.now(),
    });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: clientAssertionType,
      client_assertion: assertion,
      ...(scope !== undefined && { scope }),
    });
    return sender.send(
      {
        operation: 'token',
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(form.toString()),
        accessToken: undefined,
      },
      options.closing,
    );
  };

  const fetchToken = async (): Promise<string> => {
    let failures = 0;
    let repairs = 0;
    for (;;) {
      await awaitBlock();
      await awaitWindow();
      let problem: DeskError;
      let waitMs: number;
      try {
        const { answer, host, correlationId, corrected, nonceOffered } = await requestToken();
        if (answer.status >= 200 && answer.status < 300) {
          setBlock(null);
          const parsed = tokenAnswer.safeParse(await readTokenAnswer(answer, host));
          if (parsed.success) return await keep(parsed.data);
          throw new DeskError('answer_invalid', { operation: 'token', detail: 'access_token' });
        }
        const retryAfter = parseRetryAfter(answer.headers['retry-after'], serverClock.now());
        const refusal = await readRefusal(answer, host, correlationId);
        sender.noteTitle(refusal.title);
        // Once: with the server's time if ours was wrong, or with the nonce that it wants.
        const mendable = corrected || nonceOffered;
        if (mendable && repairs++ === 0 && !isThrottle(refusal) && !isServerFailure(refusal)) {
          continue;
        }
        if (isThrottle(refusal)) {
          sender.countThrottle();
          waitMs = retryAfter ?? tokenWindow.windowMs * random();
          problem = rateLimited(waitMs, clock.now());
          setBlock(clock.now() + waitMs);
          if (waitMs > longestBlockMs) throw problem;
        } else {
          setBlock(null);
          const offsetMs = serverClock.offsetMs();
          problem =
            missingPath('token', url, refusal) ??
            tokenRefusalError(refusal, { clientId, audience, offsetMs });
          if (!passingRefusal(refusal)) throw await options.portals.judge(problem, answer);
          waitMs = backoffMs(failures + 1, random);
        }
      } catch (error) {
        if (!(error instanceof RequestFailure) || error.problem.code !== 'connection_lost') {
          throw error instanceof RequestFailure ? error.problem : error;
        }
        problem = error.problem;
        waitMs = backoffMs(failures + 1, random);
      }
      if (++failures >= maxAttempts) throw problem;
      await sleep(clock, waitMs, options.closing);
    }
  };

  const readTokenAnswer = async (answer: Answer, host: string): Promise<unknown> => {
    try {
      return await readJson(answer, host);
    } catch (error) {
      throw error instanceof DeskError ? await options.portals.judge(error, answer) : error;
    }
  };

  /** expires_in first, then the token's own exp, then a minute (decisions, "Authentication"). */
  const keep = async (found: { value: string; expiresInS: number | null }): Promise<string> => {
    const now = serverClock.now();
    const expiresInMs =
      found.expiresInS === null ? lifetimeByExp(found.value, now) : found.expiresInS * 1000;
    const lifetimeMs = expiresInMs !== null && expiresInMs > 0 ? expiresInMs : defaultLifetimeMs;
    memory.update({
      token: {
        value: found.value,
        expiresAtServerMs: now + lifetimeMs,
        lifetimeMs,
        holder: await holder(),
      },
    });
    return found.value;
  };

  return {
    isFresh,
    pauseMs() {
      const ms = blockedMs();
      return ms > 0 ? ms : null;
    },
    async get(signal) {
      const token = memory.state.token;
      if (token?.holder === (await holder()) && isFresh(token.value)) return token.value;
      running ??= fetchToken().finally(() => {
        running = null;
      });
      return orAborted(running, signal);
    },
    invalidate(value) {
      if (memory.state.token?.value === value) memory.update({ token: null });
    },
  };
}

/** The token belongs to the server and need not be a JWT at all. */
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
