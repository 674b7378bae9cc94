import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuItemConstructorOptions, MessageBoxOptions } from 'electron';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { root, temporaryFolder } from '../../support/processes.ts';
import { ProcessEnded } from './app-stand-in.ts';
import { electron, stand } from './electron-stand-in.ts';
import { BrowserWindowStandIn } from './window-stand-in.ts';

// The whole shell over the stand-in for Electron: what it sets, in which order, what the user sees,
// and to whom a line to the engine is given. The engine's process is the test's.

const { library } = vi.hoisted(() => ({
  library: { autoUpdater: undefined as object | undefined },
}));
vi.mock('electron-updater', () => ({ default: library }));
vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
// Before modules are reset: the shell and this test share the stand-in.
await import('electron');

const { path: home, remove } = temporaryFolder();
const { argv } = process;
afterAll(() => {
  process.argv = argv;
  remove();
});

const printed: string[] = [];
beforeEach(() => {
  // What the shell waits for in vain would end the next one.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const monitors = [
  'uncaughtExceptionMonitor',
  'unhandledRejection',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
] as const;
/** The shell as a process that was just started, up to `ready`. */
async function start({ isPackaged = false, args = ['--home', home, '--lang', 'en'] } = {}) {
  vi.clearAllTimers();
  stand.restart(isPackaged);
  printed.length = 0;
  for (const each of monitors) process.removeAllListeners(each);
  process.argv = ['desk', ...(isPackaged ? [] : ['root']), ...args];
  Reflect.set(process, 'resourcesPath', home);
  vi.resetModules();
  await import('#main/electron/main.ts').catch((error: unknown) => {
    if (!(error instanceof ProcessEnded)) throw error;
  });
}

/** As `start`, up to an engine that is open. */
async function startOpened(...options: Parameters<typeof start>): Promise<void> {
  await start(...options);
  stand.app.becomeReady();
  await vi.waitFor(() => expect(stand.engines).toHaveLength(1));
  stand.engine().say({ type: 'opened', hasKeychain: true, language: 'en' });
}

const heard = () => stand.engine().heard.map(({ data }) => data);
const readyLine = `${JSON.stringify({ event: 'ready', shell: 'electron', pid: process.pid })}\n`;

describe('nameDesk', () => {
  it('tells Windows by what it knows the desk, the same at every start', async () => {
    const { nameDesk } = await import('#main/electron/identity.ts');
    const passed = (platform: NodeJS.Platform) => {
      stand.restart();
      nameDesk(platform);
      return stand.app.calls.map((call) => call.replace(/^\w+ /, ''));
    };
    expect(passed('darwin')).toEqual(['Appraiser Desk']);
    const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    const [name, id, activator] = passed('win32');
    expect(config).toContain(`\nappId: ${String(id)}\nproductName: ${String(name)}\n`);
    expect(activator).toMatch(/^\{[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\}$/);
    expect(passed('win32')).toEqual([name, id, activator]);
  });
});

describe('the desktop shell', () => {
  beforeAll(async () => {
    vi.stubEnv('DESK_VAULT_PASSPHRASE', 'of a test');
    const policy = { proxy: { url: 'http://proxy.example:8080', bypass: ['.local.example'] } };
    const file = join(home, 'policy.json');
    writeFileSync(file, JSON.stringify(policy));
    vi.stubEnv('DESK_POLICY', file);
    await start();
    // Every program that the desk starts is given the environment.
    expect(process.env['DESK_VAULT_PASSPHRASE']).toBeUndefined();
  });

  it('keeps its data in the home, takes the lock, and sandboxes before it is ready', () => {
    expect(statSync(join(home, 'electron')).mode & 0o777).toBe(0o700);
    expect(stand.app.calls).toEqual(['setPath userData', 'lock', 'name Appraiser Desk', 'sandbox']);
    expect(stand.app.paths['userData']).toBe(join(home, 'electron'));
    expect(stand.schemes).toEqual([
      {
        scheme: 'desk',
        privileges: {
          standard: true,
          secure: true,
          supportFetchAPI: true,
          corsEnabled: true,
          codeCache: true,
        },
      },
    ]);
  });

  it('opens the engine in a process of its own once the proxy is set, and shows the window meanwhile', async () => {
    stand.app.becomeReady();
    await vi.waitFor(() => expect(stand.engines).toHaveLength(1));
    expect(stand.app.calls.at(-1)).toBe('proxy http://proxy.example:8080 but .local.example');
    expect(stand.engine().file).toMatch(/engine-process\.js$/);
    expect(heard()).toEqual([
      {
        type: 'open',
        home,
        languages: { argument: 'en', system: ['rm-CH', 'it-CH'] },
        passphraseVault: false,
        passphrase: 'of a test',
      },
    ]);
    expect(stand.session().protocol.isProtocolHandled('desk')).toBe(true);
    await vi.waitFor(() => expect(stand.window().isVisible()).toBe(true));
    // The page asks already; its line is passed on once the engine is open.
    expect([stand.window().contents.given.length, heard().length, printed]).toEqual([1, 1, []]);
    stand.engine().say({ type: 'opened', hasKeychain: true, language: 'en' });
    expect(heard().map(({ type }) => type)).toEqual(['open', 'window']);
    expect(printed).toEqual([readyLine]);
  });

  it('has the ground of the user’s theme before its page is drawn', () => {
    expect(stand.window().options.backgroundColor).toBe('#F3F5F6');
  });

  it('gives a line to its own page, and to no other', () => {
    const { contents } = stand.window();
    const lines = () => contents.given.map(({ channel, ports }) => [channel, ports.length]);
    expect(lines()).toEqual([['desk-port', 1]]);
    contents.mainFrame.url = 'https://evil.example/';
    contents.emit('did-finish-load');
    expect(lines()).toEqual([['desk-port', 1]]);
    contents.mainFrame.url = 'desk://app/index.html';
    contents.emit('did-finish-load');
    expect(lines()).toEqual([
      ['desk-port', 1],
      ['desk-port', 1],
    ]);
    expect(stand.engine().heard.map(({ data, ports }) => [data.type, ports.length])).toEqual([
      ['open', 0],
      ['window', 1],
      ['window', 1],
    ]);
  });

  it('starts an engine that died, and gives the page a new line without loading it again', () => {
    stand.window().blur();
    stand.engine().exit(1);
    expect(stand.engines).toHaveLength(2);
    stand.engine().say({ type: 'opened', hasKeychain: true, language: 'en' });
    expect(stand.window().contents.given).toHaveLength(3);
    expect(heard().map(({ type }) => type)).toEqual(['open', 'window']);
  });

  it('tells of that, and comes to the front when the notification is clicked', () => {
    expect(stand.notices.map(({ body }) => body)).toEqual([
      'Part of Appraiser Desk failed and has been restarted. Saved work is not affected.',
    ]);
    stand.notices[0]?.emit('click');
    expect(BrowserWindowStandIn.getFocusedWindow()).toBe(stand.window());
  });

  it('shows its window when somebody starts it again, or clicks it in the dock', () => {
    for (const event of ['second-instance', 'activate']) {
      stand.window().blur();
      stand.app.emit(event);
      expect(BrowserWindowStandIn.getFocusedWindow()).toBe(stand.window());
    }
  });

  it('tells the engine when the laptop wakes', async () => {
    const { powerMonitor } = await import('electron');
    powerMonitor.emit('resume');
    expect(heard().at(-1)).toEqual({ type: 'resumed' });
  });

  it('tells the engine when the network process died, and of no other process', async () => {
    const { app } = await import('electron');
    const before = heard().length;
    const gone = (serviceName: string) =>
      app.emit('child-process-gone', {}, { type: 'Utility', reason: 'killed', serviceName });
    gone('audio.mojom.AudioService');
    gone('network.mojom.NetworkService');
    expect(heard().slice(before)).toEqual([{ type: 'network-died' }]);
  });

  it('keeps its log in the home, without what an error says', () => {
    const error = new Error('text with Frau Muster');
    const listeners = process.listeners('uncaughtExceptionMonitor');
    for (const listener of listeners) listener(error, 'uncaughtException');
    const file = join(home, 'logs', 'shell.log');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 50, msg: 'the engine process died', code: 1, uptimeSeconds: 0, count: 1 },
      { level: 40, msg: 'the engine was started again', reason: 'died' },
      { level: 40, msg: 'the network process died', reason: 'killed' },
      { level: 60, msg: 'uncaught exception', name: 'Error' },
    ]);
    expect(text).not.toContain('Muster');
  });

  it('opens a further window beside the first, in the same session', () => {
    const file = stand.menus[0]?.find(({ label }) => label === 'File');
    const items = file?.submenu as MenuItemConstructorOptions[];
    (items.find(({ id }) => id === 'new-window')?.click as (() => void) | undefined)?.();
    const [first, second] = BrowserWindowStandIn.getAllWindows().map(({ options }) => options);
    expect(second).toMatchObject({ x: 42, y: 52, width: 1000, height: 700 });
    expect(second?.webPreferences?.session).toBe(first?.webPreferences?.session);
  });

  it('answers its own addresses only', async () => {
    expect((await stand.session().ask('desk://elsewhere/x')).status).toBe(404);
  });
});

