// @vitest-environment node
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCHandler } from '@orpc/server/ws';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { createRouter } from '#main/bridge/router.ts';
import type { DeskClient } from '#renderer/transport/transport.ts';
import { createSocketLink } from '#renderer/transport/links.ts';
import { createFakeEngine } from '../fixtures/fake-engine.ts';

let server: WebSocketServer;
let address: string;
let isOver = false;

beforeEach(async () => {
  isOver = false;
  const { engine } = createFakeEngine({ count: 3, today: '2026-06-15' });
  const handler = new RPCHandler(createRouter(engine, { error: () => undefined }));
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) =>
    socket.once('message', (proof: Buffer) => {
      if (proof.toString() === 'proof') void handler.upgrade(socket);
    }),
  );
  await once(server, 'listening');
  // The cast restates what listening on a port gives (node:net, "server.address()").
  address = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(() => {
  isOver = true;
  for (const client of server.clients) client.terminate();
  server.close();
});

/** A link over sockets of its own, and how many it opened. */
function openLink() {
  let opened = 0;
  const open = () => {
    opened += 1;
    // After the test its link gets one that never opens, and asks for no other.
    return isOver ? (new EventTarget() as WebSocket) : new WebSocket(address);
  };
  const client: DeskClient = createORPCClient(createSocketLink(open, () => 'proof'));
  return { client, opened: () => opened };
}

test('a call waits for the socket to open', async () => {
  const { client, opened } = openLink();
  expect((await client.cases.list({})).total).toBe(3);
  expect(opened()).toBe(1);
});

test('a socket that closes is followed by another', async () => {
  const { client, opened } = openLink();
  await client.cases.list({});
  for (const socket of server.clients) socket.terminate();
  await vi.waitUntil(() => opened() === 2);
  expect((await client.cases.list({})).total).toBe(3);
});
