import { z } from 'zod';
import { problemStatus } from '#shared/api/problem.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { LongStrings } from './long-strings.ts';
import type { Answer } from './transport.ts';

/** No answer of the partner API without document contents comes near this. */
const maxJsonBytes = 64 * 1024 * 1024;

/** The media type of an answer in lower case, without parameters; empty if it names none. */
export function mediaTypeOf(answer: Answer): string {
  return (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Whether its type is JSON (RFC 6839 section 3.1 for the suffix), or absent. */
export function mayBeJson(answer: Answer): boolean {
  const type = mediaTypeOf(answer);
  const names = ['', 'application/json', 'text/json'];
  return names.includes(type) || /^application\/[^/]+\+json$/.test(type);
}

/** An answer that does not come from the partner: a portal's or a proxy's page. */
export function foreignAnswer(answer: Answer, host: string): DeskError {
  return new DeskError('captive_portal', { host, found: mediaTypeOf(answer) || 'no-json' });
}

/** Reads a body to its end. @throws {DeskError} answer_too_large */
export async function readText(answer: Answer, host: string): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    size += piece.length;
    if (size > maxJsonBytes) throw tooLarge(host, maxJsonBytes);
    pieces.push(piece);
  }
  return textOf(Buffer.concat(pieces));
}

const listOperations: ReadonlySet<string> = new Set(['X1', 'X6', 'X10']);
/** From this size on a list is searched for strings that no record has. */
const suspectListBytes = 16 * 1024 * 1024;
const maxStringBytes = 8 * 1024 * 1024;
/** What may come in, if most of it is such strings. */
const maxReceivedBytes = 512 * 1024 * 1024;

/** Reads a list: one sick record does not cost the others. @throws {DeskError} answer_too_large */
async function readListText(answer: Answer, host: string): Promise<string> {
  const pieces: Buffer[] = [];
  let shortened: LongStrings | null = null;
  let received = 0;
  for await (const piece of answer.body) {
    received += piece.length;
    if (shortened) shortened.write(piece);
    else pieces.push(piece);
    if (!shortened && received > suspectListBytes) {
      shortened = new LongStrings(maxStringBytes);
      for (const each of pieces.splice(0)) shortened.write(each);
    }
    if (received > maxReceivedBytes) throw tooLarge(host, maxReceivedBytes);
    if (shortened && shortened.bytes > maxJsonBytes) throw tooLarge(host, maxJsonBytes);
  }
  return textOf(shortened?.text() ?? Buffer.concat(pieces));
}

const tooLarge = (host: string, maxBytes: number) =>
  new DeskError('answer_too_large', { host, maxMegabytes: maxBytes / 1024 / 1024 });

const textOf = (bytes: Buffer) => bytes.toString('utf8').replace(/^\ufeff/, '');

/**
 * Parses a JSON object. Text that begins like one and stops early is a broken connection (a body
 * without a length ends with the connection). What calls itself JSON and is no page is not a portal's.
 * @param operation undefined if the server need not be the partner
 * @throws {DeskError} connection_lost, answer_invalid, or captive_portal for another's page
 */
export function parseJsonObject(
  text: string,
  answer: Answer,
  host: string,
  operation?: string,
): unknown {
  try {
    return JSON.parse(text);
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
 * Reads a JSON answer whole.
 * @param operation if it gives a list, strings that no record has are taken out
 * @throws {DeskError} captive_portal, connection_lost, answer_invalid, answer_too_large
 */
export async function readJson(answer: Answer, host: string, operation?: string): Promise<unknown> {
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    throw foreignAnswer(answer, host);
  }
  const isList = operation !== undefined && listOperations.has(operation);
  // A list without anything in it.
  if (isList && answer.status === 204) return { Total: 0, Items: [] };
  const text = await (isList ? readListText(answer, host) : readText(answer, host));
  return parseJsonObject(text, answer, host, operation);
}

const worthReadingBytes = 64 * 1024;

/**
 * Gives up an answer's body. A short one is read completely, so that the connection stays usable; a
 * longer one costs the connection.
 */
export async function discardBody(answer: Answer): Promise<void> {
  await readShortBody(answer);
}

/** A body that need not be there; empty if it is long or breaks off: the head is enough. */
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
  return Buffer.concat(pieces).toString('utf8');
}

/** RFC 9457 as leniently as a foreign server may write it. */
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
  /** The server's sentence and its messages per field; for the user, not for a log. */
  readonly detail: string;
  /** The problem document's own `detail` and `errors`. */
  readonly sentence: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly correlationId: string;
  /** RFC 6749 section 5.2 and RFC 9449 section 8: `use_dpop_nonce` and its kin. */
  readonly oauthError: string;
  /** Set if it is not a problem document: a redirect, or a page of a portal or proxy. */
  readonly foreign: DeskError | null;
}

