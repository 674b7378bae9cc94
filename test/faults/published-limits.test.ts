import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smokeOrLong } from '../support/long.ts';
import { runPaced } from '../support/paced-run.ts';
import { temporaryFolder } from '../support/processes.ts';

/** Only waits take time, however busy the machine. */
const passedMs = () => 0;

/** The bench has 5,000 cases and 60 documents (test/bench/engine-limits.ts). */
describe('with the published limits on', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => folder.remove());

  it('a first sync beyond both bursts is never throttled', async () => {
    const cases = smokeOrLong(4200, 4800);
    const documents = smokeOrLong(12, 25);
    const run = await runPaced({ dir: folder.path, cases, documents, shared: false, passedMs });
    expect(run).toMatchObject({ pulled: cases, throttled: 0, waiting: 0, attention: 0 });
    expect(new Set(run.statuses)).toEqual(new Set(['Submitted']));
    expect(new Set(run.documents).size).toBe(documents);
    expect(run.documents).toHaveLength(documents);
    // 10 at once, then one every 3 s, the last of which lists them: the first estimate that the user
    // sees. The bucket's margin is
    // added, and a document that was just admitted counts twice for a moment.
    const leastMs = (documents + 1 - 10) * 3000;
    expect(run.shownMs).toBeGreaterThanOrEqual(leastMs);
    expect(run.shownMs).toBeLessThan(leastMs + 3500);
  });

  it('a batch of 40 reports is delivered when it was said to be, within a tenth', async () => {
    const run = await runPaced({
      dir: folder.path,
      cases: 400,
      documents: 40,
      filesPerReport: 1,
      shared: false,
      passedMs,
    });
    expect(run).toMatchObject({ waiting: 0, throttled: 0 });
    expect(run.statuses).toHaveLength(40);
    expect(run.deliveryMs / run.forecastMs).toBeGreaterThan(0.9);
    expect(run.deliveryMs / run.forecastMs).toBeLessThan(1.1);
  });

  it('beside another program that uses half of them, it obeys every 429 and loses nothing', async () => {
    const cases = 3000;
    const documents = 12;
    const run = await runPaced({ dir: folder.path, cases, documents, shared: true, passedMs });
    expect(run).toMatchObject({ pulled: cases, waiting: 0, attention: 0 });
    expect(run.statuses).toEqual(['Submitted']);
    expect(run.throttled).toBeGreaterThan(0);
    expect(new Set(run.documents).size).toBe(documents);
    expect(run.documents).toHaveLength(documents);
  });
});
