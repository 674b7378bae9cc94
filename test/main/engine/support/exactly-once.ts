import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { TestDesk } from './test-desk.ts';

/** An act of the user, and what the partner must have received of it. */
export interface Expected {
  readonly ordinal: number;
  readonly caseId: string;
  readonly kind: string;
  readonly detail: string;
  readonly documents: readonly string[];
}

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

/** An act of the user before it is queued. */
export type PlannedAct =
  | { readonly do: 'amounts' | 'comment'; readonly caseId: string }
  | {
      readonly do: 'report';
      readonly caseId: string;
      readonly files: readonly { readonly name: string; readonly content: string }[];
    };

/** Queues an act, and adds what the partner must receive. The act's text is its number. */
export async function queueAct(desk: TestDesk, acts: Expected[], act: PlannedAct): Promise<void> {
  const { caseId } = act;
  const ordinal = acts.length;
  const detail = String(ordinal);
  if (act.do === 'report') {
    await desk.queueReport(caseId, detail, act.files);
    const documents = act.files.map(({ content }) => hashOf(content)).sort();
    acts.push({ ordinal, caseId, kind: 'submit', detail, documents });
    return;
  }
  if (act.do === 'amounts') desk.queueAmounts(caseId, ordinal);
  else desk.queueComment(caseId, detail);
  acts.push({ ordinal, caseId, kind: act.do, detail, documents: [] });
}

/**
 * Asserts that each act was delivered once, in the order of the acts of its case.
 * @param sentAgain acts that the user sent again because the partner had something else, after acts
 * that went out in the meantime
 */
export function assertExactlyOnce(
  desk: TestDesk,
  acts: readonly Expected[],
  sentAgain: ReadonlySet<number> = new Set(),
): void {
  const { rows } = desk.work.outbox.rows.list({ includeDone: true, limit: 1000 });
  const open = rows.filter(({ state }) => !['delivered', 'discarded'].includes(state));
  expect(open.map(({ id, state, problem }) => ({ id, state, problem }))).toEqual([]);
  // The window was told of each row that the delivery changed.
  const delivered = rows.filter(({ state }) => state === 'delivered');
  expect(delivered.map(({ id }) => desk.shown.get(id))).toEqual(delivered);

  // Each report act has one submission, with its documents and no others.
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
    const inOrder = ordinals.filter((ordinal) => !sentAgain.has(ordinal));
    // The effects follow the order of the acts. A PUT may be repeated, but never after a later act.
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    for (const kind of ['amounts', 'comment']) {
      const last = ofCase.findLast((act) => act.kind === kind);
      if (last) expect(ordinals).toContain(last.ordinal);
    }
    const submits = ofCase.filter(({ kind }) => kind === 'submit').map(({ ordinal }) => ordinal);
    const submitted = ordinals.filter((ordinal) => submits.includes(ordinal));
    expect(submitted.toSorted((a, b) => a - b)).toEqual(submits);
  }
}

/** Asserts that the desk has the same as the partner. A gateway in between stamps its own times. */
export async function assertAllHere(
  { partner, cache, files, sync }: TestDesk,
  { isThroughGateway = false } = {},
): Promise<void> {
  for (const record of partner.cases.values()) {
    const { id, lastChangedAt, payloadJson, status, expertComment, costEstimateRappen } = record;
    expect(cache.cases.find(id)).toMatchObject({
      status,
      expertComment,
      costEstimateRappen,
      ...(!isThroughGateway && { lastChangedAt }),
    });
    expect(cache.cases.payloadJson(id)).toBe(payloadJson);
    const here = cache.documents.list(id).items;
    const listed = partner.documents.get(id) ?? [];
    expect(here.map((document) => document.id)).toEqual(listed.map((document) => document.id));
    for (const { id: documentId, blobId } of here) {
      const content = blobId === null ? null : await buffer(files.open(blobId));
      expect(content).toEqual(partner.contents.get(documentId));
    }
  }
  expect(sync.status().notices).toEqual([]);
}
