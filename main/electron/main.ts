import type { X509Certificate } from 'node:crypto';
import { join, resolve } from 'node:path';
import { originOf } from '#shared/lib/error-origin.ts';
import { app, BrowserWindow, powerMonitor, protocol } from 'electron';
import type { Logger } from 'pino';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { toDeskError } from '#main/log/faults.ts';
import { packagedCommand, sourceCommand } from '#shared/desk/setup/command-name.ts';
import type { Language } from '#shared/i18n/language.ts';
import { languageAtStart, type StartLanguage } from '#main/shell/language.ts';
import { takePassphrase, defaultHome, makeFolder } from '#main/shell/home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { createLog } from '#main/shell/log.ts';
import { policyCertificates } from '#main/shell/policy-certificates.ts';
import { readPolicyFor } from '#main/shell/policy.ts';
import { themeInSettings } from '#main/engine/home/settings.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { allowsSandbox } from '#main/start/sandbox.ts';
import {
  parseStartOptions,
  sayRefusal,
  type StartOptions,
  type StartRefusal,
} from '#main/start/start-options.ts';
import { deskTime } from '#shared/desk/delivery/clock.ts';
import { ledgerSums } from '#shared/desk/delivery/ledger-counts.ts';
import { shellTexts, startTexts } from '#shared/i18n/catalogue.ts';
import { sayOutboxCount } from '#shared/i18n/say-statement.ts';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import { commandLineOf, debuggingSwitches, runCommandLine } from './command-line.ts';
import { type End, ownEnd } from './end.ts';
import { startEngineHost } from './engine-host.ts';
import { answerQuestion, type AnswerParts } from './engine-questions.ts';
import type { EngineStatus } from './engine-messages.ts';
import { guardApp } from './guards.ts';
import { showError } from './error-box.ts';
import { nameDesk } from './identity.ts';
import { setMenu } from './menu.ts';
import { proxyOf } from './proxy.ts';
import { createNotices, createTray } from './tray.ts';
import { guardQuit } from './quit-guard.ts';
import { tellOfOpening } from './slow-opening.ts';
import { createUpdates, startAgain, type Updates } from './updates.ts';
import { createWindows } from './windows.ts';

// The entry of the desktop shell. It opens the windows and passes ports on; the engine has a
// separate process.

const distDir = import.meta.dirname;
const pagesDir = resolve(distDir, '../renderer');
// Electron recognizes a template image of macOS by the end of its name; @2x is next to it.
const trayName = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
const trayIcon = app.isPackaged
  ? join(process.resourcesPath, trayName)
  : resolve(distDir, '../../build', trayName);
/** Chromium's name of the process that handles all requests. Chromium restarts it automatically. */
const networkService = 'network.mojom.NetworkService';

// All files that the desk writes are readable by their owner only.
process.umask(0o077);
const say = (line: string) => void process.stderr.write(`${line.trimEnd()}\n`);
const commandLine = commandLineOf(process.argv);
if (commandLine) void runCommandLine(commandLine, join(distDir, 'cli.js'));
else openShell();

function openShell(): void {
  const end = ownEnd();
  const passphrase = takePassphrase(process.env) ?? null;
  const args = process.argv.slice(app.isPackaged ? 1 : 2);
  const read = parseStartOptions(args, say, allowsSandbox);
  if ('options' in read) start(read, passphrase, end);
  else refuse(read, end);
}

/**
 * Refuses a start. A file that is dropped on the desk's icon is also an argument, and then nobody
 * sees a console.
 */
function refuse(refusal: StartRefusal, end: End): void {
  // Chromium has read the arguments as well, and would listen while the box is open.
  for (const name of debuggingSwitches) app.commandLine.removeSwitch(name);
  if (refusal.because === 'help') {
    app.exit(0);
    return;
  }
  const sentence = sayRefusal(refusal, languageBeforeEngine({ home: defaultHome() }));
  say(sentence);
  endWith(2, sentence, end);
}

function languageBeforeEngine(
  given: Pick<StartLanguage, 'home' | 'policy'>,
  argument?: Language,
): Language {
  return languageAtStart({ ...given, argument, system: app.getPreferredSystemLanguages() });
}

/**
 * Shows the sentence in a box if nobody sees a console, and exits. On Linux no box is possible
 * before `ready`. No window stays behind the box, because nothing works in it.
 */
