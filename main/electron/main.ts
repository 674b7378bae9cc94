import { join, resolve } from 'node:path';
import { app, MessageChannelMain, protocol, session, utilityProcess } from 'electron';
import { sayProblem } from '#shared/desk/error-text.ts';
import { languageOfEnvironment } from '#main/shell/choose-language.ts';
import { defaultHome } from '#main/shell/default-home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { parseStartOptions, type StartOptions } from '#main/start/start-options.ts';
import { startTexts } from '#main/start/start-texts.ts';
import { createByteLine } from './byte-line.ts';
import type { FromEngine, ToEngine } from './engine-messages.ts';
import { serveFiles } from './files.ts';
import { guardApp, guardSession, isOwnPage } from './guards.ts';
import { servePage } from './pages.ts';
import { framePort } from './ports.ts';
import { createWindow } from './window.ts';

// The entry of the desktop shell: it opens the window and brokers ports; the engine has a process
// of its own.

const distDir = import.meta.dirname;
const pagesDir = resolve(distDir, '../renderer');
/** The window's session lives in memory: Chromium leaves no trace of a case on the disk. */
const sessionName = 'desk';
/** A desk that was asked to end does so within 5 s; what it had begun is safe on the disk. */
const closeWithinMs = 4500;

const say = (line: string) => void process.stderr.write(`${line.trimEnd()}\n`);
const options = parseStartOptions(process.argv.slice(app.isPackaged ? 1 : 2), say);
if (typeof options === 'number') app.exit(options);
else start(options);

function start(options: StartOptions): void {
  const home = resolve(options.home ?? defaultHome());
  app.setPath('userData', join(home, 'electron'));
  guardApp(app);
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'desk',
      privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true },
    },
  ]);
  app.on('window-all-closed', () => app.quit());
  void app.whenReady().then(() => openDesk(options, home));
}

function openDesk(options: StartOptions, home: string): void {
  const language = options.lang ?? languageOfEnvironment(process.env);
  const engine = utilityProcess.fork(join(distDir, 'engine-process.js'), [], {
    serviceName: 'Appraiser Desk Engine',
    stdio: 'inherit',
  });
  const tell = (message: ToEngine, ...ports: Electron.MessagePortMain[]) =>
    engine.postMessage(message, ports);

  engine.on('message', (message: FromEngine) => {
    if (message.type === 'failed') {
      say(sayProblem(message.problem, language));
      app.exit(exitCodeOf(message.problem.code));
      return;
    }
    if (!message.hasKeychain) say(startTexts[language].noKeychain);
    openWindow((port) => tell({ type: 'window' }, port), openFileLine);
    process.stdout.write(
      `${JSON.stringify({ event: 'ready', shell: 'electron', pid: process.pid })}\n`,
    );
  });
  // Without its engine the window would only pretend to work.
  engine.on('exit', (code) => app.exit(code));
  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => app.exit(0), closeWithinMs);
    tell({ type: 'close' });
  });

  const openFileLine = () => {
    const { port1, port2 } = new MessageChannelMain();
    tell({ type: 'file' }, port2);
    return createByteLine(framePort(port1));
  };
  tell({
    type: 'open',
    home,
    language: options.lang ?? null,
    passphraseVault: options.vault === 'passphrase',
  });
}

function openWindow(
  giveEngine: (port: Electron.MessagePortMain) => void,
  openFileLine: Parameters<typeof serveFiles>[1],
): void {
  const windowSession = session.fromPartition(sessionName, { cache: false });
  guardSession(windowSession);
  windowSession.protocol.handle('desk', (request) => {
    if (isOwnPage(request.url)) return servePage(pagesDir, request.url);
    if (new URL(request.url).host === 'files') return serveFiles(request, openFileLine);
    return new Response(null, { status: 404 });
  });
  const window = createWindow(windowSession, join(distDir, 'preload.cjs'));
  const { webContents } = window;
  webContents.on('did-finish-load', () => {
    // Only the desk's own page in the top frame is given a line (checklist 17).
    if (!isOwnPage(webContents.mainFrame.url)) return;
    const { port1, port2 } = new MessageChannelMain();
    giveEngine(port1);
    webContents.mainFrame.postMessage('desk-port', null, [port2]);
  });
}
