import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, MessageBoxOptions } from 'electron';
import { vi } from 'vitest';
import { app } from './app-stand-in.ts';
import { createNetStandIn } from './net-stand-in.ts';
import { MessageChannelMainStandIn, UtilityProcessStandIn } from './ports-stand-in.ts';
import { SessionStandIn } from './session-stand-in.ts';
import { BrowserWindowStandIn, pages } from './window-stand-in.ts';

// One stand-in of Electron for all tests of the shell:
//   vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
// No runtime can be had on every machine, so it believes what Electron's own sources and docs say,
// and each belief names its place there (paths and lines of Electron's repository, at version 45).
//
// An unhandled rejection is a warning in Electron's processes, and nothing else comes of it
// (docs/breaking-changes.md:692); under vitest it fails the run.

type MenuStandIn = MenuItemConstructorOptions[] & { popup?: () => void };

/** What the shell has done, and what it is to meet. */
export const stand = {
  app,
  pages,
  engines: [] as UtilityProcessStandIn[],
  /** Thrown instead of a process. */
  forkError: null as Error | null,
  /** Called with each engine's process as it is started. */
  onFork: (_engine: UtilityProcessStandIn): void => undefined,
  schemes: [] as { scheme: string; privileges: Record<string, boolean> }[],
  sessions: new Map<string, SessionStandIn>(),
  menus: [] as MenuStandIn[],
  trays: [] as TrayStandIn[],
  hasTray: true,
  notices: [] as NotificationStandIn[],
  /** Boxes that the user saw, as `title: text`. */
  boxes: [] as string[],
  /** The button that the user presses in each question. */
  answer: 0,
  /** What the user chooses in a dialog of files; null for nothing. */
  chosenPath: null as string | null,

  /** As in a process that was just started, before `ready`. */
  restart(isPackaged = false): void {
    app.restart(isPackaged);
    for (const each of stand.engines.splice(0)) each.removeAllListeners().exit(0);
    Object.assign(pages, { sayReady: true, load: 'finishes' });
    Object.assign(stand, { forkError: null, hasTray: true, answer: 0, chosenPath: null });
    stand.onFork = () => undefined;
    for (const each of [stand.schemes, stand.menus, stand.trays, stand.notices, stand.boxes])
      each.length = 0;
    stand.sessions.clear();
    electron.powerMonitor.removeAllListeners();
    for (const each of [...Object.values(dialog), ...Object.values(electron.shell)])
      if (vi.isMockFunction(each)) each.mockReset();
  },

  /** As `restart`, and ready. */
  startReady(): void {
    stand.restart();
    app.becomeReady();
  },

  /** The only window, or the engine's process that was started last. */
  window(): BrowserWindowStandIn {
    return existing(BrowserWindowStandIn.getAllWindows().at(-1), 'window');
  },
  engine(): UtilityProcessStandIn {
    return existing(stand.engines.at(-1), 'process of the engine');
  },
  session(name = 'desk'): SessionStandIn {
    return existing(stand.sessions.get(name), 'session');
  },
};

function existing<T>(thing: T | undefined, name: string): T {
  if (!thing) throw new Error(`there is no ${name}`);
  return thing;
}

class TrayStandIn extends EventEmitter {
  readonly tips: string[] = [];
  menu: MenuStandIn = [];

  constructor() {
    super();
    app.needReady('Tray');
    if (!stand.hasTray) throw new Error('no tray');
    stand.trays.push(this);
  }
  setToolTip(tip: string): void {
    this.tips.push(tip);
  }
  setContextMenu(menu: MenuStandIn): void {
    this.menu = menu;
  }
}

class NotificationStandIn extends EventEmitter {
  readonly body: string;

  constructor({ body = '' }: { readonly body?: string }) {
    super();
    this.body = body;
  }
  show(): void {
    stand.notices.push(this);
  }
}

/** lib/browser/api/dialog.ts:62 `checkAppInitialized` */
const needReady = () => app.needReady('dialog');

const dialog = {
  /** docs/api/dialog.md: of a window, or of none. */
  showMessageBox: vi.fn(async (...given: unknown[]) => {
    needReady();
    const { type, title = '', message } = given.at(-1) as MessageBoxOptions;
    if (type === 'error') stand.boxes.push(`${title}: ${message}`);
    return await Promise.resolve({ response: stand.answer, checkboxChecked: false });
  }),
  showSaveDialog: vi.fn(async (..._given: unknown[]) => {
    needReady();
    const filePath = stand.chosenPath ?? '';
    return await Promise.resolve({ canceled: filePath === '', filePath });
  }),
  showOpenDialog: vi.fn(async (..._given: unknown[]) => {
    needReady();
    const filePaths = stand.chosenPath === null ? [] : [stand.chosenPath];
    return await Promise.resolve({ canceled: filePaths.length === 0, filePaths });
  }),
};

export const electron = {
  app,
  BrowserWindow: BrowserWindowStandIn,
  clipboard: {
    text: '',
    writeText(text: string): void {
      electron.clipboard.text = text;
    },
  },
  dialog,
  ipcRenderer: new EventEmitter(),
  Menu: {
    buildFromTemplate: (template: MenuItemConstructorOptions[]): MenuStandIn =>
      Object.assign(template, { popup: () => void stand.menus.push(template) }),
    setApplicationMenu: (menu: MenuStandIn): void => void stand.menus.push(menu),
  },
  MessageChannelMain: MessageChannelMainStandIn,
  nativeTheme: { shouldUseDarkColors: false },
  net: createNetStandIn(),
  Notification: NotificationStandIn,
  powerMonitor: new EventEmitter(),
  protocol: {
    /** docs/api/protocol.md:77: before `ready`, and once. */
    registerSchemesAsPrivileged(schemes: typeof stand.schemes): void {
      app.needNotReady('protocol.registerSchemesAsPrivileged');
      if (stand.schemes.length > 0) throw new Error('schemes can be registered only once');
      stand.schemes.push(...schemes);
    },
  },
  /** lib/browser/api/screen.ts:13: not before `ready`. */
  screen: {
    getAllDisplays: () => {
      app.needReady('screen');
      return [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }];
    },
  },
  session: {
    fromPartition(name: string): SessionStandIn {
      app.needReady('session');
      const existing = stand.sessions.get(name);
      if (existing) return existing;
      const session = new SessionStandIn();
      stand.sessions.set(name, session);
      // docs/api/app.md, 'session-created'
      app.emit('session-created', session);
      return session;
    },
  },
  shell: {
    openExternal: vi.fn((_url: string) => Promise.resolve()),
    /** docs/api/shell.md: the message of an error, else an empty string. */
    openPath: vi.fn((_path: string) => Promise.resolve('')),
  },
  Tray: TrayStandIn,
  utilityProcess: {
    /** docs/api/utility-process.md:68: after `ready`. */
    fork(file: string): UtilityProcessStandIn {
      app.needReady('utilityProcess.fork');
      if (stand.forkError) throw stand.forkError;
      const engine = new UtilityProcessStandIn(file);
      stand.engines.push(engine);
      stand.onFork(engine);
      return engine;
    },
  },
};
