import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { dueStatuses, endedStatuses } from '#shared/api/states.ts';
import { isDiskFull } from '#shared/desk/contract/errors.ts';
import type { DocumentRule, Storage } from '#shared/desk/setup/storage.ts';
import { type Clock, isDayOver } from '#shared/lib/clock.ts';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import type { BlobStore } from '../blobs/file-blob-store.ts';
import type { StoredContent } from '../cache/document-store.ts';
import type { Cache } from '../cache/open-cache.ts';
import { jsonValue, timeValue } from '../database/stored-values.ts';
import { dueDays } from '../sync/fetch-documents.ts';
import { lastRescanValue } from '../sync/pull.ts';
import { casesThatStay, daysBefore, hasEndedBefore } from '../sync/past-cases.ts';
import { type AuditLine, type AuditLines, auditLinesSchema } from '../work/audit-lines.ts';
import type { Work } from '../work/open-work.ts';

interface Parts {
  readonly cache: Cache;
  readonly cacheFiles: BlobStore;
  readonly work: Work;
  readonly clock: Clock;
}
/** The parts that a removal by rule needs, which include its log. */
interface RetentionParts extends Parts {
  readonly audit: RetentionAudit;
  readonly workspaceId: string;
}

export const lastDocumentPurgeValue = timeValue('last-document-purge');
/** When cases were last removed, and by which rule. */
const lastCasePurgeValue = jsonValue(
  'last-case-purge',
  z.object({ atMs: z.number(), days: z.int().nullable() }),
);

type DocumentStorage = Storage['documents'];

/** The size of the partner's documents on this laptop, and of those that could be removed. */
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

