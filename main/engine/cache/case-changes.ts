import { z } from 'zod';
import { sentFields, type SentValues, valuesOf } from '#shared/desk/cases/case-fields.ts';
import { parsePayload, type PayloadObject } from '#shared/payload/parse-payload.ts';
import { type CaseInput, type CaseRow, valueIn } from './case-records.ts';
import { visibleText } from '#shared/lib/visible-text.ts';

type Scalar = string | number | boolean | null;

const changeSchema = z.object({
  field: z.string(),
  before: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  after: z.union([z.string(), z.number(), z.boolean()]).nullable(),
});
export const changesSchema = z.array(changeSchema);
/** A field that differs between two readings of a case. Amounts are in whole Rappen. */
export type RecordChange = z.infer<typeof changeSchema>;

/** The limits of what a hostile or careless server can store in the cache. */
const changesMax = 200;
const textMaxLength = 1000;

/**
 * The differences between the stored case and the one that the server returned now.
 * @param payload the payload of the latter; null if it is not readable
 */
export function changesOf(
  known: CaseRow & { payload_json: string },
  input: CaseInput,
  payload: PayloadObject | null,
): RecordChange[] {
  const { responsible } = input.insurer;
  const fields: [string, Scalar, Scalar][] = [
    ...Object.entries(valuesOf(sentFields, (field) => valueIn(known, field))).map(
      ([name, before]): [string, Scalar, Scalar] => [name, before, input[name as keyof SentValues]],
    ),
    ['insurer.name', known.insurer_name, input.insurer.name],
    ['insurer.responsible.name', known.responsible_name, responsible.name],
    ['insurer.responsible.email', known.responsible_email, responsible.email],
    ['insurer.responsible.phone', known.responsible_phone, responsible.phone],
    ...payloadFields(known.payload_json, input.payloadJson, payload),
  ];
  return fields
    .filter(([, before, after]) => before !== after)
    .slice(0, changesMax)
    .map(([field, before, after]) => ({ field, before: cut(before), after: cut(after) }));
}

function payloadFields(
  before: string,
  after: string,
  payload: PayloadObject | null,
): [string, Scalar, Scalar][] {
  if (before === after) return [];
  const old = leavesOf(parsePayload(before));
  const now = leavesOf(payload);
  if (!old || !now) return [['payload', before, after]];
  return [...new Set([...old.keys(), ...now.keys()])].map((path) => [
    path,
    old.get(path) ?? null,
    now.get(path) ?? null,
  ]);
}

/** The most characters of a member's name. The name is part of the path of each value below it. */
const nameMaxLength = 100;
/** The most values of a payload that are compared. */
const leavesMax = 5000;

/** The values of a payload by their paths; null if the payload is null. */
function leavesOf(payload: PayloadObject | null): Map<string, Scalar> | null {
  if (payload === null) return null;
  const leaves = new Map<string, Scalar>();
  const visit = (value: unknown, path: string) => {
    if (leaves.size >= leavesMax) return;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value))
        visit(inner, `${path}.${name.slice(0, nameMaxLength)}`);
    } else if (typeof value === 'string' || typeof value === 'number') leaves.set(path, value);
    else if (typeof value === 'boolean') leaves.set(path, value);
  };
  visit(payload, 'payload');
  return leaves;
}

function cut(value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  if (value.length <= textMaxLength) return visibleText(value);
  return `${visibleText(value.slice(0, textMaxLength))}…`;
}
