import { AsyncLocalStorage } from 'node:async_hooks';
import { originOf } from '#shared/lib/error-origin.ts';
import { join } from 'node:path';
import { net } from 'electron';
import { RPCHandler } from '@orpc/server/message-port';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import { createRouter, handlerOptions } from '#main/bridge/router.ts';
import type { Engine } from '#main/engine/engine.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { chooseVault } from '#main/shell/home.ts';
import { untilUnlocked, waitsForKeychain } from '#main/shell/keychain-wait.ts';
import { policyOptions, readPolicy } from '#main/shell/policy.ts';
import { createLog } from '#main/shell/log.ts';
import { startPractice } from '#main/shell/practice.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { createByteLine } from './byte-line.ts';
import { awaitFirstPage, type FirstPage } from './first-page.ts';
import type { Answer, EngineStatus, FromEngine, Question, ToEngine } from './engine-messages.ts';
import { createNetTransport } from './net-transport.ts';
import { createNetworkWatch } from './network-watch.ts';
import { serveFile } from './serve-file.ts';

// The entry of the engine's process (Electron's utilityProcess). If a window hangs or crashes, the
// engine is not affected.

let log = createLog();
const { parentPort } = process;
let engine: Engine | null = null;
let firstPage: FirstPage | null = null;
/** The questions that the main process has not answered yet, by number. */
const waiting = new Map<number, (answer: Answer) => void>();
/** The window whose call is being answered. */
const asking = new AsyncLocalStorage<number>();
const watch = createNetworkWatch(() => tell({ type: 'network-lost' }));

process.umask(0o077);
process.on('uncaughtExceptionMonitor', (error) => log.fatal(originOf(error), 'uncaught exception'));
// Electron only prints a warning on a console that nobody sees.
process.on('unhandledRejection', (error) => log.error(originOf(error), 'unhandled rejection'));
parentPort.on('message', ({ data, ports: [port] }) => {
  const message = data as ToEngine;
  if (message.type === 'open') void open(message);
  else if (message.type === 'close') void close();
  else if (message.type === 'answer') waiting.get(message.id)?.(message.answer);
  else if (message.type === 'update-changed') engine?.updateChanged();
  // Waking up is treated as a network that is back. A paused delivery stays paused.
  else if (message.type === 'resumed') void engine?.sync.networkChanged();
  else if (message.type === 'network-died') {
    watch.died();
    // The next request shows whether the process still reaches the network.
    void engine?.sync.networkChanged();
  } else if (engine && port) {
    if (message.type === 'window') {
      const { window } = message;
      new RPCHandler(createRouter(engine, log), {
        ...handlerOptions(log),
        rootInterceptors: [
          (call) => asking.run(window, () => firstPage?.during(() => call.next()) ?? call.next()),
        ],
      }).upgrade(port);
      port.start();
    } else {
      // A connection that closed early has no reader any more.
      serveFile(engine, createByteLine(port), log).catch(() => undefined);
    }
  }
});

type OpenMessage = Extract<ToEngine, { type: 'open' }>;

async function open(options: OpenMessage): Promise<void> {
  try {
    // The log is a separate file, because two processes must never write to one file.
    log = createLog(join(options.home, 'logs', 'engine.log'));
    const policy = readPolicy(process.env);
    log.level = policy.logLevel ?? log.level;
    const { opened, vault } = await openOnce(options, policy);
    engine = opened;
    // A round takes the processor that the window needs for its first page.
    firstPage = awaitFirstPage(systemClock, () => opened.startSchedule());
    void tellChanges(engine, vault.kind !== 'session');
    const language = await engine.desk.language();
    tell({ type: 'opened', hasKeychain: vault.kind !== 'session', language });
  } catch (error) {
    if (waitsForKeychain(error)) await waitForKeychain(error.problem);
    else tell({ type: 'failed', problem: toDeskError(error, 'start', log).problem });
  }
}

/**
 * The main process then starts another engine, because libsecret keeps using the first service that
 * it found.
 */
async function waitForKeychain(problem: DeskProblem): Promise<void> {
  await untilUnlocked(() => tell({ type: 'blocked', problem }));
  tell({ type: 'unlocked' });
}

async function openOnce(
  { home, languages, passphraseVault, passphrase }: OpenMessage,
  policy: DeskPolicy,
): Promise<{ readonly opened: Engine; readonly vault: Vault }> {
  const setUp = policyOptions(policy, log);
  const vault = await chooseVault({
    home,
    passphraseVault,
    passphrase: passphrase ?? undefined,
    withoutKeychain: 'session',
  });
  const opened = await openEngine({
    home,
    vault,
    ...setUp,
    languages,
    // The system's proxy or the policy's (main.ts), and the system's certificates.
    network: {
      ...setUp.network,
      createTransport: ({ clock }) => createNetTransport(net, { clock, watch }),
    },
    clock: systemClock,
    random: systemRandom,
    ...(policy.practice !== false && { practice: startPractice }),
    telephonePage: join(import.meta.dirname, '../renderer/telephone'),
    handOver: async (path, to) => (await ask({ about: 'hand-over', path, to })) === true,
    async choosePath(question) {
      const path = await ask({ about: 'choose-path', question });
      return typeof path === 'string' ? path : null;
    },
    async update(install) {
      const found = await ask({ about: 'update', install });
      return typeof found === 'object' ? found : null;
    },
  });
  return { opened, vault };
}

let questions = 0;
/** Asks the main process, for the window whose call is being answered; null without a window. */
function ask(question: Question): Promise<Answer> {
  const window = asking.getStore();
  if (window === undefined) return Promise.resolve(null);
  const id = (questions += 1);
  return new Promise((resolve) => {
    waiting.set(id, (answer) => {
      waiting.delete(id);
      resolve(answer);
    });
    tell({ type: 'ask', id, window, ...question });
  });
}

/** Reports changes to the tray and the guard on quitting while the engine runs. */
async function tellChanges(from: Engine, kept: boolean): Promise<void> {
  for await (const event of from.events()) {
    if (event.type === 'desk.changed')
      tell({ type: 'language', language: await from.desk.language() });
    if (event.type !== 'sync.changed') continue;
    const { unfinished, network, paused, delivery, clock } = event.status;
    const { goesOut, awaits } = delivery;
    const status: EngineStatus = { unfinished, network, paused, goesOut, awaits, kept, clock };
    tell({ type: 'status', status });
  }
}

async function close(): Promise<void> {
  // What cannot end must not keep the process.
  await engine?.close().catch(logFault('close', log));
  process.exit(0);
}

function tell(message: FromEngine): void {
  parentPort.postMessage(message);
}
