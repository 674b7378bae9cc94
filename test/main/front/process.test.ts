import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import { systemClock } from '#main/front/clock.ts';
import { parseObjectLocation } from '#main/front/contents/object-location.ts';
import {
  endOnSignal,
  fail,
  listen,
  openBucket,
  printListening,
  runServer,
  storeAt,
  type ListenOptions,
} from '#main/front/process.ts';
import { StartError } from '#main/front/problem.ts';
import { temporaryFolder } from '../../support/processes.ts';

/* How a server starts, ends, and says why it cannot. */

let folder: ReturnType<typeof temporaryFolder>;
const { exitCode } = process;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  process.exitCode = exitCode;
  folder.remove();
});

const here: ListenOptions = { host: '127.0.0.1', port: 0 };
const coded = (code: string, message = 'secret') => Object.assign(new Error(message), { code });

describe('a server that cannot start', () => {
  const busy = 'The port is in use; choose another with --port.';
  const denied = 'The data folder or the port may not be used by this user.';
  test.each([
    [new StartError('the folder is gone', { exitCode: 2 }), 'the folder is gone.', 2],
    [new StartError('it is late'), 'it is late.', 1],
    [coded('EADDRINUSE'), busy, 1],
    [coded('EACCES'), denied, 1],
    [coded('EPERM'), denied, 1],
    ['no error at all', 'The gateway could not start.', 1],
  ])('says why: %s', (error, sentence, code) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    fail(error, 'gateway');
    expect([said.mock.calls, process.exitCode]).toEqual([[[`${sentence}\n`]], code]);
  });

  test.each([coded('EIO', 'the disk is broken'), new Error('the disk is broken')])(
    'says where an error comes from: %s',
    (error) => {
      const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      error.stack =
        'Error\n    at read (/home/somebody/store/file.ts:1:2)\n    at other (a/b.ts:3:4)';
      fail(error, 'service');
      expect(said.mock.calls).toEqual([
        ['The service could not start: the disk is broken. at read (store/file.ts:1:2)\n'],
      ]);
      error.stack = '';
      fail(error, 'service');
      expect(said.mock.calls[1]).toEqual(['The service could not start: the disk is broken. \n']);
    },
  );
});

