import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idempotencyKeyMaxLength } from '#shared/api/limits.ts';
import { Problem } from './problem.ts';

/** The type of a checked part of a request; undefined if it has no schema. */
export type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type MaybeSchema = z.ZodType | undefined;

/**
 * Checks a part of the request against its schema.
 * @throws {Problem} invalid_request; `errors` names every field at fault.
 */
export function parseWith<Schema extends MaybeSchema>(
  schema: Schema,
  value: unknown,
  part: 'path' | 'query' | 'body',
): Output<Schema> {
  if (schema && part === 'body') assertSpelling(schema, value);
  const result = schema?.safeParse(value);
  if (result?.success === false) throw notAsExpected(part, errorsOf(result.error, part));
  // The cast is safe because the schema has checked the data.
  return result?.data as Output<Schema>;
}

/**
 * Refuses members that differ from a known one by case only. Unknown members are ignored, so a
 * comment under the name `text` would be one that is cleared.
 * @throws {Problem} invalid_request
 */
function assertSpelling(schema: z.ZodType, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const known = membersOf(schema);
  const errors = Object.keys(value).flatMap((name) => {
    const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
    const isWrong = meant !== undefined && !known.includes(name);
    return isWrong ? [[name, [`is called ${meant}.`]] as const] : [];
  });
  if (errors.length > 0) throw notAsExpected('body', Object.fromEntries(errors));
}

/** The names of the members of a body's schema; none if it is no object. */
function membersOf(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const isWrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable;
  // The cast narrows what a wrapper holds to what every schema is.
  return isWrapped ? membersOf(schema.unwrap() as z.ZodType) : [];
}

/** The messages of each field at fault, under the name of the part if it is not an object. */
export function errorsOf({ issues }: z.ZodError, part = 'body'): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const isWhole = path.length === 0;
    (errors[isWhole ? part : path.join('.')] ??= []).push(
      isWhole && part === 'body' ? 'must be a JSON object.' : message,
    );
  }
  return errors;
}

function notAsExpected(
  part: 'path' | 'query' | 'body',
  errors: Readonly<Record<string, readonly string[]>>,
): Problem {
  return new Problem('invalid_request', `the ${part} is not as the operation expects it`, {
    errors,
  });
}

/**
 * Checks the query against its schema.
 * @throws {Problem} invalid_request, even if only the encoding is not percent-encoded UTF-8. The
 *   parser accepts any encoding, so a search for an umlaut in Latin-1 would find nothing.
 */
export function parseQuery<Schema extends MaybeSchema>(
  schema: Schema,
  request: FastifyRequest,
): Output<Schema> {
  const start = request.url.indexOf('?');
  const query = start < 0 ? '' : request.url.slice(start + 1);
  for (const field of schema && query.includes('%') ? query.split('&') : []) {
    if (decoded(field) !== undefined) continue;
    const [name = ''] = field.split('=', 1);
    throw notAsExpected('query', {
      [decoded(name) ?? 'query']: ['must be percent-encoded UTF-8.'],
    });
  }
  return parseWith(schema, request.query, 'query');
}

/** The decoded text; undefined if it is not percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks the JSON body against its schema, which may accept a missing body.
 * @throws {Problem} invalid_request
 */
export function parseBody<Schema extends MaybeSchema>(
  schema: Schema,
  request: FastifyRequest,
): Output<Schema> {
  const raw = Buffer.isBuffer(request.body) ? request.body : undefined;
  const hasBody = raw !== undefined && raw.length > 0;
  const isRead = schema && (hasBody || !schema.safeParse(undefined).success);
  return parseWith(schema, isRead ? parseJsonBody(request, raw) : undefined, 'body');
}

/**
 * Parses the JSON value of a request's body.
 * @throws {Problem} invalid_request if the body is missing, is not JSON in UTF-8, or is declared as
 *   another type or as compressed.
 */
function parseJsonBody(request: FastifyRequest, raw: Buffer | undefined): unknown {
  if (!raw || raw.length === 0) {
    throw new Problem('invalid_request', 'the request has no body', {
      errors: { body: ['is required.'] },
    });
  }
  assertPlainJson(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new Problem('invalid_request', 'the body is not JSON', {
      errors: { body: ['must be JSON in UTF-8.'] },
    });
  }
}

/** @throws {Problem} invalid_request if the body is not sent as uncompressed JSON. */
export function assertPlainJson(request: FastifyRequest): void {
  assertNoContentCoding(request);
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new Problem('invalid_request', 'the body must be sent as application/json', {
      errors: { 'Content-Type': ['must be application/json.'] },
    });
  }
}

/**
 * Refuses compressed bodies, as RFC 9110 section 8.4 allows: 1 MiB of gzip may expand to 1 GiB.
 * @throws {Problem} invalid_request
 */
export function assertNoContentCoding({ headers }: FastifyRequest): void {
  const codings = (headers['content-encoding'] ?? '').split(',');
  if (codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))) return;
  throw new Problem('invalid_request', 'the body must be sent without a content coding', {
    errors: { 'Content-Encoding': ['must be left out, or identity.'] },
  });
}

/**
 * The Idempotency-Key of a request; undefined if it has none.
 * @throws {Problem} invalid_request if it is not 1 to 255 printable characters, or is repeated.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Node joins repeated headers by a comma, but a single key may also contain a comma.
  if (key.includes(',') && (request.raw.headersDistinct['idempotency-key']?.length ?? 0) > 1) {
    throw new Problem('invalid_request', 'the request has more than one Idempotency-Key', {
      errors: { 'Idempotency-Key': ['must be given once.'] },
    });
  }
  if (typeof key !== 'string' || key.length > idempotencyKeyMaxLength || !/^[ -~]+$/.test(key)) {
    throw new Problem('invalid_request', 'the Idempotency-Key is not a usable key', {
      errors: {
        'Idempotency-Key': [`must be 1 to ${idempotencyKeyMaxLength} printable characters.`],
      },
    });
  }
  return key;
}
