import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import type { EngineOptions, Practice, PracticeStarter } from '#main/engine/engine-options.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { startPractice } from '#main/shell/practice.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';

/** A vault in memory that the engine takes for the machine's keychain. */
export const testKeychain = (): Vault => ({ ...createSessionVault(), kind: 'keychain' });

/** An engine on the machine's clock, but for what is said otherwise; closed after the running test. */
export async function openTestEngine(
  options: Partial<EngineOptions> & Pick<EngineOptions, 'home'>,
): Promise<Engine> {
  const engine = await openEngine({
    ...{ vault: testKeychain(), clock: systemClock, random: systemRandom },
    ...options,
  });
  onTestFinished(() => engine.close());
  return engine;
}

/** One practice service for all tests of a file. */
export function sharePractice() {
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
    /** The service, from the first test on. */
    practice,
    /** The service as an engine's own, which the engine does not stop. */
    starter: (): ReturnType<PracticeStarter> =>
      Promise.resolve({ ...practice(), stop: () => Promise.resolve() }),
    /** What a person enters to connect to it. */
    connection: () => {
      const { baseUrl, audience, expert } = practice();
      return { baseUrl, audience, clientId: expert.clientId, privateKey: expert.privateKeyPem };
    },
  };
}