describe('a server that listens', () => {
  const listenWith = async (options: Partial<ListenOptions>) => {
    const app = fastify();
    const address = { publicUrl: '', audience: '' };
    try {
      const baseUrl = await listen(app, { address }, { ...here, ...options });
      return { baseUrl, address, most: app.server.maxConnections as number | undefined };
    } finally {
      await app.close();
    }
  };

  test('has the address at which it listens', async () => {
    const { baseUrl, address, most } = await listenWith({});
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(address).toEqual({ publicUrl: baseUrl, audience: `${baseUrl}/v1/oauth/token` });
    expect(most ?? 0).toBe(0);
  });

  test('has the address and the audience that it was given, and as many connections', async () => {
    const publicUrl = 'https://api.example/a';
    const { address } = await listenWith({ publicUrl: `${publicUrl}//` });
    expect(address).toEqual({ publicUrl, audience: `${publicUrl}/v1/oauth/token` });
    const other = await listenWith({
      publicUrl,
      audience: 'https://idp.example/',
      connectionsMax: 3,
    });
    expect(other.address).toEqual({ publicUrl, audience: 'https://idp.example/' });
    expect(other.most).toBe(3);
  });

  test.each([
    ['EADDRNOTAVAIL', '--host host.example is no address of this machine'],
    ['ENOTFOUND', '--host host.example is not known'],
    ['EAI_AGAIN', '--host host.example is not known'],
  ])('has a host of its own: %s', async (code, message) => {
    const app = fastify();
    const cause = coded(code);
    vi.spyOn(app, 'listen').mockRejectedValue(cause);
    const address = { publicUrl: '', audience: '' };
    await expect(listen(app, { address }, { host: 'host.example', port: 1 })).rejects.toMatchObject(
      {
        name: 'StartError',
        message,
        exitCode: 2,
        cause,
      },
    );
    expect(address.publicUrl).toBe('');
  });

  test('has a port that nobody else has', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(listenWith({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });

  test('prints where it listens in one line, for another program', () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const address = { publicUrl: 'https://api.example', audience: 'https://idp.example' };
    const server = {
      baseUrl: 'http://127.0.0.1:1',
      context: { address },
      stop: () => Promise.resolve(),
    };
    printListening(server);
    printListening(server, { statusUrl: 's' });
    const line = {
      event: 'listening',
      baseUrl: 'http://127.0.0.1:1',
      tokenUrl: 'https://api.example/v1/oauth/token',
      audience: 'https://idp.example',
    };
    expect(said.mock.calls).toEqual([
      [`${JSON.stringify(line)}\n`],
      [`${JSON.stringify({ ...line, statusUrl: 's' })}\n`],
    ]);
  });
});

describe('a server that runs', () => {
  let steps: string[];
  let isDraining: { isOn: boolean };
  let address: { publicUrl: string; audience: string };
  beforeEach(() => {
    steps = [];
    isDraining = { isOn: false };
    address = { publicUrl: '', audience: '' };
  });
  const directory = () => join(folder.path, 'new', 'data');
  const context = () => ({
    address,
    draining: isDraining,
    close() {
      steps.push('context closed');
      return Promise.resolve();
    },
  });
  type Parts = Parameters<typeof runServer<ReturnType<typeof context>>>;
  const run = ({
    at = directory(),
    listen: options = here,
    open = () => Promise.resolve(context()),
    build = () => {
      const app = fastify({ forceCloseConnections: 'idle' });
      app.get('/', () => 'answered');
      app.get('/never', () => new Promise(() => undefined));
      app.addHook('onClose', (_app, done) => {
        steps.push('server closed');
        done();
      });
      return Promise.resolve(app);
    },
  }: {
    at?: string;
    listen?: ListenOptions;
    open?: Parts[2];
    build?: Parts[3];
  } = {}) => runServer('gateway', { directory: at, listen: options }, open, build);

  test('makes its folder, which is its own until it has stopped', async () => {
    const server = await run();
    expect(statSync(directory()).mode & 0o777).toBe(0o700);
    expect([server.baseUrl, server.context.draining]).toEqual([address.publicUrl, isDraining]);
    expect(await (await fetch(server.baseUrl)).text()).toBe('answered');
    await expect(run()).rejects.toMatchObject({
      name: 'StartError',
      message: `another gateway is using the data folder ${directory()}`,
      exitCode: 1,
    });
    expect(isDraining.isOn).toBe(false);
    await server.stop(1000);
    expect([isDraining.isOn, steps]).toEqual([true, ['server closed', 'context closed']]);
    await (await run()).stop(1000);
  });

  test('answers while it drains', async () => {
    const server = await run({ listen: { ...here, drainSeconds: 0.2 } });
    const stopping = server.stop(1000);
    expect(isDraining.isOn).toBe(true);
    expect(await (await fetch(server.baseUrl)).text()).toBe('answered');
    expect(steps).toEqual([]);
    await stopping;
    expect(steps).toEqual(['server closed', 'context closed']);
  });

  test('does not wait for a request that is never answered', async () => {
    const server = await run({ listen: { ...here, drainSeconds: 3 } });
    const asked = fetch(`${server.baseUrl}/never`).catch(() => 'broken off');
    await (await fetch(server.baseUrl)).text();
    await server.stop(20);
    expect([await asked, steps]).toEqual(['broken off', ['server closed', 'context closed']]);
  });

  test.each([
    ['its store cannot be opened', { open: () => Promise.reject(new Error('no')) }, []],
    ['it cannot be built', { build: () => Promise.reject(new Error('no')) }, ['context closed']],
    [
      'it cannot listen',
      {
        build: () => {
          const app = fastify();
          vi.spyOn(app, 'listen').mockRejectedValue(new Error('no'));
          return Promise.resolve(app);
        },
      },
      ['context closed'],
    ],
  ] as const)('leaves its folder free if %s', async (_, parts, closed) => {
    await expect(run(parts)).rejects.toThrow('no');
    expect(steps).toEqual(closed);
    await (await run()).stop(0);
  });

  test.each([
    ['a file is there', (path: string) => (writeFileSync(path, ''), path)],
    ['part of its path is a file', (path: string) => (writeFileSync(path, ''), join(path, 'data'))],
  ])('says why its folder cannot be used: %s', async (reason, make) => {
    const at = make(join(folder.path, 'data'));
    await expect(run({ at, open: () => expect.unreachable() })).rejects.toMatchObject({
      name: 'StartError',
      message: `the data folder ${at} cannot be used: ${reason}`,
      exitCode: 2,
      cause: expect.any(Error) as Error,
    });
  });

  test('says which file of its folder cannot be used', async () => {
    const lock = join(directory(), 'gateway.lock');
    mkdirSync(lock, { recursive: true });
    await expect(run()).rejects.toMatchObject({
      message: `the data folder ${directory()} cannot be used: ${lock} cannot be written`,
      exitCode: 2,
    });
  });

  test('fails with the error of the system if that is not about its folder', async () => {
    const at = join(folder.path, 'loop');
    symlinkSync('loop', at);
    await expect(run({ at: join(at, 'data') })).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

describe('a signal', () => {
  let handlers: Map<string | symbol, () => void>;
  let exited: PromiseWithResolvers<unknown>;
  let exit: MockInstance<typeof process.exit>;
  beforeEach(() => {
    vi.useFakeTimers();
    handlers = new Map();
    exited = Promise.withResolvers();
    vi.spyOn(process, 'on').mockImplementation((name, handler) => {
      handlers.set(name, handler as () => void);
      return process;
    });
    exit = vi.spyOn(process, 'exit').mockImplementation((...code) => {
      exited.resolve(code);
      return undefined as never;
    });
  });
  const signal = (name = 'SIGTERM') => handlers.get(name)?.();

  test.each(['SIGTERM', 'SIGINT'])('%s ends a server that has not opened yet', async (name) => {
    endOnSignal('service');
    signal(name);
    expect(await exited.promise).toEqual([]);
  });

  test('stops a server once, however often it comes', async () => {
    const stopped: number[] = [];
    endOnSignal('service')({
      stop: (drainMs) => {
        stopped.push(drainMs);
        return Promise.resolve();
      },
    });
    signal();
    signal('SIGINT');
    signal();
    expect([await exited.promise, stopped]).toEqual([[], [4000]]);
  });

  test('waits until the server has stopped, but not longer than it may', async () => {
    endOnSignal('service')({ stop: () => new Promise(() => undefined) });
    signal();
    await vi.advanceTimersByTimeAsync(4699);
    expect(exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(exit).toHaveBeenCalledWith();
  });

  test('reports why a server could not stop', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    endOnSignal('service')({ stop: () => Promise.reject(new StartError('it is stuck')) });
    signal();
    await exited.promise;
    expect([said.mock.calls, process.exitCode]).toEqual([[['it is stuck.\n']], 1]);
  });
});

test('a store in files has the time of this machine, and one in a database that of the database', () => {
  expect(storeAt(undefined)).toEqual({ clock: systemClock });
  const { clock, database } = storeAt('postgres://host/a');
  expect([clock === systemClock, database?.url]).toEqual([false, 'postgres://host/a']);
  database?.onTime(5000);
  expect(clock.now()).toBeGreaterThanOrEqual(5000);
  expect(clock.now()).toBeLessThan(5_000_000);
});

test('a server without a place for documents has no bucket', async () => {
  expect(await openBucket(undefined)).toBeUndefined();
  const bucket = await openBucket(parseObjectLocation('s3://documents'));
  expect(bucket).toHaveProperty('put');
  bucket?.close();
});
