// @vitest-environment node
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCHandler } from '@orpc/server/ws';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { createRouter } from '#main/bridge/router.ts';
import type { DeskClient } from '#renderer/transport/desk-client.ts';
import { createSocketLink } from '#renderer/transport/socket-link.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';

let server: WebSocketServer;
let address: string;
let link: ReturnType<typeof createSocketLink> | undefined;

beforeEach(async () => {
  const { engine } = createFakeEngine({ count: 3, today: '2026-06-15' });
  const handler = new RPCHandler(createRouter(engine, { error: () => undefined }));
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => void handler.upgrade(socket));
  await once(server, 'listening');
  // The cast restates what listening on a port gives (node:net, "server.address()").
  address = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(() => {
  link?.close();
  for (const client of server.clients) client.terminate();
  server.close();
});

/** A link whose first socket is this one, and how many it opened. */
function linkOver(first: WebSocket) {
  let opened = 0;
  link = createSocketLink(() => {
    opened += 1;
    return opened === 1 ? first : new WebSocket(address);
  });
  const client: DeskClient = createORPCClient(link);
  return { client, opened: () => opened };
}

test('calls go over a socket that was open before anyone listened', async () => {
  const first = new WebSocket(address);
  await once(first, 'open');
  const { client, opened } = linkOver(first);
  expect((await client.cases.list({})).total).toBe(3);
  expect(opened()).toBe(1);
});

test('a socket that was refused before anyone listened is followed by another', async () => {
  const first = new WebSocket(address);
  await once(first, 'open');
  first.close();
  await once(first, 'close');
  const { client, opened } = linkOver(first);
  expect((await client.cases.list({})).total).toBe(3);
  expect(opened()).toBe(2);
});
