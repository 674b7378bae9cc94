import { describe, expect, it } from 'vitest';
import { idempotencyMaxBytes } from '#shared/api/limits.ts';
import type { DeliveryContext } from '#main/engine/sync/delivery-context.ts';
import { isForgotten, lookUp, mayRepeat } from '#main/engine/sync/look-up.ts';
import type { OutboxRow, OutboxStep } from '#main/engine/work/outbox-records.ts';

const minute = 60_000;
const hour = 60 * minute;
const nowMs = Date.parse('2026-03-02T08:00:00Z');
const at = (ms: number) => new Date(ms).toISOString();

const step = (part: Partial<OutboxStep>): OutboxStep =>
  ({
    id: 1,
    rowId: 1,
    kind: 'reopen',
    state: 'unknown',
    attempts: 1,
    firstAttemptAt: null,
    keyUsedAtMs: null,
    delivered: null,
    attachmentId: 'a',
    ...part,
  }) as OutboxStep;
const row = (steps: readonly OutboxStep[], part: Partial<OutboxRow> = {}): OutboxRow =>
  ({
    id: 1,
    caseId: 'case',
    act: { kind: 'reopen', reason: 'r' },
    createdAt: at(nowMs - 48 * hour),
    steps,
    ...part,
  }) as OutboxRow;

interface Partner {
  readonly bodyBytes?: number;
  readonly lastChangedMs?: number;
  readonly drafts?: readonly object[];
}

/** What the look-ups ask, answered by this partner. */
const contextOf = ({ bodyBytes = 0, lastChangedMs = 0, drafts = [] }: Partner = {}) => {
  const answered = (value: unknown) => Promise.resolve({ value, status: 200, serverDateMs: nowMs });
  return {
    client: {
      serverNow: () => nowMs,
      deviceNow: () => nowMs,
      uploadBodyBytes: () => bodyBytes,
      getCase: () => answered({ status: 'Final', lastChangedAt: at(lastChangedMs) }),
      listReports: () =>
        answered({ total: drafts.length, size: 50, items: drafts, unreadable: [] }),
    },
    drafts: { get: () => ({ attachments: [{ id: 'a', fileName: 'a.txt' }] }) },
    signal: new AbortController().signal,
  } as unknown as DeliveryContext;
};

describe('a request may be repeated with its key', () => {
  const report = { act: { kind: 'report', draftId: 'd', comment: '' } } as const;
  const repeats = (part: Partial<OutboxStep>, bodyBytes = 0) => {
    const one = step(part);
    return mayRepeat(contextOf({ bodyBytes }), row([one], report), one);
  };

  it.each([
    ['for 23 hours', nowMs - 23 * hour, true],
    ['not later, because the two clocks may differ', nowMs - 23 * hour - 1, false],
    ['not if the clock was set back since', nowMs + 1, false],
    ['not if nobody knows when it was used', null, false],
  ])('%s', (_when, keyUsedAtMs, expected) => {
    expect(repeats({ kind: 'draft', keyUsedAtMs })).toBe(expected);
  });

  it.each([
    ['up to 16 MB', idempotencyMaxBytes, true],
    ['not over 16 MB', idempotencyMaxBytes + 1, false],
  ])('with a body of %s', (_size, bodyBytes, expected) => {
    expect(repeats({ kind: 'document', keyUsedAtMs: nowMs }, bodyBytes)).toBe(expected);
  });

  it('not if its file is no longer known, and always if it replaces a value', () => {
    expect(repeats({ kind: 'document', keyUsedAtMs: nowMs, attachmentId: 'b' })).toBe(false);
    expect(repeats({ kind: 'comment' })).toBe(true);
  });
});

describe('the keys of a row may be forgotten', () => {
  const delivered = (ms: number) => ({ at: at(ms) }) as OutboxStep['delivered'];

  it.each([
    ['23 hours after it was made', {}, nowMs - 23 * hour, false],
    ['later than that', {}, nowMs - 23 * hour - 1, true],
    ['not if a key was used since', { keyUsedAtMs: nowMs - hour }, 0, false],
    ['not if a step was delivered since', { delivered: delivered(nowMs - hour) }, 0, false],
  ])('%s', (_when, part, createdMs, expected) => {
    const one = row([step(part)], { createdAt: at(createdMs) });
    expect(isForgotten(contextOf(), one)).toBe(expected);
  });
});

describe('a reopening of a case that is closed was not carried out', () => {
  const looked = (part: Partial<OutboxStep>, lastChangedMs: number, createdMs = 0) => {
    const one = step(part);
    return lookUp(contextOf({ lastChangedMs }), row([one], { createdAt: at(createdMs) }), one);
  };
  const since = nowMs - 30 * hour;
  const unsure = { problem: { code: 'reopening_unsure' } };

  it('if the case last changed more than five minutes before', async () => {
    expect(await looked({ keyUsedAtMs: since }, since - 5 * minute - 1)).toBeNull();
    await expect(looked({ keyUsedAtMs: since }, since - 5 * minute)).rejects.toMatchObject(unsure);
  });

  it('if it was never sent, and the case last changed before it was made', async () => {
    expect(await looked({ attempts: 0 }, since - 5 * minute - 1, since)).toBeNull();
  });

  it('is not certain if it was sent, and nobody knows when', async () => {
    await expect(looked({}, since - 5 * minute - 1, since)).rejects.toMatchObject(unsure);
  });
});

describe('a draft of the same comment is the row’s', () => {
  const looked = (part: Partial<OutboxStep>, createdMs: number) => {
    const act = { kind: 'report', draftId: 'd', comment: 'mine' } as OutboxRow['act'];
    const draft = { id: 'x', caseId: 'case', status: 'Draft', comment: 'mine' };
    const one = step({ kind: 'draft', ...part });
    const context = contextOf({ drafts: [{ ...draft, createdAt: at(createdMs) }] });
    return lookUp(context, row([one], { act }), one);
  };
  const since = nowMs - hour;

  it.each([
    ['its key was used', { keyUsedAtMs: since, firstAttemptAt: at(0) }],
    ['it was first tried, if the key is another one now', { firstAttemptAt: at(since) }],
  ])('if it was made at most five minutes before %s', async (_when, part) => {
    expect(await looked(part, since - 5 * minute)).toMatchObject({ serverId: 'x' });
    expect(await looked(part, since - 5 * minute - 1)).toBeNull();
  });
});