const detailMaxLength = 2000;

/**
 * Reads a refusal. If the body breaks off or is not a problem document, the status alone decides.
 * @param correlationId of the answer's header, or the one that we sent
 */
export async function readRefusal(
  answer: Answer,
  host: string,
  correlationId: string,
): Promise<Refusal> {
  const { status } = answer;
  const bare = {
    ...{ status, title: '', detail: '', sentence: '', errors: {} },
    ...{ correlationId, oauthError: '' },
  };
  if (status < 400) {
    await discardBody(answer);
    return { ...bare, foreign: new DeskError('redirect_refused', { host }) };
  }
  // Never the partner's: only a proxy answers so, with or without a page.
  if (status === 407) {
    await discardBody(answer);
    return { ...bare, foreign: new DeskError('proxy_sign_in', { host }) };
  }
  if (!mayBeJson(answer)) {
    await discardBody(answer);
    // Many servers and proxies answer a bare status; a page comes from another server. A proxy's
    // 413 means the same for the request.
    const isPage =
      status !== 413 && (mediaTypeOf(answer).startsWith('text/html') || status === 511);
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
    return problemSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const failureTitles = new Set(['upstream_timeout', 'upstream_error', 'internal_error']);

/** Whether the server failed, rather than refused; the request may then have been carried out. */
export const isServerFailure = (refusal: Refusal): boolean =>
  refusal.status >= 500 || failureTitles.has(refusal.title);

/**
 * Statuses of a client error that pass, if the title states nothing else (RFC 9110 section 15.5 if
 * nothing else is named). All others are final: the same request is answered alike again.
 *
 * | status | meaning | may have been carried out |
 * |---|---|---|
 * | 408 | the request did not arrive within the server's time | a front server may have passed it on |
 * | 421 | the connection was opened for another server | no |
 * | 423 | locked at the moment (RFC 4918) | no |
 * | 425 | too early in a connection (RFC 8470) | no |
 *
 * Elsewhere: 401 (token or proof), 407 (the proxy), 429 (pacing), 404 and 410 (`goneReason`), 409
 * without a title (`isStateRefusal`).
 */
const passingStatuses: Readonly<Record<number, { readonly mayHaveRun: boolean }>> = {
  408: { mayHaveRun: true },
  421: { mayHaveRun: false },
  423: { mayHaveRun: false },
  425: { mayHaveRun: false },
};

/** Whether the server could not now and may later; null if it refused. */
export function passingRefusal(refusal: Refusal): { readonly mayHaveRun: boolean } | null {
  if (isServerFailure(refusal)) return { mayHaveRun: true };
  if (refusal.title in problemStatus) return null;
  return passingStatuses[refusal.status] ?? null;
}

export const isThrottle = (refusal: Refusal): boolean =>
  refusal.status === 429 || refusal.title === 'rate_limited';

/** Whether token or proof were refused. A 401 counts regardless of its title. */
export const isUnauthorized = (refusal: Refusal): boolean =>
  refusal.status === 401 || refusal.title === 'invalid_dpop' || refusal.title === 'unauthorized';

/**
 * The title decides before the status, because servers differ in their status per title.
 * @param operation of a request that reads: nothing that the user did was refused
 */
export function refusalError(refusal: Refusal, operation?: string): DeskError {
  const { status, title, detail, correlationId, foreign } = refusal;
  if (passingRefusal(refusal)) {
    return new DeskError('server_failed', { title, status, correlationId });
  }
  if (foreign) return foreign;
  if (title === 'invalid_org_context') return new DeskError('organization_kind_wrong');
  if (isUnauthorized(refusal)) return new DeskError('unauthorized', { title, detail });
  // The cause is for a program that passes the refusal on.
  return new DeskError(
    'server_refused',
    { title, status, detail, correlationId, ...(operation !== undefined && { operation }) },
    { cause: refusal },
  );
}

/** Requests that name no record: if there is nothing at their address, the address is wrong. */
const namesNoRecord = new Set(['token', 'X1']);
const nothingThere = new Set([404, 405, 410]);

/** The address of a request is wrong; null if that is unknown. */
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
 * Why the token endpoint refused us. RFC 6749 has one code, invalid_client, for all reasons, so the
 * sentence decides; we ask for it in English.
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
    return new DeskError('clock_wrong', { offsetMinutes: Math.round(who.offsetMs / 60_000) });
  }
  if (/sign|\bkeys?\b|\bkid\b/.test(text)) return new DeskError('key_rejected');
  const { clientId, audience } = who;
  // The subject of the sentence is the client id, and not "client authentication".
  if (/\bclient(?:_id| id)\b|\biss\b|\bsub\b|(?:unknown|no such) client\b/.test(text)) {
    return new DeskError('client_id_unknown', { clientId });
  }
  return new DeskError('sign_in_refused', { clientId, audience });
}