function endWith(exitCode: number, sentence: string, end: End): void {
  const exit = () => app.exit(exitCode);
  app.removeAllListeners('window-all-closed').on('window-all-closed', () => undefined);
  for (const window of BrowserWindow.getAllWindows()) window.destroy();
  if (!app.isPackaged) {
    exit();
    return;
  }
  end.closeBy(exit);
  app
    .whenReady()
    .then(() => showError(sentence, { signal: end.signal }))
    .finally(exit)
    .catch(() => undefined);
}

function start(
  { options, isWithoutSandbox }: { options: StartOptions; isWithoutSandbox: boolean },
  passphrase: string | null,
  end: End,
): void {
  const home = resolve(options.home ?? defaultHome());
  const ownDir = join(home, 'electron');
  const log = createLog(join(home, 'logs', 'shell.log'));
  process.on('uncaughtExceptionMonitor', (error) =>
    log.fatal(originOf(error), 'uncaught exception'),
  );
  process.on('unhandledRejection', (error) => log.error(originOf(error), 'unhandled rejection'));
  // The language is determined without the policy, because a problem of the policy also needs a
  // language.
  let language = languageBeforeEngine({ home, policy: {} }, options.lang);
  let policy: DeskPolicy;
  let authorities: X509Certificate[];
  try {
    policy = readPolicyFor(log, language);
    authorities = policyCertificates(policy);
    makeFolder(ownDir);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    fail(error, { language, log, end });
    return;
  }
  app.setPath('userData', ownDir);
  // One home has one desk: a second start shows the window of the first.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  nameDesk(process.platform);
  guardApp(authorities);
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'desk',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        corsEnabled: true,
        // Chromium then caches the compiled scripts of the window, as it does for http.
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
    .then(async () => {
      const updates = createUpdates({ policy, log, noteFile: join(ownDir, 'update.json') });
      if (await updates.installLeft()) return;
      openDesk({ options, passphrase, home, language, log, end, updates });
    })
    .catch((error: unknown) => fail(error, { language, log, end }));
}

/**
 * Sets the proxy for all requests through Chromium, including those of the engine (docs/api/app.md,
 * `app.setProxy`).
 */
async function setProxy(policy: DeskPolicy): Promise<void> {
  const proxy = proxyOf(policy);
  if (proxy) await app.setProxy(proxy);
}

/**
 * Shows why the desk cannot be opened: on the console, and if nobody sees it, in a box. Electron
 * alone would not show an unexpected error.
 */
function fail(
  error: unknown,
  { language, log, end }: { language: Language; log: Logger; end: End },
): void {
  if (error instanceof DeskError) log.fatal({ code: error.code }, 'the desk cannot be opened');
  const problem = toDeskError(error, 'opening', log).problem;
  const sentence = sayProblem(problem, language);
  say(sentence);
  endWith(exitCodeOf(problem.code), sentence, end);
}

interface Desk {
  readonly options: StartOptions;
  readonly passphrase: string | null;
  readonly home: string;
  readonly language: Language;
  readonly log: Logger;
  readonly end: End;
  readonly updates: Updates;
}

