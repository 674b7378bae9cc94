import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  ProxyConfig,
} from 'electron';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FromEngine, ToEngine } from '#main/electron/engine-messages.ts';
import { root } from '../../support/processes.ts';

// The whole shell over a stand-in for Electron: what it sets, in which order, and to whom a line to
// the engine is given.

const home = mkdtempSync(join(tmpdir(), 'electron-main-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const stand = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  const { existsSync } = await import('node:fs');
  const app = Object.assign(new Emitter(), {
    isPackaged: false,
    calls: [] as string[],
    exit: (code: number) => void app.calls.push(`exit ${String(code)}`),
    quit: () => void app.emit('will-quit', { preventDefault: () => undefined }),
    // As Electron says it: the folder has to be there.
    setPath(name: string, path: string) {
      if (!existsSync(path)) throw new Error('Failed to set path');
      app.calls.push(`setPath ${name}`);
    },
    isFirst: true,
    requestSingleInstanceLock: () => app.calls.push('lock') > 0 && app.isFirst,
    setName: (name: string) => void app.calls.push(`name ${name}`),
    setAppUserModelId: (id: string) => void app.calls.push(`id ${id}`),
    setToastActivatorCLSID: (id: string) => void app.calls.push(`activator ${id}`),
    setProxy: (config: ProxyConfig) => {
      app.calls.push(`proxy ${String(config.proxyRules)} but ${String(config.proxyBypassRules)}`);
      return Promise.resolve();
    },
    enableSandbox: () => void app.calls.push('sandbox'),
    ready: Promise.resolve(),
    whenReady: () => app.ready,
  });
  const engine = Object.assign(new Emitter(), {
    heard: [] as unknown[],
    postMessage: (message: unknown) => void engine.heard.push(message),
  });
  const contents = Object.assign(new Emitter(), {
    mainFrame: {
      url: 'desk://app/',
      sent: [] as string[],
      postMessage: (name: string) => void contents.mainFrame.sent.push(name),
    },
  });
  const schemes: { scheme: string; privileges: Record<string, boolean> }[] = [];
  const handlers = new Map<string, (request: Request) => Promise<Response> | Response>();
  const menu: MenuItemConstructorOptions[] = [];
  const windows: { readonly options: BrowserWindowConstructorOptions }[] = [];
  return {
    app,
    engine,
    contents,
    schemes,
    handlers,
    power: new Emitter(),
    forks: [] as string[],
    notices: [] as { readonly body: string; readonly click: () => void }[],
    menu,
    windows,
    Emitter,
    isForkBroken: false,
  };
});

vi.mock('electron-updater', () => ({ default: {} }));
vi.mock('electron', () => ({
  app: stand.app,
  BrowserWindow: class BrowserWindow extends stand.Emitter {
    static getAllWindows = () => stand.windows;
    static getFocusedWindow = () => null;
    readonly options: BrowserWindowConstructorOptions;
    constructor(options: BrowserWindowConstructorOptions) {
      super();
      this.options = options;
      stand.windows.push(this);
    }
    isDestroyed = () => false;
    maximize = () => undefined;
    getNormalBounds = () => ({ x: 10, y: 20, width: 1000, height: 700 });
    webContents = stand.contents;
    loadURL = () => Promise.resolve();
    isMinimized = () => false;
    show = () => void stand.app.calls.push('window shown');
    focus = () => undefined;
  },
  dialog: {
    showMessageBox: () => Promise.resolve({ response: 0 }),
    // docs/api/dialog.md: before `ready` nothing is shown on Linux.
    showErrorBox: (title: string, text: string) => void stand.app.calls.push(`${title}: ${text}`),
  },
  Menu: {
    buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
    setApplicationMenu: (menu: MenuItemConstructorOptions[]) => void stand.menu.push(...menu),
  },
  MessageChannelMain: class {
    port1 = new stand.Emitter();
    port2 = new stand.Emitter();
  },
  Notification: class extends stand.Emitter {
    constructor({ body }: { body: string }) {
      super();
      stand.notices.push({ body, click: () => void this.emit('click') });
    }
    show = () => undefined;
  },
  powerMonitor: stand.power,
  protocol: {
    registerSchemesAsPrivileged: (schemes: typeof stand.schemes) => stand.schemes.push(...schemes),
  },
  screen: {
    getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
  },
  session: {
    fromPartition: () => ({
      setPermissionRequestHandler: () => undefined,
      setPermissionCheckHandler: () => undefined,
      setDevicePermissionHandler: () => undefined,
      setSpellCheckerDictionaryDownloadURL: () => undefined,
      setSpellCheckerEnabled: () => undefined,
      protocol: {
        handle: (scheme: string, handler: (request: Request) => Response) =>
          stand.handlers.set(scheme, handler),
      },
    }),
  },
  shell: {},
  Tray: vi.fn(function () {
    throw new Error('no tray here');
  }),
  utilityProcess: {
    fork: (file: string) => {
      if (stand.isForkBroken) throw new Error('no process for Frau Muster');
      stand.forks.push(file);
      // A process of its own each time: nobody hears the dead one's.
      stand.engine.removeAllListeners();
      return stand.engine;
    },
  },
}));

