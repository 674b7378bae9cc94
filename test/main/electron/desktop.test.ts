import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { BrowserWindow, MenuItemConstructorOptions, Session } from 'electron';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { languages } from '#shared/desk/workspace.ts';

interface TrayStandIn {
  readonly tips: string[];
  menu: MenuItemConstructorOptions[];
}
interface Stand {
  readonly trays: TrayStandIn[];
  hasTray: boolean;
  readonly menus: MenuItemConstructorOptions[][];
  focused: unknown;
  savePath: string;
  readonly errors: string[];
}
const electron = vi.hoisted((): Stand => ({
  trays: [],
  hasTray: true,
  menus: [],
  focused: null,
  savePath: '',
  errors: [],
}));
vi.mock('electron', () => ({
  Tray: class implements TrayStandIn {
    readonly tips: string[] = [];
    menu: MenuItemConstructorOptions[] = [];
    constructor() {
      if (!electron.hasTray) throw new Error('no tray');
      electron.trays.push(this);
    }
    on() {
      return this;
    }
    setToolTip(tip: string) {
      this.tips.push(tip);
    }
    setContextMenu(menu: MenuItemConstructorOptions[]) {
      this.menu = menu;
    }
  },
  Menu: {
    buildFromTemplate: (template: MenuItemConstructorOptions[]) =>
      Object.assign(template, { popup: () => electron.menus.push(template) }),
    setApplicationMenu: (template: MenuItemConstructorOptions[]) => electron.menus.push(template),
  },
  BrowserWindow: { getFocusedWindow: () => electron.focused },
  dialog: {
    showSaveDialog: () =>
      Promise.resolve({ canceled: electron.savePath === '', filePath: electron.savePath }),
    showErrorBox: (_title: string, text: string) => electron.errors.push(text),
  },
}));

const { createTray, statusLine } = await import('#main/electron/tray.ts');
const { setMenu } = await import('#main/electron/menu.ts');
const { setContextMenu } = await import('#main/electron/context-menu.ts');
const { reloadDeadPage } = await import('#main/electron/page-deaths.ts');
const { guardQuit } = await import('#main/electron/quit-guard.ts');
const { setSpellChecker } = await import('#main/electron/spell-checker.ts');
const { shellTexts } = await import('#shared/i18n/catalogue.ts');
const { lookForUpdates } = await import('#main/electron/updates.ts');
const { beside, keepPlace, reachable, readPlace } = await import('#main/electron/window-place.ts');

const folder = mkdtempSync(join(tmpdir(), 'desktop-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const texts = shellTexts.en;
const idle = { waiting: 0, attention: 0, network: 'online', paused: false } as const;

describe('the window’s place', () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  const place = { x: 100, y: 50, width: 1000, height: 700, isMaximized: false };

  it('is kept when the window closes, and read at the next start', () => {
    const file = join(folder, 'electron/window.json');
    const events = new EventEmitter();
    const window = Object.assign(events, {
      getNormalBounds: () => ({ x: 100, y: 50, width: 1000, height: 700 }),
      isMaximized: () => true,
    });
    keepPlace(window as unknown as BrowserWindow, file);
    events.emit('close');
    expect(readPlace(file)).toEqual({ ...place, isMaximized: true });
  });

  it.each(['', '{}', '{"x":1e99}', 'null'])('is none if the file holds %j', (text) => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, text);
    expect(readPlace(file)).toBeNull();
    expect(readPlace(join(folder, 'none.json'))).toBeNull();
  });

  it('counts only if a person can take hold of it', () => {
    expect(reachable(place, screens)).toEqual(place);
    expect(reachable(null, screens)).toBeNull();
    for (const gone of [{ x: 1800 }, { x: -900 }, { y: -1 }, { y: 1000 }, { x: 2500 }])
      expect(reachable({ ...place, ...gone }, screens), JSON.stringify(gone)).toBeNull();
    const second = { x: 1920, y: 0, width: 1920, height: 1080 };
    expect(reachable({ ...place, x: 2500 }, [...screens, second])).not.toBeNull();
  });

  it('of a further window is beside the one before', () => {
    const bounds = { x: 100, y: 50, width: 1000, height: 700 };
    expect(beside(bounds)).toEqual({ ...place, x: 132, y: 82 });
  });
});

