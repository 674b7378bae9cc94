import { z } from 'zod';
import { policySchema } from './policy-schema.ts';

/** One value that IT can set, by its dotted name. */
export interface PolicyLeaf {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'map';
  /** Of a choice its values, of a map its keys. */
  readonly choices: readonly string[];
  /** Of a number. */
  readonly min: number | null;
  readonly max: number | null;
}

const nodeSchema = z.looseObject({
  type: z.enum(['object', 'string', 'integer', 'boolean', 'array']),
  properties: z.record(z.string(), z.unknown()).optional(),
  propertyNames: z.looseObject({ enum: z.array(z.string()) }).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

const kinds = { string: 'text', integer: 'number', boolean: 'boolean', array: 'list' } as const;

/** Every value of the policy's schema, in its order. */
export function policyLeaves(): PolicyLeaf[] {
  return leavesOf('', z.toJSONSchema(policySchema, { io: 'input' }));
}

function leavesOf(name: string, value: unknown): PolicyLeaf[] {
  const node = nodeSchema.parse(value);
  if (node.properties) {
    return Object.entries(node.properties).flatMap(([key, child]) =>
      leavesOf(name === '' ? key : `${name}.${key}`, child),
    );
  }
  const choices = node.enum ?? node.propertyNames?.enum ?? [];
  const kind = node.type === 'object' ? 'map' : node.enum ? 'choice' : kinds[node.type];
  return [{ name, kind, choices, min: node.minimum ?? null, max: node.maximum ?? null }];
}