const heard = () => stand.engine.heard as ToEngine[];
const say = (message: FromEngine) => void stand.engine.emit('message', message);

describe('nameDesk', () => {
  it('tells Windows by what it knows the desk, the same at every start', async () => {
    const { nameDesk } = await import('#main/electron/identity.ts');
    const told = (platform: NodeJS.Platform) => {
      const calls: string[] = [];
      nameDesk(
        {
          setName: (name) => void calls.push(name),
          setAppUserModelId: (id) => void calls.push(id),
          setToastActivatorCLSID: (id) => void calls.push(id),
        },
        platform,
      );
      return calls;
    };
    expect(told('darwin')).toEqual(['Appraiser Desk']);
    const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    const [name, id, activator] = told('win32');
    expect(config).toContain(`\nappId: ${String(id)}\nproductName: ${String(name)}\n`);
    expect(activator).toMatch(/^\{[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\}$/);
    expect(told('win32')).toEqual([name, id, activator]);
  });
});

describe('the desktop shell', () => {
  beforeAll(async () => {
    process.argv = ['electron', 'root', '--home', home, '--lang', 'en'];
    process.env['DESK_VAULT_PASSPHRASE'] = 'of a test';
    const policy = { proxy: { url: 'http://proxy.example:8080', bypass: ['.local.example'] } };
    process.env['DESK_POLICY'] = join(home, 'policy.json');
    writeFileSync(process.env['DESK_POLICY'], JSON.stringify(policy));
    await import('#main/electron/main.ts');
    await vi.waitFor(() => expect(heard()).toHaveLength(1));
  });

  it('keeps its data in the home, takes the lock, and sandboxes before anything is opened', () => {
    expect(statSync(join(home, 'electron')).mode & 0o777).toBe(0o700);
    expect(stand.app.calls).toEqual([
      'setPath userData',
      'lock',
      'name Appraiser Desk',
      'sandbox',
      'proxy http://proxy.example:8080 but .local.example',
    ]);
    delete process.env['DESK_POLICY'];
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

  it('opens the engine in a process of its own, and the window only after it', () => {
    expect(stand.forks[0]).toMatch(/engine-process\.js$/);
    // Every program that the desk starts is given the environment.
    expect(process.env['DESK_VAULT_PASSPHRASE']).toBeUndefined();
    expect(heard()[0]).toEqual({
      type: 'open',
      home,
      language: 'en',
      passphraseVault: false,
      passphrase: 'of a test',
    });
    expect(stand.handlers.has('desk')).toBe(false);
    say({ type: 'opened', hasKeychain: true });
    expect(stand.handlers.has('desk')).toBe(true);
  });

  it('gives a line to its own page, and to no other', () => {
    const { contents } = stand;
    contents.mainFrame.url = 'https://evil.example/';
    contents.emit('did-finish-load');
    expect(contents.mainFrame.sent).toEqual([]);
    contents.mainFrame.url = 'desk://app/index.html';
    contents.emit('did-finish-load');
    expect(contents.mainFrame.sent).toEqual(['desk-port']);
    expect(heard().map(({ type }) => type)).toEqual(['open', 'window']);
  });

  it('starts an engine that died, and gives the page a new line without loading it again', () => {
    stand.engine.emit('exit', 1);
    expect(stand.forks).toHaveLength(2);
    say({ type: 'opened', hasKeychain: true });
    expect(stand.contents.mainFrame.sent).toEqual(['desk-port', 'desk-port']);
    expect(heard().map(({ type }) => type)).toEqual(['open', 'window', 'open', 'window']);
  });

  it('tells of that, and comes to the front when the notification is clicked', () => {
    expect(stand.notices.map(({ body }) => body)).toEqual([
      'A part of the desk failed and was started again. Nothing was lost.',
    ]);
    stand.notices[0]?.click();
    expect(stand.app.calls.at(-1)).toBe('window shown');
  });

  it('shows its window when somebody starts it again, or clicks it in the dock', () => {
    for (const event of ['second-instance', 'activate']) {
      stand.app.calls.length = 0;
      stand.app.emit(event);
      expect(stand.app.calls).toEqual(['window shown']);
    }
  });

  it('tells the engine when the laptop wakes', () => {
    stand.power.emit('resume');
    expect(heard().at(-1)).toEqual({ type: 'resumed' });
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
      { level: 40, msg: 'the engine died and was started again' },
      { level: 60, msg: 'uncaught exception', name: 'Error' },
    ]);
    expect(text).not.toContain('Muster');
  });

  it('opens a further window beside the first, in the same session', () => {
    const file = stand.menu.find(({ label }) => label === 'File');
    const items = file?.submenu as MenuItemConstructorOptions[];
    (items.find(({ id }) => id === 'new-window')?.click as (() => void) | undefined)?.();
    const [first, second] = stand.windows.map(({ options }) => options);
    expect(second).toMatchObject({ x: 42, y: 52, width: 1000, height: 700 });
    expect(second?.webPreferences?.session).toBe(first?.webPreferences?.session);
  });

  it('answers its own addresses only', async () => {
    const handler = stand.handlers.get('desk');
    const answer = await handler?.(new Request('desk://elsewhere/x'));
    expect(answer?.status).toBe(404);
  });

  it('asks the engine to end, and ends when it has', async () => {
    const ended = once(stand.engine, 'exit');
    stand.app.quit();
    expect(heard().at(-1)).toEqual({ type: 'close' });
    stand.engine.emit('exit', 0);
    await ended;
    expect(stand.app.calls.at(-1)).toBe('exit 0');
  });
});

it('ends at once if another desk has the home, and touches nothing of it', async () => {
  stand.app.calls.length = 0;
  stand.app.isFirst = false;
  const { length } = heard();
  vi.resetModules();
  await import('#main/electron/main.ts');
  expect(stand.app.calls).toEqual(['setPath userData', 'lock', 'exit 0']);
  expect(heard()).toHaveLength(length);
});

it.each([
  [
    true,
    [
      'Appraiser Desk: The desk does not start like this: it does not know something that the start was given.\nerror: too many arguments. Expected 0 arguments but got 1: /home/a/invoice.pdf.',
      'exit 2',
    ],
  ],
  [false, ['exit 2']],
])(
  'does not end without a word when a file is dropped on its icon, packaged: %s',
  async (isPackaged, calls) => {
    stand.app.calls.length = 0;
    stand.app.isPackaged = isPackaged;
    process.argv = ['desk', ...(isPackaged ? [] : ['root']), '/home/a/invoice.pdf'];
    Reflect.set(process, 'resourcesPath', home);
    vi.stubEnv('LC_ALL', 'en_GB.UTF-8');
    vi.resetModules();
    await import('#main/electron/main.ts');
    await vi.waitFor(() => expect(stand.app.calls).toEqual(calls));
    vi.unstubAllEnvs();
  },
);

/** The shell anew, in a home of its own, as a package that is opened from a menu. */
async function startPackaged(): Promise<void> {
  stand.app.calls.length = 0;
  stand.app.isPackaged = true;
  stand.app.isFirst = true;
  process.argv = ['desk', '--home', home, '--lang', 'en'];
  Reflect.set(process, 'resourcesPath', home);
  vi.resetModules();
  await import('#main/electron/main.ts');
}

it('tells of a policy that cannot be read once a box can be shown, and ends then', async () => {
  const policy = join(home, 'policy.json');
  writeFileSync(policy, '{');
  vi.stubEnv('DESK_POLICY', policy);
  const ready = Promise.withResolvers<undefined>();
  stand.app.ready = ready.promise;
  await startPackaged();
  await new Promise(setImmediate);
  expect(stand.app.calls).toEqual([]);
  ready.resolve(undefined);
  await vi.waitFor(() =>
    expect(stand.app.calls).toEqual([expect.stringContaining(policy), 'exit 1']),
  );
  vi.unstubAllEnvs();
});

it('tells of a failure that nobody expected while it is opened, and ends', async () => {
  stand.isForkBroken = true;
  await startPackaged();
  await vi.waitFor(() => expect(stand.app.calls.at(-1)).toBe('exit 1'));
  expect(stand.app.calls.at(-2)).toMatch(/^Appraiser Desk: /);
  const log = readFileSync(join(home, 'logs', 'shell.log'), 'utf8');
  expect(log).toContain('"where":"opening"');
  expect(log).not.toContain('Muster');
});
