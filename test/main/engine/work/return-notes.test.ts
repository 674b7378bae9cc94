import { beforeEach, expect, it } from 'vitest';
import type { Work } from '#main/engine/work/open-work.ts';
import { openTestWork } from '../support/test-engine.ts';

let work: Work;
beforeEach(() => {
  work = openTestWork();
});

/** Queues a report and delivers its first parts, each as the next of these ids at the partner. */
function report(caseId: string, ...serverIds: (string | null)[]): void {
  const act = { kind: 'report' as const, draftId: work.drafts.create(caseId).id, comment: '' };
  const steps = [{ kind: 'draft' }, { kind: 'submit' }] as const;
  const { id } = work.outbox.enqueue({ caseId, externalKey: 'K' }, act, steps);
  const parts = work.outbox.rows.get(id).steps.slice(0, serverIds.length);
  for (const [at, step] of parts.entries()) {
    const proof = { at: 'now', status: 201, correlationId: 'c', sizeBytes: null, sha256: null };
    work.outbox.deliveries.confirm({ step, proof: { ...proof, serverId: serverIds[at] ?? null } });
  }
}

it('the known reports are the delivered ones by the id of their draft, and those with a note', () => {
  report('a', 'sent', 'receipt');
  report('b', 'begun');
  report('c', null, null);
  report('d', 'returned', 'receipt');
  const known = () => work.returns.knownReports().toSorted((a, b) => a.id.localeCompare(b.id));
  const sent = { id: 'sent', caseId: 'a', isReturned: false, reason: null };
  const returned = { id: 'returned', caseId: 'd', isReturned: false, reason: null };
  expect(known()).toEqual([returned, sent]);
  const note = { reason: 'amounts', text: '' } as const;
  work.returns.set({ id: 'returned', caseId: 'd' }, note);
  work.returns.set({ id: 'other', caseId: 'e' }, { reason: null, text: 'They want VAT apart' });
  expect(known()).toEqual([
    { id: 'other', caseId: 'e', isReturned: true, reason: null },
    { ...returned, isReturned: true, reason: 'amounts' },
    sent,
  ]);
});

it('a note is replaced by the next one, and goes once it says nothing', () => {
  const submission = { id: 's', caseId: 'a' };
  for (const note of [
    { reason: 'amounts', text: 'x' },
    { reason: null, text: 'y' },
    { reason: 'documents', text: '' },
  ] as const) {
    work.returns.set(submission, note);
    expect(work.returns.of('a')).toEqual(new Map([['s', note]]));
  }
  work.returns.set({ id: 't', caseId: 'a' }, { reason: null, text: 'z' });
  work.returns.set(submission, { reason: null, text: '' });
  expect([...work.returns.of('a').keys()]).toEqual(['t']);
  expect(work.returns.of('b').size).toBe(0);
});
