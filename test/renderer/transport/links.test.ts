// @vitest-environment node
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  MessageChannel as NodeMessageChannel,
  type MessagePort as NodePort,
} from 'node:worker_threads';
import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { RPCHandler as SocketHandler } from '@orpc/server/ws';
import { os, type RouterClient } from '@orpc/server';
import { createORPCClient } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { createPortLink, createSocketLink } from '#renderer/transport/links.ts';

const routerOf = (name: string) => ({ name: os.handler(() => name) });

/** A page, and the engine's ends of the ports that it is given. */
function openPage() {
  const heard: unknown[] = [];
  const target = Object.assign(new EventTarget(), {
    location: { origin: 'desk://app' },
    postMessage: (message: unknown) => heard.push(message),
  });
  const client: RouterClient<ReturnType<typeof routerOf>> = createORPCClient(
    createPortLink(target as unknown as Window),
  );
  const opened: NodePort[] = [];
  const give = (name: string | null, source: unknown = target) => {
    const { port1, port2 } = new NodeMessageChannel();
    opened.push(port1, port2);
    if (name !== null) new PortHandler(routerOf(name)).upgrade(port2);
    target.dispatchEvent(
      Object.assign(new Event('message'), { data: 'desk-port', source, ports: [port1] }),
    );
    return port2;
  };
  return { client, give, heard, close: () => opened.forEach((port) => port.close()) };
}

describe('the port to the engine', () => {
  it('is asked for at once, and a call waits for it', async () => {
    const { client, give, heard, close } = openPage();
    expect(heard).toEqual(['desk-ready']);
    const answer = client.name();
    give('first');
    expect(await answer).toBe('first');
    close();
  });

  it('gives way to a new one, and what was under way over the old one fails', async () => {
    const { client, give, close } = openPage();
    give(null);
    const lost = client.name();
    await new Promise((resolve) => setImmediate(resolve));
    give('second');
    await expect(lost).rejects.toThrow('closed or aborted');
    expect(await client.name()).toBe('second');
    close();
  });

  it('is taken from the page’s own window only', async () => {
    const { client, give, close } = openPage();
    give('stranger', {});
    const answer = client.name();
    give('own');
    expect(await answer).toBe('own');
    close();
  });
});

describe('the socket to the engine', () => {
  let server: WebSocketServer;
  let address: string;
  let isOver = false;

  beforeEach(async () => {
    isOver = false;
    const handler = new SocketHandler(routerOf('socket'));
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => void handler.upgrade(socket));
    await once(server, 'listening');
    // The cast restates what listening on a port gives (node:net, "server.address()").
    address = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(() => {
    isOver = true;
    for (const client of server.clients) client.terminate();
    server.close();
  });

  /** A link over its own sockets, and how many it opened. */
  function openLink() {
    let opened = 0;
    const open = () => {
      opened += 1;
      // After the test its link gets one that never opens, and asks for no other.
      if (isOver) return new Promise<WebSocket>(() => undefined);
      const socket = new WebSocket(address);
      return once(socket, 'open').then(() => socket);
    };
    const changes: boolean[] = [];
    const codes: (number | undefined)[] = [];
    const client: RouterClient<ReturnType<typeof routerOf>> = createORPCClient(
      createSocketLink(open, (isOpen, code) => {
        changes.push(isOpen);
        codes.push(code);
      }),
    );
    return { client, opened: () => opened, changes, codes };
  }

  it('a call waits for the socket to open', async () => {
    const { client, opened } = openLink();
    expect(await client.name()).toBe('socket');
    expect(opened()).toBe(1);
  });

  it('a socket that closes is followed by another', async () => {
    const { client, opened, changes } = openLink();
    await client.name();
    for (const socket of server.clients) socket.terminate();
    await vi.waitUntil(() => opened() === 2);
    expect(await client.name()).toBe('socket');
    expect(changes).toEqual([true, false, true]);
  });

  it('a socket reports the code with which it closed', async () => {
    const { client, opened, codes } = openLink();
    await client.name();
    for (const socket of server.clients) socket.close(1001);
    await vi.waitUntil(() => opened() === 2);
    expect(codes.slice(0, 2)).toEqual([undefined, 1001]);
  });

  it('no call goes over a line on which the engine has not proved itself', async () => {
    const opened = vi.fn(() => Promise.reject(new Error('unproven')));
    const changes: boolean[] = [];
    const link = createSocketLink(opened, (isOpen) => changes.push(isOpen));
    const client: RouterClient<ReturnType<typeof routerOf>> = createORPCClient(link);
    const answered = vi.fn();
    client.name().then(answered, answered);
    await vi.waitUntil(() => opened.mock.calls.length === 2);
    expect(answered).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });
});
