import { onTestFinished } from 'vitest';
import type { Engine, EngineOptions } from '#main/engine/engine.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
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
