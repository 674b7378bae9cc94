import { join, resolve } from 'node:path';
import { originOf } from '#shared/lib/error-origin.ts';
import { app, BrowserWindow, dialog, powerMonitor, protocol } from 'electron';
import type { Logger } from 'pino';
import { DeskError } from '#shared/desk/errors.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import { toDeskError } from '#main/log/faults.ts';
import { packagedCommand, sourceCommand } from '#shared/desk/command-name.ts';
import type { Language } from '#shared/i18n/language.ts';
import { languageAtStart, type StartLanguage } from '#main/shell/language.ts';
import { takePassphrase, defaultHome, makeFolder } from '#main/shell/home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { createLog } from '#main/shell/log.ts';
import { readPolicyFor } from '#main/shell/policy.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { allowsSandbox } from '#main/start/sandbox.ts';
import {
  parseStartOptions,
  sayRefusal,
  type StartOptions,
  type StartRefusal,
} from '#main/start/start-options.ts';
import { shellTexts, startTexts } from '#shared/i18n/catalogue.ts';
import { sayOutboxCount } from '#shared/i18n/say-statement.ts';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import { commandLineOf, debuggingSwitches, runCommandLine } from './command-line.ts';
import { startEngineHost } from './engine-host.ts';
import { answerQuestion } from './engine-questions.ts';
import type { EngineStatus } from './engine-messages.ts';
import { guardApp } from './guards.ts';
import { showError } from './error-box.ts';
import { appName, nameDesk } from './identity.ts';
import { setMenu } from './menu.ts';
import { createNotices, createTray } from './tray.ts';
import { endWithinMs, guardQuit } from './quit-guard.ts';
import { tellOfOpening } from './slow-opening.ts';
import { lookForUpdates } from './updates.ts';
import { createWindows, type Windows } from './windows.ts';

// The entry of the desktop shell: it opens the window and brokers ports; the engine has a process
// of its own.

const distDir = import.meta.dirname;
const pagesDir = resolve(distDir, '../renderer');
// Electron takes an image as a template of macOS by the end of its name; @2x lies next to it.
const trayName = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
const trayIcon = app.isPackaged
  ? join(process.resourcesPath, trayName)
  : resolve(distDir, '../../build', trayName);
/** Chromium's name of the process that all requests go through; it restarts that by itself. */
const networkService = 'network.mojom.NetworkService';

// Whatever the desk writes is its owner's alone.
process.umask(0o077);
const say = (line: string) => void process.stderr.write(`${line.trimEnd()}\n`);
const commandLine = commandLineOf(process.argv);
if (commandLine) void runCommandLine(commandLine, join(distDir, 'cli.js'));
else openShell();

function openShell(): void {
  const passphrase = takePassphrase(process.env) ?? null;
  const args = process.argv.slice(app.isPackaged ? 1 : 2);
  const read = parseStartOptions(args, say, allowsSandbox);
  if ('options' in read) start(read.options, passphrase, read.isWithoutSandbox);
  else refuse(read);
}

/** A file dropped on the desk's icon comes as an argument too, and nobody sees a console then. */
function refuse(refusal: StartRefusal): void {
  // Chromium has read the arguments, too, and would listen while the box is open.
  for (const name of debuggingSwitches) app.commandLine.removeSwitch(name);
  if (refusal.because === 'help') {
    app.exit(0);
    return;
  }
  const sentence = sayRefusal(refusal, languageBeforeEngine({ home: defaultHome() }));
  say(sentence);
  endWith(2, sentence);
}

function languageBeforeEngine(
  given: Pick<StartLanguage, 'home' | 'policy'>,
  argument?: Language,
): Language {
  return languageAtStart({ ...given, argument, system: app.getPreferredSystemLanguages() });
}

/** Shows the sentence in a box if nobody sees a console, and ends. Before `ready` Linux shows no box. */
function endWith(exitCode: number, sentence: string | null): void {
  if (!app.isPackaged || sentence === null) {
    app.exit(exitCode);
    return;
  }
  app
    .whenReady()
    .then(() => showError(sentence))
    .finally(() => app.exit(exitCode))
    .catch(() => undefined);
}

function start(options: StartOptions, passphrase: string | null, isWithoutSandbox: boolean): void {
  const home = resolve(options.home ?? defaultHome());
  const ownDir = join(home, 'electron');
  const log = createLog(join(home, 'logs', 'shell.log'));
  process.on('uncaughtExceptionMonitor', (error) =>
    log.fatal(originOf(error), 'uncaught exception'),
  );
  process.on('unhandledRejection', (error) => log.error(originOf(error), 'unhandled rejection'));
  // Without the policy, whose problems need a language, too.
  let language = languageBeforeEngine({ home, policy: {} }, options.lang);
  let policy: DeskPolicy;
  try {
    policy = readPolicyFor(log, language);
    makeFolder(ownDir);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    fail(error, language, log);
    return;
  }
  app.setPath('userData', ownDir);
  // One desk for one home: a second start shows the first one's window.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  nameDesk(process.platform);
  guardApp();
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'desk',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        corsEnabled: true,
        // Chromium keeps the window's scripts compiled, as it does for http by itself.
        codeCache: true,
      },
    },
  ]);
  app.on('window-all-closed', () => app.quit());
  language = languageBeforeEngine({ home, policy }, options.lang);
  if (isWithoutSandbox) say(startTexts[language].noSandbox);
  app
    .whenReady()
    .then(() => setProxy(policy))
    .then(() => openDesk({ options, passphrase, home, policy, language, log }))
    .catch((error: unknown) => fail(error, language, log));
}