/** Equal contents count once, because they are one file. */
function storageOf(contents: readonly StoredContent[]): DocumentStorage {
  const sizes = new Map(contents.map(({ blobId, sizeBytes }) => [blobId, sizeBytes]));
  return { count: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}

/**
 * Removes documents of cases that have been closed for longer than the rule allows, once a day at
 * most.
 * @returns the ids of the cases whose documents were removed
 */
export async function purgeDocuments(parts: RetentionParts, rule: DocumentRule): Promise<string[]> {
  const { values } = parts.cache;
  const busy = parts.work.casesInWork();
  const now = parts.clock.now();
  if (!isDayOver(values.get(lastDocumentPurgeValue) ?? NaN, now)) return [];
  const isRemoved = (content: StoredContent) =>
    !busy.has(content.caseId) && isOver(content, rule, now);
  try {
    const caseIds = await remove(parts, isRemoved, (toRemove) => {
      parts.audit.note({
        at: new Date(now).toISOString(),
        event: 'documents-removed',
        workspace: parts.workspaceId,
        days: rule.closedDays ?? 0,
        cases: new Set(toRemove.map(({ caseId }) => caseId)).size,
        documents: toRemove.length,
        sentFiles: 0,
      });
    });
    // After a failure or a crash the log may name what is still here, so the next look removes it.
    values.set(lastDocumentPurgeValue, now);
    return caseIds;
  } finally {
    parts.audit.write();
  }
}

/**
 * Removes all documents that are not fetched again automatically.
 * @returns the ids of the cases whose documents were removed
 */
export async function freeStorage(parts: Parts, rule: DocumentRule): Promise<string[]> {
  const busy = parts.work.casesInWork();
  const now = parts.clock.now();
  return await remove(parts, (content) => isFreeable(content, rule, busy, now));
}

/**
 * Whether the documents of a case may be removed. Those of a case with a draft or undelivered work
 * stay, and those that would be fetched again.
 */
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

const isOver = (content: StoredContent, rule: DocumentRule, now: number): boolean =>
  hasEndedBefore(content, daysBefore(rule.closedDays, now));

/**
 * Removes documents. Names are removed before contents, so that a crash leaves unused files but no
 * name without a file.
 */
async function remove(
  parts: Parts,
  isRemoved: (content: StoredContent) => boolean,
  note: (toRemove: readonly StoredContent[]) => void = () => undefined,
): Promise<string[]> {
  const { cache, cacheFiles } = parts;
  const contents = cache.documents.storedContents();
  const toRemove = contents.filter(isRemoved);
  if (toRemove.length === 0) return [];
  note(toRemove);
  const staying = new Set(contents.filter((each) => !isRemoved(each)).map(({ blobId }) => blobId));
  const isAlone = ({ blobId }: StoredContent) => !staying.has(blobId);
  await removeNames(parts, toRemove, toRemove.filter(isAlone));
  for (const blobId of new Set(toRemove.map((content) => content.blobId))) {
    // The content stays if it was fetched again in the meantime, or belongs to another document.
    if (!cache.documents.isNamed(blobId)) await cacheFiles.delete(blobId);
  }
  return [...new Set(toRemove.map(({ caseId }) => caseId))];
}

/**
 * Removes the names of contents. A full disk has no room for this change either, so that contents
 * make it, the largest first. After a crash a document without its file is fetched again like one
 * that is not here.
 * @param mayGo the contents that no other document has
 */
async function removeNames(
  { cache, cacheFiles }: Parts,
  toRemove: readonly StoredContent[],
  mayGo: readonly StoredContent[],
): Promise<void> {
  const smallestFirst = mayGo.toSorted((one, other) => one.sizeBytes - other.sizeBytes);
  for (;;) {
    try {
      cache.together(() => {
        for (const { caseId, id } of toRemove) cache.documents.setBlob(caseId, id, null);
      });
      return;
    } catch (error) {
      const largest = isDiskFull(error) ? smallestFirst.pop() : undefined;
      if (!largest) throw error;
      await cacheFiles.delete(largest.blobId);
    }
  }
}

/**
 * Removes cases that ended, or that the partner removed, longer ago than the rule allows, with
 * their documents, local notes and the files of sent reports. The proofs of delivery stay, and so
 * do cases with work. It runs once a day at most, and immediately if the rule changed.
 * @returns the ids of the removed cases
 */
export async function purgeCases(
  parts: RetentionParts & { readonly workFiles: BlobStore },
  rule: DocumentRule,
): Promise<string[]> {
  const { cache, work, clock, audit } = parts;
  const now = clock.now();
  const { caseDays } = rule;
  const last = cache.values.get(lastCasePurgeValue) ?? { atMs: 0, days: null };
  const isNewRule = last.days !== caseDays;
  // A longer time includes cases that the shorter one left out, so the whole list is read again.
  if (last.days !== null && (caseDays === null || caseDays > last.days))
    cache.values.set(lastRescanValue, 0);
  if (!isNewRule && !isDayOver(last.atMs, now)) return [];
  const looked = () => cache.values.set(lastCasePurgeValue, { atMs: now, days: caseDays });
  if (caseDays === null) {
    looked();
    return [];
  }
  const stays = casesThatStay(work);
  const caseIds = cache.cases
    .pastSince(daysBefore(caseDays, now), endedStatuses)
    .filter((id) => !stays.has(id));
  if (caseIds.length === 0) {
    looked();
    return [];
  }
  const removed = new Set(caseIds);
  const documents = cache.documents.storedContents().filter(({ caseId }) => removed.has(caseId));
  // The work is removed first. After a crash in between the cases are still here and the next look
  // removes them.
  const sent = work.together(() => {
    const forgotten = work.forgetCases(caseIds);
    audit.note({
      at: new Date(now).toISOString(),
      event: 'cases-removed',
      workspace: parts.workspaceId,
      days: caseDays,
      cases: caseIds.length,
      documents: documents.length,
      sentFiles: forgotten.files,
    });
    return forgotten;
  });
  const contents = cache.cases.remove(caseIds);
  looked();
  audit.write();
  for (const blobId of contents)
    if (!cache.documents.isNamed(blobId)) await parts.cacheFiles.delete(blobId);
  // Backups of work that was set aside may contain these contents as well.
  if (work.hasSetAside) return caseIds;
  for (const blobId of sent.blobIds) {
    // The next start removes one that stays and is named by nothing then.
    if (!parts.workFiles.isNew(blobId)) await parts.workFiles.delete(blobId);
  }
  return caseIds;
}

/**
 * The log of what the retention removed: JSON lines with figures. It names no case, because an id
 * would show the reader whose case it was. The line is stored in the work store before the removal,
 * so that a crash loses none, even if the cache is fetched again.
 */
export class RetentionAudit {
  readonly #file: string;
  readonly #lines: AuditLines;

  constructor(file: string, { audit }: Pick<Work, 'audit'>) {
    this.#file = file;
    this.#lines = audit;
  }

  /** Notes what will be removed. */
  note(line: AuditLine): void {
    this.#lines.add(line);
  }

  /** Appends the noted lines to the file. */
  write(): void {
    this.#lines.flush((lines) => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      appendFileSync(this.#file, text, { mode: 0o600, flush: true });
    });
  }
}

const formerLinesValue = jsonValue('retention-audit', auditLinesSchema);

/** Moves lines that an earlier version noted in the cache into the work store. */
export function adoptAuditLines({ cache, work }: Pick<Parts, 'cache' | 'work'>): void {
  const lines = cache.values.get(formerLinesValue);
  if (!lines) return;
  work.together(() => {
    for (const line of lines) work.audit.add(line);
  });
  cache.values.remove(formerLinesValue);
}
