import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { dueStatuses, endedStatuses } from '#shared/api/states.ts';
import type { DocumentRule, Storage } from '#shared/desk/storage.ts';
import { type Clock, isDayOver } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { StoredContent } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { dueDays } from '../sync/fetch-documents.ts';
import { casesThatStay, daysBefore } from '../sync/retention.ts';
import type { Work } from '../work/open-work.ts';

interface Parts {
  readonly cache: Cache;
  readonly cacheFiles: BlobStore;
  readonly work: Work;
  readonly clock: Clock;
}
/** What a removal by rule needs: it is written down. */
interface RetentionParts extends Parts {
  readonly audit: RetentionAudit;
  readonly workspaceId: string;
}

type DocumentStorage = Storage['documents'];

/** The partner's documents on this laptop, and the part that could be removed. */
export function storageFigures(
  { cache, work, clock }: Omit<Parts, 'cacheFiles'>,
  rule: DocumentRule,
): Pick<Storage, 'documents' | 'freeable' | 'attachments'> {
  const contents = cache.documents.storedContents();
  const busy = work.casesInWork();
  const now = clock.now();
  const staying = contents.filter((content) => !isFreeable(content, rule, busy, now));
  const documents = storageOf(contents);
  const stays = storageOf(staying);
  return {
    documents,
    freeable: { count: documents.count - stays.count, bytes: documents.bytes - stays.bytes },
    attachments: work.drafts.attachedFiles(),
  };
}

/** Equal contents are one file. */
function storageOf(contents: readonly StoredContent[]): DocumentStorage {
  const sizes = new Map(contents.map(({ blobId, sizeBytes }) => [blobId, sizeBytes]));
  return { count: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}

/**
 * Removes documents of cases that have been closed for longer than the rule allows; at most once a
 * day.
 * @returns ids of the cases whose documents were removed
 */
export async function purgeDocuments(parts: RetentionParts, rule: DocumentRule): Promise<string[]> {
  const { pullState } = parts.cache;
  const busy = parts.work.casesInWork();
  const now = parts.clock.now();
  const last = Date.parse(pullState.text('last-document-purge') ?? '');
  if (!isDayOver(last, now)) return [];
  pullState.setText('last-document-purge', new Date(now).toISOString());
  const isRemoved = (content: StoredContent) =>
    !busy.has(content.caseId) && isOver(content, rule, now);
  return await remove(parts, isRemoved, (toRemove) => {
    parts.audit.note({
      at: new Date(now).toISOString(),
      event: 'documents-removed',
      workspace: parts.workspaceId,
      days: rule.closedDays ?? 0,
      cases: new Set(toRemove.map(({ caseId }) => caseId)).size,
      documents: toRemove.length,
      sentFiles: 0,
    });
  }).finally(() => parts.audit.write());
}

/**
 * Removes everything that is not fetched again automatically.
 * @returns ids of the cases whose documents were removed
 */
export async function freeStorage(parts: Parts, rule: DocumentRule): Promise<string[]> {
  const busy = parts.work.casesInWork();
  const now = parts.clock.now();
  return await remove(parts, (content) => isFreeable(content, rule, busy, now));
}

/** Documents of a case with a draft or undelivered work stay, and those that would come back. */
function isFreeable(
  content: StoredContent,
  rule: DocumentRule,
  busy: ReadonlySet<string>,
  now: number,
): boolean {
  if (busy.has(content.caseId)) return false;
  if (isOver(content, rule, now) || rule.keep === 'none') return true;
  return rule.keep === 'due' && !isDue(content, now);
}

function isDue({ status, inspectionDate }: StoredContent, now: number): boolean {
  const today = zurichDay(now);
  const isSoon =
    inspectionDate !== null && inspectionDate >= today && inspectionDate <= addDays(today, dueDays);
  return isSoon || dueStatuses.includes(status);
}

function isOver({ status, changedAtMs }: StoredContent, rule: DocumentRule, now: number): boolean {
  const beforeMs = daysBefore(rule.closedDays, now);
  return beforeMs !== null && endedStatuses.includes(status) && changedAtMs < beforeMs;
}

/** Names are removed before contents, so that a crash leaves orphans and no broken name. */
async function remove(
  { cache, cacheFiles }: Parts,
  isRemoved: (content: StoredContent) => boolean,
  note: (toRemove: readonly StoredContent[]) => void = () => undefined,
): Promise<string[]> {
  const toRemove = cache.documents.storedContents().filter(isRemoved);
  if (toRemove.length === 0) return [];
  cache.together(() => {
    note(toRemove);
    for (const { caseId, id } of toRemove) cache.documents.setBlob(caseId, id, null);
  });
  for (const blobId of new Set(toRemove.map((content) => content.blobId))) {
    // Fetched again in the meantime, or another document's too.
    if (!cache.documents.isNamed(blobId)) await cacheFiles.delete(blobId);
  }
  return [...new Set(toRemove.map(({ caseId }) => caseId))];
}

const lastSchema = z.object({ atMs: z.number(), days: z.int().nullable() });
const never = '{ "atMs": 0, "days": null }';

/**
 * Removes cases that ended, or left the partner, longer ago than the rule allows, with their
 * documents, local notes and the files of sent reports. The proofs of delivery stay. Cases in work
 * stay. At most once a day, and at once if the rule changed.
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
  // A longer time brings back cases that a shorter one left out: the whole list is read again.
  if (isNewRule && last.days !== null && (caseDays === null || caseDays > last.days))
    pullState.setText('last-full-rescan', new Date(0).toISOString());
  const beforeMs = daysBefore(caseDays, now);
  if (!isNewRule && !isDayOver(last.atMs, now)) return [];
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

const lineSchema = z.object({
  at: z.string(),
  event: z.enum(['cases-removed', 'documents-removed']),
  workspace: z.string(),
  /** The rule that was applied. */
  days: z.int(),
  cases: z.int(),
  documents: z.int(),
  /** Files of sent reports. */
  sentFiles: z.int(),
});
type AuditLine = z.infer<typeof lineSchema>;
const linesSchema = z.array(lineSchema);

/**
 * The log of what retention removed: JSON lines with figures. It names no case, because an id would
 * show its reader whose case this was.
 */
export class RetentionAudit {
  readonly #file: string;
  readonly #cache: Cache;

  constructor(file: string, cache: Cache) {
    this.#file = file;
    this.#cache = cache;
  }

  /** Within the transaction that removes, so that no crash comes between the two. */
  note(line: AuditLine): void {
    this.#keep([...this.#noted(), line]);
  }

  /** Appends what was noted; a crash may repeat a line, and loses none. */
  write(): void {
    const lines = this.#noted();
    if (lines.length === 0) return;
    const handle = openSync(this.#file, 'a', 0o600);
    try {
      writeFileSync(handle, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    this.#keep([]);
  }

  #noted(): AuditLine[] {
    return linesSchema.parse(JSON.parse(this.#cache.pullState.text('retention-audit') ?? '[]'));
  }

  #keep(lines: readonly AuditLine[]): void {
    this.#cache.pullState.setText('retention-audit', JSON.stringify(lines));
  }
}
