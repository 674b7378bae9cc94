import type { DocumentRule, Storage } from '#shared/desk/storage.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { KeptContent } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { dueStatuses, endedStatuses } from '#shared/api/states.ts';
import { closedBeforeMs, dueDays } from '../sync/document-rules.ts';
import type { Work } from '../work/open-work.ts';

interface Parts {
  readonly cache: Cache;
  readonly cacheFiles: BlobStore;
  readonly work: Work;
  readonly clock: Clock;
}
const sweepEveryMs = 24 * 60 * 60_000;

type Held = Storage['documents'];

/** What of the partner's documents lies here, and what of it could go. */
export function storageFigures(
  { cache, work, clock }: Omit<Parts, 'cacheFiles'>,
  rule: DocumentRule,
): Pick<Storage, 'documents' | 'freeable' | 'attachments'> {
  const kept = cache.documents.kept();
  const busy = work.drafts.casesInWork();
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
 * Once a day, whoever asks how often: removes what belongs to cases that have been closed for longer
 * than the rule says.
 * @returns ids of the cases whose documents went
 */
export async function sweepDocuments(parts: Parts, rule: DocumentRule): Promise<string[]> {
  const { walks } = parts.cache;
  const busy = parts.work.drafts.casesInWork();
  const now = parts.clock.now();
  const last = Date.parse(walks.text('documents-swept') ?? '');
  // A clock that went back must not put the next one off for longer than a day.
  if (Math.abs(now - last) < sweepEveryMs) return [];
  walks.setText('documents-swept', new Date(now).toISOString());
  return await remove(parts, (content) => !busy.has(content.caseId) && isOver(content, rule, now));
}

/**
 * On a person's wish: everything that is not brought here again by itself.
 * @returns ids of the cases whose documents went
 */
export async function freeStorage(parts: Parts, rule: DocumentRule): Promise<string[]> {
  const busy = parts.work.drafts.casesInWork();
  const now = parts.clock.now();
  return await remove(parts, (content) => isFreeable(content, rule, busy, now));
}

/** Nothing of a case with a draft or undelivered work goes, nor what would come back at once. */
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

/** A content goes with the last document that names it; names first, so that a crash leaves orphans. */
async function remove(
  { cache, cacheFiles }: Parts,
  goes: (content: KeptContent) => boolean,
): Promise<string[]> {
  const going = cache.documents.kept().filter(goes);
  cache.together(() => {
    for (const { caseId, id } of going) cache.documents.setBlob(caseId, id, null);
  });
  for (const blobId of new Set(going.map((content) => content.blobId))) {
    // Fetched again meanwhile, or another document's too.
    if (!cache.documents.isNamed(blobId)) await cacheFiles.delete(blobId);
  }
  return [...new Set(going.map(({ caseId }) => caseId))];
}
