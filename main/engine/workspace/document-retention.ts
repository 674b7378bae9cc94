import type { DocumentRule, Storage } from '#shared/desk/storage.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { KeptContent } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { dueStatuses, endedStatuses } from '#shared/api/states.ts';
import { closedBeforeMs, dueDays } from '../sync/fetch-documents.ts';
import type { RetentionAudit } from './retention-audit.ts';
import type { Work } from '../work/open-work.ts';

interface Parts {
  readonly cache: Cache;
  readonly cacheFiles: BlobStore;
  readonly work: Work;
  readonly clock: Clock;
}
/** What a removal by rule needs: it is written down. */
export interface RetentionParts extends Parts {
  readonly audit: RetentionAudit;
  readonly workspaceId: string;
}
const purgeEveryMs = 24 * 60 * 60_000;

type Held = Storage['documents'];

/** The partner's documents on this laptop, and the part that could be removed. */
export function storageFigures(
  { cache, work, clock }: Omit<Parts, 'cacheFiles'>,
  rule: DocumentRule,
): Pick<Storage, 'documents' | 'freeable' | 'attachments'> {
  const kept = cache.documents.kept();
  const busy = work.casesInWork();
  const now = clock.now();
  const staying = kept.filter((content) => !isFreeable(content, rule, busy, now));
  const documents = heldBy(kept);
  const stays = heldBy(staying);
  return {
    documents,
    freeable: { count: documents.count - stays.count, bytes: documents.bytes - stays.bytes },
    attachments: work.drafts.attachedFiles(),
  };
}

/** Equal contents are one file. */
function heldBy(contents: readonly KeptContent[]): Held {
  const sizes = new Map(contents.map(({ blobId, sizeBytes }) => [blobId, sizeBytes]));
  return { count: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}

/**
 * Removes documents of cases that have been closed for longer than the rule says; at most once a day.
 * @returns ids of the cases whose documents were removed
 */
export async function purgeDocuments(parts: RetentionParts, rule: DocumentRule): Promise<string[]> {
  const { pullState } = parts.cache;
  const busy = parts.work.casesInWork();
  const now = parts.clock.now();
  const last = Date.parse(pullState.text('last-document-purge') ?? '');
  // A clock that went back must not put the next one off for longer than a day.
  if (Math.abs(now - last) < purgeEveryMs) return [];
  pullState.setText('last-document-purge', new Date(now).toISOString());
  const goes = (content: KeptContent) => !busy.has(content.caseId) && isOver(content, rule, now);
  return await remove(parts, goes, (going) => {
    parts.audit.note({
      at: new Date(now).toISOString(),
      event: 'documents-removed',
      workspace: parts.workspaceId,
      days: rule.closedDays ?? 0,
      cases: new Set(going.map(({ caseId }) => caseId)).size,
      documents: going.length,
      sentFiles: 0,
    });
  }).finally(() => parts.audit.write());
}

/**
 * Removes everything that is not fetched again by itself.
 * @returns ids of the cases whose documents were removed
 */
export async function freeStorage(parts: Parts, rule: DocumentRule): Promise<string[]> {
  const busy = parts.work.casesInWork();
  const now = parts.clock.now();
  return await remove(parts, (content) => isFreeable(content, rule, busy, now));
}

/** Documents of a case with a draft or undelivered work stay, and those that would come back. */
function isFreeable(
  content: KeptContent,
  rule: DocumentRule,
  busy: ReadonlySet<string>,
  now: number,
): boolean {
  if (busy.has(content.caseId)) return false;
  if (isOver(content, rule, now) || rule.keep === 'none') return true;
  return rule.keep === 'due' && !isDue(content, now);
}

function isDue({ status, inspectionDate }: KeptContent, now: number): boolean {
  const today = zurichDay(now);
  const isSoon =
    inspectionDate !== null && inspectionDate >= today && inspectionDate <= addDays(today, dueDays);
  return isSoon || dueStatuses.includes(status);
}

function isOver({ status, changedAtMs }: KeptContent, rule: DocumentRule, now: number): boolean {
  const beforeMs = closedBeforeMs(rule, now);
  return beforeMs !== null && endedStatuses.includes(status) && changedAtMs < beforeMs;
}

/** Names go before contents, so that a crash leaves orphans and no broken name. */
async function remove(
  { cache, cacheFiles }: Parts,
  goes: (content: KeptContent) => boolean,
  note: (going: readonly KeptContent[]) => void = () => undefined,
): Promise<string[]> {
  const going = cache.documents.kept().filter(goes);
  if (going.length === 0) return [];
  cache.together(() => {
    note(going);
    for (const { caseId, id } of going) cache.documents.setBlob(caseId, id, null);
  });
  for (const blobId of new Set(going.map((content) => content.blobId))) {
    // Fetched again meanwhile, or another document's too.
    if (!cache.documents.isNamed(blobId)) await cacheFiles.delete(blobId);
  }
  return [...new Set(going.map(({ caseId }) => caseId))];
}
