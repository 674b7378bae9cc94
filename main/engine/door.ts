import type { AnySchema } from '@orpc/contract';
import { z } from 'zod';
import { calls } from '#shared/desk/contract/contract.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import type { Calls, Handlers } from './engine.ts';

interface Schemas {
  readonly inputSchema?: AnySchema;
  readonly outputSchema?: AnySchema;
}

export interface DoorOptions {
  readonly log: FaultLog;
  /** Receives the error of a call before the caller does. */
  readonly onError?: (error: unknown) => void;
  /** Receives the records that are left out of an answer. */
  readonly onLeftOut?: (records: readonly LeftOut[]) => void;
}

/**
 * A record that does not match the contract. Its value is not included, because it may quote a
 * case.
 */
export interface LeftOut {
  readonly id: string;
  /** The path of the first fault within the answer. */
  readonly place: string;
}

/**
 * The entry to the engine. The input and output of every call are checked by the contract's
 * schemas, and every call rejects only with a DeskError.
 * @param handlers looked up at each call
 */
export function behindDoor(handlers: Handlers, { log, onError, onLeftOut }: DoorOptions): Calls {
  // The loop does not know which handler belongs to which schema; the type `Handlers` has checked
  // this.
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

/**
 * The number of rounds of checks. The faults of one record can hide further ones, so each round
 * shows the remaining ones.
 */
const parseRounds = 5;

/**
 * Checks an output. A record of a list that does not match the contract is left out, so that it
 * does not cost the others.
 * @throws {TypeError} if the fault is not in a list
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
    // The issues are not included, because they may quote personal data.
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

/** The value without the records of its outermost lists to which these paths lead. */
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

/** The id of a record; empty if it has none. */
const idOf = (record: unknown): string => identified.safeParse(record).data ?? '';

const refusedRecord = (leftOut: readonly LeftOut[]) =>
  Object.assign(new TypeError('the contract refuses a record'), {
    code: leftOut[0]?.place ?? '',
  });
