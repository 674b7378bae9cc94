import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseJsonBody, parseWith } from '../front/parse-request.ts';

/** @throws {Problem} invalid_request where there is none, or no JSON. */
export function jsonBody(request: FastifyRequest): unknown {
  return parseJsonBody(request, rawBody(request));
}

/** The bytes of the body, which may be none. */
export function rawBody(request: FastifyRequest): Buffer | undefined {
  return request.body instanceof Buffer ? request.body : undefined;
}

/** @throws {Problem} invalid_request */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: 'path' | 'body',
): z.output<Schema> {
  // The cast restates what `parseWith` checked with this very schema.
  return parseWith(schema, value, part) as z.output<Schema>;
}
