import { isSameId } from '#shared/api/conventions.ts';
import type { z } from 'zod';
import type { OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { echoAnswer, type ClientEcho } from '../answers/answers.ts';
import type { Answered, Call, CalledOperation, Caller, DeliveryOptions } from './call.ts';
import {
  foreignAnswer,
  mayBeJson,
  mediaTypeOf,
  parseWatched,
  readJson,
  readShortBody,
} from '../answers/read-answer.ts';
import type { Exchanged } from './signed-request.ts';

export interface Paging {
  readonly page: number;
  readonly size: number;
}

/** The kinds of requests that the operations are made of. */
export interface Requests {
  readonly call: Caller;
  /** Calls an operation with a JSON answer, which is checked by a schema. */
  readonly ask: <Schema extends z.ZodType>(
    operation: CalledOperation,
    schema: Schema,
    values: Pick<Call<unknown>, 'params' | 'query' | 'body'>,
    request: DeliveryOptions | undefined,
  ) => Promise<Answered<z.output<Schema>>>;
  /** Calls an operation that may answer nothing. */
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

/**
 * Reads the answer to a change. Any 2xx is accepted, except a portal's page. The result is null if
 * the answer contains nothing about the case.
 */
async function readEcho({ answer, host }: Exchanged): Promise<ClientEcho | null> {
  const text = await readShortBody(answer);
  if (!mayBeJson(answer) && mediaTypeOf(answer) !== 'text/plain') throw foreignAnswer(answer, host);
  try {
    return echoAnswer.safeParse(parseWatched('echo', text)).data ?? null;
  } catch {
    return null;
  }
}

/** Checks a record that was requested by its id. An answer with another id is a mismatch. */
export const about = <Found extends { readonly id: string }>(
  id: string,
  schema: z.ZodType<Found>,
) =>
  schema
    .refine((found) => isSameId(found.id, id), { path: ['Id'] })
    .transform((found) => ({ ...found, id }));

/**
 * Checks a value by a schema. @throws {DeskError} answer_invalid with the path of the fault and no
 * value
 */
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
