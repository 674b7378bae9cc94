import type { AnySchema } from '@orpc/contract';
import { z } from 'zod';
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
  /** Sees the records that are left out of an answer. */
  readonly onLeftOut?: (records: readonly LeftOut[]) => void;
}

/** A record that the contract refuses; its value may quote a case and is not given. */
export interface LeftOut {
  readonly id: string;
  /** Of the first fault, as a path within the answer. */
  readonly place: string;
}

/**
 * The engine's door: every call's input and output pass the contract's schemas, and every call
 * rejects with a DeskError.
 * @param handlers looked up at each call
 */
export function behindDoor(handlers: Handlers, { log, onError, onLeftOut }: DoorOptions): Calls {
  // The loop loses which handler belongs to which schema; the type `Handlers` has checked it.
  const untyped = handlers as unknown as Record<
    string,
    Record<string, (input: unknown) => unknown>
  >;
  const call = (group: string, name: string, schemas: Schemas) => async (input?: unknown) => {
    try {
      const answer = await untyped[group]?.[name]?.(await parseInput(schemas.inputSchema, input));
      const { value, leftOut } = await parseOutput(schemas.outputSchema, answer);
      if (leftOut.length > 0) {
        toDeskError(refusedRecord(leftOut), `${group}.${name}`, log);
        onLeftOut?.(leftOut);
      }
      return value;
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

type Path = readonly PropertyKey[];

/** Faults of one record can hide further ones; each round shows those that are left. */
const parseRounds = 5;

/**
 * One record that the contract refuses does not cost the list: it is left out.
 * @throws {TypeError} if the fault is in no list
 */
async function parseOutput(
  schema: AnySchema | undefined,
  answer: unknown,
): Promise<{ value: unknown; leftOut: LeftOut[] }> {
  const leftOut: LeftOut[] = [];
  let rest = answer;
  for (let round = 1; schema !== undefined && round <= parseRounds; round += 1) {
    const result = await schema['~standard'].validate(rest);
    if (!result.issues) return { value: result.value, leftOut };
    const paths = result.issues.map(({ path = [] }) =>
      path.map((part) => (typeof part === 'object' ? part.key : part)),
    );
    // Without the issues, which may quote personal data.
    if (!paths.every((path) => path.some((part) => typeof part === 'number')))
      throw new TypeError('the answer breaks the contract');
    rest = without(rest, paths, (record, path) => {
      const place = path.filter((part) => typeof part !== 'number').join('.');
      leftOut.push({ id: idOf(record), place });
    });
  }
  if (schema === undefined) return { value: rest, leftOut };
  throw new TypeError('the answer breaks the contract');
}

/** The value without the records of its outermost lists that these paths lead into. */
function without(
  value: unknown,
  paths: readonly Path[],
  onRecord: (record: unknown, path: Path) => void,
  at: Path = [],
): unknown {
  if (Array.isArray(value)) {
    const faults = new Map(paths.toReversed().map(([index, ...rest]) => [index, rest]));
    for (const [index, rest] of faults) onRecord(value[Number(index)], [...at, ...rest]);
    return value.filter((_, index) => !faults.has(index));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => {
      const within = paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
      return [key, within.length === 0 ? member : without(member, within, onRecord, [...at, key])];
    }),
  );
}

const identified = z
  .object({ summary: z.object({ id: z.string() }) })
  .transform(({ summary }) => summary.id)
  .or(z.object({ id: z.union([z.string(), z.number()]) }).transform(({ id }) => String(id)));

/** Empty if it has none. */
const idOf = (record: unknown): string => identified.safeParse(record).data ?? '';

const refusedRecord = (leftOut: readonly LeftOut[]) =>
  Object.assign(new TypeError('the contract refuses a record'), {
    code: leftOut[0]?.place ?? '',
  });
