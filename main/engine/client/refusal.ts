import { z } from 'zod';
import { DeskError } from '#shared/desk/errors.ts';
import { discardBody, foreignAnswer, mayBeJson, mediaTypeOf, readText } from './json-answer.ts';
import type { Answer } from './request.ts';

/** RFC 9457 as leniently as a foreign server may write it. */
const problemSchema = z.looseObject({
  title: z.string().nullish().catch(null),
  detail: z.string().nullish().catch(null),
  instance: z.string().nullish().catch(null),
  errors: z.record(z.string(), z.array(z.string())).nullish().catch(null),
  error: z.string().nullish().catch(null),
  error_description: z.string().nullish().catch(null),
});

/** What an answer other than 2xx says. */
export interface Refusal {
  readonly status: number;
  readonly title: string;
  /** The server's sentence and its messages per field; for a person, not for a log. */
  readonly detail: string;
  readonly correlationId: string;
  /** RFC 6749 section 5.2 and RFC 9449 section 8: `use_dpop_nonce` and its kin. */
  readonly oauthError: string;
  /** Set where it is no problem document: a redirect or a page of something in between. */
  readonly foreign: DeskError | null;
}

const detailMaxLength = 2000;

/**
 * Reads a refusal. A body that breaks off or is no problem document leaves the status to speak.
 * @param correlationId of the answer's header, or the one that we sent
 */
export async function readRefusal(
  answer: Answer,
  host: string,
  correlationId: string,
): Promise<Refusal> {
  const { status } = answer;
  const bare = { status, title: '', detail: '', correlationId, oauthError: '' };
  if (status < 400) {
    await discardBody(answer);
    return { ...bare, foreign: new DeskError('redirect_refused', { host }) };
  }
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    // A bare status is what many servers and proxies answer; a page is somebody else's.
    // 413 is one of a proxy on the way too, and says the same of the request.
    const isPage =
      status !== 413 &&
      (mediaTypeOf(answer).startsWith('text/html') || status === 407 || status === 511);
    return { ...bare, foreign: isPage ? foreignAnswer(answer, host) : null };
  }
  const problem = parseProblem(await readText(answer, host).catch(() => ''));
  if (!problem) return { ...bare, foreign: null };
  const messages = Object.values(problem.errors ?? {}).flat();
  const sentence = problem.detail ?? problem.error_description ?? '';
  return {
    status,
    title: problem.title ?? problem.error ?? '',
    detail: [sentence, ...messages].filter(Boolean).join('\n').slice(0, detailMaxLength),
    correlationId: correlationId || (problem.instance ?? ''),
    oauthError: problem.error ?? '',
    foreign: null,
  };
}

function parseProblem(text: string): z.infer<typeof problemSchema> | null {
  try {
    return problemSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const failureTitles = new Set(['upstream_timeout', 'upstream_error', 'internal_error']);

/** Whether the server failed, rather than refused; the request may then have been carried out. */
export const isServerFailure = (refusal: Refusal): boolean =>
  refusal.status >= 500 || failureTitles.has(refusal.title);

export const isThrottle = (refusal: Refusal): boolean =>
  refusal.status === 429 || refusal.title === 'rate_limited';

/** Whether token or proof were refused. 401 alone is, whatever its title. */
export const isUnauthorized = (refusal: Refusal): boolean =>
  refusal.status === 401 || refusal.title === 'invalid_dpop' || refusal.title === 'unauthorized';

/**
 * A refusal in the desk's words: the problem's title goes first and the status second, because
 * servers differ in their status per title.
 */
export function refusalError(refusal: Refusal, retryAfterS: number | null = null): DeskError {
  const { status, title, detail, correlationId, foreign } = refusal;
  if (isServerFailure(refusal)) {
    return new DeskError('server_failed', { title, status, correlationId });
  }
  if (foreign) return foreign;
  if (isThrottle(refusal)) return new DeskError('rate_limited', { retryAfterS });
  if (title === 'invalid_org_context') return new DeskError('organization_kind_wrong');
  if (isUnauthorized(refusal)) return new DeskError('unauthorized', { title, detail });
  return new DeskError('server_refused', { title, status, detail, correlationId });
}

/**
 * Why the token endpoint refused us. RFC 6749 has one code, invalid_client, for all of it, so the
 * sentence has to tell; we ask for it in English.
 */
export function tokenRefusalError(
  refusal: Refusal,
  who: { clientId: string; audience: string; offsetMs: number },
): DeskError {
  const { status, title, detail, oauthError } = refusal;
  const isClient = status === 401 || title === 'invalid_client' || oauthError === 'invalid_client';
  if (!isClient || isServerFailure(refusal) || isThrottle(refusal)) return refusalError(refusal);
  const text = detail.toLowerCase();
  if (/\baud\b|audience/.test(text)) {
    return new DeskError('audience_wrong', { audience: who.audience });
  }
  if (/\b(?:iat|nbf|exp)\b|expired|in the future|clock/.test(text)) {
    return new DeskError('clock_wrong', { offsetMinutes: Math.round(who.offsetMs / 60_000) });
  }
  if (/sign|\bkeys?\b|\bkid\b/.test(text)) return new DeskError('key_rejected');
  if (/client|\biss\b|\bsub\b/.test(text)) {
    return new DeskError('client_id_unknown', { clientId: who.clientId });
  }
  return new DeskError('unauthorized', { title, detail });
}