describe('the window', () => {
  it('is before the person once it is shown, and the ready line only then', async () => {
    const opening = startOpened();
    Object.assign(stand.pages, { sayReady: false, load: 'hangs' });
    await opening;
    // Waiting for the engine has taken a part of the two seconds.
    vi.advanceTimersByTime(1500);
    expect([stand.window().isVisible(), printed]).toEqual([false, []]);
    vi.advanceTimersByTime(500);
    await vi.waitFor(() => expect(printed).toEqual([readyLine]));
    expect(stand.window().isVisible()).toBe(true);
  });

  it('that cannot be loaded is reported, and ends the desk', async () => {
    const opening = startOpened({ isPackaged: true });
    stand.pages.load = 'fails';
    await opening;
    await vi.waitFor(() => expect(stand.app.exitCode).toBe(1));
    expect(stand.boxes).toEqual([expect.stringMatching(/^Appraiser Desk: An unexpected error/)]);
  });

  it('with something unsaved asks, and keeps the desk open', async () => {
    await startOpened();
    await vi.waitFor(() => expect(printed).toEqual([readyLine]));
    const { contents } = stand.window();
    contents.hasUnsaved = true;
    stand.app.quit();
    expect([stand.app.exitCode, BrowserWindowStandIn.getAllWindows().length]).toEqual([null, 1]);
    expect(heard().map(({ type }) => type)).not.toContain('close');
    await vi.waitFor(() => expect(electron.dialog.showMessageBox).toHaveBeenCalledOnce());
    // The question is over a task later.
    await Promise.resolve();
    stand.answer = 1;
    await vi.waitFor(() => {
      stand.app.quit();
      expect(heard().at(-1)).toEqual({ type: 'close' });
    });
  });
});

