import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { ProxyConfig } from 'electron';

// Electron's `app` and the order in which it ends. Each belief names its place in Electron's
// repository.

/** `app.exit` before `ready`: nothing after it runs. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

/** A window, as far as the end of the app concerns it (window-stand-in.ts). */
export interface OpenWindow {
  close(): void;
  destroy(): void;
}

/** Emits an event that can be prevented; whether it was. */
export function isPrevented(emitter: EventEmitter, name: string, details: object = {}): boolean {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault: () => void (event.defaultPrevented = true),
  };
  emitter.emit(name, event);
  return event.defaultPrevented;
}

class AppStandIn extends EventEmitter {
  isPackaged = false;
  /** Whether no other desk has the home. */
  isFirst = true;
  /** What it was called with, in its order. */
  readonly calls: string[] = [];
  readonly switches: string[] = [];
  readonly paths: Record<string, string> = {};
  readonly windows: OpenWindow[] = [];
  /** Null as long as the process runs. */
  exitCode: number | null = null;
  #ready = Promise.withResolvers<undefined>();
  #isReady = false;
  #isQuitting = false;
  #isExiting = false;

  /** As a process that was just started. */
  restart(isPackaged: boolean): void {
    this.removeAllListeners();
    this.#destroyWindows();
    this.calls.length = 0;
    this.switches.length = 0;
    this.isPackaged = isPackaged;
    this.isFirst = true;
    this.exitCode = null;
    this.#ready = Promise.withResolvers();
    this.#isReady = this.#isQuitting = this.#isExiting = false;
  }

  /** docs/api/app.md:46: only after the first tick of the main process. */
  becomeReady(): void {
    this.#isReady = true;
    this.#ready.resolve(undefined);
    this.emit('ready');
  }

  isReady = (): boolean => this.#isReady;
  whenReady = (): Promise<undefined> => this.#ready.promise;

  /** @throws {Error} as each API that "can only be called after app is ready" */
  needReady(what: string): void {
    if (!this.#isReady) throw new Error(`${what} cannot be used before the app is ready`);
  }
  /** @throws {Error} as each API that "can only be called before app is ready" */
  needNotReady(what: string): void {
    if (this.#isReady) throw new Error(`${what} should be called before the app is ready`);
  }

  /**
   * docs/api/app.md:516 and shell/browser/browser.cc, `Quit`: before-quit, the closing of each
   * window, will-quit, quit.
   */
  quit = (): void => {
    if (this.#isQuitting || this.exitCode !== null) return;
    this.#isQuitting = !isPrevented(this, 'before-quit');
    if (!this.#isQuitting) return;
    if (this.windows.length === 0) this.#notifyAndShutDown();
    for (const window of Array.from(this.windows)) window.close();
  };

  /** docs/api/app.md:526: windows are not asked, and before-quit and will-quit do not come. */
  exit = (code = 0): void => {
    if (this.exitCode !== null) return;
    if (!this.#isReady) {
      // shell/browser/browser.cc, `Exit`: "Message loop is not ready, quit directly."
      this.exitCode = code;
      throw new ProcessEnded(String(code));
    }
    this.#isQuitting = this.#isExiting = true;
    this.#destroyWindows();
    this.#shutDown(code);
  };

  /** docs/api/app.md, `app.relaunch`: it does not end the process. */
  relaunch = ({ execPath = 'itself' }: { execPath?: string } = {}): void =>
    void this.calls.push(`relaunch ${execPath}`);

  #destroyWindows(): void {
    for (const window of Array.from(this.windows)) window.destroy();
  }

  /** shell/browser/browser.cc, `OnWindowCloseCancelled`: a window that stays has the quitting end. */
  closeCancelled(): void {
    this.#isQuitting = false;
  }

  /** docs/api/app.md:54: window-all-closed does not come while the desk quits. */
  windowClosed(window: OpenWindow): void {
    this.windows.splice(this.windows.indexOf(window), 1);
    if (this.windows.length > 0) return;
    if (this.#isExiting || this.exitCode !== null) return;
    if (this.#isQuitting) this.#notifyAndShutDown();
    // lib/browser/init.ts:170: without a listener Electron quits by itself.
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #notifyAndShutDown(): void {
    if (isPrevented(this, 'will-quit')) this.#isQuitting = false;
    else this.#shutDown(0);
  }

  #shutDown(code: number): void {
    if (this.exitCode !== null) return;
    this.exitCode = code;
    this.emit('quit', {}, code);
  }

  /** docs/api/app.md:685: the folder has to be there. */
  setPath = (name: string, path: string): void => {
    if (!existsSync(path)) throw new Error('Failed to set path');
    this.paths[name] = path;
    this.calls.push(`setPath ${name}`);
  };
  requestSingleInstanceLock = (): boolean => this.calls.push('lock') > 0 && this.isFirst;
  /** docs/api/app.md:851: of the settings of the system, at any time. */
  getPreferredSystemLanguages = (): string[] => ['rm-CH', 'it-CH'];
  getVersion = (): string => '1.2.3';
  getPath = (name: string): string => `/home/a/${name}`;
  setName = (name: string): void => void this.calls.push(`name ${name}`);
  setAppUserModelId = (id: string): void => void this.calls.push(`id ${id}`);
  setToastActivatorCLSID = (id: string): void => void this.calls.push(`activator ${id}`);
  /** docs/api/app.md:1776 */
  enableSandbox = (): void => {
    this.needNotReady('app.enableSandbox()');
    this.calls.push('sandbox');
  };
  /** docs/api/app.md:1855 */
  setProxy = async ({ proxyRules, proxyBypassRules }: ProxyConfig): Promise<void> => {
    this.needReady('app.setProxy()');
    this.calls.push(`proxy ${String(proxyRules)} but ${String(proxyBypassRules)}`);
    await Promise.resolve();
  };
  readonly commandLine = {
    hasSwitch: (name: string) => this.switches.includes(name),
    /** docs/api/command-line.md:27: Chromium's command line alone, and before it is read. */
    removeSwitch: (name: string): void => {
      const at = this.switches.findIndex((each) => each.split('=')[0] === name);
      if (at >= 0) this.switches.splice(at, 1);
    },
    appendSwitch: (name: string, value = '') => {
      this.needNotReady('app.commandLine.appendSwitch()');
      this.switches.push(value === '' ? name : `${name}=${value}`);
    },
  };
}

export const app = new AppStandIn();
