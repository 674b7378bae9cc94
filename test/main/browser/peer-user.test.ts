import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import { isOtherUser, userOf } from '#main/browser/peer-user.ts';
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
    line('0100007F:C001', '0100007F:9C40', 1001),
    line('0100007F:9C40', '0100007F:C001', 1000),
    line('0000000000000000FFFF00000100007F:C002', '0000000000000000FFFF00000100007F:9C40', 1002),
    '',
  ].join('\n');

  it('names the user of either end', () => {
    expect(userOf(table, 0xc001, 40_000)).toBe(1001);
    expect(userOf(table, 40_000, 0xc001)).toBe(1000);
    expect(userOf(table, 0xc002, 40_000)).toBe(1002);
  });

  it('names nobody where it has no such connection', () => {
    expect(userOf(table, 0xc003, 40_000)).toBeNull();
    expect(userOf('', 0xc001, 40_000)).toBeNull();
    expect(userOf(`${head}\ngarbage\n`, 1, 2)).toBeNull();
  });
});

it('lets this user’s own programs in', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const [socket] = (await connected) as [Parameters<typeof isOtherUser>[0]];
  expect(isOtherUser(socket, process.getuid?.())).toBe(false);
});

// Only root can be somebody else; CI is.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a second user of this machine, who has seen the token',
  () => {
    const folder = temporaryFolder();
    let shell: BrowserShell;
    beforeAll(async () => {
      writeFileSync(join(folder.path, 'index.html'), '<!doctype html>');
      const { engine } = createStubEngine();
      shell = await startBrowserShell({
        engine,
        pagesDir: folder.path,
        port: 0,
        log: createLogStub(),
      });
    });
    afterAll(async () => {
      await shell.close();
      folder.remove();
    });

    /** The answer's status to the exchange of the token, asked for by this user. */
    const exchangeAs = async (uid: number) => {
      const { origin, hash } = new URL(shell.url);
      // Itself, because another user may not be allowed to start what lies in this folder.
      const program = `
        process.setgid(${uid});
        process.setuid(${uid});
        const body = JSON.stringify({ token: ${JSON.stringify(hash.slice('#token='.length))} });
        const headers = { 'content-type': 'application/json', origin: '${origin}' };
        fetch('${origin}/session', { method: 'POST', headers, body }).then(
          (answer) => console.log(answer.status));`;
      const asking = promisify(execFile)(process.execPath, ['-e', program]);
      return (await asking).stdout.trim();
    };

    it('is refused', async () => {
      expect(await exchangeAs(0)).toBe('204');
      expect(await exchangeAs(65_534)).toBe('403');
    });
  },
);
