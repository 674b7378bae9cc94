import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { problemStatus } from '#shared/api/problem.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { watched } from '../../log/long-work.ts';
import { BoundedJson } from './bounded-json.ts';
import type { Answer } from '../requests/transport.ts';

/** The limit is far above any answer of the partner API without document contents. */
const maxJsonBytes = 16 * 1024 * 1024;
/**
 * The limit of `BoundedJson.weight`, which takes 50 ms to parse. A page of 200 cases has a tenth of
 * it.
 */
export const maxWeight = 2 * 1024 * 1024;

/** The media type of an answer in lower case, without parameters; empty if it names none. */
export function mediaTypeOf(answer: Answer): string {
  return (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether the type of the answer is JSON (RFC 6839 section 3.1 for the suffix) or absent. */
export function mayBeJson(answer: Answer): boolean {
  const type = mediaTypeOf(answer);
  const names = ['', 'application/json', 'text/json'];
  return names.includes(type) || /^application\/[^/]+\+json$/.test(type);
}

/** The error for an answer that does not come from the partner: the page of a portal or proxy. */
export function foreignAnswer(answer: Answer, host: string): DeskError {
  return new DeskError('captive_portal', { host, found: mediaTypeOf(answer) || 'no-json' });
}

/** Reads a body completely. @throws {DeskError} answer_too_large */
export const readText = (answer: Answer, host: string): Promise<string> =>
  readWithin(answer, host, { maxStringBytes: maxJsonBytes, maxReceivedBytes: maxJsonBytes });

const listOperations: ReadonlySet<string> = new Set(['X1', 'X6', 'X10']);
/** The limit of one string, and the limit of a list's answer if most of it is long strings. */
const listLimits = { maxStringBytes: 6 * 1024 * 1024, maxReceivedBytes: 512 * 1024 * 1024 };

/**
 * Reads a text that is parsed on this thread.
 * @param limits a longer string makes its record unreadable, but not the others
 */
async function readWithin(
  answer: Answer,
  host: string,
  { maxStringBytes, maxReceivedBytes }: typeof listLimits,
): Promise<string> {
  const text = new BoundedJson(maxStringBytes);
  let received = 0;
  for await (const piece of answer.body) {
    received += piece.length;
    text.write(piece);
    if (received > maxReceivedBytes) throw tooLarge(host, maxReceivedBytes);
    if (text.bytes > maxJsonBytes || text.weight > maxWeight) throw tooLarge(host, maxJsonBytes);
  }
  const bytes = text.text();
  await letOthersRun(bytes.length);
  const decoded = withoutMark(bytes.toString('utf8'));
  await letOthersRun(bytes.length);
  return decoded;
}

/** Each step of reading a large answer takes some 30 ms, so others run between two of them. */
async function letOthersRun(size: number): Promise<void> {
  if (size > 1024 * 1024) await setImmediate();
}

const tooLarge = (host: string, maxBytes: number) =>
  new DeskError('answer_too_large', { host, maxMegabytes: maxBytes / 1024 / 1024 });

/** Some servers begin a JSON text with a byte order mark. */
const withoutMark = (text: string) => text.replace(/^\ufeff/, '');

/**
 * Parses a text of the partner's on this thread. Too long work is reported with the operation.
 * @throws {SyntaxError}
 */
export const parseWatched = (operation: string, text: string): unknown =>
  watched(`parse ${operation}`, text.length, () => JSON.parse(text) as unknown);

/**
 * Parses a JSON object. Text that begins like an object and stops early means a broken connection
 * (a body without a length ends with the connection). Text that is declared as JSON and is not a
 * web page does not come from a portal.
 * @param operation undefined if the server need not be the partner
 * @throws {DeskError} connection_lost, answer_invalid; captive_portal for the page of another
 *   server
 */
export function parseJsonObject(
  text: string,
  answer: Answer,
  host: string,
  operation?: string,
): unknown {
  try {
    return parseWatched(operation ?? 'answer', withoutMark(text));
  } catch (error) {
    const trimmed = text.trim();
    if (trimmed.startsWith('{') && !trimmed.endsWith('}')) {
      throw new DeskError('connection_lost', { host }, { cause: error });
    }
    const isPage = trimmed.startsWith('<') || (mediaTypeOf(answer) === '' && trimmed !== '');
    if (operation === undefined || isPage) throw foreignAnswer(answer, host);
    throw new DeskError('answer_invalid', { operation, detail: 'JSON' }, { cause: error });
  }
}

/**
 * Reads a JSON answer completely.
 * @param operation if it returns a list, strings that are too long for any record are removed
 * @throws {DeskError} captive_portal, connection_lost, answer_invalid, answer_too_large
 */
export async function readJson(answer: Answer, host: string, operation?: string): Promise<unknown> {
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    throw foreignAnswer(answer, host);
  }
  const isList = operation !== undefined && listOperations.has(operation);
  // Some servers answer an empty list with 204.
  if (isList && answer.status === 204) return { Total: 0, Items: [] };
  const text = await (isList ? readWithin(answer, host, listLimits) : readText(answer, host));
  const value = parseJsonObject(text, answer, host, operation);
  await letOthersRun(text.length);
  return value;
}

const worthReadingBytes = 64 * 1024;

/**
 * Discards an answer's body. A short body is read completely, so that the connection can be used
 * again; a longer body closes the connection.
 */
export async function discardBody(answer: Answer): Promise<void> {
  await readShortBody(answer);
}

/**
 * Reads a body that is optional. It is empty if it is long or breaks off, because the head
 * suffices.
 */
export async function readShortBody(answer: Answer): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer.body) {
      size += piece.length;
      if (size > worthReadingBytes) return '';
      pieces.push(piece);
    }
  } catch {
    return '';
  }
  return withoutMark(Buffer.concat(pieces).toString('utf8'));
}