it('says that it is still being opened if the keychain waits, and ends if it is given up', async () => {
  await start();
  stand.app.becomeReady();
  await vi.waitFor(() => expect(stand.engines).toHaveLength(1));
  stand.answer = 1;
  await vi.advanceTimersByTimeAsync(6000);
  expect(electron.dialog.showMessageBox.mock.calls).toMatchObject([
    [{ message: 'Appraiser Desk is still opening.' }],
  ]);
  expect(heard().at(-1)).toEqual({ type: 'close' });
});

it('leaves no window behind the box that says why it cannot be opened', async () => {
  await start({ isPackaged: true });
  stand.app.becomeReady();
  await vi.waitFor(() => expect(stand.window().isVisible()).toBe(true));
  electron.dialog.showMessageBox.mockReturnValue(new Promise(() => undefined));
  const problem = { code: 'home_newer', params: { found: 2, known: 1 } } as const;
  stand.engine().say({ type: 'failed', problem });
  await vi.waitFor(() => expect(electron.dialog.showMessageBox).toHaveBeenCalledOnce());
  expect([BrowserWindowStandIn.getAllWindows(), stand.app.exitCode]).toEqual([[], null]);
  expect(heard().map(({ type }) => type)).toEqual(['open']);
});

it('ends without a question if its window is closed before the engine is open', async () => {
  await start();
  stand.app.becomeReady();
  await vi.waitFor(() => expect(stand.window().isVisible()).toBe(true));
  stand.window().close();
  expect(heard().at(-1)).toEqual({ type: 'close' });
  stand.engine().exit(0);
  await vi.waitFor(() => expect(stand.app.exitCode).toBe(0));
  expect(electron.dialog.showMessageBox).not.toHaveBeenCalled();
});

