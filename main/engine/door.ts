import type { AnySchema } from '@orpc/contract';
import { calls } from '#shared/desk/contract.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import type { Calls, Handlers } from './engine.ts';

interface Schemas {
  readonly inputSchema?: AnySchema;
  readonly outputSchema?: AnySchema;
}

export interface DoorOptions {
  readonly log: FaultLog;
  /** Sees what a call fails with, before its caller does. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The engine's door: every call's input and output pass the contract's schemas, and every call
 * rejects with a DeskError.
 * @param handlers looked up at each call
 */
export function behindDoor(handlers: Handlers, { log, onError }: DoorOptions): Calls {
  // The loop loses which handler belongs to which schema; the type `Handlers` has checked it.
  const untyped = handlers as unknown as Record<
    string,
    Record<string, (input: unknown) => unknown>
  >;
  const call = (group: string, name: string, schemas: Schemas) => async (input?: unknown) => {
    try {
      const answer = await untyped[group]?.[name]?.(await parseInput(schemas.inputSchema, input));
      return await parseOutput(schemas.outputSchema, answer);
    } catch (error) {
      onError?.(error);
      throw toDeskError(error, `${group}.${name}`, log);
    }
  };
  const groups: Record<string, Record<string, { '~orpc': Schemas }>> = calls;
  const checked = Object.entries(groups).map(([group, procedures]) => [
    group,
    Object.fromEntries(
      Object.entries(procedures).map(([name, procedure]) => [
        name,
        call(group, name, procedure['~orpc']),
      ]),
    ),
  ]);
  return Object.fromEntries(checked) as Calls;
}

/** @throws {DeskError} invalid_input with the field's path and the rule, never its value */
async function parseInput(schema: AnySchema | undefined, input: unknown): Promise<unknown> {
  const result = await schema?.['~standard'].validate(input);
  if (!result?.issues) return result ? result.value : undefined;
  const [issue] = result.issues;
  const field = (issue?.path ?? [])
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .join('.');
  const rule = issue && 'code' in issue ? String(issue.code) : 'unknown';
  throw new DeskError('invalid_input', { field, rule });
}

async function parseOutput(schema: AnySchema | undefined, answer: unknown): Promise<unknown> {
  const result = await schema?.['~standard'].validate(answer);
  // Without the issues, which may quote a person's data.
  if (result?.issues) throw new TypeError('the answer breaks the contract');
  return result ? result.value : answer;
}
