import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { BrowserWindowConstructorOptions, Rectangle, WebContents } from 'electron';
import { completeForPaper } from '#shared/desk/setup/paper.ts';
import { app, isPrevented } from './app-stand-in.ts';
import { type MessagePortMainStandIn, receivedByPage } from './ports-stand-in.ts';
import type { SessionStandIn } from './session-stand-in.ts';

// Electron's windows and their pages. Each belief names its place in Electron's repository.

type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0];

/** How pages fare from now on. */
export const pages = {
  /**
   * Whether a hidden window reports that it is ready to be shown: under Wayland it may not
   * (electron#48859).
   */
  sayReady: true,
  /** If it hangs, nothing is heard of the page. */
  load: 'finishes' as 'finishes' | 'fails' | 'hangs',
};

export class WebContentsStandIn extends EventEmitter {
  static #made = 0;
  readonly id = (WebContentsStandIn.#made += 1);
  readonly session: SessionStandIn | null;
  readonly did: string[] = [];
  /** Ports that the page was given, by the name of the message. */
  readonly given: { readonly channel: string; readonly ports: readonly MessagePort[] }[] = [];
  /** The page has a `beforeunload` that wants to stay. */
  hasUnsaved = false;
  #openHandler: OpenHandler | null = null;
  pdf: () => Promise<Buffer> = () => Promise.resolve(Buffer.from('%PDF-'));

  readonly mainFrame = {
    url: '',
    postMessage: (
      channel: string,
      message: unknown,
      transfer: readonly MessagePortMainStandIn[] = [],
    ): void => {
      this.given.push({ channel, ports: receivedByPage(message, transfer).ports });
    },
  };

  constructor(session: SessionStandIn | null = null) {
    super();
    this.session = session;
    // lib/browser/api/web-contents.ts:848: told of each as it is made.
    app.emit('web-contents-created', {}, this);
  }

  /**
   * lib/browser/api/web-contents.ts:371: the promise has a handler of rejections, so a failure that
   * nobody waits for is not even a warning.
   */
  loadURL = (url: string): Promise<void> => {
    const loading = this.#load(url);
    loading.catch(() => undefined);
    return loading;
  };

  readonly #hanging = Promise.withResolvers<never>();
  /** A load that hangs fails, as the one of a window that closes. */
  loadFails = (): void => this.#hanging.reject(new Error('ERR_FAILED (-2)'));

  async #load(url: string): Promise<void> {
    if (pages.load === 'hangs') await this.#hanging.promise;
    try {
      if (pages.load === 'fails') throw new Error('ERR_FAILED');
      await this.session?.ask(url);
    } catch (error) {
      const description = error instanceof Error ? error.message : '';
      // docs/api/web-contents.md:120
      this.emit('did-fail-load', {}, -2, description, url, true);
      // lib/browser/api/web-contents.ts:286
      throw new Error(`${description} (-2) loading '${url}'`, { cause: error });
    }
    this.mainFrame.url = url;
    this.emit('did-finish-load');
    // lib/browser/api/web-contents.ts:757: the window's event comes a tick after the page's.
    if (pages.sayReady) process.nextTick(() => this.emit('ready-to-show'));
  }

  setWindowOpenHandler = (handler: OpenHandler): void => void (this.#openHandler = handler);
  /** A link that wants a new window. */
  open(url: string): string | undefined {
    return this.#openHandler?.({ url } as Parameters<OpenHandler>[0]).action;
  }

  reload = (): void => void this.did.push('reload');
  replaceMisspelling = (word: string): void => void this.did.push(`replace ${word}`);
  startDrag = ({ file, icon }: { file: string; icon: string }): void =>
    void this.did.push(`drag ${file} as ${icon}`);
  printToPDF = (): Promise<Buffer> => this.pdf();
  /** The page names its view, and completes it if it is asked to. */
  executeJavaScriptInIsolatedWorld = async (
    _world: number,
    [source]: readonly { readonly code: string }[],
  ): Promise<unknown> => {
    if (source?.code !== completeForPaper) return this.viewName;
    await this.complete();
    return undefined;
  };
  complete = (): Promise<void> => Promise.resolve();
  viewName = 'ZH-7 Muster: AG';

  /** As Electron's type, for what the desk is given; what it does not use is left out. */
  asElectron(): WebContents {
    return this as unknown as WebContents;
  }
}

export class BrowserWindowStandIn extends EventEmitter {
  // The constructor below alone adds to them.
  static getAllWindows = () => [...app.windows] as BrowserWindowStandIn[];
  static #focused: BrowserWindowStandIn | null = null;
  static getFocusedWindow = (): BrowserWindowStandIn | null => this.#focused;

  readonly options: BrowserWindowConstructorOptions;
  readonly did: string[] = [];
  /** What `webContents` is, for a test to ask after the window is gone. */
  readonly contents: WebContentsStandIn;
  bounds: Rectangle = { x: 10, y: 20, width: 1000, height: 700 };
  #isDestroyed = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    app.needReady('BrowserWindow');
    this.options = options;
    // What the desk gives is a session of this stand-in's.
    const session = options.webPreferences?.session as unknown as SessionStandIn | undefined;
    this.contents = new WebContentsStandIn(session);
    this.contents.on('ready-to-show', () => {
      if (!this.#isDestroyed) this.emit('ready-to-show');
    });
    app.windows.push(this);
    app.emit('browser-window-created', {}, this);
  }

  /** shell/browser/api: whatever is asked of a window that is gone throws. */
  #live(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
  }
  get webContents(): WebContentsStandIn {
    this.#live();
    return this.contents;
  }

  isDestroyed = (): boolean => this.#isDestroyed;
  isVisible = (): boolean => this.did.includes('shown');
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => this.did.includes('maximized');
  loadURL = (url: string): Promise<void> => this.webContents.loadURL(url);
  getNormalBounds(): Rectangle {
    this.#live();
    return this.bounds;
  }
  /** docs/api/browser-window.md:688: it is given the focus. */
  show(): void {
    this.#live();
    this.did.push('shown');
    this.focus();
  }
  /** docs/api/browser-window.md:712: this shows it too. */
  maximize(): void {
    this.#live();
    this.did.push('maximized');
  }
  /** lib/browser/api/browser-window.ts:32: the app is told as well. */
  focus(): void {
    this.#live();
    BrowserWindowStandIn.#focused = this;
    app.emit('browser-window-focus', {}, this);
  }
  /** The user goes to another program. */
  blur(): void {
    BrowserWindowStandIn.#focused = null;
  }

  /**
   * docs/api/browser-window.md:661: first its own `close`, then the page may want to stay
   * (docs/api/web-contents.md:451), then `closed`.
   */
  close(): void {
    this.#live();
    const { contents } = this;
    const stays =
      isPrevented(this, 'close') ||
      (contents.hasUnsaved && !isPrevented(contents, 'will-prevent-unload'));
    if (stays) app.closeCancelled();
    else this.destroy();
  }

  /** docs/api/browser-window.md:655: only `closed` comes. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (BrowserWindowStandIn.#focused === this) this.blur();
    this.contents.emit('destroyed');
    this.emit('closed');
    app.windowClosed(this);
  }
}
