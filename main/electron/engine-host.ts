import { type MessagePortMain, utilityProcess } from 'electron';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { Answer, Asked, EngineStatus, FromEngine, ToEngine } from './engine-messages.ts';

/** The most unexpected ends within the time; then the engine is not started again. */
const deathsMax = 3;
const deathsWithinMs = 60_000;
/** The time after which an engine that does not close for a planned restart is killed. */
const closeWithinMs = 4500;

export type RestartReason = 'died' | 'network-lost';

/** An unexpected end of the engine's process. */
export interface EngineDeath {
  /** Its exit code. */
  readonly code: number;
  readonly uptimeSeconds: number;
  /** The number of unexpected ends since the desk was started, including this one. */
  readonly count: number;
}

export interface EngineHostOptions {
  /** The built script of the engine's process. */
  readonly program: string;
  readonly open: Extract<ToEngine, { type: 'open' }>;
  readonly onOpened: (hasKeychain: boolean) => void;
  /** Called after each attempt to open that the keychain blocks. */
  readonly onBlocked: (problem: DeskProblem) => void;
  /**
   * Called after the engine ended, or lost the network, and is open again. Windows then need new
   * ports.
   */
  readonly onRestarted: (reason: RestartReason) => void;
  readonly onStatus: (status: EngineStatus) => void;
  /** Called with the language when the desk is open, and when the language changes. */
  readonly onLanguage: (language: Language) => void;
  /** Called if the process ended without a request. */
  readonly onDied: (death: EngineDeath) => void;
  /** Called with the type of a fatal error in the engine's process, which then ends. */
  readonly onError: (type: string) => void;
  readonly onAsked: (asked: Asked) => Promise<Answer>;
  readonly onFailed: (problem: DeskProblem) => void;
  /**
   * Called when the engine has ended for good: by request, or because it ended unexpectedly too
   * often.
   */
  readonly onEnded: (wasAsked: boolean) => void;
}

/** The process of the engine, which is started again if it ends unexpectedly. */
export interface EngineHost {
  /** Sends a message, with a port if one is given. It is queued until the engine is open. */
  tell(message: ToEngine, port?: MessagePortMain): void;
  /** Starts another process that tries again to open what was blocked. */
  retry(): void;
  /** Asks the engine to end; `onEnded` reports when it has. */
  close(): void;
}

/**
 * Starts the engine's process, and starts it again if it ends unexpectedly. The user's work is in
 * the work database before the window is notified, so nothing is lost.
 */
// oxlint-disable-next-line max-lines-per-function -- the states of one process and the events that change them
export function startEngineHost(options: EngineHostOptions): EngineHost {
  let isOpen = false;
  let wasOpen = false;
  let isClosing = false;
  let isRenewing = false;
  let reason: RestartReason = 'died';
  let deaths: number[] = [];
  let deathCount = 0;
  const kept: (readonly [ToEngine, MessagePortMain | undefined])[] = [];
  let current = start();

  function start() {
    const engine = utilityProcess.fork(options.program, [], {
      serviceName: 'Appraiser Desk Engine',
      stdio: 'inherit',
    });
    engine.on('message', (message: FromEngine) => receive(message));
    // A fatal error of V8 precedes the exit. Without a listener it would be thrown.
    engine.on('error', (type) => options.onError(type));
    const startedAt = performance.now();
    engine.on('exit', (code) => {
      isOpen = false;
      if (isClosing) {
        options.onEnded(true);
        return;
      }
      if (isRenewing) {
        isRenewing = false;
        current = start();
        return;
      }
      const uptimeSeconds = Math.round((performance.now() - startedAt) / 1000);
      options.onDied({ code, uptimeSeconds, count: (deathCount += 1) });
      restart();
    });
    engine.postMessage(options.open);
    return engine;
  }

  function receive(message: FromEngine): void {
    if (message.type === 'status') options.onStatus(message.status);
    else if (message.type === 'ask') void answer(message);
    else if (message.type === 'language') options.onLanguage(message.language);
    else if (message.type === 'blocked') options.onBlocked(message.problem);
    else if (message.type === 'unlocked') retry();
    else if (message.type === 'failed') {
      isClosing = true;
      options.onFailed(message.problem);
    } else if (message.type === 'network-lost') {
      renew();
    } else {
      isOpen = true;
      options.onLanguage(message.language);
      for (const [each, port] of kept.splice(0)) send(each, port);
      if (wasOpen) options.onRestarted(reason);
      else options.onOpened(message.hasKeychain);
      wasOpen = true;
    }
  }

  async function answer(asked: Asked): Promise<void> {
    const value = await options.onAsked(asked).catch(() => null);
    send({ type: 'answer', id: asked.id, answer: value });
  }

  /** A process that waits for the keychain has nothing open, so it can be replaced. */
  function retry(): void {
    if (isOpen || isClosing) return;
    isRenewing = true;
    current.kill();
  }

  function restart(): void {
    reason = 'died';
    const now = performance.now();
    deaths = [...deaths.filter((at) => now - at < deathsWithinMs), now];
    if (deaths.length > deathsMax) options.onEnded(false);
    else current = start();
  }

  /** Closes the engine; its exit starts another one. This does not count as an unexpected end. */
  function renew(): void {
    if (!isOpen || isClosing) return;
    isOpen = false;
    isRenewing = true;
    reason = 'network-lost';
    const engine = current;
    const timer = setTimeout(() => engine.kill(), closeWithinMs);
    engine.once('exit', () => clearTimeout(timer));
    send({ type: 'close' });
  }

  function send(message: ToEngine, port?: MessagePortMain): void {
    current.postMessage(message, port ? [port] : []);
  }

  return {
    tell(message, port) {
      if (isOpen) send(message, port);
      else kept.push([message, port]);
    },
    retry,
    close() {
      isClosing = true;
      current.postMessage({ type: 'close' } satisfies ToEngine);
    },
  };
}