/** The problem document of RFC 9457, in every form that another server may use. */
const problemSchema = z.looseObject({
  title: z.string().nullish().catch(null),
  detail: z.string().nullish().catch(null),
  instance: z.string().nullish().catch(null),
  errors: z.record(z.string(), z.array(z.string())).nullish().catch(null),
  error: z.string().nullish().catch(null),
  error_description: z.string().nullish().catch(null),
});

/** An answer other than 2xx. */
export interface Refusal {
  readonly status: number;
  readonly title: string;
  /** The server's sentence and its messages per field. They are for the user, not for a log. */
  readonly detail: string;
  /** The `detail` and `errors` of the problem document. */
  readonly sentence: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly correlationId: string;
  /** The error code of RFC 6749 section 5.2 and RFC 9449 section 8, such as `use_dpop_nonce`. */
  readonly oauthError: string;
  /**
   * The error if the answer is not a problem document: a redirect, or a page of a portal or proxy.
   */
  readonly foreign: DeskError | null;
}

const detailMaxLength = 2000;

/**
 * Reads a refusal. If the body breaks off or is not a problem document, the status alone decides.
 * @param correlationId the id in the answer's header, or the one that we sent
 */
export async function readRefusal(
  answer: Answer,
  host: string,
  correlationId: string,
): Promise<Refusal> {
  const { status } = answer;
  const bare = {
    status,
    title: '',
    detail: '',
    sentence: '',
    errors: {},
    correlationId,
    oauthError: '',
  };
  if (status < 400) {
    await discardBody(answer);
    return { ...bare, foreign: new DeskError('redirect_refused', { host }) };
  }
  // Only a proxy answers 407, with or without a page, and never the partner.
  if (status === 407) {
    await discardBody(answer);
    return { ...bare, foreign: new DeskError('proxy_sign_in', { host }) };
  }
  if (status === portalStatus) {
    await discardBody(answer);
    return { ...bare, foreign: foreignAnswer(answer, host) };
  }
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    // Many servers and proxies answer with a status alone, but a page comes from another server. An
    // exception is 413: it means the same if a proxy answers it.
    const isPage = status !== 413 && mediaTypeOf(answer).startsWith('text/html');
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
    sentence,
    errors: problem.errors ?? {},
    correlationId: correlationId || (problem.instance ?? ''),
    oauthError: problem.error ?? '',
    foreign: null,
  };
}

function parseProblem(text: string): z.infer<typeof problemSchema> | null {
  try {
    return problemSchema.parse(parseWatched('refusal', text));
  } catch {
    return null;
  }
}

const failureTitles = new Set(['upstream_timeout', 'upstream_error', 'internal_error']);

/** The status of a portal that asks for a sign-in (RFC 6585 section 6). No server answers it. */
export const portalStatus = 511;

/** Whether the server failed and did not refuse. Then the request may have been carried out. */
export const isServerFailure = (refusal: Refusal): boolean =>
  (refusal.status >= 500 && refusal.status !== portalStatus) || failureTitles.has(refusal.title);

