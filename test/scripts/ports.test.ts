import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { serviceFolderHere } from '../support/service-here.ts';

const systemRange = '/proc/sys/net/ipv4/ip_local_port_range';

it.runIf(existsSync(systemRange))('the system gives a free port to no connection', async () => {
  const [first = 0] = readFileSync(systemRange, 'utf8').split(/\s+/).map(Number);
  for (let count = 0; count < 30; count += 1) expect(await freePort()).toBeLessThan(first);
});

it('a port that is in use is not free', async () => {
  const port = await freePort();
  const server = createServer().listen(port + 1, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePort()).not.toBe(port + 1);
  server.close();
  await once(server, 'close');
});

it('a service keeps the port of its folder', async () => {
  const folder = serviceFolderHere();
  const { port, stop } = await folder.start('--demo', '0');
  await stop();
  expect((await folder.start('--demo', '0')).port).toBe(port);
  await folder.end();
});
