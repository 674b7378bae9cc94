import { type LedgerCounts, noLedger } from '#shared/desk/delivery/ledger-counts.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, MenuItemConstructorOptions, MessageBoxOptions } from 'electron';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { languages } from '#shared/desk/setup/workspace.ts';
import { sayQuit } from '#shared/i18n/say-statement.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { isPrevented } from './app-stand-in.ts';
import { electron, stand } from './electron-stand-in.ts';
import { SessionStandIn } from './session-stand-in.ts';
import { BrowserWindowStandIn, WebContentsStandIn } from './window-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);

const { createTray, statusLine } = await import('#main/electron/tray.ts');
const { setMenu } = await import('#main/electron/menu.ts');
const { reloadDeadPage, setContextMenu } = await import('#main/electron/window.ts');
const { ownEnd } = await import('#main/electron/end.ts');
const { guardQuit } = await import('#main/electron/quit-guard.ts');
const { tellOfOpening } = await import('#main/electron/slow-opening.ts');
const { setSpellChecker } = await import('#main/electron/guards.ts');
const { shellTexts } = await import('#shared/i18n/catalogue.ts');
const { beside, keepPlace, reachable, readPlace } = await import('#main/electron/window-place.ts');

const { path: folder, remove } = temporaryFolder();
afterAll(remove);
beforeEach(() => stand.startReady());
afterEach(() => void vi.useRealTimers());
const texts = shellTexts.en;
const unfinished = (counts: Partial<LedgerCounts>) => ({
  unfinished: { ...noLedger(), ...counts },
});
const idle = {
  ...unfinished({}),
  network: 'online',
  paused: false,
  goesOut: 0,
  awaits: 0,
  kept: true,
  clock: null,
} as const;

