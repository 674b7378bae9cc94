import type { Kysely } from 'kysely';
import { isoTime } from '#shared/api/conventions.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { byteOrderMark, csvLine, csvText } from '#shared/lib/csv.ts';
import type { GatewayTables } from '../tables.ts';

/** An entry with the values that are added when it is read. */
export interface AuditRecord extends AuditEntry {
  readonly at: string;
  /** The name of the client; null for a command. */
  readonly name: string | null;
}

export interface AuditEntry {
  /** The id of the client, or `operator` for a command. */
  readonly clientId: string;
  /** An operation of the partner API, or a command. */
  readonly operation: string;
  /** The case, or the subject of the command. */
  readonly subject: string;
  /**
   * The HTTP status; 0 if the outcome is unknown, null if the process ended or failed before there
   * was one.
   */
  readonly status: number | null;
  /** The correlation id, which is the same at the client, the gateway and the partner. */
  readonly correlationId: string;
}

/** Records who did what and when. @returns the number of the entry */
export async function recordAudit(
  { db, clock }: { readonly db: Kysely<GatewayTables>; readonly clock: Pick<Clock, 'now'> },
  { clientId, correlationId, ...entry }: AuditEntry,
): Promise<number> {
  const { id } = await db
    .insertInto('audit')
    .values({
      at: clock.now(),
      client_id: clientId,
      correlation_id: correlationId,
      ...entry,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Records the outcome of an entry. */
export async function recordOutcome(
  db: Kysely<GatewayTables>,
  id: number,
  status: number,
): Promise<void> {
  await db.updateTable('audit').set({ status }).where('id', '=', id).execute();
}

const rowsAtATime = 500;

/** The audit, oldest entry first. @param since milliseconds since 1970 */
export async function* readAudit(
  db: Kysely<GatewayTables>,
  since: number,
): AsyncGenerator<AuditRecord, void, undefined> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('audit')
      .leftJoin('clients', 'clients.client_id', 'audit.client_id')
      .selectAll('audit')
      .select('clients.name')
      .where('audit.id', '>', after)
      .where('audit.at', '>=', since)
      .orderBy('audit.id')
      .limit(rowsAtATime)
      .execute();
    for (const row of rows) {
      yield {
        at: isoTime(row.at),
        clientId: row.client_id,
        name: row.name,
        operation: row.operation,
        subject: row.subject,
        status: row.status,
        correlationId: row.correlation_id,
      };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

const columns = [
  'at',
  'clientId',
  'name',
  'operation',
  'subject',
  'status',
  'correlationId',
] as const satisfies readonly (keyof AuditRecord)[];

/** The first line of the audit as CSV. */
export const auditHead = byteOrderMark + csvLine(columns);

export function auditLine(entry: AuditRecord): string {
  return csvLine(columns.map((column) => csvText(String(entry[column] ?? ''))));
}