/**
 * The statuses of a client error that may pass, unless the title states another reason (RFC 9110
 * section 15.5 unless another RFC is named). All others are final: the same request gets the same
 * answer.
 *
 * | status | meaning | may have been carried out |
 * |---|---|---|
 * | 408 | the request did not arrive within the server's time | a front server may have passed it
 * on |
 * | 421 | the connection was opened for another server | no |
 * | 423 | locked at the moment (RFC 4918) | no |
 * | 425 | too early in a connection (RFC 8470) | no |
 *
 * These are handled elsewhere: 401 (token or proof), 407 (the proxy), 429 (pacing), 404 and 410
 * (`goneReason`), 409 without a title (`isStateRefusal`).
 */
const passingStatuses: Readonly<Record<number, { readonly mayHaveRun: boolean }>> = {
  408: { mayHaveRun: true },
  421: { mayHaveRun: false },
  423: { mayHaveRun: false },
  425: { mayHaveRun: false },
};

/** The refusal's meaning if the server may carry out the request later; null if it is final. */
export function passingRefusal(refusal: Refusal): { readonly mayHaveRun: boolean } | null {
  if (isServerFailure(refusal)) return { mayHaveRun: true };
  if (refusal.title in problemStatus) return null;
  return passingStatuses[refusal.status] ?? null;
}

export const isThrottle = (refusal: Refusal): boolean =>
  refusal.status === 429 || refusal.title === 'rate_limited';

/** Whether the token or the proof was refused. A 401 counts regardless of its title. */
export const isUnauthorized = (refusal: Refusal): boolean =>
  refusal.status === 401 || refusal.title === 'invalid_dpop' || refusal.title === 'unauthorized';

/**
 * The error of a refusal. The title decides before the status, because servers use different
 * statuses for the same title.
 * @param operation given if the request was one that reads, so that no act of the user was refused
 */
export function refusalError(refusal: Refusal, operation?: string): DeskError {
  const { status, title, detail, correlationId, foreign } = refusal;
  if (passingRefusal(refusal)) {
    return new DeskError('server_failed', { title, status, correlationId });
  }
  if (foreign) return foreign;
  if (title === 'invalid_org_context') return new DeskError('organization_kind_wrong');
  if (isUnauthorized(refusal)) return new DeskError('unauthorized', { title, detail });
  // The cause is for a program that passes the refusal on to its own client.
  return new DeskError(
    'server_refused',
    { title, status, detail, correlationId, ...(operation !== undefined && { operation }) },
    { cause: refusal },
  );
}

/** The requests that name no record. If nothing exists at their address, the address is wrong. */
const namesNoRecord = new Set(['token', 'X1']);
const nothingThere = new Set([404, 405, 410]);

/** The error that the address of a request is wrong; null if this is not certain. */
export function missingPath(operation: string, url: URL, refusal: Refusal): DeskError | null {
  const { status } = refusal;
  if (!namesNoRecord.has(operation) || !nothingThere.has(status)) return null;
  return new DeskError(
    'path_unknown',
    { address: `${url.origin}${url.pathname}`, status },
    { cause: refusal },
  );
}

/**
 * The reason why the token endpoint refused the request. RFC 6749 has one code, invalid_client, for
 * all reasons, so the sentence decides; the request asks for it in English.
 */
export function tokenRefusalError(
  refusal: Refusal,
  who: { clientId: string; audience: string; offsetMs: number },
): DeskError {
  const { status, title, detail, oauthError } = refusal;
  const isClient = status === 401 || title === 'invalid_client' || oauthError === 'invalid_client';
  if (!isClient || isServerFailure(refusal)) return refusalError(refusal);
  const text = detail.toLowerCase();
  if (/\brevoked\b/.test(text)) return new DeskError('access_revoked');
  if (/\baud\b|audience/.test(text)) {
    return new DeskError('audience_wrong', { audience: who.audience });
  }
  if (/\b(?:iat|nbf|exp)\b|expired|in the future|clock/.test(text)) {
    const offsetMinutes = Math.round(Math.abs(who.offsetMs) / 60_000);
    return new DeskError('clock_wrong', { offsetMinutes });
  }
  if (/sign|\bkeys?\b|\bkid\b/.test(text)) return new DeskError('key_rejected');
  const { clientId, audience } = who;
  // The sentence is about the client id, and not about "client authentication".
  if (/\bclient(?:_id| id)\b|\biss\b|\bsub\b|(?:unknown|no such) client\b/.test(text)) {
    return new DeskError('client_id_unknown', { clientId });
  }
  return new DeskError('sign_in_refused', { clientId, audience });
}
