import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runPaced } from '../support/paced-run.ts';
import { temporaryFolder } from '../support/processes.ts';

/** The bench has 5,000 cases and 60 documents (test/bench/engine-limits.ts). */
describe('with the published limits on', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => folder.remove());

  it('a first sync of 4,800 cases and 25 documents is never throttled', async () => {
    const size = { cases: 4800, documents: 25 };
    const run = await runPaced({ dir: folder.path, ...size, shared: false });
    expect(run).toMatchObject({ pulled: 4800, throttled: 0, waiting: 0, attention: 0 });
    expect(run.statuses).toEqual(['Submitted', 'Submitted']);
    expect(new Set(run.documents).size).toBe(25);
    expect(run.documents).toHaveLength(25);
    // 10 at once, then one every 3 s: what a person is told in the beginning. The bucket's margin
    // comes on top, and for a moment the document that has just been let through counts twice.
    expect(run.toldMs).toBeGreaterThanOrEqual(45_000);
    expect(run.toldMs).toBeLessThan(48_500);
  }, 240_000);

  it('beside another program that uses half of them, it obeys every 429 and loses nothing', async () => {
    const size = { cases: 3000, documents: 12 };
    const run = await runPaced({ dir: folder.path, ...size, shared: true });
    expect(run).toMatchObject({ pulled: 3000, waiting: 0, attention: 0 });
    expect(run.statuses).toEqual(['Submitted']);
    expect(run.throttled).toBeGreaterThan(0);
    expect(new Set(run.documents).size).toBe(12);
    expect(run.documents).toHaveLength(12);
  }, 240_000);
});
