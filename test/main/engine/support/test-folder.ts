import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openCache, type Cache } from '#main/engine/cache/open-cache.ts';
import { openWork, type Work, type WorkOptions } from '#main/engine/work/open-work.ts';

/** A folder that is removed after the running test, when its afterEach hooks have closed what is open. */
export function testFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An empty cache that is closed after the running test. */
export function openTestCache(dir = testFolder()): Cache {
  const cache = openCache(join(dir, 'cache.db'), 'ab'.repeat(32));
  onTestFinished(() => cache.close());
  return cache;
}

/** A work store that is closed after the running test, at the latest. */
export function openTestWork(options: Partial<WorkOptions> = {}): Work {
  const { dir = testFolder() } = options;
  const made = { keyHex: 'ab'.repeat(32), now: () => 0, newId: () => randomUUID() };
  const work = openWork({ ...made, ...options, dir });
  onTestFinished(() => work.close());
  return work;
}
