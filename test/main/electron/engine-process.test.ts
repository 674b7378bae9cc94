import { EventEmitter, once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { contract } from '#shared/desk/contract.ts';
import { createByteLine, type Frame } from '#main/electron/byte-line.ts';
import type { FromEngine, ToEngine } from '#main/electron/engine-messages.ts';
import { temporaryFolder } from '../../support/processes.ts';

// The engine's own process over stand-ins for what Electron gives it: the port to the main process
// and the network. The engine behind it is the real one.

vi.mock('electron', async () => {
  const { createNetStandIn } = await import('./net-stand-in.ts');
  return { net: createNetStandIn() };
});

const folder = temporaryFolder();
afterAll(folder.remove);
let homes = 0;

/** A port as Electron's main process and utility process know it: what comes is an event. */
function electronPort(port: MessagePort) {
  return {
    postMessage: (message: unknown) => port.postMessage(message),
    on(name: string, listener: (event: unknown) => void) {
      port.on(name, (data: unknown) => listener(name === 'message' ? { data } : data));
    },
    start: () => port.start(),
    close: () => port.close(),
  };
}

/** The process with a policy, as the main process has it before it. */
async function startProcess(policy: string) {
  const home = join(folder.path, `home-${String((homes += 1))}`);
  const policyFile = `${home}.json`;
  writeFileSync(policyFile, policy);
  vi.stubEnv('DESK_POLICY', policyFile);
  const toEngine = new EventEmitter();
  const said = new EventEmitter();
  const before = process.listeners('uncaughtExceptionMonitor');
  Object.defineProperty(process, 'parentPort', {
    configurable: true,
    value: Object.assign(toEngine, {
      postMessage: (message: FromEngine) => void said.emit(message.type, message),
    }),
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    said.emit('exit', code);
    return undefined as never;
  });
  vi.resetModules();
  await import('#main/electron/engine-process.ts');
  const [monitor] = process
    .listeners('uncaughtExceptionMonitor')
    .filter((listener) => !before.includes(listener));
  onTestFinished(() => {
    if (monitor) process.off('uncaughtExceptionMonitor', monitor);
    Reflect.deleteProperty(process, 'parentPort');
    exit.mockRestore();
    vi.unstubAllEnvs();
  });
  const tell = (data: ToEngine, ...ports: unknown[]) => toEngine.emit('message', { data, ports });
  /** The next message of a kind, which `act` leads to. */
  const answer = async (type: FromEngine['type'] | 'exit', act: () => void): Promise<unknown> => {
    const next = once(said, type);
    act();
    const [message] = (await next) as unknown[];
    return message;
  };
  const open = {
    type: 'open',
    home,
    language: 'fr',
    passphraseVault: true,
    passphrase: 'a passphrase for a test',
  } as const;
  return { home, tell, answer, open, monitor };
}

type EngineProcess = Awaited<ReturnType<typeof startProcess>>;

describe('the engine’s process', () => {
  let engine: EngineProcess;
  beforeEach(async () => {
    engine = await startProcess('{ "practice": false }');
    const { tell, open, answer } = engine;
    expect(await answer('opened', () => tell(open))).toEqual({
      type: 'opened',
      hasKeychain: true,
    });
    return async () => {
      expect(await answer('exit', () => tell({ type: 'close' }))).toBe(0);
    };
  });

  it('answers a window over the port that it is given, in the language of the start', async () => {
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port2.close());
    engine.tell({ type: 'window' }, port1);
    port2.start();
    const client: ContractRouterClient<typeof contract> = createORPCClient(
      new RPCLink({ port: port2 }),
    );
    expect(await client.desk.policy()).toEqual({
      items: [{ name: 'practice', value: 'false' }],
      total: 1,
    });
    const settings = readFileSync(join(engine.home, 'settings.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({ language: 'fr' });
  });

  it('answers a file request over a port of its own', async () => {
    const { port1, port2 } = new MessageChannel();
    engine.tell({ type: 'file' }, electronPort(port1));
    const line = createByteLine({
      send: (frame) => port2.postMessage(frame),
      onFrame: (listener) => port2.on('message', (frame: Frame) => listener(frame)),
      onClose: (listener) => port2.on('close', listener),
      close: () => port2.close(),
    });
    onTestFinished(() => line.close());
    line.send({ type: 'request', method: 'GET', path: 'documents/x/../../etc', headers: {} });
    expect((await line.head).status).toBe(404);
  });

  it('goes on if it is told what it does not wait for', () => {
    engine.tell({ type: 'window' });
    engine.tell({ type: 'handed-over', id: 7, isTaken: true });
    engine.tell({ type: 'resumed' });
  });

  it('keeps its own log in the home, without what an error says', () => {
    engine.monitor?.(new Error('text with Frau Muster'), 'uncaughtException');
    const file = join(engine.home, 'logs', 'engine.log');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ level: 60, msg: 'uncaught exception', name: 'Error' });
    expect(text).not.toContain('Muster');
  });
});

it('that cannot open says why, and opens nothing', async () => {
  const { tell, open, answer, home } = await startProcess('{\n  "practice": 7 }');
  const failed = await answer('failed', () => tell(open));
  expect(failed).toMatchObject({
    problem: {
      code: 'policy_invalid',
      params: { fileName: `${home}.json`, place: '2:15 · practice' },
    },
  });
});
