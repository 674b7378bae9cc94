import { resolve } from 'node:path';
import { openEngine } from '#main/engine/open-engine.ts';
import { chooseVault } from '#main/shell/choose-vault.ts';
import { defaultHome } from '#main/shell/default-home.ts';
import { policyOptions } from '#main/shell/engine-setup.ts';
import { createLog } from '#main/shell/log.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { askSecret } from './ask-secret.ts';
import { runDesk } from './run-desk.ts';

// The entry of `npm run desk`.

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());

process.umask(0o077);
process.exitCode = await runDesk({
  args: process.argv.slice(2),
  env: process.env,
  streams: process,
  signal: interrupted.signal,
  askSecret,
  openEngine: async (options) => {
    const policy = readPolicy(process.env);
    const home = resolve(options.home ?? defaultHome());
    const vault = await chooseVault({
      home,
      passphraseVault: options.vault === 'passphrase',
      passphrase: process.env['DESK_VAULT_PASSPHRASE'],
      withoutKeychain: 'refuse',
    });
    const setUp = policyOptions(policy, createLog(policy.logLevel));
    return openEngine({ ...setUp, home, vault, clock: systemClock, random: systemRandom });
  },
});