/** For every request of Chromium's, the engine's too (docs/api/app.md, `app.setProxy`). */
async function setProxy({ proxy }: DeskPolicy): Promise<void> {
  if (!proxy) return;
  await app.setProxy({
    mode: 'fixed_servers',
    proxyRules: proxy.url,
    proxyBypassRules: (proxy.bypass ?? []).join(','),
  });
}

/**
 * Shows why no desk can be opened: on the console, and if nobody sees that, in a box. Electron alone
 * would show nothing of an unexpected error.
 */
function fail(error: unknown, language: Language, log: Logger): void {
  if (error instanceof DeskError) log.fatal({ code: error.code }, 'the desk cannot be opened');
  const problem = toDeskError(error, 'opening', log).problem;
  const sentence = sayProblem(problem, language);
  say(sentence);
  endWith(exitCodeOf(problem.code), sentence);
}

interface Desk {
  readonly options: StartOptions;
  readonly passphrase: string | null;
  readonly home: string;
  readonly policy: DeskPolicy;
  readonly language: Language;
  readonly log: Logger;
}

// oxlint-disable-next-line max-lines-per-function -- opens the parts of the shell one after the other; each takes those before it
function openDesk({ options, passphrase, home, policy, log, ...desk }: Desk): void {
  // Of the settings, once the engine has read them.
  let { language } = desk;
  const texts = () => shellTexts[language];
  let status: EngineStatus | null = null;
  let windows: Windows | null = null;
  const guard = guardQuit({ language: () => language, status: () => status });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => guard.end());
  const show = () => windows?.show();
  const notify = createNotices(show);
  app.on('second-instance', show);
  app.on('activate', show);

  const opening = tellOfOpening({ language: () => language, retry: () => engine.retry() });
  const engine = startEngineHost({
    program: join(distDir, 'engine-process.js'),
    open: {
      type: 'open',
      home,
      languages: { argument: options.lang, system: app.getPreferredSystemLanguages() },
      passphraseVault: options.vault === 'passphrase',
      passphrase,
    },
    onOpened(hasKeychain) {
      opening.ended();
      if (!hasKeychain) say(startTexts[language].noKeychain);
      const placeFile = join(home, 'electron', 'window.json');
      windows = createWindows({
        ...{ engine, guard, distDir, pagesDir, placeFile, language: () => language },
        onNotLoaded: (error) => fail(error, language, log),
        onReloaded(reason) {
          log.error({ reason }, 'a page died and was loaded anew');
          notify(texts().windowRestarted);
        },
      });
      windows.open(() => {
        const ready = { event: 'ready', shell: 'electron', pid: process.pid };
        process.stdout.write(`${JSON.stringify(ready)}\n`);
      });
    },
    onBlocked(problem) {
      log.warn({ code: problem.code }, 'the desk waits for the keychain');
      opening.blocked(problem);
    },
    onRestarted(reason) {
      opening.ended();
      log.warn({ reason }, 'the engine was started again');
      if (reason === 'died') notify(texts().engineRestarted);
      windows?.giveLines();
    },
    onStatus(now) {
      if (now.attention > (status?.attention ?? now.attention) && !BrowserWindow.getFocusedWindow())
        notify(sayOutboxCount({ count: 'attention', n: now.attention }, language));
      status = now;
      tray?.update(now);
    },
    onLanguage(now) {
      language = now;
      speak();
    },
    onDied: (death) => log.error(death, 'the engine process died'),
    onError: (type) => log.error({ type }, 'the engine met a fatal error'),
    onAsked: (asked) => answerQuestion(asked, trayIcon),
    onFailed(problem) {
      opening.ended();
      fail(DeskError.of(problem), language, log);
    },
    onEnded(wasAsked) {
      opening.ended();
      if (!wasAsked) sayEngineGone(texts(), options.home, home);
      app.exit(wasAsked ? 0 : 1);
    },
  });

  const quit = () => app.quit();
  const tray = createTray({ icon: trayIcon, language, show, quit });
  const speak = () => {
    setMenu(process.platform, texts(), () => windows?.open());
    tray?.speak(language);
  };
  speak();
  powerMonitor.on('resume', () => engine.tell({ type: 'resumed' }));
  app.on('child-process-gone', (_event, { serviceName, reason }) => {
    if (serviceName !== networkService) return;
    log.warn({ reason }, 'the network process died');
    engine.tell({ type: 'network-died' });
  });
  lookForUpdates(policy.updates, log);

  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => app.exit(0), endWithinMs);
    engine.close();
  });
}

/** The desk ends after this; the log and the bundle are what is left to look at. */
function sayEngineGone(texts: ShellTexts, givenHome: string | undefined, home: string): void {
  const command = app.isPackaged ? packagedCommand : sourceCommand;
  const where = givenHome === undefined ? '' : ` --home "${home}"`;
  dialog.showMessageBoxSync({
    type: 'error',
    title: appName,
    message: texts.engineGone,
    detail: texts.engineGoneDetail(
      join(home, 'logs', 'shell.log'),
      `${command}${where} diagnostics --to diagnostics.json`,
    ),
  });
}
