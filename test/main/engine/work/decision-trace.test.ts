import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { type Database, migrate, openDatabase } from '#main/engine/database/sqlite.ts';
import { DecisionTrace, decisionsMax } from '#main/engine/work/decision-trace.ts';
import type { OutboxStep } from '#main/engine/work/outbox-records.ts';
import { workMigrations } from '#main/engine/work/schema.ts';
import { TestDesk } from '../support/test-desk.ts';
import { testFolder } from '../support/test-engine.ts';

let desk: TestDesk;
beforeEach(async () => {
  desk = await TestDesk.open();
});
afterEach(() => desk.remove());

/** What was decided, in short. */
const told = (id: number) =>
  desk.work.outbox.trace
    .list(id)
    .map(({ step, action, question, answer, failure, next }) =>
      [step, failure?.code, action, question, answer, next].filter(Boolean).join(' '),
    );

describe('the trace of decisions', () => {
  it('tells why a document was sent twice', async () => {
    const caseId = desk.partner.addCase().id;
    const id = await desk.queueReport(caseId, 'r', [{ name: 'a.txt', content: 'a' }]);
    let losses = 0;
    desk.partner.fault = (operation) =>
      operation === 'X13' && losses++ === 0 ? 'drop-before' : 'none';
    await desk.deliverAll();
    expect(told(id)).toEqual([
      'draft ask duplicate none',
      'draft send sending',
      'draft confirm delivered',
      'document send sending',
      'document outcome_unknown doubt unknown',
      'document ask lookUp none',
      'document send resending',
      'document confirm delivered',
      'submit ask draft whole',
      'submit send sending',
      'submit confirm delivered',
    ]);
    expect(desk.work.outbox.trace.list(id)[5]?.reason).toContain('the outcome is unknown');
  });

  it('tells what the user and a restart did', async () => {
    const id = desk.queueComment(desk.partner.addCase().id, 'x');
    await desk.deliverWith(['none', 'crash-after']);
    desk.work.outbox.retry(id);
    desk.work.outbox.discard(id);
    expect(told(id)).toEqual([
      'comment ask value free',
      'comment send sending',
      'comment restart unknown',
      'comment retry unknown',
      'comment discard discarded',
    ]);
  });

  it('costs no write of its own: a question is stored with what follows from it', async () => {
    const id = desk.queueComment(desk.partner.addCase().id, 'x');
    const stored: number[] = [];
    desk.partner.fault = () => {
      stored.push(told(id).length);
      return 'none';
    };
    await desk.deliverAll();
    // While the case is read nothing is there; while the comment is sent, the question is.
    expect(stored.slice(0, 2)).toEqual([0, 2]);
  });

  it('has nothing of a case, whatever is in it and whatever the partner says', async () => {
    const name = 'Anna-Müller';
    const caseId = `${name}-7561234567897`;
    desk.partner.addCase({ id: caseId, externalKey: name, expertComment: name });
    const refused = new DeskError('server_refused', {
      title: `${name} refuses`,
      status: 422,
      correlationId: name,
    });
    await desk.restartWith((client) => ({
      ...client,
      submit: () => Promise.reject(refused),
      putComment: () => Promise.reject(refused),
    }));
    const report = await desk.queueReport(caseId, `by ${name}`, [
      { name: `${name}.txt`, content: name },
    ]);
    const comment = desk.queueComment(desk.partner.addCase({ externalKey: name }).id, name);
    let losses = 0;
    desk.partner.fault = (operation) =>
      operation === 'X13' && losses++ === 0 ? 'drop-after' : 'none';
    await desk.deliverAll();
    const stored = desk.work.outbox.trace.stored();
    expect([report, comment].map((id) => desk.work.outbox.rows.get(id).state)).toEqual([
      'attention',
      'attention',
    ]);
    expect(stored.length).toBeGreaterThan(10);
    expect(stored.join('\n')).toContain('server_refused');
    for (const word of ['Anna', 'ller', '756', 'K"', desk.dir])
      expect(stored.join('\n')).not.toContain(word);
  });

  describe('by itself', () => {
    let db: Database;
    let trace: DecisionTrace;
    let steps: readonly OutboxStep[];
    beforeEach(async () => {
      db = openDatabase({
        file: join(testFolder(), 'work.db'),
        keyHex: 'cd'.repeat(32),
        durability: 'normal',
      });
      onTestFinished(() => void db.close());
      migrate(db, workMigrations);
      trace = new DecisionTrace({ db, now: () => '2026-03-02T08:00:00.000Z' });
      const caseId = desk.partner.addCase().id;
      const ids = [await desk.queueReport(caseId, 'r', []), desk.queueComment(caseId, 'x')];
      steps = ids.flatMap((id) => desk.work.outbox.rows.get(id).steps);
    });
    const listed = (step: OutboxStep) =>
      trace.list(step.rowId).map(({ step: part, action, question, answer, next, reason }) =>
        [part, action, question, answer, next, reason]
          .map((text) => text ?? '-')
          .join(' ')
          .trim(),
      );
    const ask = { action: 'ask', question: 'draft', failure: null, rule: null } as const;
    const send = { ...ask, action: 'send', question: null } as const;

    it('has of each entry its own decisions, once, with the answer to its own question', () => {
      const [draft, , comment] = steps;
      if (!draft || !comment) throw new Error('no step');
      trace.decided(draft, ask);
      trace.decided(comment, ask);
      trace.answered(draft.rowId, 'whole');
      trace.decided(draft, send);
      trace.moved(draft, 'begin', 'sending');
      expect(listed(draft)).toEqual(['draft ask draft whole -', 'draft send - - sending']);
      expect(listed(comment)).toEqual([]);
      trace.answered(draft.rowId, 'late');
      trace.answered(comment.rowId, 'free');
      trace.moved(comment, 'begin', 'sending');
      trace.moved(draft, 'confirm', 'delivered');
      expect(listed(comment)).toEqual(['comment ask draft free -', 'comment begin - - sending']);
      expect(listed(draft).slice(2)).toEqual(['draft confirm - - delivered']);
    });

    it('does not say of one part what was decided about another', () => {
      const [draft, submit] = steps;
      if (!draft || !submit) throw new Error('no step');
      trace.decided(draft, send);
      trace.moved(submit, 'discard', 'discarded');
      expect(listed(draft)).toEqual(['draft send - - -', 'submit discard - - discarded']);
    });

    it('keeps the last ones only', () => {
      db.prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
         INSERT INTO decisions (row_id, content) SELECT 1, '{}' FROM numbers`,
      ).run(decisionsMax);
      const [step] = steps;
      if (!step) throw new Error('no step');
      for (let count = 0; count < 3; count += 1) trace.moved(step, 'retry', 'waiting');
      expect(trace.stored()).toHaveLength(decisionsMax);
      expect(db.prepare('SELECT min(id) FROM decisions').pluck().get()).toBe(4);
      // What another version stored in its own way costs no entry of this one.
      expect(trace.list(step.rowId)).toHaveLength(3);
    });
  });
});
