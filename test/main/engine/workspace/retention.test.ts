import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dueStatuses } from '#shared/api/states.ts';
import { documentScopes } from '#shared/desk/delivery/sync.ts';
import type { DocumentRule } from '#shared/desk/setup/storage.ts';
import { dayMs } from '#shared/lib/clock.ts';
import { type BlobStore, openFileBlobStore } from '#main/engine/blobs/file-blob-store.ts';
import { createCaseIndex, matchName } from '#main/engine/batch/match-names.ts';
import { type Cache, deleteCache } from '#main/engine/cache/open-cache.ts';
import { textValue } from '#main/engine/database/stored-values.ts';
import { lastRescanValue } from '#main/engine/sync/pull.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { keepRetention } from '#main/engine/workspace/background-tasks.ts';
import {
  adoptAuditLines,
  freeStorage,
  lastDocumentPurgeValue,
  purgeCases,
  purgeDocuments,
  RetentionAudit,
  storageFigures,
} from '#main/engine/workspace/retention.ts';
import { sampleCase, openTestCache, openTestWork, testFolder } from '../support/test-engine.ts';
import { refusal } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

describe('a case past its retention', () => {
  let desk: TestDesk;
  beforeEach(async () => {
    desk = await TestDesk.open();
    desk.rule = { keep: 'due', closedDays: null, caseDays: 365 };
  });
  afterEach(() => desk.remove());

  const auditFile = () => join(desk.dir, 'audit.log');
  const audit = () =>
    readFileSync(auditFile(), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object);
  const parts = () => {
    const { cache, work, clock, files } = desk;
    const audit = new RetentionAudit(auditFile(), work);
    return { cache, work, clock, cacheFiles: files, workFiles: files, workspaceId: 'w', audit };
  };
  const purge = () => purgeCases(parts(), desk.rule);
  const final = () => desk.partner.addCase({ status: 'Final' }).id;
  const isHere = (id: string) => desk.cache.cases.find(id) !== null;

  it('leaves with its documents, notes and sent files; the proof stays, and so does work', async () => {
    const gone = desk.partner.addCase({ status: 'InProgress' }).id;
    desk.partner.addDocument(gone, 'estimate.txt', 'the estimate');
    const [open, drafted, typed] = [desk.partner.addCase().id, final(), final()];
    desk.partner.addDocument(open, 'photo.txt', 'the damage');
    await desk.sync.pull();
    await desk.sync.fetch('all');
    const rowId = await desk.queueReport(gone, 'done', [{ name: 'a.txt', content: 'the report' }]);
    await desk.deliverAll();
    desk.work.local.setVisit(gone, { time: '08:00', note: 'ring twice' });
    desk.work.local.mark([gone], true);
    desk.partner.change(gone, { status: 'Final' });
    await desk.sync.pull();
    const { id: draftId } = desk.work.drafts.create(drafted);
    const attached = await desk.attach(draftId, 'b.txt', 'to send');
    const typedInto = { caseId: typed, externalKey: 'K' };
    desk.work.edits.save(typedInto, 'comment', 'half a sen', '');
    desk.clock.skip(366 * dayMs);
    const fresh = final();
    await desk.sync.pull();
    expect(await desk.files.list()).toHaveLength(4);

    expect(await purge()).toEqual([gone]);
    expect([open, drafted, typed, fresh].every(isHere)).toBe(true);
    expect(isHere(gone)).toBe(false);
    expect(desk.cache.documents.list(gone).items).toEqual([]);
    const [photo] = desk.cache.documents.list(open).items;
    expect(new Set(await desk.files.list())).toEqual(new Set([photo?.blobId, attached.blobId]));
    expect(desk.work.local.visits([gone]).size).toBe(0);
    expect(desk.work.local.marks().size).toBe(0);
    const proof = desk.work.outbox.rows.get(rowId);
    expect(proof.state).toBe('delivered');
    expect(proof.steps.find(({ kind }) => kind === 'document')).toMatchObject({
      state: 'delivered',
      fileName: 'a.txt',
    });
    expect(audit()).toEqual([
      {
        event: 'cases-removed',
        workspace: 'w',
        days: 365,
        cases: 1,
        documents: 1,
        sentFiles: 1,
        at: new Date(desk.clock.now()).toISOString(),
      },
    ]);
    expect(readFileSync(auditFile(), 'utf8')).not.toContain(gone);
    expect(statSync(auditFile()).mode & 0o777).toBe(0o600);
  });

  it('leaves if the partner no longer returns it, counted from when that was seen', async () => {
    const id = desk.partner.addCase({ status: 'InProgress' }).id;
    await desk.sync.pull();
    desk.clock.skip(400 * dayMs);
    desk.partner.fault = () => {
      throw refusal('forbidden', 403);
    };
    await desk.sync.readCase(id, 'person');
    expect([await purge(), isHere(id)]).toEqual([[], true]);
    desk.clock.skip(300 * dayMs);
    // Its reason may change.
    desk.partner.fault = () => {
      throw refusal('not_found', 404);
    };
    await desk.sync.readCase(id, 'person');
    desk.clock.skip(66 * dayMs);
    expect(await purge()).toEqual([id]);
  });

  it('does not come back with the list, but if the partner changes it or the time is longer', async () => {
    const [quiet, reopened] = [final(), final()];
    await desk.sync.pull();
    await desk.sync.rescanIfDue();
    desk.clock.skip(400 * dayMs);
    expect((await purge()).sort()).toEqual([quiet, reopened].sort());
    await desk.sync.rescanIfDue();
    expect([quiet, reopened].map(isHere)).toEqual([false, false]);

    desk.partner.change(reopened, { status: 'InProgress' });
    await desk.sync.pull();
    expect([quiet, reopened].map(isHere)).toEqual([false, true]);

    desk.rule = { ...desk.rule, caseDays: 500 };
    expect(await purge()).toEqual([]);
    await desk.sync.rescanIfDue();
    expect(isHere(quiet)).toBe(true);
  });

  it('that this laptop never had is not fetched, unless work waits for it', async () => {
    const [quiet, worked] = [final(), final()];
    desk.work.drafts.create(worked);
    desk.clock.skip(400 * dayMs);
    await desk.sync.pull();
    expect([quiet, worked].map(isHere)).toEqual([false, true]);
  });

  it('is looked for once a day, at once after a new rule, and never without one', async () => {
    desk.rule = { ...desk.rule, caseDays: null };
    final();
    await desk.sync.pull();
    desk.clock.skip(40 * dayMs);
    expect(await purge()).toEqual([]);
    desk.rule = { ...desk.rule, caseDays: 41 };
    expect(await purge()).toEqual([]);
    desk.clock.skip(2 * dayMs - 26 * 60 * 60_000);
    expect(await purge()).toEqual([]);
    expect(existsSync(auditFile())).toBe(false);
    desk.rule = { ...desk.rule, caseDays: 10 };
    expect(await purge()).toHaveLength(1);
  });

  it('a log line that a crash prevented is written at the next start', async () => {
    const line = {
      at: '2026-03-02T08:00:00.000Z',
      event: 'cases-removed' as const,
      workspace: 'w',
      days: 30,
      cases: 2,
      documents: 0,
      sentFiles: 0,
    };
    const noted = [line, { ...line, cases: 3 }];
    for (const each of noted) new RetentionAudit(auditFile(), desk.work).note(each);
    expect(existsSync(auditFile())).toBe(false);
    await desk.die();
    // The cache may be built again at any time.
    deleteCache(join(desk.dir, 'cache.db'));
    await desk.start();
    const next = new RetentionAudit(auditFile(), desk.work);
    next.write();
    next.write();
    expect(audit()).toEqual(noted);
  });

  it('is in the log even if the cache cannot be changed after the work was', async () => {
    const id = final();
    await desk.sync.pull();
    desk.clock.skip(400 * dayMs);
    const remove = vi.spyOn(desk.cache.cases, 'remove').mockImplementation(() => {
      throw new Error('the disk is full');
    });
    await expect(purge()).rejects.toThrow('the disk is full');
    remove.mockRestore();
    expect(isHere(id)).toBe(true);
    await desk.restart();
    new RetentionAudit(auditFile(), desk.work).write();
    expect(audit()).toMatchObject([{ event: 'cases-removed', cases: 1 }]);
    // What the log says is so with the next look, and not only a day later.
    expect(await purge()).toEqual([id]);
    expect(await purge()).toEqual([]);
  });

  it('leaves although documents cannot be removed, or the log cannot be written', async () => {
    const id = final();
    await desk.sync.pull();
    desk.clock.skip(400 * dayMs);
    vi.spyOn(desk.cache.documents, 'storedContents').mockImplementationOnce(() => {
      throw new Error('the disk fails');
    });
    mkdirSync(auditFile());
    const failures: unknown[] = [];
    const retention = keepRetention(
      {
        ...parts(),
        client: { clockOffset: () => ({ offsetMs: 0, source: 'answer' }) },
        sync: desk.sync,
        documentRule: () => desk.rule,
        emit: () => undefined,
      },
      (error) => failures.push(String(error)),
    );
    await retention.purge();
    expect(isHere(id)).toBe(false);
    expect(failures).toEqual(['Error: the disk fails', expect.stringContaining('EISDIR')]);
  });

  it('takes over the log lines that an earlier version noted in the cache', () => {
    const noted = { at: '2026-03-02T08:00:00.000Z', event: 'documents-removed', workspace: 'w' };
    const line = { ...noted, days: 30, cases: 1, documents: 2, sentFiles: 0 };
    const { cache, work } = desk;
    cache.values.set(textValue('retention-audit'), JSON.stringify([line]));
    adoptAuditLines({ cache, work });
    adoptAuditLines({ cache, work });
    new RetentionAudit(auditFile(), work).write();
    expect(audit()).toEqual([line]);
  });

  it.each([
    ['no rule left a case out before', [365]],
    ['there never was a rule', [null]],
    ['the rule is the same', [365, 365]],
    ['the time is shorter', [365, 100]],
  ])('asks for no whole list if %s', async (_why, rules) => {
    await desk.sync.pull();
    await desk.sync.rescanIfDue();
    const read = desk.cache.values.get(lastRescanValue);
    for (const caseDays of rules) {
      desk.clock.skip(1000);
      desk.rule = { ...desk.rule, caseDays };
      await purge();
    }
    expect(read).toBeGreaterThan(0);
    expect(desk.cache.values.get(lastRescanValue)).toBe(read);
  });

  it('comes back with the list if cases are no longer removed', async () => {
    const id = final();
    await desk.sync.pull();
    await desk.sync.rescanIfDue();
    desk.clock.skip(400 * dayMs);
    expect(await purge()).toEqual([id]);
    await desk.sync.rescanIfDue();
    expect(isHere(id)).toBe(false);
    desk.rule = { ...desk.rule, caseDays: null };
    expect(await purge()).toEqual([]);
    await desk.sync.rescanIfDue();
    expect(isHere(id)).toBe(true);
  });

  it('stays while delivered work lies over it that no reading has shown', async () => {
    const id = final();
    await desk.sync.pull();
    const { outbox } = desk.work;
    const act = { kind: 'comment', text: 'x', seen: '' } as const;
    const row = outbox.enqueue({ caseId: id, externalKey: 'K' }, act, [{ kind: 'comment' }]);
    const [step] = outbox.rows.get(row.id).steps;
    if (!step) throw new Error('the row has a step');
    const at = new Date(desk.clock.now()).toISOString();
    const proof = { at, status: 204, correlationId: 'c', serverId: null };
    outbox.deliveries.confirm({ step, proof: { ...proof, sizeBytes: null, sha256: null } });
    desk.clock.skip(400 * dayMs);
    expect(await purge()).toEqual([]);
    // It also comes again with the list.
    desk.cache.cases.remove([id]);
    await desk.sync.pull();
    await desk.sync.rescanIfDue();
    expect(isHere(id)).toBe(true);
    desk.work.overlays.lift([row.id]);
    expect(await purge()).toEqual([]);
    desk.clock.skip(2 * dayMs);
    expect(await purge()).toEqual([id]);
  });

  it('leaves a content that a document of another case has, too', async () => {
    const [gone, open] = [final(), desk.partner.addCase().id];
    for (const id of [gone, open]) desk.partner.addDocument(id, 'a.txt', 'the same');
    await desk.sync.pull();
    await desk.sync.fetch('all');
    const { documents } = desk.cache;
    const [of, other] = [gone, open].map((id) => documents.list(id).items[0]);
    documents.setBlob(open, other?.id ?? '', of?.blobId ?? '');
    desk.clock.skip(400 * dayMs);
    expect(await purge()).toEqual([gone]);
    expect(await desk.files.list()).toContain(of?.blobId);
  });

  it('leaves a sent file that is also a template, or in a draft or template that can come back', async () => {
    const [gone, other] = [desk.partner.addCase({ status: 'InProgress' }).id, 'elsewhere'];
    await desk.sync.pull();
    const names = ['form', 'earlier', 'removed template', 'discarded', 'removed file', 'sent'];
    const queued = await desk.queueReport(
      gone,
      'done',
      names.map((name) => ({ name: `${name}.txt`, content: name })),
    );
    const { drafts, outbox, templates } = desk.work;
    const { act } = outbox.rows.get(queued);
    const stored = drafts.get(act.kind === 'report' ? act.draftId : '').attachments;
    const fileOf = (name: string) => {
      const file = stored.find(({ fileName }) => fileName === `${name}.txt`);
      if (!file) throw new Error(`no file ${name}`);
      return { ...file, subject: null, found: {} };
    };
    await desk.deliverAll();
    desk.partner.change(gone, { status: 'Final' });
    await desk.sync.pull();
    const choices = { name: 'Form', language: 'de', category: null } as const;
    const form = templates.add(fileOf('earlier'), choices);
    templates.setFile(form.id, fileOf('form'));
    const template = templates.add(fileOf('removed template'), choices);
    templates.remove(template.id);
    const discarded = await desk.attach(drafts.create(other).id, 'd.txt', 'discarded');
    drafts.discard(drafts.findAttachment(discarded.id)?.draftId ?? '');
    const draft = drafts.create(other);
    drafts.removeAttachment(draft.id, (await desk.attach(draft.id, 'r.txt', 'removed file')).id);
    desk.clock.skip(400 * dayMs);

    expect(await purge()).toEqual([gone]);
    const kept = names.filter((name) => desk.files.has(fileOf(name).blobId));
    expect(kept).toEqual(names.slice(0, -1));
    // They are removed at the next start, if nothing names them then.
    expect(desk.work.blobIds()).toEqual(new Set(kept.map((name) => fileOf(name).blobId)));
    await desk.restart();
    const named = ['form', 'earlier'].map((name) => fileOf(name).blobId);
    expect(desk.work.blobIds()).toEqual(new Set(named));
  });

  it('leaves an equal file that is just being taken, until a row can name it', async () => {
    const sent = desk.partner.addCase({ status: 'InProgress' }).id;
    await desk.sync.pull();
    await desk.queueReport(sent, 'done', [{ name: 'b.txt', content: 'the same bytes' }]);
    await desk.deliverAll();
    desk.partner.change(sent, { status: 'Final' });
    await desk.sync.pull();
    desk.clock.skip(400 * dayMs);
    const writer = await desk.files.createWriter();
    await writer.write(Buffer.from('the same bytes'));
    const { blobId } = await writer.finish();

    expect(await purge()).toEqual([sent]);
    expect(desk.files.has(blobId)).toBe(true);
    // An hour later a row names it, or it is one that nobody will name.
    desk.clock.skip(3_600_000 - 1);
    expect(desk.files.isNew(blobId)).toBe(true);
    desk.clock.skip(1);
    expect(desk.files.isNew(blobId)).toBe(false);
  });

  it('leaves its sent files while work that was set aside may need them', async () => {
    const id = desk.partner.addCase({ status: 'InProgress' }).id;
    await desk.sync.pull();
    await desk.queueReport(id, 'done', [{ name: 'b.txt', content: 'sent' }]);
    await desk.deliverAll();
    desk.partner.change(id, { status: 'Final' });
    await desk.sync.pull();
    mkdirSync(join(desk.dir, 'quarantine-20260101T000000000Z'));
    await desk.restart();
    desk.clock.skip(400 * dayMs);
    expect(await purge()).toEqual([id]);
    expect(await desk.files.list()).toHaveLength(1);
  });

  it('stays as long as a file of an open batch belongs to it', async () => {
    const [inBatch, removed, discarded] = [final(), final(), final()];
    await desk.sync.pull();
    const { batches } = desk.work;
    /** A batch with a file of each of these cases. */
    const begin = (...caseIds: string[]) => {
      const { id } = batches.begin(null);
      const index = createCaseIndex([]);
      const files = caseIds.map((caseId) => ({ match: matchName(caseId, index), sizeBytes: 1 }));
      batches.announce(id, files, []);
      for (const caseId of caseIds) batches.change(id, [caseId], { caseId });
      return id;
    };
    const open = begin(inBatch, removed);
    batches.change(open, [removed], { isRemoved: true });
    batches.discard(begin(discarded));
    desk.clock.skip(400 * dayMs);
    expect((await purge()).sort()).toEqual([removed, discarded].sort());
    expect(isHere(inBatch)).toBe(true);
  });
});

