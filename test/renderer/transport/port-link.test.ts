// @vitest-environment node

import {
  MessageChannel as NodeMessageChannel,
  type MessagePort as NodePort,
} from 'node:worker_threads';
import { RPCHandler } from '@orpc/server/message-port';
import { os, type RouterClient } from '@orpc/server';
import { createORPCClient } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { createPortLink } from '#renderer/transport/links.ts';

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
    if (name !== null) new RPCHandler(routerOf(name)).upgrade(port2);
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
    await expect(lost).rejects.toThrow();
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
