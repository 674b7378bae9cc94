import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { packagedCommand } from '#shared/desk/setup/command-name.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import {
  closeWayIn,
  formerPorts,
  inviteAgain,
  leaveWayIn,
  notePort,
  removeRedirect,
  writeRedirect,
} from '#main/browser/way-in.ts';
import { holderOf } from '#main/engine/home/home-lock.ts';
import type { Engine } from '#main/engine/engine.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { chooseVault } from '#main/shell/home.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { untilUnlocked, waitsForKeychain } from '#main/shell/keychain-wait.ts';
import { policyOptions, readPolicyFor } from '#main/shell/policy.ts';
import { createLog } from '#main/shell/log.ts';
import { startPractice } from '#main/shell/practice.ts';
import { type Language, languagesOfEnvironment } from '#shared/i18n/language.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import type { StartOptions } from './start-options.ts';
import { startTexts } from '#shared/i18n/catalogue.ts';

/** The time within which the desk ends after a request. Work that it began is safe on the disk. */
const closeWithinMs = 4500;

export interface BrowserRun {
  readonly home: string;
  readonly pagesDir: string;
  readonly options: StartOptions;
  /** The value of DESK_VAULT_PASSPHRASE. */
  readonly passphrase: string | undefined;
  readonly language: Language;
  readonly say: (line: string) => void;
}

/**
 * Runs the desk in the system's browser until SIGTERM or SIGINT. It prints the `ready` line. If the
 * desk already runs in this home in the same way, that one is shown, and this start ends.
 * @throws {DeskError} if the home cannot be opened
 */
export async function runBrowser(run: BrowserRun): Promise<void> {
  const { home, pagesDir, options, language, say } = run;
  const texts = startTexts[language];
  const holder = holderOf(home);
  const again = await inviteAgain(home, holder);
  if (again !== null) {
    say(texts.runsAlready);
    sayReady(again, holder);
    // An address is valid once, and the program that reads the line may use it.
    const other = options.open ? await inviteAgain(home, holder) : null;
    if (other !== null) await openByFile(other, run);
    return;
  }
  const log = createLog(join(home, 'logs', 'engine.log'));
  const policy = readPolicyFor(log, language);
  const engine = await openDesk(run, policy, log).catch((error: unknown) =>
    startAnewWhenUnlocked(error, run),
  );
  let shell: BrowserShell;
  try {
    shell = await startBrowserShell({
      engine,
      pagesDir,
      port: options.port,
      formerPorts: formerPorts(home),
      log,
      onOpened: () => removeRedirect(home),
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
  notePort(home, shell);
  leaveWayIn(home, shell);
  endOnSignal(async () => {
    closeWayIn(home);
    await shell.close();
    await engine.close();
  });
  engine.startSchedule();
  sayReady(shell.invite(), process.pid);
  if (options.open) await openByFile(shell.invite(), run);
}

async function openDesk(run: BrowserRun, policy: DeskPolicy, log: Logger): Promise<Engine> {
  const { home, options, language, say } = run;
  const vault = await chooseVault({
    home,
    passphraseVault: options.vault === 'passphrase',
    passphrase: run.passphrase,
    withoutKeychain: 'session',
  });
  if (vault.kind === 'session') say(startTexts[language].noKeychain);
  return await openEngine({
    home,
    vault,
    ...policyOptions(policy, log),
    languages: { argument: options.lang, system: languagesOfEnvironment(process.env) },
    clock: systemClock,
    random: systemRandom,
    ...(policy.practice !== false && { practice: startPractice }),
    // In a browser, the browser itself drops files.
    telephonePage: join(run.pagesDir, 'telephone'),
    handOver: async (path, to) => to === 'program' && (await openWithSystem(path)),
  });
}

/**
 * Waits for a keychain that is locked or does not answer, and then runs the same program again in
 * this process. Only on Linux the keychain reports without a prompt that it was unlocked.
 */
async function startAnewWhenUnlocked(error: unknown, run: BrowserRun): Promise<never> {
  if (process.platform !== 'linux' || !process.execve || !waitsForKeychain(error)) throw error;
  await untilUnlocked(() =>
    run.say(sayProblem(error.problem, run.language, { command: packagedCommand })),
  );
  const env = { ...process.env };
  if (run.passphrase !== undefined) env['DESK_VAULT_PASSPHRASE'] = run.passphrase;
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  return process.execve(process.execPath, args, env);
}

function sayReady(url: string, pid: number | null): void {
  process.stdout.write(`${JSON.stringify({ event: 'ready', shell: 'browser', url, pid })}\n`);
}

/** Opens the browser at an address that is in no program's arguments. */
async function openByFile(url: string, { home, language, say }: BrowserRun): Promise<void> {
  const open = async () => openWithSystem(writeRedirect(home, url));
  if (!(await open().catch(() => false))) say(startTexts[language].openIt(url));
}

function endOnSignal(close: () => Promise<void>): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    // The outbox survives a kill, so the process need not wait for a request that hangs.
    setTimeout(() => process.exit(0), closeWithinMs).unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** The command of the system that opens an address or a file with the registered program. */
export function openerOf(platform: NodeJS.Platform, target: string): [string, string[]] {
  if (platform === 'darwin') return ['open', [target]];
  // It is not cmd.exe, which would read an address as a line of commands.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', target]];
  return ['xdg-open', [target]];
}

const openedAfterMs = 3000;

/** Opens an address or a file, and returns whether this was possible. */
export function openWithSystem(target: string): Promise<boolean> {
  const [program, args] = openerOf(process.platform, target);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    // If the command is the program itself, it ends only when the user closes it.
    setTimeout(() => resolve(true), openedAfterMs).unref();
    child.unref();
  });
}