describe('the window’s place', () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  const place = { x: 100, y: 50, width: 1000, height: 700, isMaximized: false };

  it('is kept when the window closes, and read at the next start', () => {
    const file = join(folder, 'electron/window.json');
    const window = new BrowserWindowStandIn();
    window.bounds = { x: 100, y: 50, width: 1000, height: 700 };
    window.maximize();
    keepPlace(window as unknown as BrowserWindow, file);
    window.close();
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
  it('says first what needs the person', () => {
    expect(statusLine(idle, 'en')).toBe('Nothing to send');
    const open = unfinished({ waiting: 1, unclear: 1, conflict: 1, draft: 2, typed: 1, visit: 4 });
    expect(statusLine({ ...idle, ...open, network: 'offline' }, 'en')).toBe(
      '1 needs attention · 2 to send · 3 started · Offline',
    );
  });

  it('shows the state, the desk and the way out', () => {
    const show = vi.fn();
    const quit = vi.fn();
    const tray = createTray({ icon: 'i.png', language: 'en', show, quit });
    tray?.update({ ...idle, ...unfinished({ waiting: 3 }) });
    const [made] = stand.trays;
    expect(made?.tips).toEqual(['Appraiser Desk', 'Appraiser Desk: 3 to send']);
    expect(made?.menu.map(({ label }) => label)).toEqual([
      '3 to send',
      'Show Appraiser Desk',
      'Quit',
    ]);
    for (const { click } of made?.menu ?? []) (click as (() => void) | undefined)?.();
    expect([show, quit].map((each) => each.mock.calls.length)).toEqual([1, 1]);
  });

  it('is left out if the system has none', () => {
    stand.hasTray = false;
    expect(createTray({ icon: '', language: 'en', show: vi.fn(), quit: vi.fn() })).toBeNull();
  });
});

describe('the guard', () => {
  /** @param answer of the user to each question; null for none yet */
  const guarded = (
    waiting: number | null,
    answer: number | null = 0,
    kept = true,
    attention = 0,
    // 09:23 in Zurich.
    { now = '2026-06-15T07:23:00Z', draft = 0 } = {},
  ) => {
    const { app, dialog, powerMonitor } = electron;
    stand.answer = answer ?? 0;
    if (answer === null) dialog.showMessageBox.mockReturnValue(new Promise(() => undefined));
    const quit = vi.spyOn(app, 'quit').mockReturnValue();
    onTestFinished(() => quit.mockRestore());
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    const before = signals.map((name) => process.listeners(name));
    onTestFinished(() =>
      signals.forEach((name, at) => {
        for (const each of process.listeners(name))
          if (before[at]?.includes(each) !== true) process.off(name, each);
      }),
    );
    const end = ownEnd();
    app.emit('ready');
    const guard = guardQuit({
      end,
      status: () =>
        waiting === null
          ? null
          : { ...idle, kept, ...unfinished({ attention, waiting, draft }), goesOut: waiting },
      language: () => 'en',
      now: () => Date.parse(now),
    });
    const window = new BrowserWindowStandIn();
    app.emit('browser-window-created', {}, window);
    guard.watch(window as unknown as BrowserWindow);
    return {
      app,
      end,
      ask: dialog.showMessageBox,
      guard,
      powerMonitor,
      quit,
      window,
      quits: () => !isPrevented(app, 'before-quit'),
      closes: () => !isPrevented(window, 'close'),
      /** Here the default is that the page stays. */
      pageGoes: () => {
        isPrevented(window, 'close');
        return isPrevented(window.contents, 'will-prevent-unload');
      },
    };
  };
  const settled = () => new Promise((resolve) => void setImmediate(resolve));

  describe('of quitting', () => {
    it.each([null, 0])('asks nothing if %s wait', (waiting) => {
      const { ask, quits, closes } = guarded(waiting);
      expect([closes(), quits()]).toEqual([true, true]);
      expect(ask).not.toHaveBeenCalled();
    });

    it('asks as a child of the window, with staying as the answer of Enter and Escape', () => {
      const { ask, quits, window } = guarded(3);
      expect(quits()).toBe(false);
      expect(ask).toHaveBeenCalledExactlyOnceWith(
        window,
        expect.objectContaining({
          type: 'question',
          title: 'Appraiser Desk',
          message: texts.quitQuestion,
          detail: [
            'What is waiting is saved on this device.',
            'Will be sent after the next start: 3.',
          ].join('\n'),
          buttons: [texts.stay, texts.quit],
          defaultId: 0,
          cancelId: 0,
        }),
      );
    });

    it('calls nothing saved, and nothing to be sent later, that ends with the process', () => {
      const { ask, quits, window } = guarded(3, 0, false);
      expect(quits()).toBe(false);
      const detail = sayQuit({ state: 'deleted' }, 'en');
      expect(ask).toHaveBeenCalledExactlyOnceWith(window, expect.objectContaining({ detail }));
    });

    it.each([
      ['with a workspace that ends', false],
      ['but not if it is stored', true],
    ])('asks before an entry that needs the user ends %s', (_, kept) => {
      expect(guarded(0, 0, kept, 1).quits()).toBe(kept);
    });

    it('offers the close of the day from 16:00 on, if anything is unfinished', async () => {
      const evening = { now: '2026-06-15T14:01:00Z', draft: 1 };
      expect(guarded(0, 0, true, 0, { draft: 1 }).closes()).toBe(true);
      expect(guarded(0, 0, true, 0, { now: evening.now }).closes()).toBe(true);
      const { ask, closes, quit, window } = guarded(0, 2, true, 0, evening);
      const run = vi.spyOn(window.contents, 'executeJavaScriptInIsolatedWorld');
      run.mockResolvedValue('');
      // The question is asked about the last window alone.
      for (const other of BrowserWindowStandIn.getAllWindows())
        if (other !== window) other.destroy();
      expect(closes()).toBe(false);
      const buttons = [texts.stay, texts.quit, texts.closeOfDay];
      expect(ask).toHaveBeenCalledExactlyOnceWith(window, expect.objectContaining({ buttons }));
      await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
      expect(run.mock.calls[0]?.[1]).toEqual([{ code: `location.hash = '#/close'` }]);
      expect(quit).not.toHaveBeenCalled();
    });

    it('asks before the last window closes, once at a time', () => {
      const { ask, closes, quits } = guarded(3, null);
      expect([closes(), closes(), quits()]).toEqual([false, false, false]);
      expect(ask).toHaveBeenCalledOnce();
      expect(new BrowserWindowStandIn().isDestroyed()).toBe(false);
      expect(closes()).toBe(true);
    });
  });

  it('lets an update be installed once all is closed, however long that takes', () => {
    vi.useFakeTimers();
    const { app, end } = guarded(0);
    const closeLast = vi.fn();
    end.lastCloseBy(closeLast);
    expect(isPrevented(app, 'will-quit')).toBe(true);
    end.letGo();
    vi.advanceTimersByTime(60_000);
    expect([closeLast.mock.calls.length, app.exitCode]).toEqual([1, null]);
    expect(isPrevented(app, 'will-quit')).toBe(false);
  });

  describe('of a page with something unsaved', () => {
    it('asks, and lets the page stay until the user wants it closed', async () => {
      const { ask, pageGoes, window } = guarded(0, 1);
      expect(pageGoes()).toBe(false);
      const box = { message: texts.leaveQuestion, buttons: [texts.stay, texts.leave] };
      expect(ask).toHaveBeenCalledExactlyOnceWith(window, expect.objectContaining(box));
      await vi.waitFor(() => expect(window.isDestroyed()).toBe(true));
    });

    it('goes on with the quitting that met it', async () => {
      const { quit, quits, pageGoes, window } = guarded(0, 1);
      // The system's own quitting comes with the last window alone.
      const other = new BrowserWindowStandIn();
      expect([quits(), pageGoes()]).toEqual([true, false]);
      await settled();
      // Not within the event: Electron would take the quitting that was prevented for the last word.
      expect(quit).not.toHaveBeenCalled();
      await vi.waitFor(() => expect(quit).toHaveBeenCalled());
      await settled();
      expect(quit).toHaveBeenCalledOnce();
      expect([window.isDestroyed(), other.isDestroyed()]).toEqual([true, false]);
    });

    it('that is to be loaded again asks, too, and is loaded if the user wants it', async () => {
      const { ask, window } = guarded(0, 1);
      const { contents } = window;
      const goes = () => isPrevented(contents, 'will-prevent-unload');
      expect(goes()).toBe(false);
      const box = { message: texts.leaveQuestion, buttons: [texts.stay, texts.reload] };
      expect(ask).toHaveBeenCalledExactlyOnceWith(window, expect.objectContaining(box));
      await vi.waitFor(() => expect(contents.did).toEqual(['reload']));
      expect([goes(), window.isDestroyed()]).toEqual([true, false]);
      contents.emit('did-navigate');
      expect([goes(), ask.mock.calls.length]).toEqual([false, 2]);
    });

    it('that stays ends the quitting, and the next one asks again', async () => {
      const { ask, quits, pageGoes } = guarded(3, 1);
      quits();
      await settled();
      stand.answer = 0;
      expect([quits(), pageGoes()]).toEqual([true, false]);
      await settled();
      expect([quits(), ask.mock.calls.length]).toEqual([false, 3]);
    });
  });

  describe.each(['shutdown', 'session-end', 'signal'])('of a %s', (name) => {
    const asked = (answer: number | null = 0) => {
      vi.useFakeTimers();
      const all = guarded(3, answer);
      const happen = () => {
        if (name === 'shutdown') return isPrevented(all.powerMonitor, name);
        if (name === 'session-end') return all.window.emit(name);
        return process.emit('SIGTERM');
      };
      return { ...all, happen };
    };

    it('quits without a question, though one is open', () => {
      const { app, ask, closes, happen, quit, quits } = asked(null);
      closes();
      expect(happen()).toBe(true);
      expect(quit).toHaveBeenCalledOnce();
      expect([quits(), closes(), ask.mock.calls.length]).toEqual([true, true, 1]);
      vi.advanceTimersByTime(4499);
      expect(app.exitCode).toBeNull();
      vi.advanceTimersByTime(1);
      expect(app.exitCode).toBe(0);
    });

    it('lets a page store what is typed, for two seconds', () => {
      const { happen, quit, pageGoes } = asked();
      happen();
      expect(pageGoes()).toBe(false);
      vi.advanceTimersByTime(100);
      expect(quit).toHaveBeenCalledTimes(2);
      vi.advanceTimersByTime(1901);
      expect(pageGoes()).toBe(true);
    });
  });
});

describe('a desk that is not open yet', () => {
  const { showMessageBox } = electron.dialog;
  const retry = vi.fn();
  const locked = { code: 'keychain_locked', params: {} } as const;
  const unreachable = { code: 'keychain_unreachable', params: {} } as const;
  const start = () => tellOfOpening({ language: () => 'en', retry });
  const boxes = () => showMessageBox.mock.calls.map(([box]) => box as MessageBoxOptions);
  const open = () => boxes().filter(({ signal }) => !signal?.aborted);
  const answer = async (response: number | null) => {
    const given = response === null ? new Promise(() => undefined) : Promise.resolve({ response });
    showMessageBox.mockReturnValueOnce(given as never);
    await Promise.resolve();
  };
  beforeEach(() => {
    vi.useFakeTimers();
    retry.mockClear();
  });

  it('is not told of if the desk is open soon', () => {
    const opening = start();
    vi.advanceTimersByTime(5_999);
    opening.ended();
    vi.advanceTimersByTime(60_000);
    expect(showMessageBox).not.toHaveBeenCalled();
  });

  it('is told of, because the keychain may be asking, until the desk is open', async () => {
    const quit = vi.spyOn(stand.app, 'quit');
    onTestFinished(() => quit.mockRestore());
    const opening = start();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(boxes()[0]?.message).toBe('Appraiser Desk is still opening.');
    expect(open()).toHaveLength(1);
    opening.ended();
    expect(open()).toEqual([]);
    expect(quit).not.toHaveBeenCalled();
  });

  it('says in one box what blocks it, and closes the box by itself', async () => {
    const opening = start();
    await answer(null);
    await vi.advanceTimersByTimeAsync(6_000);
    for (const problem of [locked, locked, unreachable]) {
      await answer(null);
      opening.blocked(problem);
      expect(open()).toHaveLength(1);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(boxes().map(({ message }) => message)).toEqual([
      'Appraiser Desk is still opening.',
      expect.stringContaining('is locked'),
      expect.stringContaining('does not answer'),
    ]);
    expect(open()[0]).toMatchObject({ title: 'Appraiser Desk', buttons: ['Try again', 'Quit'] });
    opening.ended();
    expect(open()).toEqual([]);
    showMessageBox.mockReset();
  });

  it('tries again or ends as the user answers', async () => {
    const quit = vi.spyOn(stand.app, 'quit').mockReturnValue(undefined);
    onTestFinished(() => quit.mockRestore());
    const opening = start();
    await answer(0);
    opening.blocked(locked);
    await vi.advanceTimersByTimeAsync(0);
    expect([retry.mock.calls.length, quit.mock.calls.length]).toEqual([1, 0]);
    await answer(1);
    opening.blocked(locked);
    await vi.advanceTimersByTimeAsync(0);
    expect([retry.mock.calls.length, quit.mock.calls.length]).toEqual([1, 1]);
    opening.ended();
  });
});

describe('the spell checker', () => {
  const spelling = (platform: NodeJS.Platform) => {
    const session = new SessionStandIn();
    session.availableSpellCheckerLanguages = ['de', 'de-CH', 'en-GB', 'fr', 'it', 'ru', 'deu'];
    setSpellChecker(session.asElectron(), platform);
    const { dictionaryUrl: url, spellChecker: enabled, spellCheckerLanguages } = session.set;
    return { url, enabled, ...(spellCheckerLanguages !== undefined && { spellCheckerLanguages }) };
  };

  it('uses the system’s dictionaries in the desk’s languages and fetches none', () => {
    expect(spelling('win32')).toEqual({
      url: 'desk://none/',
      enabled: true,
      spellCheckerLanguages: ['de', 'de-CH', 'en-GB', 'fr', 'it'],
    });
    expect(spelling('darwin')).toEqual({ url: 'desk://none/', enabled: true });
    expect(spelling('linux')).toEqual({ url: 'desk://none/', enabled: false });
  });
});

describe('a page that died', () => {
  const dead = (answers: readonly number[] = []) => {
    const window = new BrowserWindowStandIn();
    const onDied = vi.fn();
    const ending = new AbortController();
    const left = [...answers];
    electron.dialog.showMessageBox.mockImplementation(() =>
      Promise.resolve({ response: left.shift() ?? 2, checkboxChecked: false }),
    );
    vi.useFakeTimers({ toFake: ['performance'] });
    reloadDeadPage(window as unknown as BrowserWindow, {
      texts: () => texts,
      signal: ending.signal,
      describe: ({ reason, exitCode }) => `${reason} ${String(exitCode)}`,
      onDied,
    });
    const die = (reason: string) =>
      window.contents.emit('render-process-gone', {}, { reason, exitCode: 11 });
    return { window, onDied, ending, die, ask: electron.dialog.showMessageBox };
  };

  it('is loaded anew at once, however often, if it lives longer than ten seconds', () => {
    const { window, onDied, die, ask } = dead();
    die('clean-exit');
    expect(window.contents.did).toEqual([]);
    die('oom');
    vi.advanceTimersByTime(10_000);
    die('crashed');
    expect(window.contents.did).toEqual(['reload', 'reload']);
    expect(onDied.mock.calls).toEqual([
      [{ reason: 'oom', exitCode: 11 }, true],
      [{ reason: 'crashed', exitCode: 11 }, true],
    ]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('and soon again says so, copies what IT needs, and is loaded when the user wants', async () => {
    const { window, onDied, die, ask } = dead([1, 0]);
    die('oom');
    vi.advanceTimersByTime(9000);
    die('crashed');
    expect(onDied).toHaveBeenLastCalledWith({ reason: 'crashed', exitCode: 11 }, false);
    await vi.waitFor(() => expect(window.contents.did).toEqual(['reload', 'reload']));
    expect(ask).toHaveBeenCalledTimes(2);
    expect(ask).toHaveBeenLastCalledWith(
      window,
      expect.objectContaining({
        message: texts.windowDied,
        buttons: [texts.reload, texts.copyReport, texts.leave],
      }),
    );
    expect(electron.clipboard.text).toBe('crashed 11');
  });

  it('is left alone while the system ends the desk', () => {
    const { window, ending, die, ask } = dead();
    ending.abort();
    die('crashed');
    expect([window.contents.did, ask.mock.calls]).toEqual([[], []]);
  });
});

describe('a right click', () => {
  const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  const click = (params: object) => {
    const contents = new WebContentsStandIn();
    setContextMenu(contents.asElectron(), () => texts);
    const before = stand.menus.length;
    contents.emit('context-menu', {}, { dictionarySuggestions: [], editFlags: flags, ...params });
    return { menu: stand.menus.slice(before).at(-1), contents };
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
    expect(contents.did).toEqual(['replace Schaden']);
  });

  it('copies what is chosen elsewhere, and shows nothing if nothing is', () => {
    expect(click({ isEditable: false }).menu?.map(({ role }) => role)).toEqual(['copy']);
    const none = { ...flags, canCopy: false };
    expect(click({ isEditable: false, editFlags: none }).menu).toBeUndefined();
  });
});

describe('the menus', () => {
  const savePdf = async (
    pdf: () => Promise<Buffer>,
    path: string,
    complete = () => Promise.resolve(),
  ) => {
    const window = new BrowserWindowStandIn();
    window.contents.pdf = pdf;
    window.contents.complete = complete;
    stand.chosenPath = path;
    setMenu('linux', texts, { openWindow: () => undefined, language: 'en', update: null });
    const file = stand.menus.at(-1)?.find(({ label }) => label === 'File');
    const items = file?.submenu as MenuItemConstructorOptions[];
    const item = items.find(({ label }) => label === texts.savePdf);
    (item?.click as ((...from: unknown[]) => void) | undefined)?.(item, window);
    await vi.waitFor(() => {
      // The file is there before its bytes are.
      expect(stand.boxes.length > 0 || readFileSync(path).length > 0).toBe(true);
    });
  };

  it('hold no developer tools', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const)
      setMenu(platform, texts, { openWindow: () => undefined, language: 'en', update: null });
    const text = JSON.stringify(stand.menus);
    expect(text).not.toMatch(/toggleDevTools|forceReload|viewMenu/i);
  });

  it('say everything in the desk’s language', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      setMenu(platform, shellTexts.fr, {
        openWindow: () => undefined,
        language: 'fr',
        update: null,
      });
      const sentences = stand.menus
        .at(-1)
        ?.flatMap(({ submenu }) => (submenu ?? []) as MenuItemConstructorOptions[])
        .filter(({ type }) => type !== 'separator');
      expect(sentences?.length).toBeGreaterThan(10);
      expect(sentences?.filter(({ label }) => label === undefined)).toEqual([]);
    }
  });

  it('save what is shown as a PDF in the place that the person chooses', async () => {
    const path = join(folder, 'view.pdf');
    await savePdf(() => Promise.resolve(Buffer.from('%PDF-')), path);
    expect(readFileSync(path, 'latin1')).toBe('%PDF-');
    expect(stand.boxes).toEqual([]);
  });

  it('save a PDF only once the page shows all that belongs on paper', async () => {
    const path = join(folder, 'whole.pdf');
    let shown = 5;
    const complete = async () => {
      await new Promise((resolve) => void setImmediate(resolve));
      shown = 20;
    };
    await savePdf(() => Promise.resolve(Buffer.from(`%PDF-${shown}`)), path, complete);
    expect(readFileSync(path, 'latin1')).toBe('%PDF-20');
  });

  it.each<[why: string, pdf: () => Promise<Buffer>, path: string[], said: string]>([
    [
      'the page is not drawn',
      () => Promise.reject(new Error('no printer')),
      ['other.pdf'],
      'other.pdf',
    ],
    [
      'the disk is full',
      () => Promise.reject(Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })),
      ['full.pdf'],
      'The disk is full.',
    ],
    [
      'the folder is gone',
      () => Promise.resolve(Buffer.from('%PDF-')),
      ['no', 'view.pdf'],
      'view.pdf',
    ],
  ])('say in the desk’s words why a PDF could not be saved: %s', async (_, pdf, path, said) => {
    await savePdf(pdf, join(folder, ...path));
    expect(stand.boxes).toEqual([expect.stringContaining(said)]);
    expect(stand.boxes.join()).not.toMatch(/no printer|ENOSPC: |no such file/);
  });
});

describe('the shell’s texts', () => {
  it.each(languages)('are whole in %s, in Swiss spelling', (language) => {
    const sentences = Object.values(shellTexts[language]).map(
      // Each text with a path takes a 7 here.
      (text: string | ((one: never, two: never) => string)) =>
        typeof text === 'string' ? text : text(7 as never, '7' as never),
    );
    for (const text of sentences) expect(text.length).toBeGreaterThan(2);
    expect(sentences.join(' ')).not.toMatch(/ß|„|“/);
    // The place of the log, and the version of an update twice.
    expect(sentences.filter((text) => text.includes('7'))).toHaveLength(3);
  });
});