describe('the tray', () => {
  beforeEach(() => (electron.hasTray = true));

  it('says first what needs the person', () => {
    expect(statusLine(idle, texts)).toBe('Everything is delivered');
    expect(statusLine({ ...idle, waiting: 2, attention: 1, network: 'offline' }, texts)).toBe(
      'Needs you: 1 · Waits for delivery: 2 · Offline',
    );
  });

  it('shows the state, the desk and the way out', () => {
    const show = vi.fn();
    const quit = vi.fn();
    const tray = createTray({ icon: 'i.png', texts, show, quit });
    tray?.update({ ...idle, waiting: 3 });
    const [made] = electron.trays;
    expect(made?.tips).toEqual(['Appraiser Desk', 'Appraiser Desk: Waits for delivery: 3']);
    expect(made?.menu.map(({ label }) => label)).toEqual([
      'Waits for delivery: 3',
      'Show the desk',
      'Quit',
    ]);
    for (const { click } of made?.menu ?? []) (click as (() => void) | undefined)?.();
    expect([show, quit].map((each) => each.mock.calls.length)).toEqual([1, 1]);
  });

  it('is left out if the system has none', () => {
    electron.hasTray = false;
    expect(createTray({ icon: '', texts, show: vi.fn(), quit: vi.fn() })).toBeNull();
  });
});

