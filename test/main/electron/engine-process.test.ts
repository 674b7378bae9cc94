import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { contract } from '#shared/desk/contract/contract.ts';
import { createByteLine } from '#main/electron/byte-line.ts';
import type { FromEngine, ToEngine } from '#main/electron/engine-messages.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { electron, stand } from './electron-stand-in.ts';
import { MessagePortMainStandIn, type UtilityProcessStandIn } from './ports-stand-in.ts';

// The engine's own process over the stand-in for Electron. The engine behind it is the real one.

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
// Before modules are reset: the shell and this test share the stand-in.
await import('electron');

const folder = temporaryFolder();
afterAll(folder.remove);
let homes = 0;
const listeners = () => ({
  exception: process.listeners('uncaughtExceptionMonitor'),
  rejection: process.listeners('unhandledRejection'),
});
const passphrase = 'a passphrase for a test';

/** A home with a policy next to it. */
function newHome(policy: string): string {
  const home = join(folder.path, `home-${String((homes += 1))}`);
  writeFileSync(`${home}.json`, policy);
  vi.stubEnv('DESK_POLICY', `${home}.json`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

/** Runs the engine's program as what Electron has forked; its handlers of errors that nobody met. */
async function run(engine: UtilityProcessStandIn) {
  const before = listeners();
  const value = engine.parentPort();
  Object.defineProperty(process, 'parentPort', { configurable: true, value });
  // docs/breaking-changes.md:704: this ends the process at once, of which the shell is told.
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    engine.exit(Number(code));
    return undefined as never;
  });
  vi.resetModules();
  await import('#main/electron/engine-process.ts');
  const after = listeners();
  const onException = after.exception.find((each) => !before.exception.includes(each));
  const onRejection = after.rejection.find((each) => !before.rejection.includes(each));
  onTestFinished(() => {
    if (onException) process.off('uncaughtExceptionMonitor', onException);
    if (onRejection) process.off('unhandledRejection', onRejection);
    Reflect.deleteProperty(process, 'parentPort');
    exit.mockRestore();
  });
  return { onException, onRejection };
}

/** A window's client over its port, which is the page's own kind. */
function clientOver(port: MessagePort): ContractRouterClient<typeof contract> {
  onTestFinished(() => port.close());
  port.start();
  return createORPCClient(new RPCLink({ port }));
}

/** The process with a policy, as the main process has it before it. */
async function startProcess(policy: string) {
  const home = newHome(policy);
  stand.startReady();
  const engine = electron.utilityProcess.fork('engine-process.js');
  const { onException, onRejection } = await run(engine);
  const tell = (message: ToEngine, ...ports: MessagePortMainStandIn[]) =>
    engine.postMessage(message, ports);
  /** The next message, or the code of the exit, which `act` leads to. */
  const answer = async (of: 'message' | 'exit', act: () => unknown): Promise<unknown> => {
    const next = once(engine, of);
    act();
    const [message] = (await next) as unknown[];
    return message;
  };
  const open = {
    type: 'open',
    home,
    languages: { argument: 'fr', system: [] },
    passphraseVault: true,
    passphrase,
  } as const;
  return { home, tell, answer, open, onException, onRejection };
}

type EngineProcess = Awaited<ReturnType<typeof startProcess>>;

describe('the engine’s process', () => {
  let engine: EngineProcess;
  beforeEach(async () => {
    engine = await startProcess('{ "practice": false }');
    const { tell, open, answer } = engine;
    const opened: FromEngine = { type: 'opened', hasKeychain: true, language: 'fr' };
    expect(await answer('message', () => tell(open))).toEqual(opened);
    return async () => {
      expect(await answer('exit', () => tell({ type: 'close' }))).toBe(0);
    };
  });

  it('answers a file request over a port of its own', async () => {
    const { port1, port2 } = new MessageChannel();
    engine.tell({ type: 'file' }, new MessagePortMainStandIn(port1));
    const line = createByteLine(new MessagePortMainStandIn(port2));
    onTestFinished(() => line.close());
    line.send({ type: 'request', method: 'GET', path: 'documents/x/../../etc', headers: {} });
    expect((await line.head).status).toBe(404);
  });

  it('says which window asks for a file, and goes on if it is told what it does not wait for', async () => {
    engine.tell({ type: 'window', window: 1 });
    engine.tell({ type: 'answer', id: 7, answer: true });
    engine.tell({ type: 'resumed' });
    const { port1, port2 } = new MessageChannel();
    engine.tell({ type: 'window', window: 7 }, new MessagePortMainStandIn(port1));
    const { tools } = clientOver(port2);
    const question = { purpose: 'folder', suggested: '' } as const;
    let answered: Promise<unknown> = Promise.resolve();
    const asked = await engine.answer('message', () => (answered = tools.choosePath(question)));
    expect(asked).toMatchObject({ type: 'ask', about: 'choose-path', window: 7, question });
    engine.tell({ type: 'answer', id: 1, answer: '/h' });
    expect(await answered).toEqual({ path: '/h' });
  });

  it('keeps its own log in the home, without what an error says', () => {
    engine.onException?.(new Error('text with Frau Muster'), 'uncaughtException');
    engine.onRejection?.(new Error('more of Frau Muster'), Promise.resolve());
    const file = join(engine.home, 'logs', 'engine.log');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 60, msg: 'uncaught exception', name: 'Error' },
      { level: 50, msg: 'unhandled rejection', name: 'Error' },
    ]);
    expect(text).not.toContain('Muster');
  });
});

it('ends although a part of the engine fails at its end, which is logged', async () => {
  const { tell, open, answer, home } = await startProcess('{ "practice": false }');
  await answer('message', () => tell(open));
  // The modules were reset before the process, so this one is imported again.
  const { Telephone } = await import('#main/engine/telephone/telephone.ts');
  vi.spyOn(Telephone.prototype, 'end').mockRejectedValueOnce(new TypeError('with Frau Muster'));
  expect(await answer('exit', () => tell({ type: 'close' }))).toBe(0);
  expect(readFileSync(join(home, 'logs', 'engine.log'), 'utf8')).toContain('TypeError');
});

it('that cannot open says why, and opens nothing', async () => {
  const { tell, open, answer, home } = await startProcess('{\n  "practice": 7 }');
  const failed = await answer('message', () => tell(open));
  expect(failed).toMatchObject({
    type: 'failed',
    problem: {
      code: 'policy_invalid',
      params: { fileName: `${home}.json`, place: '2:15 · practice' },
    },
  });
});
