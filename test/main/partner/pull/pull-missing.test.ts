import { describe, expect, it } from 'vitest';
import { isWholeDue, missingAfter } from '#main/partner/pull/pull-missing.ts';

type Missing = Parameters<typeof isWholeDue>[0];

const nowMs = Date.parse('2026-06-15T10:00:00Z');
const minute = 60_000;
const incomplete = (reason: 'missing' | 'endless', seen = 3) => ({ reason, seen, total: 5 });
const before: Missing = { incomplete: incomplete('missing'), atMs: nowMs - minute };

describe('the whole list is read again', () => {
  const missedAt = (atMs: number) => ({ incomplete: incomplete('missing'), atMs });

  it('half an hour after a reading that missed cases', () => {
    expect(isWholeDue(missedAt(nowMs - 30 * minute + 1), nowMs)).toBe(false);
    expect(isWholeDue(missedAt(nowMs), nowMs)).toBe(false);
    expect(isWholeDue(missedAt(nowMs - 30 * minute), nowMs)).toBe(true);
  });

  it('at once if the clock was set back, because the time is unknown', () => {
    expect(isWholeDue(missedAt(nowMs + 1), nowMs)).toBe(true);
  });

  it('not if nothing is missing', () => {
    expect(isWholeDue(null, nowMs)).toBe(false);
  });
});

describe('what is missing', () => {
  it('stays after a reading of the changes, whatever that found', () => {
    const since = '2026-06-15T09:00:00Z';
    expect(missingAfter(before, { since, incomplete: null }, nowMs)).toBe(before);
    expect(missingAfter(null, { since, incomplete: incomplete('missing') }, nowMs)).toBeNull();
  });

  it('is cleared by a reading of the whole list that found everything', () => {
    expect(missingAfter(before, { since: null, incomplete: null }, nowMs)).toBeNull();
  });

  it('is what a reading of the whole list missed last', () => {
    const now = incomplete('missing', 4);
    const after = missingAfter(before, { since: null, incomplete: now }, nowMs);
    expect(after).toEqual({ incomplete: now, atMs: nowMs });
  });

  it('stays if the whole list could not be read for another reason', () => {
    const end = { since: null, incomplete: incomplete('endless') };
    expect(missingAfter(before, end, nowMs)).toBe(before);
    expect(missingAfter(null, end, nowMs)).toBeNull();
  });
});
