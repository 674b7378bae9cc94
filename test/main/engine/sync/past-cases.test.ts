import { beforeEach, describe, expect, it, test } from 'vitest';
import { defaultDocumentRule } from '#shared/desk/setup/storage.ts';
import { dayMs } from '#shared/lib/clock.ts';
import { hasEndedBefore, withoutPastCases } from '#main/engine/sync/past-cases.ts';
import type { Cache } from '#main/engine/cache/open-cache.ts';
import type { Work } from '#main/engine/work/open-work.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { openTestCache, openTestWork, sampleCase } from '../support/test-engine.ts';

test.each(['Rejected', 'AdminCancelled', 'Final'])(
  'a case that is %s is past if it changed before the moment, not at it',
  (status) => {
    const isPast = (changedAtMs: number) => hasEndedBefore({ status, changedAtMs }, 1000);
    expect([isPast(999), isPast(1000)]).toEqual([true, false]);
    expect(hasEndedBefore({ status, changedAtMs: 0 }, null)).toBe(false);
  },
);

test('a case that has not ended is never past', () => {
  for (const status of ['Created', 'Assigned', 'InProgress', 'AdminApproved'])
    expect(hasEndedBefore({ status, changedAtMs: 0 }, 1000)).toBe(false);
});

describe('of a page of the list', () => {
  let cache: Cache;
  let work: Work;
  beforeEach(() => {
    cache = openTestCache();
    work = openTestWork();
  });

  const clock = createSteppedClock(Date.parse('2026-06-15T10:00:00Z'));
  const daysAgo = (days: number) => new Date(clock.now() - days * dayMs).toISOString();
  const final = (n: number, days = 11) =>
    sampleCase(n, { status: 'Final', lastChangedAt: daysAgo(days) });
  const left = (items: Parameters<typeof withoutPastCases>[1], caseDays: number | null = 10) => {
    const documentRule = () => ({ ...defaultDocumentRule, caseDays });
    return withoutPastCases({ cache, work, clock, documentRule }, items);
  };
  const queue = (caseId: string) => {
    const act = { kind: 'comment', text: 'x', seen: '' } as const;
    return work.outbox.enqueue({ caseId, externalKey: 'K' }, act, [{ kind: 'comment' }]).id;
  };

  it('past cases are left out, and the others stay in their order', () => {
    const [past, fresh] = [final(1), final(2, 10)];
    const open = sampleCase(3, { lastChangedAt: daysAgo(400) });
    expect(left([past, open, fresh])).toEqual([open, fresh]);
    expect(left([past, open, fresh], null)).toEqual([past, open, fresh]);
  });

  it('a past case stays that is on the laptop', () => {
    const [here, other] = [final(1), final(2)];
    cache.cases.upsert([here]);
    expect(left([here, other])).toEqual([here]);
  });

  it('a past case stays while the user has work on it, or the delivered work was not seen', () => {
    const [queued, delivered, other] = [final(1), final(2), final(3)];
    queue(queued.id);
    const [step] = work.outbox.rows.get(queue(delivered.id)).steps;
    if (!step) throw new Error('no step');
    const at = new Date(clock.now()).toISOString();
    const content = { serverId: null, sizeBytes: null, sha256: null };
    work.outbox.deliveries.begin(step, clock.now());
    work.outbox.deliveries.confirm({
      step,
      proof: { at, status: 204, correlationId: 'c', ...content },
    });
    expect(left([queued, delivered, other])).toEqual([queued, delivered]);
  });
});
