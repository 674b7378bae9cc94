import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaseViewInput } from '#shared/desk/cases/cases.ts';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { parseDetails } from '#main/engine/work/attachment-rows.ts';
import { workMigrations } from '#main/engine/work/schema.ts';
import { hasPendingWork } from '#main/engine/work/set-aside.ts';
import { unrecognized } from '../../../support/desk-records.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

const keyHex = 'cd'.repeat(32);
let dir: string;
let nowMs: number;
beforeEach(() => {
  dir = testFolder();
  nowMs = Date.parse('2026-03-02T08:00:00Z');
});

const open = (): Work => openTestWork({ dir, keyHex, now: () => (nowMs += 1000) });
const backups = () => readdirSync(join(dir, 'backups'));
/** Matches an error by its code, and by its params if they are given. */
const failure = (code: string, params?: object): unknown =>
  expect.objectContaining(params ? { code, params } : { code });
const damage = () => writeFileSync(join(dir, 'work.db'), Buffer.alloc(8192, 7));
const view = (name: string): CaseViewInput => ({
  name,
  filter: { q: 'hagel' },
  sort: 'partyName',
  descending: false,
  columns: ['partyName'],
});
const target = { caseId: 'case-1', externalKey: 'K-1' };
const comment = (work: Work, text: string) =>
  work.outbox.enqueue(target, { kind: 'comment', text, seen: '' }, [{ kind: 'comment' }]);

