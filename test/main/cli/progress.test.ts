import { describe, expect, it } from 'vitest';
import type { SyncStatus } from '#shared/desk/sync.ts';
import type { CommandContext } from '#main/cli/command.ts';
import { progressBar, withProgress } from '#main/cli/progress.ts';
import { EventHub } from '#main/engine/event-hub.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';

describe('progressBar', () => {
  it.each([
    [0, 10, '[                        ]   0 %'],
    [1, 3, '[========                ]  33 %'],
    [10, 10, '[========================] 100 %'],
    // More than was announced, and nothing to do at all.
    [11, 10, '[========================] 100 %'],
    [0, 0, '[========================] 100 %'],
  ])('%i of %i', (done, total, bar) => {
    expect(progressBar(done, total)).toBe(bar);
  });

  it('is never full before the end', () => {
    expect(progressBar(999, 1000)).toContain(' 99 %');
  });
});

describe('what a sync tells of itself', () => {
  const pulling: SyncStatus = {
    phase: 'pulling',
    network: 'online',
    offlineSince: null,
    problem: null,
    notices: [],
    paused: false,
    lastSyncedAt: null,
    nextSyncAt: null,
    waiting: 2,
    attention: 0,
    pulled: 50,
    pullTotal: 200,
    fetched: 0,
    fetchTotal: 0,
    remainingMs: null,
    deliveredAt: null,
    casesOnLaptop: 50,
  };

  it.each<[string, Partial<SyncStatus>, string]>([
    [
      'how much of the list is read',
      {},
      'Reading cases: 50 of 200 [======                  ]  25 %',
    ],
    ['no bar if it is not known of how many', { pullTotal: null }, 'Reading cases: 50'],
    [
      'how long the limits hold it up, in steps of 5 s',
      { remainingMs: 31_000 },
      'Reading cases: 50 of 200 [======                  ]  25 %, at least 35 s more',
    ],
    [
      'why it stands still',
      { problem: { code: 'rate_limited', params: { until: '2026-03-02T08:01:31Z' } } },
      'The partner asks for a pause until 02.03.2026, 09:01. Your work is saved; it then goes on by itself.',
    ],
    [
      'not what went wrong before',
      { problem: { code: 'connection_refused', params: { host: 'partner.example' } } },
      'Reading cases: 50 of 200 [======                  ]  25 %',
    ],
    ['nothing once it is over', { phase: 'idle' }, ''],
  ])('says %s', async (_what, status, line) => {
    const hub = new EventHub(createSteppedClock());
    const told: string[] = [];
    const { promise: toldOnce, resolve } = Promise.withResolvers<undefined>();
    const context = {
      engine: { events: (signal: AbortSignal) => hub.subscribe(signal) },
      output: {
        progress(text: string) {
          told.push(text);
          resolve(undefined);
        },
      },
      language: 'en',
    } as unknown as CommandContext; // Of which progress needs these parts only.
    await withProgress(context, async () => {
      hub.emit({ type: 'sync.changed', status: { ...pulling, ...status } });
      await toldOnce;
    });
    expect(told).toEqual([line]);
  });
});
