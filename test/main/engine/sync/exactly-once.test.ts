import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failuresWeightMax } from '#main/engine/sync/host-check.ts';
import { smokeOrLong } from '../../../support/long.ts';
import { assertExactlyOnce, type Expected, queueAct } from '../support/exactly-once.ts';
import { bigFileBytes } from '../../../support/partner/fake-partner.ts';
import type { Fault } from '../../../support/partner/faulty-line.ts';
import { TestDesk } from '../support/test-desk.ts';

const faults: Fault[] = [
  'none',
  'none',
  'none',
  'refused',
  'drop-before',
  'drop-after',
  'late',
  'late',
  'busy',
  'crash-before',
  'crash-after',
];

/** Faults after which a request says nothing about its line, or the server is busy. */
const passes: readonly Fault[] = ['none', 'busy', 'crash-before', 'crash-after'];

type Command =
  | { readonly do: 'amounts' | 'comment'; readonly case: number; readonly value: number }
  | { readonly do: 'report'; readonly case: number; readonly sizes: readonly number[] }
  | { readonly do: 'deliver'; readonly faults: readonly Fault[] }
  | { readonly do: 'wait'; readonly hours: number };

const caseIndex = fc.nat({ max: 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constantFrom('amounts' as const, 'comment' as const),
    case: caseIndex,
    value: fc.nat({ max: 1000 }),
  }),
  fc.record({
    do: fc.constant('report' as const),
    case: caseIndex,
    // Over bigFileBytes the server's idempotency does not help; equal sizes make equal files.
    sizes: fc.array(fc.constantFrom(3, 3, 5, bigFileBytes, bigFileBytes + 1), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    do: fc.constant('deliver' as const),
    faults: fc.array(fc.constantFrom(...faults), { maxLength: 12 }),
  }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 22, 30) }),
);

/** Of each attempt of a run: the case is read, and the value comes late. */
const lateAnswered = Array.from({ length: 8 }, (_, at): Fault => (at % 2 === 0 ? 'none' : 'late'));
const lateAll = Array.from({ length: 4 }, (): Fault => 'late');

/** What `play` takes. */
type Played = [commands: Command[], ignoresKeys: boolean];

/** What the user did, what the server has in the end, and whether the two agree. */
async function play(commands: readonly Command[], ignoresKeys: boolean): Promise<void> {
  const desk = await TestDesk.open();
  const { partner } = desk;
  partner.ignoresKeys = ignoresKeys;
  const acts: Expected[] = [];
  try {
    const caseIds = [partner.addCase().id, partner.addCase().id];
    for (const step of commands) {
      const caseId = 'case' in step ? (caseIds[step.case] ?? '') : '';
      switch (step.do) {
        case 'amounts':
        case 'comment':
          await queueAct(desk, acts, { do: step.do, caseId });
          break;
        case 'report': {
          const files = step.sizes.map((size) => ({ name: `f${size}`, content: 'x'.repeat(size) }));
          await queueAct(desk, acts, { do: 'report', caseId, files });
          break;
        }
        case 'deliver':
          await desk.deliverWith(step.faults);
          break;
        case 'wait':
          desk.clock.skip(step.hours * 3_600_000);
          break;
      }
    }
    partner.fault = () => 'none';
    await desk.deliverAll();
    // The user sends an act again that has failed too often: six times while others succeeded.
    const failed = desk.work.outbox.rows
      .list({ includeDone: false, limit: 1000 })
      .rows.filter(({ ownFailures }) => ownFailures >= failuresWeightMax);
    for (const { id } of failed) desk.work.outbox.retry(id);
    const planned = commands.flatMap((step) => (step.do === 'deliver' ? step.faults : []));
    const broken = planned.filter((fault) => !passes.includes(fault)).length;
    expect(broken).toBeGreaterThanOrEqual(failed.length * 6);
    await desk.deliverAll();
    assertExactlyOnce(desk, acts);
  } finally {
    await desk.remove();
  }
}

describe('every act has its effect exactly once, in the order of the acts of its case', () => {
  it('for any behaviour of the network and any kill of the desk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 14 }), fc.boolean(), play),
      {
        numRuns: smokeOrLong(20, 150),
        examples: [
          // A draft that arrived late is refused the second time, and whose it is cannot be asked at once.
          ...(['busy', 'drop-before', 'crash-before'] as const).map((last): Played => [
            [
              { do: 'report', case: 0, sizes: [3] },
              { do: 'deliver', faults: ['late', 'none', 'none', last] },
            ],
            true,
          ]),
          // A server that is busy three times in between does not make three broken lines six.
          [
            [
              { do: 'amounts', case: 0, value: 0 },
              { do: 'deliver', faults: ['refused', 'none', 'busy', 'crash-before'] },
              { do: 'deliver', faults: ['drop-before', 'none', 'busy', 'crash-after'] },
              { do: 'deliver', faults: ['busy', 'late'] },
            ],
            false,
          ],
          // The requests of one act fail six times, while the list between them is read.
          [
            [
              { do: 'amounts', case: 0, value: 0 },
              {
                do: 'deliver',
                faults: Array.from({ length: 12 }, (_, at) => (at % 2 ? 'none' : 'refused')),
              },
            ],
            false,
          ],
          // A value that is still on its way if the next one is sent.
          ...[lateAll, lateAnswered].map((faults): Played => [
            [
              { do: 'comment', case: 1, value: 0 },
              { do: 'deliver', faults },
              { do: 'comment', case: 1, value: 0 },
            ],
            true,
          ]),
        ],
      },
    );
  });
});
