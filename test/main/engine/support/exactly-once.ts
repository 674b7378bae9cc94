import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { TestDesk } from './test-desk.ts';

/** An act of the person, and what the partner must have of it. */
export interface Expected {
  readonly ordinal: number;
  readonly caseId: string;
  readonly kind: string;
  readonly detail: string;
  readonly documents: readonly string[];
}

export const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

/** Each act was delivered once, in the order of the acts of its case. */
export function assertExactlyOnce(desk: TestDesk, acts: readonly Expected[]): void {
  const { rows } = desk.work.outbox.list({ includeDone: true, limit: 1000 });
  const open = rows.filter(({ state }) => !['delivered', 'discarded'].includes(state));
  expect(open.map(({ id, state, problem }) => ({ id, state, problem }))).toEqual([]);

  // Reports: each act one submission, with its documents and no other.
  const submissions = desk.partner.submissions.map(({ caseId, status, comment, documents }) => ({
    caseId,
    status,
    comment,
    documents: documents.map(({ sha256 }) => sha256).sort(),
  }));
  const reports = acts.filter(({ kind }) => kind === 'submit');
  expect(submissions.sort((a, b) => Number(a.comment) - Number(b.comment))).toEqual(
    reports.map(({ caseId, detail, documents }) => ({
      caseId,
      status: 'Submitted',
      comment: detail,
      documents,
    })),
  );

  for (const caseId of new Set(acts.map((act) => act.caseId))) {
    const ofCase = acts.filter((act) => act.caseId === caseId);
    const ordinals = desk.partner.effects
      .filter((effect) => effect.caseId === caseId)
      .map(({ detail }) => Number(detail));
    // In the order of the acts; a PUT may be repeated, but never after a later act.
    expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b));
    for (const kind of ['amounts', 'comment']) {
      const last = ofCase.findLast((act) => act.kind === kind);
      if (last) expect(ordinals).toContain(last.ordinal);
    }
    const submits = ofCase.filter(({ kind }) => kind === 'submit').map(({ ordinal }) => ordinal);
    expect(ordinals.filter((ordinal) => submits.includes(ordinal))).toEqual(submits);
  }
}