describe('the guard', () => {
  /** @param answers of the person, in their order. */
  const guarded = (waiting: number | null, ...answers: number[]) => {
    const app = new EventEmitter();
    const power = new EventEmitter();
    const ask = vi.fn((_options: object) => answers[ask.mock.calls.length - 1] ?? 0);
    const onStayed = vi.fn();
    const guard = guardQuit({
      app: app as never,
      dialog: { showMessageBoxSync: ask },
      powerMonitor: power as never,
      status: () => (waiting === null ? null : { ...idle, waiting }),
      texts,
      onStayed,
    });
    const contents = new EventEmitter();
    const window = Object.assign(new EventEmitter(), { webContents: contents });
    guard.watch(window as never);
    const goesOn = (events: EventEmitter, name: string) => {
      const preventDefault = vi.fn();
      events.emit(name, { preventDefault });
      return preventDefault.mock.calls.length === 0;
    };
    return {
      ...{ app, ask, power, window },
      onStayed,
      quits: () => goesOn(app, 'before-quit'),
      /** Here the default is that the page stays. */
      pageGoes: () => !goesOn(contents, 'will-prevent-unload'),
    };
  };

  describe('of quitting', () => {
    it.each([null, 0])('holds nothing up if %s wait', (waiting) => {
      const { ask, quits } = guarded(waiting, 0);
      expect(quits()).toBe(true);
      expect(ask).not.toHaveBeenCalled();
    });

    it('asks if something waits, with staying as the answer of Enter and Escape', () => {
      const { ask, quits, onStayed } = guarded(3, 0);
      expect(quits()).toBe(false);
      expect(onStayed).toHaveBeenCalledOnce();
      expect(ask).toHaveBeenCalledExactlyOnceWith({
        type: 'question',
        message: texts.quitQuestion,
        detail: texts.quitDetail(3),
        buttons: [texts.stay, texts.quit],
        defaultId: 0,
        cancelId: 0,
      });
    });

    it('asks once', () => {
      const { ask, quits } = guarded(3, 1);
      expect([quits(), quits()]).toEqual([true, true]);
      expect(ask).toHaveBeenCalledOnce();
    });

    it('asks again after a page with something unsaved has kept the desk open', () => {
      const { ask, quits, pageGoes } = guarded(3, 1, 0, 0);
      expect([quits(), pageGoes(), quits()]).toEqual([true, false, false]);
      expect(ask).toHaveBeenCalledTimes(3);
    });
  });

  describe('of a page with something unsaved', () => {
    it.each([
      [0, false],
      [1, true],
    ])('asks, and at answer %i lets it go: %s', (answer, goes) => {
      const { ask, pageGoes } = guarded(0, answer);
      expect(pageGoes()).toBe(goes);
      expect(ask).toHaveBeenCalledExactlyOnceWith({
        type: 'question',
        message: texts.leaveQuestion,
        detail: texts.leaveDetail,
        buttons: [texts.stay, texts.leave],
        defaultId: 0,
        cancelId: 0,
      });
    });
  });

  it.each(['shutdown', 'session-end'])('holds no %s of the system up', (name) => {
    const { ask, power, window, quits, pageGoes } = guarded(3);
    (name === 'shutdown' ? power : window).emit(name);
    expect([quits(), pageGoes()]).toEqual([true, true]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('asks as before after a shutdown that was stopped', () => {
    const { app, ask, power, quits, pageGoes } = guarded(3);
    power.emit('shutdown');
    app.emit('browser-window-focus');
    expect([quits(), pageGoes()]).toEqual([false, false]);
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

describe('the spell checker', () => {
  const spelling = (platform: NodeJS.Platform) => {
    const set: Record<string, unknown> = {};
    setSpellChecker(
      {
        availableSpellCheckerLanguages: ['de', 'de-CH', 'en-GB', 'fr', 'it', 'ru', 'deu'],
        setSpellCheckerDictionaryDownloadURL: (url: string) => (set['url'] = url),
        setSpellCheckerEnabled: (is: boolean) => (set['enabled'] = is),
        setSpellCheckerLanguages: (names: string[]) => (set['languages'] = names),
      } as unknown as Session,
      platform,
    );
    return set;
  };

  it('uses the system’s dictionaries in the desk’s languages and fetches none', () => {
    expect(spelling('win32')).toEqual({
      url: 'desk://none/',
      enabled: true,
      languages: ['de', 'de-CH', 'en-GB', 'fr', 'it'],
    });
    expect(spelling('darwin')).toEqual({ url: 'desk://none/', enabled: true });
    expect(spelling('linux')).toEqual({ url: 'desk://none/', enabled: false });
  });
});

describe('updates', () => {
  const feed = 'https://updates.example/desk';
  function look(policy: Parameters<typeof lookForUpdates>[0]['policy'], isPackaged = true) {
    const events = new EventEmitter();
    const updater = {
      setFeedURL: vi.fn(),
      checkForUpdates: vi.fn((): Promise<{ downloadPromise?: Promise<string[]> }> => {
        const error = new TypeError(`no route to ${feed}`);
        events.emit('error', error);
        return Promise.reject(error);
      }),
      on: events.on.bind(events),
      autoDownload: false,
      autoInstallOnAppQuit: false,
      allowDowngrade: true,
      logger: console as object | null,
    };
    const log = { info: vi.fn(), warn: vi.fn() };
    const tasks: (() => void)[] = [];
    const looks = lookForUpdates({
      policy,
      isPackaged,
      updater: () => updater as never,
      log,
      every: (_ms, task) => tasks.push(task),
    });
    return { looks, updater, log, tasks, events };
  }

  it.each([
    [undefined, true],
    [{}, true],
    [{ enabled: true }, true],
    [{ enabled: false, feed }, true],
    [{ feed }, false],
  ])('are not looked for with %j, packaged: %s', (policy, isPackaged) => {
    const { looks, updater, tasks } = look(policy, isPackaged);
    expect(looks).toBe(false);
    expect(updater.checkForUpdates).not.toHaveBeenCalled();
    expect(tasks).toEqual([]);
  });

  it('come from the feed alone, and never go back to an older one', () => {
    const { looks, updater, tasks, events, log } = look({ feed });
    expect(looks).toBe(true);
    expect(updater.setFeedURL).toHaveBeenCalledExactlyOnceWith({ provider: 'generic', url: feed });
    expect(updater).toMatchObject({
      autoDownload: true,
      autoInstallOnAppQuit: true,
      allowDowngrade: false,
    });
    tasks[0]?.();
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
    events.emit('update-downloaded', { version: '2.0.0' });
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ version: '2.0.0' }, 'update ready');
  });

  it('write nothing to the console, because addresses, headers and stacks would stand there', () => {
    expect(look({ feed }).updater.logger).toBeNull();
  });

  it('whose download breaks off leave no rejection that nobody handles', async () => {
    const { updater, tasks } = look({ feed });
    const unhandled = vi.fn();
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled);
    onTestFinished(() => {
      process.off('unhandledRejection', unhandled);
      for (const other of others) process.on('unhandledRejection', other);
    });
    updater.checkForUpdates.mockImplementationOnce(() => {
      const downloadPromise = Promise.reject(new Error('the connection broke'));
      return Promise.resolve({ downloadPromise });
    });
    tasks[0]?.();
    // Node tells of unhandled rejections after the microtasks, before the next immediate.
    await setImmediate();
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('from a feed that cannot be reached are a quiet line in the log', () => {
    const { log } = look({ feed });
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { reason: 'TypeError' },
      'the update feed failed',
    );
  });
});

describe('a page that died', () => {
  it('is loaded anew, but not for ever', () => {
    const contents = Object.assign(new EventEmitter(), { reload: vi.fn() });
    let now = 0;
    const onReloaded = vi.fn();
    reloadDeadPage(contents as never, { now: () => now, onReloaded });
    const die = (reason: string) => contents.emit('render-process-gone', {}, { reason });
    die('clean-exit');
    expect(contents.reload).not.toHaveBeenCalled();
    now = 20_000;
    die('oom');
    now += 9_000;
    die('crashed');
    now += 10_000;
    die('crashed');
    expect(contents.reload).toHaveBeenCalledTimes(2);
    expect(onReloaded.mock.calls).toEqual([['oom'], ['crashed']]);
  });
});

describe('a right click', () => {
  const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  const click = (params: object) => {
    const contents = Object.assign(new EventEmitter(), { replaceMisspelling: vi.fn() });
    setContextMenu(contents as never, texts);
    const before = electron.menus.length;
    contents.emit('context-menu', {}, { dictionarySuggestions: [], editFlags: flags, ...params });
    return { menu: electron.menus.slice(before).at(-1), contents };
  };

  it('offers spellings and the clipboard in a field', () => {
    const { menu, contents } = click({ isEditable: true, dictionarySuggestions: ['Schaden'] });
    expect(menu?.map(({ label, role }) => label ?? role)).toEqual([
      'Schaden',
      undefined,
      'Cut',
      'Copy',
      'Paste',
      'Select all',
    ]);
    (menu?.[0]?.click as (() => void) | undefined)?.();
    expect(contents.replaceMisspelling).toHaveBeenCalledExactlyOnceWith('Schaden');
  });

  it('copies what is chosen elsewhere, and shows nothing if nothing is', () => {
    expect(click({ isEditable: false }).menu?.map(({ role }) => role)).toEqual(['copy']);
    const none = { ...flags, canCopy: false };
    expect(click({ isEditable: false, editFlags: none }).menu).toBeUndefined();
  });
});

describe('the menus', () => {
  const savePdf = async (window: unknown, path: string) => {
    electron.focused = window;
    electron.savePath = path;
    setMenu('linux', texts, () => undefined);
    const file = electron.menus.at(-1)?.find(({ label }) => label === 'File');
    const items = file?.submenu as MenuItemConstructorOptions[];
    const item = items.find(({ label }) => label === texts.savePdf);
    (item?.click as (() => void) | undefined)?.();
    await vi.waitFor(() => {
      expect(electron.errors.length > 0 || readFileSync(path)).toBeTruthy();
    });
  };

  it('hold no developer tools and no reload', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const)
      setMenu(platform, texts, () => undefined);
    const text = JSON.stringify(electron.menus);
    expect(text).not.toMatch(/toggleDevTools|reload|viewMenu/i);
  });

  it('say everything in the desk’s language', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      setMenu(platform, shellTexts.fr, () => undefined);
      const said = electron.menus
        .at(-1)
        ?.flatMap(({ submenu }) => (submenu ?? []) as MenuItemConstructorOptions[])
        .filter(({ type }) => type !== 'separator');
      expect(said?.length).toBeGreaterThan(10);
      expect(said?.filter(({ label }) => label === undefined)).toEqual([]);
    }
  });

  it('open another window', () => {
    const openWindow = vi.fn();
    setMenu('linux', texts, openWindow);
    const file = electron.menus.at(-1)?.find(({ label }) => label === 'File');
    const items = file?.submenu as MenuItemConstructorOptions[];
    (items.find(({ id }) => id === 'new-window')?.click as (() => void) | undefined)?.();
    expect(openWindow).toHaveBeenCalledOnce();
  });

  it('save what is shown as a PDF in the place that the person chooses', async () => {
    const printToPDF = vi.fn(() => Promise.resolve(Buffer.from('%PDF-')));
    const path = join(folder, 'view.pdf');
    await savePdf({ webContents: { printToPDF } }, path);
    expect(readFileSync(path, 'latin1')).toBe('%PDF-');
    expect(electron.errors).toEqual([]);
  });

  it('say why a PDF could not be saved', async () => {
    const printToPDF = vi.fn(() => Promise.reject(new Error('no printer')));
    await savePdf({ webContents: { printToPDF } }, join(folder, 'other.pdf'));
    expect(electron.errors).toEqual(['no printer']);
  });
});

describe('the shell’s texts', () => {
  it.each(languages)('are whole in %s, in Swiss spelling', (language) => {
    const said = Object.values(shellTexts[language]).map(
      (text: string | ((n: number) => string)) => (typeof text === 'string' ? text : text(7)),
    );
    for (const text of said) expect(text.length).toBeGreaterThan(2);
    expect(said.join(' ')).not.toMatch(/ß|„|“/);
    expect(said.filter((text) => text.includes('7'))).toHaveLength(3);
  });
});
