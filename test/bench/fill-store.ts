import { randomUUID } from 'node:crypto';
import { caseStatuses, categories } from '#shared/api/case.ts';
import { searchText } from '#main/front/search-text.ts';
import { openFileStore } from '#main/front/store/file-store.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import type { ClaimsTable, Database } from '#main/service/store/tables.ts';
import { createPayloads } from './sample-claims.ts';

const claimBytes = 2500;
const claimsAtATime = 500;
const minuteMs = 60_000;

/**
 * Puts claims into the store of a service that does not run, all of them the insurer's and the
 * expert's: the rows that the service writes, without the events and requests between them.
 */
export async function fillStore(
  directory: string,
  { count, insurerId, expertId }: { count: number; insurerId: string; expertId: string },
): Promise<void> {
  const store = await openFileStore<Database>({
    directory,
    name: 'service',
    migrations: storeMigrations,
  });
  const payloadOf = createPayloads(3);
  const firstAt = Date.now() - count * minuteMs;
  for (let from = 1; from <= count; from += claimsAtATime) {
    await store.db.transaction().execute(async (db) => {
      const rows: ClaimsTable[] = [];
      const payloads: string[] = [];
      for (let number = from; number < Math.min(from + claimsAtATime, count + 1); number += 1) {
        const at = firstAt + number * minuteMs;
        const payload = payloadOf(number, claimBytes);
        payloads.push(payload);
        rows.push({
          number,
          id: randomUUID(),
          external_key: `SF-2026-${String(number).padStart(6, '0')}`,
          category: categories[number % categories.length] ?? 'special',
          status: caseStatuses[1 + (number % (caseStatuses.length - 1))] ?? 'Final',
          insurer_organization_id: insurerId,
          expert_organization_id: expertId,
          inspection_type: number % 3 === 0 ? 'workshop' : 'estimate_review',
          expert_comment: '',
          archived: 0,
          hail_drive_in_accepted: 0,
          cost_estimate_rappen: null,
          approved_rappen: null,
          created_at: at,
          last_changed_at: at,
          completed_at: null,
          last_report_approved_at: null,
        });
      }
      for (const [index, row] of rows.entries()) {
        const payload = payloads[index] ?? '';
        await db.insertInto('claims').values(row).execute();
        await db
          .insertInto('claim_payloads')
          .values({
            claim_number: row.number,
            payload_literal: Buffer.from(JSON.stringify(payload)),
            search_text: searchText(row.external_key, JSON.parse(payload)),
          })
          .execute();
      }
    });
  }
  await store.db.insertInto('counters').values({ name: 'claims', value: count }).execute();
  await store.close();
}
