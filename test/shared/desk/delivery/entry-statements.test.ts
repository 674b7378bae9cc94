import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type QueueItem, queueStates } from '#shared/desk/delivery/queue.ts';
import {
  type EntryStatement,
  entryStatement,
  forecastStatement,
  percentSent,
  reportStatement,
  stepStatement,
} from '#shared/desk/delivery/statements.ts';
import { proofAt, queueItem, queueStep } from '../../../support/desk-records.ts';

/** 09:23 in Zurich. */
const nowMs = Date.parse('2026-06-15T07:23:00Z');
const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
describe('an entry', () => {
  const next = at(1);
  const delivered = proofAt(at(-1));
  const uploading = [queueStep({ sizeBytes: 100, sentBytes: 43 })];
  const files = [
    queueStep({ kind: 'draft', state: 'delivered' }),
    queueStep({ state: 'delivered' }),
    queueStep({}),
  ];
  const half = { done: 1, total: 2 };

  test.each<[Partial<QueueItem>, EntryStatement]>([
    [{}, { state: 'saved' }],
    [{ waitingFor: 'network' }, { state: 'network' }],
    [{ waitingFor: 'network', nextAttemptAt: next }, { state: 'network' }],
    [{ waitingFor: 'acceptance' }, { state: 'acceptance' }],
    [{ waitingFor: 'turn' }, { state: 'turn' }],
    [{ waitingFor: 'paused' }, { state: 'paused' }],
    [
      { waitingFor: 'slot', nextAttemptAt: next },
      { state: 'pacing', nextAt: next },
    ],
    [{ waitingFor: 'slot', nextAttemptAt: at(-1) }, { state: 'saved' }],
    [
      { waitingFor: 'slot', nextAttemptAt: next, doneAt: at(2), steps: files },
      { state: 'partPacing', ...half, nextAt: next, doneAt: at(2) },
    ],
    [
      { waitingFor: 'slot', nextAttemptAt: at(-1), doneAt: at(-1), steps: files },
      { state: 'part', ...half },
    ],
    [
      { waitingFor: 'retry', nextAttemptAt: next },
      { state: 'retry', nextAt: next },
    ],
    [{ state: 'sending' }, { state: 'sending' }],
    [
      { state: 'sending', steps: uploading },
      { state: 'uploading', percent: 43 },
    ],
    [{ state: 'unknown' }, { state: 'unknown' }],
    [
      { state: 'delivered', delivered },
      { state: 'delivered', at: at(-1) },
    ],
    [{ state: 'attention' }, { state: 'attention' }],
    [{ state: 'discarded' }, { state: 'discarded' }],
  ])('with %j is %j', (facts, statement) => {
    expect(entryStatement(queueItem(facts), nowMs)).toEqual(statement);
  });

  it('counts every file once in the share that was sent, by its bytes', () => {
    const steps = [
      queueStep({ kind: 'draft', sizeBytes: null, state: 'delivered' }),
      queueStep({ state: 'delivered', sizeBytes: 300 }),
      queueStep({ state: 'sending', sizeBytes: 100, sentBytes: 250 }),
      queueStep({ sizeBytes: 600 }),
    ];
    expect(percentSent(steps)).toBe(40);
    expect(percentSent([])).toBeNull();
  });

  it('and a file of it say the same of what is not paced', () => {
    for (const state of queueStates.filter((other) => other !== 'waiting'))
      expect(stepStatement(queueStep({ state, delivered }), nowMs)).toEqual(
        entryStatement(queueItem({ state, delivered }), nowMs),
      );
    expect(stepStatement(queueStep({}), nowMs)).toEqual({ state: 'waits' });
    const paced = queueStep({ nextAttemptAt: next });
    expect(stepStatement(paced, nowMs)).toEqual({ state: 'pacing', nextAt: next });
  });
});

const time = fc.option(fc.integer({ min: -90, max: 90 }).map(at));

describe('of any facts', () => {
  it('of an entry, its files and a batch no time that is over is named as one to come', () => {
    const entry = fc.record({
      state: fc.constantFrom(...queueStates),
      waitingFor: fc.constantFrom<QueueItem['waitingFor'][]>('slot', 'retry', 'network', null),
      nextAttemptAt: time,
      doneAt: time,
      files: fc.nat(3),
    });
    fc.assert(
      fc.property(entry, ({ files, ...part }) => {
        const { state, nextAttemptAt } = part;
        const steps = Array.from({ length: files }, () => queueStep({ state, nextAttemptAt }));
        const said = [
          entryStatement(queueItem({ ...part, steps }), nowMs),
          ...steps.map((step) => stepStatement(step, nowMs)),
          forecastStatement(part.doneAt, nowMs),
        ];
        const times = said
          .flatMap((statement) => Object.entries(statement))
          .filter(([name, iso]) => name.endsWith('At') && iso !== null);
        for (const [, iso] of times) expect(Date.parse(String(iso))).toBeGreaterThanOrEqual(nowMs);
      }),
    );
  });

  it('a report is promised to go out only if nothing but the network stops it', () => {
    const given = fc.record({
      isReady: fc.boolean(),
      isPaused: fc.boolean(),
      awaits: fc.boolean(),
    });
    fc.assert(
      fc.property(given, (all) => {
        const { isReady, isPaused, awaits: waits } = all;
        const statement = reportStatement(all);
        expect(statement === 'goesOut').toBe(isReady && !isPaused && !waits);
        expect(statement === 'draft').toBe(!isReady);
        // The insurer's acceptance sends nothing while the user holds it.
        expect(statement === 'paused').toBe(isReady && isPaused);
      }),
    );
  });
});