// oxlint-disable-next-line max-lines-per-function -- opens the parts of the shell one after the other; each takes those before it
function openDesk({ options, passphrase, home, log, end, updates, ...desk }: Desk): void {
  // The language of the settings, once the engine has read them.
  let { language } = desk;
  const texts = () => shellTexts[language];
  let status: EngineStatus | null = null;
  const guard = guardQuit({
    language: () => language,
    status: () => status,
    end,
    now: () => deskTime(Date.now(), status?.clock ?? null),
  });
  const show = () => windows.show();
  const notify = createNotices(show);
  app.on('second-instance', show);
  app.on('activate', show);

  let isOpened = false;
  let isShown = false;
  /** Says that the desk is open and its window is visible. */
  function sayReady(): void {
    if (!isOpened || !isShown) return;
    const ready = { event: 'ready', shell: 'electron', pid: process.pid };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  }

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
      isOpened = true;
      sayReady();
    },
    onBlocked(problem) {
      log.warn({ code: problem.code }, 'the desk waits for the keychain');
      opening.blocked(problem);
    },
    onRestarted(reason) {
      opening.ended();
      log.warn({ reason }, 'the engine was started again');
      if (reason === 'died') notify(texts().engineRestarted);
      windows.giveLines();
    },
    onStatus(now) {
      const { attention: n } = ledgerSums(now.unfinished);
      const before = status === null ? n : ledgerSums(status.unfinished).attention;
      if (n > before && !BrowserWindow.getFocusedWindow())
        notify(sayOutboxCount({ count: 'attention', n }, language));
      status = now;
      tray?.update(now);
    },
    onLanguage(now) {
      language = now;
      speak();
    },
    onDied: (death) => log.error(death, 'the engine process died'),
    onError: (type) => log.error({ type }, 'the engine met a fatal error'),
    onAsked: (asked) => answerQuestion(asked, { icon: trayIcon, update }),
    onFailed(problem) {
      opening.ended();
      fail(DeskError.of(problem), { language, log, end });
    },
    onEnded(wasAsked) {
      opening.ended();
      if (wasAsked) void installOrExit();
      else
        void sayEngineGone(texts(), { given: options.home, home, end }).finally(() => app.exit(1));
    },
  });

  // The window is made while the engine opens. Its page is drawn, and its questions wait.
  const windows = createWindows({
    engine,
    guard,
    distDir,
    pagesDir,
    placeFile: join(home, 'electron', 'window.json'),
    language: () => language,
    theme: () => themeInSettings(home),
    onNotLoaded: (error) => fail(error, { language, log, end }),
    onDied(death, isReloaded) {
      log.error({ ...death, isReloaded }, 'a page died');
      if (isReloaded) notify(texts().windowRestarted);
    },
    signal: end.signal,
    logFile: join(home, 'logs', 'shell.log'),
  });
  windows.open(() => {
    isShown = true;
    sayReady();
  });

  let isUpdating = false;
  async function startUpdate(): Promise<void> {
    if (!(await guard.agree())) return;
    isUpdating = true;
    app.quit();
  }
  const update: AnswerParts['update'] = {
    found: () => updates.found,
    install(when) {
      if (when === 'start') updates.installAtNextStart();
      else void startUpdate();
    },
  };
  /**
   * The last act. Nothing is installed if the user stayed once more, or the system ends the desk. If
   * a wanted installation fails, the desk starts again, and says so.
   */
  async function installOrExit(): Promise<void> {
    const isWanted = isUpdating && guard.isAgreed() && !end.signal.aborted;
    end.letGo();
    if (!isWanted) app.exit(0);
    else if (!(await updates.install())) startAgain();
  }

  const quit = () => app.quit();
  const tray = createTray({ icon: trayIcon, language, show, quit });
  const speak = () => {
    const isOurs = updates.found?.by === 'user' || updates.found?.by === 'start';
    setMenu(process.platform, texts(), {
      openWindow: () => windows.open(),
      language,
      update: isOurs ? { version: updates.found.version, install: () => void startUpdate() } : null,
    });
    tray?.speak(language);
  };
  speak();
  powerMonitor.on('resume', () => engine.tell({ type: 'resumed' }));
  app.on('child-process-gone', (_event, { serviceName, reason }) => {
    if (serviceName !== networkService) return;
    log.warn({ reason }, 'the network process died');
    engine.tell({ type: 'network-died' });
  });
  updates.onChange(() => {
    speak();
    engine.tell({ type: 'update-changed' });
    if (updates.found?.by === 'user' && !updates.found.hasFailed)
      notify(texts().updateReady(updates.found.version));
  });
  void updates.search();
  end.lastCloseBy(() => engine.close());
}

/**
 * Reports that the engine ended for good. The desk ends after this; the log and the bundle remain
 * for the search for the cause.
 */
async function sayEngineGone(
  texts: ShellTexts,
  { given, home, end }: { given: string | undefined; home: string; end: End },
): Promise<void> {
  end.closeBy(() => app.exit(1));
  const command = app.isPackaged ? packagedCommand : sourceCommand;
  const where = given === undefined ? '' : ` --home "${home}"`;
  const detail = texts.engineGoneDetail(
    join(home, 'logs', 'shell.log'),
    `${command}${where} diagnostics --to diagnostics.json`,
  );
  await showError(texts.engineGone, { detail, signal: end.signal });
}
