import { readFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import { parseJson } from '#shared/lib/parse-json.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { revokeClient, revokeCode, setDispatcher } from './clients.ts';
import type { GatewayTables } from '../tables.ts';

/** The end of a client's access or right, or of a code, in the form of the audit. */
export interface Revocation {
  readonly operation: 'revoke' | 'revoke_code' | 'dispatcher_removed';
  readonly kind: 'clientId' | 'code';
  readonly subject: string;
}

/** @returns false if there is no such client or open code */
export async function revoke(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { operation, subject }: Revocation,
): Promise<boolean> {
  if (operation === 'revoke') return revokeClient(db, clock, subject);
  if (operation === 'dispatcher_removed') return setDispatcher(db, subject, false);
  return (await revokeCode(db, subject)).length > 0;
}

const lineSchema = z.object({
  at: z.iso.datetime(),
  operation: z.string(),
  subject: z.string(),
  status: z.int().nullish(),
});
type AuditedLine = z.infer<typeof lineSchema>;

/**
 * The revocations in an exported audit (JSON lines) since a time. A client that got a code for a
 * new key lost its old one, so it is revoked as well. A code that was used is withdrawn, because it
 * is open in the backup. A dispatcher's right that was granted again is not removed.
 * @throws {UsageError} if the file is not an exported audit
 */
export function revocationsIn(file: string, sinceMs: number): Revocation[] {
  const lines = linesOf(file).filter(({ at }) => Date.parse(at) >= sinceMs);
  // The last line that granted the right, for each client that got it.
  const given = new Map<string, number>();
  lines.forEach(({ operation, subject, status }, index) => {
    if (operation === 'dispatcher_added' && status === 200) given.set(subject, index);
  });
  return lines.flatMap((line, index) =>
    line.operation === 'dispatcher_removed' && (given.get(line.subject) ?? -1) > index
      ? []
      : revocationOf(line),
  );
}

function revocationOf({ operation, subject }: AuditedLine): Revocation[] {
  switch (operation) {
    case 'revoke':
    case 'enrol_again':
      return [{ operation: 'revoke', kind: 'clientId', subject }];
    case 'revoke_code':
    case 'enrolled':
      return [{ operation: 'revoke_code', kind: 'code', subject }];
    case 'dispatcher_removed':
      return [{ operation, kind: 'clientId', subject }];
    default:
      return [];
  }
}

function linesOf(file: string): AuditedLine[] {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const found = lineSchema.safeParse(parseJson(line));
    if (!found.success) throw new UsageError(`${file} is no audit in JSON lines`, 1);
    return found.data;
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`, 1);
  }
}