it('ends within 5 seconds though its engine does not', async () => {
  await startOpened();
  stand.app.quit();
  vi.advanceTimersByTime(4000);
  expect(stand.app.exitCode).toBeNull();
  vi.advanceTimersByTime(1000);
  expect(stand.app.exitCode).toBe(0);
});

describe('an update that cannot be installed', () => {
  // The library of this test has nothing in it, so each use of it throws.
  const feed = 'https://updates.example/desk';
  const log = join(home, 'logs', 'shell.log');
  const updatesFailed = () =>
    existsSync(log) ? readFileSync(log, 'utf8').split('"the update failed"').length - 1 : 0;
  function note(state: 'left' | 'tried'): void {
    mkdirSync(join(home, 'electron'), { recursive: true });
    const file = join(home, 'electron', 'update.json');
    writeFileSync(file, JSON.stringify({ version: '2.0.0', state }));
  }
  beforeEach(() => {
    const file = join(home, 'updates.json');
    writeFileSync(file, JSON.stringify({ updates: { feed } }));
    vi.stubEnv('DESK_POLICY', file);
    vi.stubEnv('APPIMAGE', '/home/a/desk.AppImage');
  });

  it('keeps no desk from opening', async () => {
    note('left');
    const before = updatesFailed();
    await startOpened({ isPackaged: true });
    expect(stand.boxes).toEqual([]);
    // At the start, and by the search.
    await vi.waitFor(() => expect(updatesFailed()).toBe(before + 2));
  });

  it('starts the desk again if the user wanted it', async () => {
    await startOpened({ isPackaged: true });
    const before = updatesFailed();
    const { id: window } = stand.window().webContents;
    stand.engine().say({ type: 'ask', id: 1, window, about: 'update', install: 'now' });
    await vi.waitFor(() => expect(heard()).toContainEqual({ type: 'close' }));
    stand.engine().exit(0);
    await vi.waitFor(() => expect(stand.app.exitCode).toBe(0));
    expect(stand.app.calls.at(-1)).toBe('relaunch /home/a/desk.AppImage');
    expect(updatesFailed()).toBe(before + 1);
  });

  it('is not announced as ready again, but the next one is', async () => {
    note('tried');
    const updater = Object.assign(new EventEmitter(), {
      setFeedURL: () => undefined,
      netSession: { setUserAgent: () => undefined },
      checkForUpdates: () => Promise.resolve(null),
    });
    library.autoUpdater = updater;
    onTestFinished(() => void (library.autoUpdater = undefined));
    await startOpened({ isPackaged: true });
    await vi.waitFor(() => expect(updater.listenerCount('update-downloaded')).toBe(1));
    const shown = () => stand.notices.map(({ body }) => body);
    updater.emit('update-downloaded', { version: '2.0.0' });
    expect(shown()).toEqual([]);
    updater.emit('update-downloaded', { version: '3.0.0' });
    expect(shown()).toEqual([expect.stringMatching(/^Version 3.0.0 of .* is ready\./)]);
  });
});

