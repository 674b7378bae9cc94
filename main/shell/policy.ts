import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { operationIds, type OperationId } from '#shared/api/routes.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { EnginePolicy } from '#main/engine/open-engine.ts';

const bucketSchema = z.strictObject({
  capacity: z.number().min(1),
  refillPerMinute: z.number().positive(),
});

/**
 * What IT may set for a whole machine. Unknown members are refused: a setting that has no effect
 * must not look as if it had one.
 */
const policySchema = z.strictObject({
  /** Limits that the partner agreed to, instead of the published ones. */
  limits: z
    .strictObject({ standard: bucketSchema.optional(), documents: bucketSchema.optional() })
    .optional(),
  /** Path templates by operation id, where the partner's differ. */
  paths: z
    .partialRecord(
      z.enum(operationIds as [OperationId, ...OperationId[]]),
      z.string().startsWith('/'),
    )
    .optional(),
});

/** Where the operating system keeps what IT sets for everyone; DESK_POLICY names another file. */
function policyFile(env: Readonly<Record<string, string | undefined>>): string {
  if (env['DESK_POLICY']) return env['DESK_POLICY'];
  if (process.platform === 'win32') {
    return join(env['ProgramData'] ?? 'C:\\ProgramData', 'AppraiserDesk', 'policy.json');
  }
  if (process.platform === 'darwin') {
    return '/Library/Application Support/AppraiserDesk/policy.json';
  }
  return '/etc/appraiser-desk/policy.json';
}

/**
 * The policy of this machine; empty where there is none.
 * @throws {DeskError} policy_invalid with the file, the place in it and the rule that it breaks
 */
export function readPolicy(env: Readonly<Record<string, string | undefined>>): EnginePolicy {
  const fileName = policyFile(env);
  let text: string;
  try {
    text = readFileSync(fileName, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new DeskError('policy_invalid', { fileName, place: '-', detail: 'unreadable' });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'JSON';
    throw new DeskError('policy_invalid', { fileName, place: '-', detail });
  }
  const parsed = policySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DeskError('policy_invalid', {
    fileName,
    place: issue?.path.join('.') ?? '-',
    detail: issue?.message ?? '-',
  });
}
