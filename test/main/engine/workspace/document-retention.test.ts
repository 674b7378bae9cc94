import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentScopes } from '#shared/desk/sync.ts';
import type { DocumentRule } from '#shared/desk/storage.ts';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import {
  freeStorage,
  storageFigures,
  purgeDocuments,
  RetentionAudit,
} from '#main/engine/workspace/retention.ts';
import { sampleCase } from '../support/sample-case.ts';
import { openTestCache, openTestWork, testFolder } from '../support/test-folder.ts';

const nowMs = Date.UTC(2026, 5, 1);
const dayMs = 24 * 60 * 60_000;
const clock = { now: () => nowMs, monotonic: () => 0, after: () => () => undefined };

let dir: string;
let cache: Cache;
let work: Work;
let cacheFiles: BlobStore;
beforeEach(async () => {
  dir = testFolder();
  cache = openTestCache(dir);
  work = openTestWork({ dir, now: clock.now });
  cacheFiles = await openFileBlobStore({ dir: join(dir, 'files'), key: Buffer.alloc(32, 7) });
});
const auditFile = () => join(dir, 'audit.log');
const parts = () => ({
  ...{ cache, work, cacheFiles, clock, workspaceId: 'w' },
  audit: new RetentionAudit(auditFile(), cache),
});

async function store(content: string): Promise<string> {
  const writer = await cacheFiles.createWriter();
  await writer.write(Buffer.from(content));
  return (await writer.finish()).blobId;
}

interface CasePlan {
  readonly status: string;
  readonly ageDays: number;
  readonly inspectionInDays: number | null;
  readonly work: 'none' | 'draft' | 'waiting' | 'attention' | 'delivered' | 'discarded';
  /** Contents; equal ones are one file. */
  readonly contents: readonly string[];
}
const casePlan: fc.Arbitrary<CasePlan> = fc.record({
  status: fc.constantFrom('InProgress', 'ExpertCompleted', 'Final', 'AdminCancelled', 'Rejected'),
  ageDays: fc.constantFrom(0, 29, 31, 400),
  inspectionInDays: fc.constantFrom(null, -1, 0, 7, 8),
  work: fc.constantFrom('none', 'draft', 'waiting', 'attention', 'delivered', 'discarded'),
  contents: fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd'), { maxLength: 3 }),
});
const rule: fc.Arbitrary<DocumentRule> = fc.record({
  keep: fc.constantFrom(...documentScopes),
  closedDays: fc.constantFrom(null, 0, 30),
  caseDays: fc.constant(null),
});

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Puts the cases into fresh stores of this run, under numbers of their own. */
async function setUp(plans: readonly CasePlan[], run: number): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, plan] of plans.entries()) {
    const at = new Date(nowMs - plan.ageDays * dayMs).toISOString();
    const payload =
      plan.inspectionInDays === null
        ? {}
        : { inspectionDate: dayOf(nowMs + plan.inspectionInDays * dayMs) };
    const { id } = sampleCase(run * 10 + index);
    cache.cases.upsert([
      sampleCase(run * 10 + index, {
        status: plan.status,
        lastChangedAt: at,
        payloadJson: JSON.stringify(payload),
      }),
    ]);
    const documents = plan.contents.map((content, position) => ({
      id: String(position),
      fileName: `${String(position)}.txt`,
      contentType: 'text/plain',
      sizeBytes: content.length,
      createdAt: at,
    }));
    cache.documents.replaceList(id, documents, { listedAt: at, lastChangedAt: at });
    for (const [position, content] of plan.contents.entries()) {
      cache.documents.setBlob(id, String(position), await store(`${String(run)} ${content}`));
    }
    putWork(id, plan.work);
    ids.push(id);
  }
  return ids;
}

function putWork(caseId: string, kind: CasePlan['work']): void {
  if (kind === 'none') return;
  if (kind === 'draft') {
    work.drafts.create(caseId);
    return;
  }
  const target = { caseId, externalKey: 'K' };
  const { id } = work.outbox.enqueue(target, { kind: 'comment', text: 'x', seen: '' }, [
    { kind: 'comment' },
  ]);
  const [step] = work.outbox.get(id).steps;
  if (!step) throw new Error('no step');
  const at = new Date(nowMs).toISOString();
  const proof = { at, status: 204, correlationId: 'c', serverId: null, sizeBytes: null };
  if (kind === 'attention') work.outbox.refuse(step, { code: 'internal', params: {} });
  if (kind === 'delivered') work.outbox.confirm(step, { ...proof, sha256: null });
  if (kind === 'discarded') work.outbox.discard(id);
}