describe('the work store', () => {
  it('makes a backup at every start that opens and contains everything', () => {
    const work = open();
    comment(work, 'precious');
    work.close();
    open().close();
    const newest = backups().sort().at(-1) ?? '';
    const db = openDatabase({ file: join(dir, 'backups', newest), keyHex, durability: 'full' });
    expect(db.prepare('SELECT act FROM outbox').pluck().get()).toContain('precious');
    expect(readFileSync(join(dir, 'backups', newest)).includes('precious')).toBe(false);
    db.close();
  });

  it('retains the newest three, and makes none while nothing changes', () => {
    for (let start = 0; start < 5; start += 1) open().close();
    const before = backups().sort();
    expect(before).toHaveLength(3);
    const work = open();
    const atStart = backups().sort();
    work.backUpIfChanged();
    expect(backups().sort()).toEqual(atStart);
    comment(work, 'new');
    work.backUpIfChanged();
    expect(backups().sort().at(-1)).not.toBe(atStart.at(-1));
  });

  it.each([1, 3])(
    'offers its newest backup also if the clock was ahead for %i starts',
    (starts) => {
      const startWith = (text: string) => {
        const work = open();
        comment(work, text);
        work.backUpIfChanged();
        work.close();
      };
      nowMs += 2 * 60 * 60_000;
      for (let start = 0; start < starts; start += 1) startWith('ahead');
      nowMs -= 2 * 60 * 60_000;
      for (let start = 0; start < 4; start += 1) startWith(`right ${String(start)}`);
      expect(backups()).toHaveLength(3);
      damage();
      const fresh = open();
      expect(JSON.stringify(fresh.offered()[0]?.work)).toContain('right 3');
      expect(fresh.offered()[0]?.backedUpAtMs).toBeLessThan(nowMs);
    },
  );

  it('that cannot be read is put aside with its backups, never overwritten', () => {
    const work = open();
    comment(work, 'precious');
    work.close();
    const damaged = Buffer.alloc(8192, 7);
    writeFileSync(join(dir, 'work.db'), damaged);
    const fresh = open();
    expect(fresh.hasSetAside).toBe(true);
    expect(fresh.outbox.rows.counts()).toEqual({ waiting: 0, attention: 0 });
    fresh.close();
    const aside = readdirSync(dir).find((name) => name.startsWith('quarantine-')) ?? '';
    expect(readFileSync(join(dir, aside, 'work.db')).equals(damaged)).toBe(true);
    expect(readdirSync(join(dir, aside, 'backups'))).toHaveLength(1);
    const later = open();
    expect(later.hasSetAside).toBe(true);
  });

  it('gives back the saved views of its backup, if their names are free', () => {
    const work = open();
    const saved = work.views.save(view('Hagel'));
    work.views.save(view('Woche'));
    work.close();
    open().close();
    damage();
    const fresh = open();
    expect(fresh.views.list()).toEqual([]);
    const [offer] = fresh.offered();
    if (!offer) throw new Error('nothing is offered');
    expect(offer.views.map(({ name }) => name)).toEqual(['Hagel', 'Woche']);
    const own = fresh.views.save(view('WOCHE'));
    fresh.takeBack(offer, offer.backedUpAtMs);
    expect(fresh.views.list()).toEqual([saved, own]);
  });

  it.each(['take', 'leave'])('is told of until a person decides, here to %s it', (decision) => {
    const work = open();
    comment(work, 'precious');
    work.close();
    open().close();
    damage();
    const fresh = open();
    expect(fresh.damage).toEqual({ code: 'work_corrupt', params: {} });
    const [offer] = fresh.offered();
    if (!offer) throw new Error('nothing is offered');
    if (decision === 'take') fresh.takeBack(offer, offer.backedUpAtMs);
    else fresh.leaveAside(offer);
    expect(fresh.damage).toBeNull();
    fresh.close();
    const later = open();
    expect(later.offered()).toEqual([]);
    expect(later.damage).toBeNull();
  });

  it('without a sound backup is reported until the next start', () => {
    open().close();
    damage();
    for (const name of backups()) writeFileSync(join(dir, 'backups', name), 'damaged too');
    const fresh = open();
    expect(fresh.offered()).toEqual([]);
    expect(fresh.damage).toEqual({ code: 'work_lost', params: {} });
    fresh.close();
    const later = open();
    expect(later.damage).toBeNull();
  });

  it.each([
    ['empty', (file: string) => truncateSync(file, 0)],
    ['gone', (file: string) => rmSync(file)],
    // A power cut took the log, in which everything was: the file itself opens, with nothing in it.
    [
      'without a schema',
      (file: string) => {
        rmSync(file);
        openDatabase({ file, keyHex, durability: 'full' }).close();
      },
    ],
  ])(
    'that is %s beside its backups is put aside with them, and they are offered',
    (_how, spoil) => {
      const work = open();
      comment(work, 'precious');
      work.close();
      open().close();
      spoil(join(dir, 'work.db'));
      const fresh = open();
      expect(fresh.hasSetAside).toBe(true);
      expect(fresh.damage).toEqual({ code: 'work_corrupt', params: {} });
      expect(fresh.offered()).toMatchObject([{ work: { rows: [{}] } }]);
      expect(fresh.outbox.rows.counts()).toEqual({ waiting: 0, attention: 0 });
      fresh.close();
      for (let start = 0; start < 4; start += 1) open().close();
      const later = open();
      const [offer] = later.offered();
      if (!offer) throw new Error('nothing is offered');
      later.takeBack(offer, offer.backedUpAtMs);
      expect(later.outbox.rows.counts()).toEqual({ waiting: 1, attention: 0 });
      expect(later.damage).toBeNull();
    },
  );

  it.each([
    ['gone', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file, 0)],
  ])(
    'that is %s beside its log is put aside with it, and what was not backed up is told to be lost',
    (_how, spoil) => {
      const file = join(dir, 'work.db');
      const work = open();
      comment(work, 'precious');
      const log = readFileSync(`${file}-wal`);
      work.close();
      rmSync(join(dir, 'backups'), { recursive: true });
      writeFileSync(`${file}-wal`, log);
      spoil(file);
      expect(hasPendingWork(dir)).toBe(true);
      const fresh = open();
      expect(fresh.damage).toEqual({ code: 'work_lost', params: {} });
      expect(fresh.offered()).toEqual([]);
      expect(fresh.outbox.rows.counts()).toEqual({ waiting: 0, attention: 0 });
      fresh.close();
      const [aside = ''] = readdirSync(dir).filter((name) => name.startsWith('quarantine-'));
      expect(readFileSync(join(dir, aside, 'work.db-wal')).equals(log)).toBe(true);
    },
  );

  it('that turns out damaged while it is open is reported, and set aside at the next start', () => {
    const file = join(dir, 'work.db');
    const work = open();
    for (let n = 0; n < 50; n += 1)
      work.outbox.enqueue(
        { caseId: `case-${n}`, externalKey: 'K' },
        { kind: 'comment', text: 'x'.repeat(4000), seen: '' },
        [{ kind: 'comment' }],
      );
    // Another connection writes, so that nothing is answered out of the first one's memory.
    const other = openDatabase({ file, keyHex, durability: 'full' });
    other.exec('UPDATE outbox SET failures = 1');
    other.pragma('wal_checkpoint(TRUNCATE)');
    other.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(7, bytes.length / 2));
    work.backUpIfChanged();
    expect(work.damage).toEqual({ code: 'work_corrupt', params: {} });
    work.close();
    const fresh = open();
    expect(fresh.hasSetAside).toBe(true);
  });

  it.each([
    ['gone beside an empty log', 'work.db-wal'],
    ['empty at its first start', 'work.db'],
  ])('that is %s is begun, and nothing is reported', (_what, empty) => {
    writeFileSync(join(dir, empty), '');
    const work = open();
    expect(work.hasSetAside).toBe(false);
    expect(work.damage).toBeNull();
  });

  it('of a newer version is left alone', () => {
    open().close();
    const file = join(dir, 'work.db');
    const db = openDatabase({ file, keyHex, durability: 'full' });
    db.exec(`INSERT INTO schema_steps (name, statements) VALUES ('later', '[""]')`);
    db.close();
    const before = readFileSync(file);
    expect(open).toThrow(
      expect.objectContaining({
        code: 'home_newer',
        params: { found: workMigrations.length + 1, known: workMigrations.length },
      }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('what is done together', () => {
  const fail = () => {
    throw new Error('disk full');
  };

  it('is told when it is stored, and not if it fails', () => {
    const work = open();
    const told: string[] = [];
    const step = (name: string, then: () => void = () => undefined) =>
      work.together(() => {
        work.onceStored(
          () => void told.push(`${name}, ${work.outbox.rows.openRows(target.caseId).length}`),
        );
        comment(work, name);
        then();
      });
    work.together(() => {
      step('a');
      expect(told).toEqual([]);
      // A part that fails is undone alone if the whole goes on.
      expect(() => step('b', fail)).toThrow('disk full');
      step('c');
    });
    expect(told).toEqual(['a, 1', 'c, 1']);
    expect(() =>
      work.together(() => {
        step('d');
        fail();
      }),
    ).toThrow('disk full');
    work.together(() => undefined);
    work.onceStored(() => void told.push('at once'));
    expect(told).toEqual(['a, 1', 'c, 1', 'at once']);
    work.close();
  });
});

describe('the outbox', () => {
  it('makes every request that was on its way unknown at the start', () => {
    const work = open();
    const { id } = comment(work, 'a');
    const [step] = work.outbox.rows.get(id).steps;
    if (!step) throw new Error('no step');
    work.outbox.deliveries.begin(step, nowMs);
    work.close();
    const again = open();
    expect(again.outbox.rows.get(id)).toMatchObject({
      state: 'unknown',
      steps: [{ state: 'unknown', everUnknown: true, attempts: 1 }],
    });
  });

  it('lets a newer comment take the place of one that waits', () => {
    const work = open();
    const first = comment(work, 'first');
    const second = comment(work, 'second');
    expect(second.superseded).toEqual([first.id]);
    expect(work.outbox.rows.get(first.id).state).toBe('discarded');
    expect(work.overlays.of(['case-1']).get('case-1')).toMatchObject({
      comment: 'second',
      pendingCount: 1,
    });
  });

  it.each(['sending', 'unknown'])('does not when it is %s', (state) => {
    const work = open();
    const first = comment(work, 'first');
    const [step] = work.outbox.rows.get(first.id).steps;
    if (!step) throw new Error('no step');
    work.outbox.deliveries.begin(step, nowMs);
    if (state === 'unknown')
      work.outbox.deliveries.fail(first.id, 'doubt', { code: 'outcome_unknown', params: {} });
    expect(comment(work, 'second').superseded).toEqual([]);
    expect(work.outbox.rows.get(first.id).state).toBe(state);
  });

  it('does not when another act stands behind it, because the order is the user’s', () => {
    const work = open();
    const first = comment(work, 'first');
    const amounts = { costEstimateRappen: 1, approvedRappen: null };
    const seen = { costEstimateRappen: null, approvedRappen: null };
    work.outbox.enqueue(target, { kind: 'amounts', ...amounts, seen }, [{ kind: 'amounts' }]);
    expect(comment(work, 'second').superseded).toEqual([]);
    expect(work.outbox.rows.get(first.id).state).toBe('waiting');
  });

  it('gives the draft of a discarded report back to the user', () => {
    const work = open();
    const draft = work.drafts.create('case-1');
    const { id } = work.outbox.enqueue(target, { kind: 'report', draftId: draft.id, comment: '' }, [
      { kind: 'draft' },
      { kind: 'submit' },
    ]);
    work.drafts.bindToQueue(draft.id, id);
    const queued = failure('queue_row_state');
    expect(() => work.drafts.update({ draftId: draft.id, comment: 'x' })).toThrow(queued);
    work.outbox.discard(id);
    expect(work.drafts.update({ draftId: draft.id, comment: 'x' })).toMatchObject({
      queueId: null,
      comment: 'x',
    });
    work.drafts.discard(draft.id);
    expect(work.outbox.rows.get(id).state).toBe('discarded');
  });

  it.each(['delivered', 'discarded'])('neither retries nor discards what is %s', (state) => {
    const work = open();
    const { id } = comment(work, 'a');
    const [step] = work.outbox.rows.get(id).steps;
    if (!step) throw new Error('no step');
    const proof = { serverId: null, sizeBytes: null, sha256: null };
    if (state === 'discarded') work.outbox.discard(id);
    else
      work.outbox.deliveries.confirm({
        step,
        proof: { at: 'now', status: 204, correlationId: 'c', ...proof },
      });
    const refused = failure('queue_row_state', { id, state });
    expect(() => work.outbox.retry(id)).toThrow(refused);
    expect(() => work.outbox.discard(id)).toThrow(refused);
  });
});

describe('the deliveries of a day', () => {
  it.each([
    // Clocks of Zurich: winter, summer, and the day on which they change.
    ['2026-11-12', '2026-11-11T23:00:00.000Z', '2026-11-12T22:59:59.999Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z', '2026-07-01T21:59:59.999Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ])('are those of %s in Zurich, from its first to its last moment', (day, first, last) => {
    const work = open();
    const justBefore = new Date(Date.parse(first) - 1).toISOString();
    const justAfter = new Date(Date.parse(last) + 1).toISOString();
    const proof = { status: 200, correlationId: 'c', serverId: null, sizeBytes: null };
    for (const at of [justBefore, first, last, justAfter]) {
      const [step] = work.outbox.rows.get(comment(work, at).id).steps;
      if (step) work.outbox.deliveries.confirm({ step, proof: { ...proof, at, sha256: null } });
    }
    comment(work, 'not delivered');
    const { rows, total } = work.outbox.rows.list({
      includeDone: true,
      deliveredOn: day,
      limit: 10,
    });
    expect(rows.map(({ act }) => act)).toMatchObject([{ text: last }, { text: first }]);
    expect(total).toBe(2);
    expect(work.outbox.rows.list({ includeDone: true, limit: 10 }).total).toBe(5);
    work.close();
  });
});

describe('a limited list of the outbox', () => {
  it('leaves out what is delivered before what is open, and shows the newest first', () => {
    const work = open();
    const act = { kind: 'comment', text: 'waits', seen: '' } as const;
    const other = { caseId: 'case-2', externalKey: 'K-2' };
    const waits = work.outbox.enqueue(other, act, [{ kind: 'comment' }]);
    for (const text of ['one', 'two']) {
      const [step] = work.outbox.rows.get(comment(work, text).id).steps;
      const proof = { status: 200, correlationId: 'c', serverId: null, sizeBytes: null };
      if (step)
        work.outbox.deliveries.confirm({
          step,
          proof: { ...proof, at: '2026-03-02T08:00:00Z', sha256: null },
        });
    }
    const { rows, total } = work.outbox.rows.list({ includeDone: true, limit: 2 });
    expect(rows.map(({ act }) => act)).toMatchObject([{ text: 'two' }, { text: 'waits' }]);
    expect([rows.at(-1)?.id, total]).toEqual([waits.id, 3]);
    work.close();
  });
});

const file = (name: string) => ({
  fileName: name,
  contentType: 'text/plain',
  sizeBytes: 1,
  sha256: 'ab',
  blobId: `blob-${name}`,
  isSalvageSale: false,
});
/** A report of a case with a file that is named after it. */
function queueReport(work: Work, caseId: string): { draftId: string; queueId: number } {
  const { id: draftId } = work.drafts.create(caseId);
  work.drafts.addAttachment(draftId, file(caseId));
  const act = { kind: 'report', draftId, comment: '' } as const;
  const { id: queueId } = work.outbox.enqueue({ caseId, externalKey: 'K' }, act, [
    { kind: 'submit' },
  ]);
  work.drafts.bindToQueue(draftId, queueId);
  return { draftId, queueId };
}
function deliver(work: Work, queueId: number): void {
  const proof = { at: 'now', status: 204, correlationId: 'c', serverId: null, sizeBytes: null };
  for (const step of work.outbox.rows.get(queueId).steps)
    work.outbox.deliveries.confirm({ step, proof: { ...proof, sha256: null } });
}

describe('a case', () => {
  it('is in work while something of it is begun, typed or not delivered', () => {
    const work = open();
    const queued = queueReport(work, 'queued');
    deliver(work, queueReport(work, 'delivered').queueId);
    const given = queueReport(work, 'given up');
    work.outbox.discard(given.queueId);
    work.drafts.discard(given.draftId);
    work.drafts.create('drafted');
    const copy = { caseId: 'copied', comment: '', copyOf: 's', files: [] };
    work.drafts.createWith(copy);
    work.edits.save({ caseId: 'typed', externalKey: 'K' }, 'comment', 'x', '');
    const { id: batch } = work.batches.begin(null);
    const announce = (id: string, caseId: string | null) =>
      work.batches.announce(
        id,
        [{ sizeBytes: 1, match: { ...unrecognized, path: String(caseId), caseId } }],
        [],
      );
    for (const caseId of ['in a batch', 'removed', 'reported', null]) announce(batch, caseId);
    work.batches.change(batch, ['removed'], { isRemoved: true });
    work.batches.setReported(batch, ['reported'], queued);
    const { id: discarded } = work.batches.begin('/evening');
    announce(discarded, 'discarded');
    work.batches.discard(discarded);
    expect(work.casesInWork()).toEqual(new Set(['queued', 'drafted', 'typed', 'in a batch']));
  });

  it('that is removed takes its notes and its sent files with it, and nothing that is not sent', () => {
    const work = open();
    const { local } = work;
    const cases = ['gone', 'stays'];
    for (const caseId of cases) {
      local.setVisit(caseId, { time: null, note: 'x' });
      local.setNote(caseId, 'x');
      local.mark([caseId], true);
      local.setHandler([caseId], 'Anna');
      work.texts.tick(caseId, 'vin', true);
      work.returns.set({ id: `s-${caseId}`, caseId }, { reason: 'amounts', text: '' });
    }
    const sent = queueReport(work, 'gone');
    deliver(work, sent.queueId);
    const open_ = queueReport(work, 'gone');
    const { id: draft } = work.drafts.create('gone');
    const original = { ...file('raw'), page: 0, blobId: 'blob-raw' };
    const copied = { ...file('copy'), details: parseDetails({ original }) };
    const { id: copy } = work.drafts.createWith({
      caseId: 'gone',
      comment: '',
      copyOf: 's',
      files: [copied],
    });
    const other = queueReport(work, 'stays');
    deliver(work, other.queueId);
    // The open report has the content of the sent one, so that content stays.
    const { files, blobIds } = work.forgetCases(['gone']);
    expect([files, blobIds.toSorted()]).toEqual([2, ['blob-copy', 'blob-raw']]);
    for (const id of [sent.draftId, copy])
      expect(() => work.drafts.get(id)).toThrow('draft_not_found');
    for (const id of [open_.draftId, draft, other.draftId]) expect(work.drafts.get(id).id).toBe(id);
    expect([sent, open_].map(({ queueId }) => work.outbox.rows.get(queueId).state)).toEqual([
      'delivered',
      'waiting',
    ]);
    expect(local.visits(cases).size).toBe(1);
    expect([local.note('gone'), local.note('stays')]).toEqual(['', 'x']);
    expect([...local.marks().keys(), ...local.handlers().keys()]).toEqual(['stays', 'stays']);
    expect(cases.map((id) => [work.texts.ticks(id).length, work.returns.of(id).size])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});

describe('the contents', () => {
  it('that are named are those of drafts and of templates', () => {
    const work = open();
    queueReport(work, 'a');
    const choices = { name: 'Form', language: 'de', category: null } as const;
    work.templates.add(file('form'), choices);
    expect(work.blobIds()).toEqual(new Set(['blob-a', 'blob-form']));
  });

  it('that come back with offered work have the names that they had', () => {
    const work = open();
    const { id } = work.drafts.create('a');
    const original = { ...file('raw'), page: 0, sha256: 'raw', blobId: 'blob-raw' };
    work.drafts.addAttachment(id, { ...file('made'), found: { original } });
    const choices = { name: 'Form', language: 'de', category: null } as const;
    work.templates.add({ ...file('form'), sha256: 'form' }, choices);
    work.close();
    open().close();
    damage();
    const fresh = open();
    const [offer] = fresh.offered();
    if (!offer) throw new Error('nothing is offered');
    const arrived = fresh.takeBack(offer, offer.backedUpAtMs);
    expect(arrived).toMatchObject({ drafts: 1, files: 1 });
    expect(fresh.drafts.get(id).attachments).toMatchObject([
      { blobId: 'blob-made', details: { original: { blobId: 'blob-raw' } } },
    ]);
    expect(fresh.templates.list()).toMatchObject([{ blobId: 'blob-form' }]);
  });
});

it('acts of one transaction are done together or not at all', () => {
  const work = open();
  expect(work.together(() => 7)).toBe(7);
  const half = () =>
    work.together(() => {
      work.drafts.create('a');
      throw new Error('no room');
    });
  expect(half).toThrow('no room');
  expect(work.drafts.listOpen(null)).toEqual([]);
});

describe('a draft', () => {
  it('come back with their files after they were discarded, once', () => {
    const work = open();
    const { id } = work.drafts.create('case-1');
    work.drafts.addAttachment(id, file('a'));
    const { updatedAt: _, ...before } = work.drafts.update({ draftId: id, comment: 'x' });
    work.drafts.discard(id);
    const gone = failure('draft_not_found');
    expect(() => work.drafts.get(id)).toThrow(gone);
    expect(work.drafts.restore(id)).toMatchObject(before);
    expect(() => work.drafts.restore(id)).toThrow(gone);
  });

  it('that may be on another laptop is still known to be there after it was discarded', () => {
    const work = open();
    const { id } = work.drafts.create('case-1');
    work.transfer.markShared(work.transfer.pack(), 7000);
    work.drafts.discard(id);
    expect(work.drafts.restore(id).sharedSinceMs).toBe(7000);
  });

  it('retains its attachments in the user’s order', () => {
    const work = open();
    const { id } = work.drafts.create('case-1');
    const [a, b, c] = ['a', 'b', 'c'].map((name) => work.drafts.addAttachment(id, file(name)).id);
    const order = [c ?? '', a ?? '', b ?? ''];
    work.drafts.update({ draftId: id, order });
    work.drafts.removeAttachment(id, a ?? '');
    work.drafts.addAttachment(id, file('d'));
    expect(work.drafts.get(id).attachments.map(({ fileName }) => fileName)).toEqual([
      'c',
      'b',
      'd',
    ]);
    for (const wrong of [[], [c ?? ''], [c ?? '', c ?? '', b ?? '']]) {
      expect(() => work.drafts.update({ draftId: id, order: wrong })).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    }
  });

  it('takes a comment of 4000 characters and none longer, except as it is typed', () => {
    const work = open();
    const draftId = work.drafts.create('case-1').id;
    work.drafts.update({ draftId, comment: 'x'.repeat(4000) });
    expect(() => work.drafts.update({ draftId, comment: 'x'.repeat(4001) })).toThrow(
      expect.objectContaining({ code: 'comment_too_long' }),
    );
    work.drafts.type(draftId, 'x'.repeat(4001));
    expect(work.drafts.get(draftId).comment).toHaveLength(4001);
  });
});
