import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smokeOrLong } from '../support/long.ts';
import { bigFileBytes } from '../support/partner/fake-partner.ts';
import type { Fault } from '../support/partner/faulty-line.ts';
import { TestDesk } from '../main/engine/support/test-desk.ts';

// One package of undelivered work, restored on two laptops while the first laptop works on too: all
// three deliver, with network faults and long pauses.

const faults: Fault[] = [
  'none',
  'none',
  'refused',
  'drop-before',
  'drop-after',
  'late',
  'busy',
  'crash-before',
  'crash-after',
];
const plannedFaults = fc.array(fc.constantFrom(...faults), { maxLength: 8 });
const laptop = fc.nat({ max: 2 });

type Event =
  | { readonly do: 'deliver'; readonly laptop: number; readonly faults: readonly Fault[] }
  | { readonly do: 'retry'; readonly laptop: number }
  | { readonly do: 'wait'; readonly hours: number };
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ do: fc.constant('deliver' as const), laptop, faults: plannedFaults }),
  fc.record({ do: fc.constant('retry' as const), laptop }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 22, 30) }),
);

interface Scenario {
  readonly seed: number;
  /** Sizes of each report's documents. */
  readonly reports: readonly (readonly number[])[];
  /** What happens to the first laptop's requests before the package is made. */
  readonly before: readonly Fault[];
  readonly events: readonly Event[];
}
const scenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.nat({ max: 100_000 }),
  // Over bigFileBytes the server's idempotency does not help; equal sizes make equal files.
  reports: fc.array(
    fc.array(fc.constantFrom(3, 3, 5, bigFileBytes), { minLength: 1, maxLength: 3 }),
    { minLength: 1, maxLength: 2 },
  ),
  before: plannedFaults,
  events: fc.array(event, { maxLength: 12 }),
});

async function contentOf(desk: TestDesk, blobId: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of desk.files.open(blobId) as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** As a package does it: rows, drafts and contents, and a mark on the laptop that made it. */
async function restore(from: TestDesk, onto: readonly TestDesk[]): Promise<void> {
  const work = from.work.transfer.pack();
  const packedAtMs = from.clock.now();
  const blobIds = new Map<string, string>();
  for (const { attachments } of work.drafts) {
    for (const { sha256, blob_id } of attachments) blobIds.set(sha256, blob_id);
  }
  for (const desk of onto) {
    for (const blobId of blobIds.values()) {
      const writer = await desk.files.createWriter();
      await writer.write(await contentOf(from, blobId));
      await writer.finish();
    }
    const blobIdOf = (sha256: string) => blobIds.get(sha256) ?? '';
    desk.work.transfer.unpack(work, { packedAtMs, blobIdOf });
  }
  from.work.transfer.markShared(work, packedAtMs);
}

/** The user tries again every row that needs a decision, without deciding anything. */
function retryAll(desk: TestDesk): void {
  for (const { id, state } of desk.work.outbox.rows.heads()) {
    if (state === 'attention') desk.work.outbox.retry(id);
  }
}

async function play({ seed, reports, before, events }: Scenario): Promise<void> {
  const first = new TestDesk(seed);
  const others = [1, 2].map((n) => new TestDesk(seed + n, first.clock, first.partner));
  const desks = [first, ...others];
  for (const desk of desks) await desk.start();
  const { partner, clock } = first;
  try {
    const caseId = partner.addCase().id;
    for (const [index, sizes] of reports.entries()) {
      const files = sizes.map((size, at) => ({
        name: `${String(at)}.txt`,
        content: String(index).repeat(size),
      }));
      await first.queueReport(caseId, `report ${String(index)}`, files);
    }
    await first.deliverWith(before);
    await restore(first, others);
    for (const happening of events) {
      if (happening.do === 'wait') clock.skip(happening.hours * 3_600_000);
      else if (happening.do === 'retry') retryAll(desks[happening.laptop] ?? first);
      else await desks[happening.laptop]?.deliverWith(happening.faults);
    }
    for (let round = 0; round < 4; round += 1) {
      for (const desk of desks) {
        retryAll(desk);
        await desk.deliverAll();
      }
    }

    const submitted = partner.submissions.filter(({ status }) => status === 'Submitted');
    expect(submitted.map(({ comment }) => comment).sort()).toEqual(
      reports.map((_, index) => `report ${String(index)}`),
    );
    for (const { comment, documents } of submitted) {
      const index = Number(comment.slice(-1));
      const expected = (reports[index] ?? []).map((size) =>
        createHash('sha256').update(String(index).repeat(size)).digest('hex'),
      );
      expect(documents.map(({ sha256 }) => sha256).sort()).toEqual(expected.sort());
    }
    for (const desk of desks) {
      const { rows } = desk.work.outbox.rows.list({ includeDone: true, limit: 10 });
      expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'delivered'));
      for (const { steps } of rows) {
        expect(steps.map(({ delivered }) => delivered?.serverId ?? '')).not.toContain('');
      }
    }
  } finally {
    for (const desk of desks) await desk.remove();
  }
}

describe('a package that several laptops deliver', () => {
  it('X15: becomes one submission per report, and every laptop has its proof', async () => {
    await fc.assert(fc.asyncProperty(scenario, play), {
      numRuns: smokeOrLong(8, 100),
      seed: 20_260_302,
    });
  });

  it('X15: becomes one submission if both hand it in at the same moment', async () => {
    const first = await TestDesk.open(7);
    const second = new TestDesk(8, first.clock, first.partner);
    await second.start();
    const caseId = first.partner.addCase().id;
    await first.queueReport(caseId, 'one', [{ name: 'a.txt', content: 'a' }]);
    await restore(first, [second]);
    first.clock.skip(30 * 3_600_000);
    await Promise.all([first.sync.delivery.deliver(), second.sync.delivery.deliver()]);
    for (const desk of [first, second]) {
      retryAll(desk);
      await desk.deliverAll();
      expect(desk.work.outbox.rows.list({ includeDone: true, limit: 1 }).rows[0]?.state).toBe(
        'delivered',
      );
    }
    expect(first.partner.submissions).toMatchObject([
      { status: 'Submitted', documents: [{ fileName: 'a.txt' }] },
    ]);
    await second.remove();
    await first.remove();
  });

  it('X15: asks the person if something else was handed in meanwhile', async () => {
    const first = await TestDesk.open(9);
    const second = new TestDesk(10, first.clock, first.partner);
    await second.start();
    const caseId = first.partner.addCase().id;
    const id = await first.queueReport(caseId, 'one', [{ name: 'a.txt', content: 'a' }]);
    await restore(first, [second]);
    // The first laptop changes its report before it hands it in.
    first.work.outbox.discard(id);
    await first.queueReport(caseId, 'one, corrected', [{ name: 'a.txt', content: 'b' }]);
    await first.deliverAll();
    await second.deliverAll();
    const [row] = second.work.outbox.rows.list({ includeDone: true, limit: 1 }).rows;
    expect(row).toMatchObject({
      state: 'attention',
      problem: {
        code: 'restored_unsure',
        params: { submittedAt: first.partner.submissions[0]?.submittedAt },
      },
    });
    const submissions = () => first.partner.submissions.map(({ comment }) => comment);
    expect(submissions()).toEqual(['one, corrected']);
    second.work.outbox.retry(row?.id ?? 0);
    await second.deliverAll();
    expect(submissions()).toEqual(['one, corrected']);
    second.work.outbox.retry(row?.id ?? 0, 'submit');
    await second.deliverAll();
    expect(submissions()).toEqual(['one, corrected', 'one']);
    await second.remove();
    await first.remove();
  });
});
