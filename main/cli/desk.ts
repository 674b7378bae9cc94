import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { chooseVault, takePassphrase, defaultHome } from '#main/shell/home.ts';
import { languageAtStart } from '#main/shell/language.ts';
import { packagedCommand, sourceCommand } from '#shared/desk/setup/command-name.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { runDesk } from './run-desk.ts';

// The program of `npm run desk`. What only an open desk needs is loaded once the arguments are
// known to be right, so that help and refusals come at once.

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());

// A reader that stops early, such as `head`, is not an error; the command still ends cleanly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.umask(0o077);
const passphrase = takePassphrase(process.env);
process.exitCode = await runDesk({
  args: process.argv.slice(2),
  env: process.env,
  streams: process,
  signal: interrupted.signal,
  askSecret,
  languageOf: ({ argument, home }) =>
    languageAtStart({ argument, home: resolve(home ?? defaultHome()) }),
  // In a package, the shell that runs this file sets the launcher's name
  // (electron/command-line.ts).
  commandName: process.argv[1] === packagedCommand ? packagedCommand : sourceCommand,
  openLog: async ({ home }) => {
    const { createLog } = await import('#main/shell/log.ts');
    return createLog(join(resolve(home ?? defaultHome()), 'logs', 'command-line.log'));
  },
  openEngine: async (options, log) => {
    const { openEngine } = await import('#main/engine/open-engine.ts');
    const { policyOptions, readPolicyFor } = await import('#main/shell/policy.ts');
    const home = resolve(options.home ?? defaultHome());
    const policy = readPolicyFor(log, options.lang);
    const vault = await chooseVault({
      home,
      passphraseVault: options.vault === 'passphrase',
      passphrase,
      withoutKeychain: 'refuse',
    });
    const setUp = policyOptions(policy, log);
    return openEngine({ ...setUp, home, vault, clock: systemClock, random: systemRandom });
  },
});

/**
 * Asks for a secret on the terminal without showing what is typed.
 * @returns null without a terminal, or if the user pressed Ctrl+C or Ctrl+D
 */
async function askSecret(question: string, signal: AbortSignal): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    const ended = new Promise<null>((resolve) => {
      lines.once('close', () => resolve(null));
      lines.once('SIGINT', () => resolve(null));
    });
    return await Promise.race([lines.question('', { signal }).catch(() => null), ended]);
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