const isBusy = ({ work: kind }: CasePlan) => ['draft', 'waiting', 'attention'].includes(kind);
const isOver = ({ status, ageDays }: CasePlan, { closedDays }: DocumentRule) =>
  ['Final', 'AdminCancelled', 'Rejected'].includes(status) &&
  closedDays !== null &&
  ageDays > closedDays;
const isDue = ({ status, inspectionInDays }: CasePlan) =>
  status === 'InProgress' ||
  (inspectionInDays !== null && inspectionInDays >= 0 && inspectionInDays <= 7);

describe('retention', () => {
  it('never removes anything of a case in work, and every content that stays can be read', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(casePlan, { minLength: 1, maxLength: 6 }),
        rule,
        fc.boolean(),
        async (plans, wish, isFreeing) => {
          run += 1;
          const ids = await setUp(plans, run);
          const before = storageFigures(parts(), wish);
          cache.pullState.setText('last-document-purge', '1970-01-01T00:00:00.000Z');
          const gone = await (isFreeing ? freeStorage : purgeDocuments)(parts(), wish);
          for (const [index, plan] of plans.entries()) {
            const id = ids[index] ?? '';
            const goes =
              !isBusy(plan) &&
              (isOver(plan, wish) ||
                (isFreeing && (wish.keep === 'none' || (wish.keep === 'due' && !isDue(plan)))));
            expect(gone.includes(id)).toBe(goes && plan.contents.length > 0);
            const { items } = cache.documents.list(id);
            expect(items.map(({ blobId }) => blobId === null)).toEqual(
              plan.contents.map(() => goes),
            );
            for (const { blobId, sizeBytes } of items) {
              if (blobId === null) continue;
              const content = await buffer(cacheFiles.open(blobId));
              expect(content.length).toBe(`${String(run)} `.length + sizeBytes);
            }
          }
          // No file is left that nothing names.
          expect(new Set(await cacheFiles.list())).toEqual(cache.documents.blobIds());
          const after = storageFigures(parts(), wish);
          expect(after.documents.count).toBe((await cacheFiles.list()).length);
          if (isFreeing) {
            expect(after.freeable).toEqual({ count: 0, bytes: 0 });
            expect(after.documents.count).toBe(before.documents.count - before.freeable.count);
          }
          for (const id of ids)
            cache.documents.replaceList(id, [], { listedAt: '', lastChangedAt: '' });
          for (const blobId of await cacheFiles.list()) await cacheFiles.delete(blobId);
        },
      ),
      { numRuns: 40, seed: 20_260_601 },
    );
  });

  it('sweeps once a day', async () => {
    const plan: CasePlan = {
      status: 'Final',
      ageDays: 400,
      inspectionInDays: null,
      work: 'none',
      contents: ['a'],
    };
    await setUp([plan], 1);
    const wish: DocumentRule = { keep: 'due', closedDays: 30, caseDays: null };
    expect(await purgeDocuments(parts(), wish)).toHaveLength(1);
    expect(JSON.parse(readFileSync(auditFile(), 'utf8'))).toEqual({
      ...{ at: '2026-06-01T00:00:00.000Z', event: 'documents-removed', workspace: 'w', days: 30 },
      ...{ cases: 1, documents: 1, sentFiles: 0 },
    });
    await setUp([plan], 2);
    expect(await purgeDocuments(parts(), wish)).toEqual([]);
  });

  it('fetches nothing that it would remove again', async () => {
    const [old, fresh, open] = await setUp(
      ['Final', 'Final', 'InProgress'].map((status, index) => ({
        status,
        ageDays: index === 1 ? 1 : 400,
        inspectionInDays: null,
        work: 'none',
        contents: [],
      })),
      1,
    );
    for (const id of [old, fresh, open]) {
      cache.documents.replaceList(id ?? '', [], { listedAt: '', lastChangedAt: 'earlier' });
    }
    const closed = { statuses: ['Final'], beforeMs: nowMs - 30 * dayMs };
    const ids = cache.documents.casesToFetch(null, closed).map(({ caseId }) => caseId);
    expect(new Set(ids)).toEqual(new Set([fresh, open]));
    expect(cache.documents.casesToFetch(null, null)).toHaveLength(3);
  });
});
