import { readFileSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import { UsageError } from '#shared/lib/usage-error.ts';
import { revokeClient, revokeCode } from './clients.ts';
import type { GatewayTables } from './tables.ts';

/** The end of a client's access, or of a code, as the audit records it. */
export interface Revocation {
  readonly operation: 'revoke' | 'revoke_code';
  readonly kind: 'clientId' | 'code';
  readonly subject: string;
}

/** @returns false if there is no such client or open code */
export async function revoke(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { kind, subject }: Revocation,
): Promise<boolean> {
  if (kind === 'clientId') return revokeClient(db, clock, subject);
  return (await revokeCode(db, subject)).length > 0;
}

const lineSchema = z.object({
  at: z.iso.datetime(),
  operation: z.string(),
  subject: z.string(),
});

/**
 * The revocations that an exported audit (JSON lines) has since a time. A client that got a code for
 * a new key lost its old one, so it is revoked as well. A code that was used is withdrawn, because the
 * backup has it as an open one.
 * @throws {UsageError} if the file is no exported audit
 */
export function revocationsIn(file: string, sinceMs: number): Revocation[] {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.flatMap((line): Revocation[] => {
    const found = lineSchema.safeParse(jsonOf(line));
    if (!found.success) throw new UsageError(`${file} is no audit in JSON lines`, 1);
    const { at, operation, subject } = found.data;
    if (Date.parse(at) < sinceMs) return [];
    if (operation === 'revoke' || operation === 'enrol_again') {
      return [{ operation: 'revoke', kind: 'clientId', subject }];
    }
    const isCode = operation === 'revoke_code' || operation === 'enrolled';
    return isCode ? [{ operation: 'revoke_code', kind: 'code', subject }] : [];
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`, 1);
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
