import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { SyncState, UploadProgress } from '#main/engine/sync/sync-state.ts';
import type { OutboxStep } from '#main/engine/work/outbox-records.ts';

const problem: DeskProblem = { code: 'connection_lost', params: { host: 'h' } };

describe('the state of the sync', () => {
  let state: SyncState;
  /** What a window was shown at each change. */
  let shown: unknown[];
  let look: () => unknown;
  beforeEach(() => {
    shown = [];
    look = () => state.phase;
    state = new SyncState(() => shown.push(look()));
  });
  /** An activity that lasts until it is ended. */
  const begin = (activity: 'pulling' | 'delivering' | 'fetching') => {
    const ended = Promise.withResolvers<string>();
    return { done: state.during(activity, () => ended.promise), ...ended };
  };

  it('has the phase that the user most likely waits for, until each has ended', async () => {
    const activities = (['fetching', 'pulling', 'delivering', 'pulling'] as const).map(begin);
    expect(shown.splice(0)).toEqual(['fetching', 'pulling', 'delivering', 'delivering']);
    const [, first, second, third] = activities;
    second?.reject(new Error('broken'));
    await expect(second?.done).rejects.toThrow('broken');
    first?.resolve('pulled');
    expect(await first?.done).toBe('pulled');
    third?.resolve('');
    await third?.done;
    expect(shown.splice(0)).toEqual(['pulling', 'pulling', 'fetching']);
    activities[0]?.resolve('');
    await activities[0]?.done;
    expect(shown).toEqual(['idle']);
  });

  it('shows a fetch in the background, but not while the user waits for another one', async () => {
    look = () => state.fetching?.done ?? null;
    const progress = (done: number) => ({ done, total: 9, lists: null, sent: 0, plan: null });
    state.showFetch(progress(1));
    expect(shown.splice(0)).toEqual([1]);
    const asked = Promise.withResolvers<string>();
    const done = state.whileAsked(() => asked.promise);
    expect(state.phase).toBe('fetching');
    const other = state.whileAsked(() => Promise.reject(new Error('broken')));
    state.showFetch(progress(2));
    state.showFetch(progress(3), true);
    await expect(other).rejects.toThrow('broken');
    // One of the two still runs.
    state.showFetch(progress(4));
    expect(state.fetching).toEqual(progress(3));
    asked.resolve('fetched');
    expect(await done).toBe('fetched');
    expect([state.fetching, state.phase, shown.at(-1)]).toEqual([null, 'idle', null]);
    state.showFetch(progress(5));
    expect(state.fetching).toEqual(progress(5));
  });

  it('lets go on during a pause what began during it, and nothing that began before', () => {
    const before = state.unlessPausedMeanwhile();
    expect(before()).toBe(true);
    state.paused = true;
    const during = state.unlessPausedMeanwhile();
    expect([before(), during()]).toEqual([false, true]);
    state.paused = false;
    expect([before(), during()]).toEqual([true, true]);
  });

  it('says since when nothing is reached, until something is, and says each change once', () => {
    look = () => [state.network, state.offlineSince, state.problem?.code ?? null];
    // Before the first answer nobody knows, and no round has begun.
    expect([state.network, state.isScheduled, state.phase]).toEqual(['unknown', false, 'idle']);
    state.reached();
    state.reached();
    expect(shown.splice(0)).toEqual([['online', null, null]]);
    state.offlineSince = 'then';
    state.failed(problem, true);
    state.failed(problem, true);
    const offline = ['offline', 'then', 'connection_lost'];
    expect(shown.splice(0)).toEqual([offline, offline]);
    state.failed(problem, false);
    state.reached();
    state.reached();
    expect(shown.splice(0)).toEqual([
      ['online', null, 'connection_lost'],
      ['online', null, null],
    ]);
    state.offlineSince = 'later';
    state.failed(problem, true);
    state.reached();
    expect(shown.at(-1)).toEqual(['online', null, null]);
  });
});

describe('the progress of an upload', () => {
  const kilo = 1024;
  let nowMs: number;
  let events: DeskEvent[];
  let progress: UploadProgress;
  beforeEach(() => {
    nowMs = 1000;
    events = [];
    const monotonic = () => nowMs;
    const clock = { now: () => 0, uptime: monotonic, monotonic, after: () => () => undefined };
    progress = new UploadProgress(clock, (event) => events.push(event));
  });
  const step = (id: number, rowId = 1) => ({ id, rowId }) as OutboxStep;
  const sent = (atMs: number, sentBytes: number, totalBytes: number, of = step(1)) => {
    nowMs = 1000 + atMs;
    progress.sent(of, sentBytes, totalBytes);
  };
  const told = () =>
    events.splice(0).map((event) => (event.type === 'queue.progress' ? event.sentBytes : event));

  it('is told at most ten times a second, and when all is sent', () => {
    sent(0, 10, 100);
    sent(99, 20, 100);
    sent(100, 30, 100);
    sent(150, 40, 100);
    sent(151, 100, 100);
    expect(events[0]).toEqual({
      type: 'queue.progress',
      id: 1,
      stepId: 1,
      sentBytes: 10,
      totalBytes: 100,
    });
    expect(told()).toEqual([10, 30, 100]);
  });

  it('is known also between two reports, of each upload alone', () => {
    sent(0, 10, 100);
    sent(1, 20, 100);
    sent(2, 5, 100, step(2));
    expect(told()).toEqual([10, 5]);
    expect([1, 2, 3].map((id) => progress.sentBytes(id))).toEqual([20, 5, 0]);
  });

  it('is forgotten with the state of its row, and begins again', () => {
    sent(0, 10, 100);
    sent(0, 10, 100, step(2, 2));
    progress.forgetRow(1);
    expect([1, 2].map((id) => progress.sentBytes(id))).toEqual([0, 10]);
    sent(1, 20, 100);
    expect(told()).toEqual([10, 10, 20]);
  });

  it('gives the least time of the next uploads, in which the last one counts as much as all before', () => {
    const upload = (bytes: number, ms: number) => {
      progress.forgetRow(1);
      sent(0, 1, bytes);
      sent(ms / 2, bytes / 2, bytes);
      sent(ms, bytes, bytes);
    };
    const rate = () => progress.uploadMs(1000 * kilo);
    expect(rate()).toBe(0);
    upload(256 * kilo - 1, 256);
    expect(rate()).toBe(0);
    upload(256 * kilo, 0);
    expect(rate()).toBe(0);
    upload(256 * kilo, 256);
    expect(rate()).toBe(1000);
    upload(600 * kilo, 200);
    expect(rate()).toBe(500);
    expect(progress.uploadMs(1)).toBe(1);
  });
});
