import { isSameId } from '#shared/api/conventions.ts';
import type { z } from 'zod';
import type { OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { echoAnswer, type ClientEcho } from './answers.ts';
import type { Answered, Call, CalledOperation, Caller, DeliveryOptions } from './call.ts';
import { foreignAnswer, mayBeJson, mediaTypeOf, readJson, readShortBody } from './read-answer.ts';
import type { Exchanged } from './signed-request.ts';

export interface Paging {
  readonly page: number;
  readonly size: number;
}

/** The kinds of requests that the operations are made of. */
export interface Requests {
  readonly call: Caller;
  /** An operation with a JSON answer, checked by its schema. */
  readonly ask: <Schema extends z.ZodType>(
    operation: CalledOperation,
    schema: Schema,
    values: Pick<Call<unknown>, 'params' | 'query' | 'body'>,
    request: DeliveryOptions | undefined,
  ) => Promise<Answered<z.output<Schema>>>;
  /** An operation that need not answer anything. */
  readonly change: (
    operation: OperationId,
    values: Pick<Call<unknown>, 'params' | 'body'>,
    request: DeliveryOptions | undefined,
  ) => Promise<Answered<ClientEcho | null>>;
}

export function requestsOver(call: Caller): Requests {
  return {
    call,
    ask: (operation, schema, values, request) =>
      call(
        {
          operation,
          ...values,
          read: async ({ answer, host }) =>
            checked(operation, schema, await readJson(answer, host, operation)),
        },
        request,
      ),
    change: (operation, values, request) => call({ operation, ...values, read: readEcho }, request),
  };
}

export const json = (value: unknown) => () => Buffer.from(JSON.stringify(value));

export function queryOf({ page, size, ...rest }: Paging & { lastChangedSince?: string }) {
  return { ...rest, page: String(page), size: String(size) };
}

/** Any 2xx will do, but a portal's page will not. Null if it contains nothing of the case. */
async function readEcho({ answer, host }: Exchanged): Promise<ClientEcho | null> {
  const text = await readShortBody(answer);
  if (!mayBeJson(answer) && mediaTypeOf(answer) !== 'text/plain') throw foreignAnswer(answer, host);
  try {
    return echoAnswer.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A record that was asked for by its id; an answer with another id is a mismatch. */
export const about = <Found extends { readonly id: string }>(
  id: string,
  schema: z.ZodType<Found>,
) =>
  schema
    .refine((found) => isSameId(found.id, id), { path: ['Id'] })
    .transform((found) => ({ ...found, id }));

/** @throws {DeskError} answer_invalid, naming the place by its path and no value */
export function checked<Schema extends z.ZodType>(
  operation: CalledOperation,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DeskError('answer_invalid', { operation, detail: issue?.path.join('.') ?? '' });
}
