import { join, resolve } from 'node:path';
import { app, BrowserWindow, dialog, powerMonitor, protocol } from 'electron';
import type { Logger } from 'pino';
import { DeskError } from '#shared/desk/errors.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { originOf, toDeskError } from '#main/log/faults.ts';
import { languageOfEnvironment } from '#shared/i18n/language.ts';
import { takePassphrase, defaultHome, makeFolder } from '#main/shell/home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { createLog } from '#main/shell/log.ts';
import { readPolicyFor } from '#main/shell/policy.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { parseStartOptions, type StartOptions } from '#main/start/start-options.ts';
import { shellTexts, startTexts } from '#shared/i18n/catalogue.ts';
import { commandLineOf, runCommandLine } from './command-line.ts';
import { startEngineHost } from './engine-host.ts';
import { answerQuestion } from './engine-questions.ts';
import type { EngineStatus } from './engine-messages.ts';
import { guardApp } from './guards.ts';
import { appName, nameDesk } from './identity.ts';
import { setMenu } from './menu.ts';
import { createNotices, createTray } from './tray.ts';
import { guardQuit } from './quit-guard.ts';
import { tellOfSlowOpening } from './slow-opening.ts';
import { lookForUpdates } from './updates.ts';
import { createWindows, type Windows } from './windows.ts';

// The entry of the desktop shell: it opens the window and brokers ports; the engine has a process
// of its own.

const distDir = import.meta.dirname;
const pagesDir = resolve(distDir, '../renderer');
// Electron takes an image as a template of macOS by the end of its name; @2x lies beside it.
const trayName = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
const trayIcon = app.isPackaged
  ? join(process.resourcesPath, trayName)
  : resolve(distDir, '../../build', trayName);
/** A desk that was asked to end does so within 5 s; what it had begun is safe on the disk. */
const closeWithinMs = 4500;

// Whatever the desk writes is its owner's alone.
process.umask(0o077);
const say = (line: string) => void process.stderr.write(`${line.trimEnd()}\n`);
const commandLine = commandLineOf(process.argv);
if (commandLine) void runCommandLine(commandLine, join(distDir, 'cli.js'));
else openShell();

function openShell(): void {
  const said: string[] = [];
  const passphrase = takePassphrase(process.env) ?? null;
  const options = parseStartOptions(process.argv.slice(app.isPackaged ? 1 : 2), (text) => {
    said.push(text);
    say(text);
  });
  if (typeof options === 'number') refuse(options, said);
  else start(options, passphrase);
}

/** A file dropped on the desk's icon comes as an argument too, and nobody sees a console then. */
function refuse(exitCode: number, said: readonly string[]): void {
  const { wrongUsage } = startTexts[languageOfEnvironment(process.env)];
  endWith(exitCode, exitCode === 0 ? null : [wrongUsage, ...said].join('\n').trim());
}

/** Says the sentence in a box if nobody sees a console, and ends. Before `ready` Linux shows no box. */
function endWith(exitCode: number, sentence: string | null): void {
  if (!app.isPackaged || sentence === null) {
    app.exit(exitCode);
    return;
  }
  app
    .whenReady()
    .then(() => dialog.showErrorBox(appName, sentence))
    .finally(() => app.exit(exitCode))
    .catch(() => undefined);
}

function start(options: StartOptions, passphrase: string | null): void {
  const home = resolve(options.home ?? defaultHome());
  const ownDir = join(home, 'electron');
  const log = createLog(join(home, 'logs', 'shell.log'));
  process.on('uncaughtExceptionMonitor', (error) =>
    log.fatal(originOf(error), 'uncaught exception'),
  );
  process.on('unhandledRejection', (error) => log.error(originOf(error), 'unhandled rejection'));
  const wished = options.lang ?? languageOfEnvironment(process.env);
  let policy: DeskPolicy;
  try {
    policy = readPolicyFor(log, wished);
    makeFolder(ownDir);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    fail(error, wished, log);
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
  const language = policy.language ?? wished;
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
 * Says why no desk can be opened: on the console, and if nobody sees that, in a box. Electron alone
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

function openDesk({ options, passphrase, home, policy, language, log }: Desk): void {
  const texts = shellTexts[language];
  let status: EngineStatus | null = null;
  let windows: Windows | null = null;
  const guard = guardQuit({
    texts,
    status: () => status,
    // The question may have come with the last window closed.
    onStayed() {
      if (BrowserWindow.getAllWindows().length === 0) windows?.open();
    },
  });
  const show = () => windows?.show();
  const notify = createNotices(show);
  app.on('second-instance', show);
  app.on('activate', show);

  const slow = tellOfSlowOpening(texts);
  const engine = startEngineHost({
    program: join(distDir, 'engine-process.js'),
    open: {
      type: 'open',
      home,
      language: options.lang ?? null,
      passphraseVault: options.vault === 'passphrase',
      passphrase,
    },
    onOpened(hasKeychain) {
      slow.opened();
      if (!hasKeychain) say(startTexts[language].noKeychain);
      const placeFile = join(home, 'electron', 'window.json');
      windows = createWindows({
        ...{ engine, guard, distDir, pagesDir, placeFile, texts },
        onNotLoaded: (error) => fail(error, language, log),
        onReloaded(reason) {
          log.error({ reason }, 'a page died and was loaded anew');
          notify(texts.windowRestarted);
        },
      });
      windows.open(() => {
        const ready = { event: 'ready', shell: 'electron', pid: process.pid };
        process.stdout.write(`${JSON.stringify(ready)}\n`);
      });
    },
    onRestarted() {
      log.warn('the engine died and was started again');
      notify(texts.engineRestarted);
      windows?.giveLines();
    },
    onStatus(now) {
      if (now.attention > (status?.attention ?? now.attention) && !BrowserWindow.getFocusedWindow())
        notify(texts.attention(now.attention));
      status = now;
      tray?.update(now);
    },
    onError: (type) => log.error({ type }, 'the engine met a fatal error'),
    onAsked: (asked) => answerQuestion(asked, trayIcon),
    onFailed(problem) {
      slow.opened();
      fail(DeskError.of(problem), language, log);
    },
    onEnded(wasAsked) {
      if (!wasAsked) dialog.showErrorBox(appName, texts.engineGone);
      app.exit(wasAsked ? 0 : 1);
    },
  });

  const quit = () => app.quit();
  const tray = createTray({ icon: trayIcon, texts, show, quit });
  setMenu(process.platform, texts, () => windows?.open());
  powerMonitor.on('resume', () => engine.tell({ type: 'resumed' }));
  lookForUpdates(policy.updates, log);

  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => app.exit(0), closeWithinMs);
    engine.close();
  });
}
