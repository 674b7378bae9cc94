import { z } from 'zod';
import { endedStatuses } from '#shared/api/states.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
import { casesThatStay, retainedSinceMs } from '../sync/retention.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { RetentionParts } from './document-retention.ts';

const purgeEveryMs = 24 * 60 * 60_000;
const lastSchema = z.object({ atMs: z.number(), days: z.int().nullable() });
const never = '{ "atMs": 0, "days": null }';

/**
 * Removes cases that ended, or left the partner, longer ago than the rule says, with their documents,
 * local notes and the files of sent reports. The proofs of delivery stay. Cases in work stay. At most
 * once a day, and at once if the rule changed.
 * @returns ids of the removed cases
 */
export async function purgeCases(
  parts: RetentionParts & { readonly workFiles: BlobStore },
  rule: DocumentRule,
): Promise<string[]> {
  const { cache, work, clock, audit } = parts;
  const { pullState } = cache;
  const now = clock.now();
  const { caseDays } = rule;
  const last = lastSchema.parse(JSON.parse(pullState.text('last-case-purge') ?? never));
  const isNewRule = last.days !== caseDays;
  // A longer time brings cases back that a shorter one kept away: the whole list is read again.
  if (isNewRule && last.days !== null && (caseDays === null || caseDays > last.days))
    pullState.setText('last-full-rescan', new Date(0).toISOString());
  const beforeMs = retainedSinceMs(rule, now);
  // A clock that went back must not put the next one off for longer than a day.
  if (!isNewRule && Math.abs(now - last.atMs) < purgeEveryMs) return [];
  pullState.setText('last-case-purge', JSON.stringify({ atMs: now, days: caseDays }));
  if (beforeMs === null || caseDays === null) return [];
  const stays = casesThatStay(work);
  const caseIds = cache.cases
    .lastChangedBefore(beforeMs, endedStatuses)
    .filter((id) => !stays.has(id));
  if (caseIds.length === 0) return [];
  // The work first: after a crash in between the cases are still here, and are removed next time.
  const sent = work.forgetCases(caseIds);
  let contents: readonly string[] = [];
  cache.together(() => {
    const removed = cache.cases.remove(caseIds);
    contents = removed.blobIds;
    audit.note({
      at: new Date(now).toISOString(),
      event: 'cases-removed',
      workspace: parts.workspaceId,
      days: caseDays,
      cases: caseIds.length,
      documents: removed.documents,
      sentFiles: sent.files,
    });
  });
  audit.write();
  for (const blobId of contents)
    if (!cache.documents.isNamed(blobId)) await parts.cacheFiles.delete(blobId);
  // Backups of work that was set aside may name them too.
  if (work.hasSetAside) return caseIds;
  for (const blobId of sent.blobIds) await parts.workFiles.delete(blobId);
  return caseIds;
}
