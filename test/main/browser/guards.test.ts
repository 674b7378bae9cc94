import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import { admitOwnUser, peerIn } from '#main/browser/other-user.ts';
import { temporaryFolder } from '../../support/processes.ts';
import { createLogStub, createStubEngine } from '../../support/stub-engine.ts';

describe('the kernel’s table of connections', () => {
  const head =
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
  const line = (local: string, remote: string, uid: number) =>
    `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 12345 1 0 100 0 0 10 0`;
  const table = [
    head,
    line('0100007F:0050', '00000000:0000', 33),
    line('0100007F:9C40', '0200007F:9C40', 1000),
    line('0200007F:9C40', '0100007F:9C40', 1003),
    line('0100007F:9C40', '0100007F:C001', 1000),
    line('0100007F:C001', '0100007F:9C40', 1001),
    line(`${'0'.repeat(24)}01000000:C003`, `${'0'.repeat(24)}01000000:9C40`, 1004),
    line('0000000000000000FFFF00000100007F:C002', '0000000000000000FFFF00000100007F:9C40', 1002),
    '',
  ].join('\n');
  const from = (remoteAddress: string, remotePort: number) => ({
    localAddress: '127.0.0.1',
    localPort: 40_000,
    remoteAddress,
    remotePort,
  });

  it('names the user of the other end, by both whole addresses', () => {
    expect(peerIn(table, from('127.0.0.1', 0xc001))).toBe(1001);
    expect(peerIn(table, from('127.0.0.1', 0xc002))).toBe(1002);
    expect(peerIn(table, from('127.0.0.2', 40_000))).toBe(1003);
    const sixth = { localAddress: '::1', localPort: 40_000, remoteAddress: '::1' };
    expect(peerIn(table, { ...sixth, remotePort: 0xc003 })).toBe(1004);
  });

  it('names nobody if it has no such connection', () => {
    expect(peerIn(table, from('127.0.0.1', 40_000))).toBeNull();
    expect(peerIn('', from('127.0.0.1', 0xc001))).toBeNull();
    expect(peerIn(`${head}\ngarbage\n`, from('127.0.0.1', 1))).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('a connection of this user', () => {
  /** A server that answers each connection which it is shown. */
  async function openServer(platform?: NodeJS.Platform) {
    const server = createServer((socket) => void socket.end('served'));
    admitOwnUser(server, platform);
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { server, port };
  }
  /** A connection that has closed, so that the kernel does not know it. */
  async function closedSocket() {
    const { server, port } = await openServer('darwin');
    const accepted = once(server, 'connection');
    connect(port, '127.0.0.1').resume();
    const [socket] = (await accepted) as [Socket];
    await once(socket.resume(), 'close');
    return socket;
  }
  /** Returns whether a server was shown a connection. */
  async function isShown(socket: Socket, platform?: NodeJS.Platform) {
    const { server, port } = await openServer(platform);
    let shown = false;
    vi.spyOn(socket, 'end').mockImplementation(() => {
      shown = true;
      return socket;
    });
    server.emit('connection', socket);
    // The next connection is decided after it.
    expect(await text(connect(port, '127.0.0.1'))).toBe('served');
    return shown;
  }

  it('is let in, as many as come at once', async () => {
    const { port } = await openServer();
    const all = Array.from({ length: 25 }, () => text(connect(port, '127.0.0.1')));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['served']));
  });

  it('is refused if the kernel no longer knows it; if the kernel does not say, the token decides', async () => {
    expect(await isShown(await closedSocket())).toBe(false);
    expect(await isShown(await closedSocket(), 'darwin')).toBe(true);
  });

  it('that breaks or ends while it waits is closed, and ends nothing', async () => {
    const server = createHttpServer((_, response) => void response.end('served'));
    admitOwnUser(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let count = 0; count < 20; count += 1) {
      const broken = connect(port, '127.0.0.1');
      await once(broken, 'connect');
      if (count % 2) broken.resetAndDestroy();
      else broken.destroy();
    }
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('served');
    // It waits for each connection.
    await promisify(server.close.bind(server))();
  });
});

// Only root may start a program as somebody else.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'another user of this machine',
  () => {
    const folder = temporaryFolder();
    let shell: BrowserShell;
    beforeAll(async () => {
      writeFileSync(join(folder.path, 'index.html'), '<!doctype html>');
      const { engine } = createStubEngine();
      const log = createLogStub();
      shell = await startBrowserShell({ engine, pagesDir: folder.path, port: 0, log });
    });
    afterAll(async () => {
      await shell.close();
      folder.remove();
    });

    /** The answer's status to a line that this user opens from this end. */
    const openAs = async (uid: number, end: { localAddress?: string; localPort?: number }) => {
      const { hostname, port, origin } = new URL(shell.invite());
      // A program without a file, because another user may not be allowed to read what lies here.
      const program = `
        process.setgid(${uid});
        process.setuid(${uid});
        const headers = {
          origin: '${origin}', connection: 'upgrade', upgrade: 'websocket',
          'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        };
        const say = ({ statusCode }) => { console.log(statusCode); process.exit(); };
        require('node:http').request({
          host: '${hostname}', port: ${port}, path: '/invitation', headers,
          agent: false, ...${JSON.stringify(end)},
        }, say).on('upgrade', say).end();`;
      const asking = promisify(execFile)(process.execPath, ['-e', program]);
      return (await asking).stdout.trim();
    };

    it('is refused, from another address and by the desk’s own port too', async () => {
      const localPort = Number(new URL(shell.origin).port);
      expect(await openAs(0, {})).toBe('101');
      expect(await openAs(65_534, {})).toBe('403');
      expect(await openAs(65_534, { localAddress: '127.0.0.2' })).toBe('403');
      expect(await openAs(65_534, { localAddress: '127.0.0.2', localPort })).toBe('403');
    });

    const hasSixth = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === '::1'),
    );
    const hosts = hasSixth ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
    it.each(hosts)(
      'keeps no connection to %s open, with or without a request',
      async (hostname) => {
        const { port } = new URL(shell.origin);
        const program = `
        process.setgid(65534);
        process.setuid(65534);
        let open = 300;
        for (let count = open; count > 0; count -= 1) {
          const socket = require('node:net').connect({ port: ${port}, host: '${hostname}', allowHalfOpen: true });
          if (count % 2) socket.write('GET / HTTP/1.1\\r\\n');
          socket.on('error', () => undefined).resume();
          socket.on('end', () => { open -= 1; if (open === 0) process.exit(); });
        }`;
        await promisify(execFile)(process.execPath, ['-e', program]);
        expect(await openAs(0, {})).toBe('101');
      },
    );
  },
);
