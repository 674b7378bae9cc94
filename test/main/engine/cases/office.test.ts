import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { handOverMax } from '#shared/api/assignment.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { handOver } from '#main/engine/cases/office.ts';
import { problemOf } from '../support/test-client.ts';
import { openTestCache, openTestWork } from '../support/test-engine.ts';

const person = { id: 'laptop-1', name: 'Anna' };
const host = 'gateway.example';
const refusedBy = (status: number) =>
  new DeskError('server_refused', { title: '', status, detail: '', correlationId: '' });

/**
 * Hands over three cases more than the gateway takes at a time. It does not have the first two, and
 * its answer to the second request is the failure.
 */
async function handOverTwice(failure: DeskError) {
  const ids = Array.from({ length: handOverMax + 3 }, () => randomUUID());
  const unknown = ids.slice(0, 2);
  const answers = [null, failure];
  return problemOf(handOver(officeWith(answers, unknown), { ids, person }));
}
const handOverOnce = (failure: DeskError) =>
  problemOf(handOver(officeWith([failure], []), { ids: [randomUUID(), randomUUID()], person }));

/** @param answers of the gateway, in turn; null: it assigns all cases but the unknown ones */
function officeWith(answers: (DeskError | null)[], unknown: readonly string[]) {
  return {
    cache: openTestCache(),
    work: openTestWork(),
    backUpSoon: () => undefined,
    emit: () => undefined,
    client: {
      handOver: (_id: string, caseIds: readonly string[]) => {
        const failure = answers.shift();
        if (failure) return Promise.reject(failure);
        const Items = caseIds.map((CaseId) => ({ CaseId, IsAssigned: !unknown.includes(CaseId) }));
        const value = { Items };
        return Promise.resolve({ value, status: 200, correlationId: '', serverDateMs: null });
      },
    },
  };
}

it.each([403, 404])(
  'counts only cases that are assigned if the gateway refuses (%i)',
  async (status) => {
    expect(await handOverTwice(refusedBy(status))).toEqual({
      code: 'hand_over_refused',
      params: { done: handOverMax - 2, total: handOverMax + 3 },
    });
    expect(await handOverOnce(refusedBy(status))).toEqual({
      code: 'hand_over_refused',
      params: { done: 0, total: 2 },
    });
  },
);

it('calls an assignment not confirmed if the request may have arrived', async () => {
  const failure = new DeskError('outcome_unknown', { cause: 'timeout' });
  expect(await handOverTwice(failure)).toEqual({
    code: 'hand_over_unsure',
    params: { done: handOverMax, total: handOverMax + 3 },
  });
  expect(await handOverOnce(failure)).toMatchObject({ code: 'hand_over_unsure' });
});

it('reports a desk that cannot ask as what it is, and counts what was assigned before', async () => {
  for (const failure of [new DeskError('keychain_locked'), new DeskError('access_revoked')]) {
    expect(await handOverOnce(failure)).toEqual(failure.problem);
    expect(await handOverTwice(failure)).toEqual({
      code: 'hand_over_stopped',
      params: { done: handOverMax - 2, total: handOverMax + 3 },
    });
  }
});

it('promises no later try, because no assignment waits in the outbox', async () => {
  const failures = [
    new DeskError('offline', { host }),
    new DeskError('connection_refused', { host }),
    new DeskError('connection_lost', { host }),
    new DeskError('timeout', { host }),
    new DeskError('server_failed', { title: '', status: 503, correlationId: '' }),
    // One after an attempt that lost its answer is `outcome_unknown`.
    new DeskError('rate_limited', { until: '2026-03-02T08:00:00.000Z' }),
    refusedBy(400),
  ];
  for (const failure of failures)
    expect(await handOverOnce(failure)).toEqual({
      code: 'hand_over_stopped',
      params: { done: 0, total: 2 },
    });
});