describe('a signal of the system', () => {
  const signal = () => process.emit('SIGTERM');
  afterEach(() => void process.removeAllListeners('SIGTERM'));

  it('ends a desk that is not ready, at once', async () => {
    await start();
    expect(signal).toThrow(ProcessEnded);
    expect(stand.app.exitCode).toBe(0);
  });

  it.each([
    ['a wrong argument', ['/home/a/invoice.pdf'], 2],
    ['a home that cannot be written', ['--home', join(home, 'file/home'), '--lang', 'en'], 1],
  ])('ends the box of %s, with the code of its refusal', async (_, args, exitCode) => {
    writeFileSync(join(home, 'file'), '');
    let isClosed = false;
    const opening = start({ isPackaged: true, args });
    electron.dialog.showMessageBox.mockImplementation((given) => {
      (given as MessageBoxOptions).signal?.addEventListener('abort', () => (isClosed = true));
      return new Promise(() => undefined);
    });
    await opening;
    stand.app.becomeReady();
    await vi.waitFor(() => expect(electron.dialog.showMessageBox).toHaveBeenCalledOnce());
    expect(stand.app.exitCode).toBeNull();
    signal();
    expect([isClosed, stand.app.exitCode]).toEqual([true, exitCode]);
  });

  it('while the window loads ends the desk without a word', async () => {
    const opening = startOpened({ isPackaged: true });
    stand.pages.load = 'hangs';
    await opening;
    // docs/api/web-contents.md: the load of a window that closes fails before the window is gone.
    stand.window().contents.loadFails();
    signal();
    await vi.waitFor(() => expect(heard().at(-1)).toEqual({ type: 'close' }));
    stand.engine().exit(0);
    await vi.waitFor(() => expect(stand.app.exitCode).toBe(0));
    expect(stand.boxes).toEqual([]);
  });

  it('closes the box of an engine that died for good', async () => {
    await startOpened({ isPackaged: true });
    electron.dialog.showMessageBox.mockReturnValue(new Promise(() => undefined));
    for (let death = 0; death < 4; death += 1) stand.engine().exit(1);
    await vi.waitFor(() => expect(electron.dialog.showMessageBox).toHaveBeenCalledOnce());
    signal();
    expect(stand.app.exitCode).toBe(1);
  });
});

it('ends at once if another desk has the home, and touches nothing of it', async () => {
  const opening = start();
  stand.app.isFirst = false;
  await opening;
  expect(stand.app.exitCode).toBe(0);
  expect(stand.app.calls).toEqual(['setPath userData', 'lock']);
});

it.each([
  [
    true,
    [
      'Appraiser Desk: L’applicazione non può essere avviata: /home/a/invoice.pdf non è un’opzione valida. Avvii senza; --help elenca quelle valide.',
    ],
  ],
  [false, []],
])(
  'does not end without a word when a file is dropped on its icon, packaged: %s',
  async (isPackaged, boxes) => {
    await start({ isPackaged, args: ['/home/a/invoice.pdf'] });
    // On a console the line is enough; a box has to wait for Electron.
    expect(stand.app.exitCode).toBe(isPackaged ? null : 2);
    stand.app.becomeReady();
    await vi.waitFor(() => expect(stand.app.exitCode).toBe(2));
    expect(stand.boxes).toEqual(boxes);
  },
);

it.each([
  [
    'a policy that cannot be read',
    () => writeFileSync(join(home, 'bad.json'), '{'),
    home,
    'bad.json',
  ],
  [
    'a home that cannot be written',
    () => writeFileSync(join(home, 'file'), ''),
    join(home, 'file/home'),
    'folder',
  ],
])('tells of %s in a box, which needs a ready Electron, and ends', async (_, make, dir, part) => {
  make();
  if (part === 'bad.json') vi.stubEnv('DESK_POLICY', join(home, part));
  await start({ isPackaged: true, args: ['--home', dir, '--lang', 'en'] });
  expect([stand.app.exitCode, stand.boxes]).toEqual([null, []]);
  stand.app.becomeReady();
  await vi.waitFor(() => expect(stand.app.exitCode).not.toBeNull());
  expect(stand.boxes).toEqual([expect.stringContaining(part)]);
  expect(stand.app.exitCode).toBeGreaterThan(0);
});

it('tells of a failure that nobody expected while it is opened, and ends', async () => {
  await start({ isPackaged: true });
  stand.forkError = new Error('no process for Frau Muster');
  stand.app.becomeReady();
  await vi.waitFor(() => expect(stand.app.exitCode).toBe(1));
  expect(stand.boxes).toEqual([expect.stringMatching(/^Appraiser Desk: An unexpected error/)]);
  const log = readFileSync(join(home, 'logs', 'shell.log'), 'utf8');
  expect(log).toContain('"where":"opening"');
  expect(log).not.toContain('Muster');
});
