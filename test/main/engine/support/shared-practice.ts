import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Practice, PracticeStarter } from '#main/engine/engine.ts';
import { startPractice } from '#main/shell/practice.ts';

export interface SharedPractice {
  /** The service, from the first test on. */
  readonly practice: () => Practice;
  /** The service as an engine's own, which the engine does not stop. */
  readonly starter: PracticeStarter;
  /** What a person enters to connect to it. */
  readonly connection: () => {
    readonly baseUrl: string;
    readonly audience: string;
    readonly clientId: string;
    readonly privateKey: string;
  };
}

/** One practice service for all tests of a file. */
export function sharePractice(): SharedPractice {
  let dataDir = '';
  let running: Practice | undefined;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'appraiser-desk-test-'));
    running = await startPractice({ dataDir, storeKey: 'ef'.repeat(32) });
  });
  afterAll(async () => {
    await running?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const practice = () => {
    if (!running) throw new Error('the practice service is not started yet');
    return running;
  };
  return {
    practice,
    starter: () => Promise.resolve({ ...practice(), stop: () => Promise.resolve() }),
    connection() {
      const { baseUrl, audience, expert } = practice();
      return { baseUrl, audience, clientId: expert.clientId, privateKey: expert.privateKeyPem };
    },
  };
}
