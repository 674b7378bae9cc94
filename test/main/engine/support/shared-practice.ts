import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Practice } from '#main/engine/engine-options.ts';
import { startPractice } from '#main/shell/practice.ts';

/** One practice service for all tests of a file, there from the first of them on. */
export function sharePractice(): () => Practice {
  let dataDir = '';
  let practice: Practice | undefined;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
    practice = await startPractice({ dataDir, storeKey: 'ef'.repeat(32) });
  });
  afterAll(async () => {
    await practice?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => {
    if (!practice) throw new Error('the practice service is not started yet');
    return practice;
  };
}
