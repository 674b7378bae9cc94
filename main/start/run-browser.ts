import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { chooseVault } from '#main/shell/choose-vault.ts';
import { policyOptions } from '#main/shell/engine-setup.ts';
import { createLog } from '#main/shell/log.ts';
import { readPolicy } from '#main/shell/policy.ts';
import { startPractice } from '#main/shell/practice.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { openWithSystem } from './open-with-system.ts';
import type { StartOptions } from './start-options.ts';
import type { StartTexts } from '#shared/i18n/texts.ts';

/** A desk that was asked to end does so within 5 s; what it had begun is safe on the disk. */
const closeWithinMs = 4500;

export interface BrowserRun {
  readonly home: string;
  readonly pagesDir: string;
  readonly options: StartOptions;
  readonly texts: StartTexts;
  readonly say: (line: string) => void;
}

/**
 * The desk in the system's browser, until SIGTERM or SIGINT ends it. Prints the `ready` line.
 *
 * @throws {DeskError} when the home cannot be opened
 */
export async function runBrowser({ home, pagesDir, options, texts, say }: BrowserRun) {
  const policy = readPolicy(process.env);
  const log = createLog(policy.logLevel);
  const vault = await chooseVault({
    home,
    passphraseVault: options.vault === 'passphrase',
    passphrase: process.env['DESK_VAULT_PASSPHRASE'],
    withoutKeychain: 'session',
  });
  if (vault.kind === 'session') say(texts.noKeychain);
  const engine = await openEngine({
    home,
    vault,
    ...policyOptions(policy, log),
    clock: systemClock,
    random: systemRandom,
    ...(policy.practice !== false && { practice: startPractice }),
    // A browser drops files by itself.
    handOver: async (path, to) => to === 'program' && (await openWithSystem(path)),
  });
  let shell: BrowserShell;
  try {
    if (options.lang) await engine.desk.setLanguage({ language: options.lang });
    shell = await startBrowserShell({ engine, pagesDir, port: options.port, log });
  } catch (error) {
    await engine.close();
    throw error;
  }
  const { url } = shell;
  endOnSignal(async () => {
    await shell.close();
    await engine.close();
  });
  engine.startSchedule();
  const ready = { event: 'ready', shell: 'browser', url, pid: process.pid };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  if (options.open && !(await openWithSystem(url))) say(texts.openIt(url));
}

function endOnSignal(close: () => Promise<void>): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    // The outbox survives a kill, so a request that hangs is no reason to hang with it.
    setTimeout(() => process.exit(0), closeWithinMs).unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