describe('documents past their retention', () => {
  const nowMs = Date.UTC(2026, 5, 1);
  const clock = {
    now: () => nowMs,
    monotonic: () => 0,
    uptime: () => 0,
    after: () => () => undefined,
  };

  let dir: string;
  let cache: Cache;
  let work: Work;
  let cacheFiles: BlobStore;
  beforeEach(async () => {
    dir = testFolder();
    cache = openTestCache(dir);
    work = openTestWork({ dir, now: clock.now });
    cacheFiles = await openFileBlobStore({
      dir: join(dir, 'files'),
      key: Buffer.alloc(32, 7),
      now: Date.now,
    });
  });
  const auditFile = () => join(dir, 'audit.log');
  const parts = () => ({
    cache,
    work,
    cacheFiles,
    clock,
    workspaceId: 'w',
    audit: new RetentionAudit(auditFile(), work),
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
  const anyRule: fc.Arbitrary<DocumentRule> = fc.record({
    keep: fc.constantFrom(...documentScopes),
    closedDays: fc.constantFrom(null, 0, 30),
    caseDays: fc.constant(null),
  });

  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

  /** Puts the cases into fresh stores of this run, under separate numbers. */
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
    const [step] = work.outbox.rows.get(id).steps;
    if (!step) throw new Error('no step');
    const at = new Date(nowMs).toISOString();
    const proof = { at, status: 204, correlationId: 'c', serverId: null, sizeBytes: null };
    if (kind === 'attention')
      work.outbox.deliveries.fail(id, 'refuse', { code: 'internal', params: {} });
    if (kind === 'delivered')
      work.outbox.deliveries.confirm({ step, proof: { ...proof, sha256: null } });
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

  it('never removes anything of a case in work, and every content that stays can be read', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(casePlan, { minLength: 1, maxLength: 6 }),
        anyRule,
        fc.boolean(),
        async (plans, rule, isFreeing) => {
          run += 1;
          const ids = await setUp(plans, run);
          const before = storageFigures(parts(), rule);
          cache.values.set(lastDocumentPurgeValue, 0);
          const removed = await (isFreeing ? freeStorage : purgeDocuments)(parts(), rule);
          for (const [index, plan] of plans.entries()) {
            const id = ids[index] ?? '';
            const isRemoved =
              !isBusy(plan) &&
              (isOver(plan, rule) ||
                (isFreeing && (rule.keep === 'none' || (rule.keep === 'due' && !isDue(plan)))));
            expect(removed.includes(id)).toBe(isRemoved && plan.contents.length > 0);
            const { items } = cache.documents.list(id);
            expect(items.map(({ blobId }) => blobId === null)).toEqual(
              plan.contents.map(() => isRemoved),
            );
            for (const { blobId, sizeBytes } of items) {
              if (blobId === null) continue;
              const content = await buffer(cacheFiles.open(blobId));
              expect(content.length).toBe(`${String(run)} `.length + sizeBytes);
            }
          }
          // No file is left that nothing names.
          expect(new Set(await cacheFiles.list())).toEqual(cache.documents.blobIds());
          const after = storageFigures(parts(), rule);
          const left = ids.flatMap((id) => cache.documents.list(id).items);
          const sizes = new Map(left.map(({ blobId, sizeBytes }) => [blobId, sizeBytes]));
          sizes.delete(null);
          expect(after.documents).toEqual({
            count: (await cacheFiles.list()).length,
            bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
          });
          const freed = {
            count: before.documents.count - after.documents.count,
            bytes: before.documents.bytes - after.documents.bytes,
          };
          expect(isFreeing ? before.freeable : freed).toEqual(freed);
          expect(isFreeing && after.freeable.count + after.freeable.bytes > 0).toBe(false);
          expect(after.documents.count - after.freeable.count).toBe(
            before.documents.count - before.freeable.count,
          );
          for (const id of ids)
            cache.documents.replaceList(id, [], { listedAt: '', lastChangedAt: '' });
          for (const blobId of await cacheFiles.list()) await cacheFiles.delete(blobId);
        },
      ),
      { numRuns: 40, seed: 20_260_601 },
    );
  });

  it('stay while their case is due, or has not ended for longer than the rule says', async () => {
    const plan = (changes: Partial<CasePlan>): CasePlan => ({
      status: 'ExpertCompleted',
      ageDays: 0,
      inspectionInDays: null,
      work: 'none',
      contents: ['a'],
      ...changes,
    });
    const due = [
      ...dueStatuses.map((status) => plan({ status })),
      plan({ inspectionInDays: 0 }),
      plan({ inspectionInDays: 7 }),
    ];
    const others = [plan({}), plan({ inspectionInDays: -1 }), plan({ inspectionInDays: 8 })];
    const ids = await setUp([...due, ...others], 1);
    const rule: DocumentRule = { keep: 'due', closedDays: 30, caseDays: null };
    expect(await freeStorage(parts(), rule)).toEqual(ids.slice(due.length));
    const ended = [30, 31].map((ageDays) => plan({ status: 'Final', ageDays }));
    const [, past] = await setUp(ended, 2);
    expect(await purgeDocuments(parts(), rule)).toEqual([past]);
  });

  it('make the room that a full disk lacks for their removal, the largest first', async () => {
    const plan: CasePlan = {
      status: 'ExpertCompleted',
      ageDays: 0,
      inspectionInDays: null,
      work: 'none',
      contents: ['a', 'bbbb', 'cc'],
    };
    const rule: DocumentRule = { keep: 'due', closedDays: 30, caseDays: null };
    const [id = ''] = await setUp([plan], 1);
    const [, largest] = cache.documents.list(id).items;
    const onDisk = (blobId: string | null) =>
      blobId !== null && cacheFiles.has(blobId) ? [blobId] : [];
    const left: string[][] = [];
    const { together } = cache;
    vi.spyOn(cache, 'together').mockImplementation((task) => {
      left.push(cache.documents.list(id).items.flatMap(({ blobId }) => onDisk(blobId)));
      if (left.length < 3) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
      return together(task);
    });
    expect(await freeStorage(parts(), rule)).toEqual([id]);
    expect(left.map((ids) => ids.length)).toEqual([3, 2, 1]);
    expect(left[1]).not.toContain(largest?.blobId);
    expect(await cacheFiles.list()).toEqual([]);
    expect(cache.documents.blobIds()).toEqual(new Set());
  });

  it('sweeps once a day', async () => {
    const plan: CasePlan = {
      status: 'Final',
      ageDays: 400,
      inspectionInDays: null,
      work: 'none',
      contents: ['a'],
    };
    const rule: DocumentRule = { keep: 'due', closedDays: 30, caseDays: null };
    expect(await purgeDocuments(parts(), rule)).toEqual([]);
    expect(existsSync(auditFile())).toBe(false);
    cache.values.set(lastDocumentPurgeValue, 0);
    await setUp([plan, { ...plan, contents: ['bb', 'ccc'] }], 1);
    expect(await purgeDocuments(parts(), rule)).toHaveLength(2);
    expect(JSON.parse(readFileSync(auditFile(), 'utf8'))).toEqual({
      at: '2026-06-01T00:00:00.000Z',
      event: 'documents-removed',
      workspace: 'w',
      days: 30,
      cases: 2,
      documents: 3,
      sentFiles: 0,
    });
    await setUp([plan], 2);
    expect(await purgeDocuments(parts(), rule)).toEqual([]);
  });

  it('has swept although its log cannot be written, so that cases are removed after it', async () => {
    const plan: CasePlan = {
      status: 'Final',
      ageDays: 400,
      inspectionInDays: null,
      work: 'none',
      contents: ['a'],
    };
    const rule: DocumentRule = { keep: 'due', closedDays: 30, caseDays: null };
    await setUp([plan], 1);
    mkdirSync(auditFile());
    await expect(purgeDocuments(parts(), rule)).rejects.toThrow('EISDIR');
    expect(await cacheFiles.list()).toEqual([]);
    expect(await purgeDocuments(parts(), rule)).toEqual([]);
    rmSync(auditFile(), { recursive: true });
    parts().audit.write();
    expect(JSON.parse(readFileSync(auditFile(), 'utf8'))).toMatchObject({ documents: 1 });
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
