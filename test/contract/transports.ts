import { MessageChannel } from 'node:worker_threads';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink as MessagePortLink } from '@orpc/client/message-port';
import { RPCLink as WebSocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { RPCHandler } from '@orpc/server/message-port';
import { WebSocket } from 'ws';
import type { contract } from '#shared/desk/contract.ts';
import type { BridgeLog } from '#main/bridge/desk-errors.ts';
import { createRouter, handlerOptions } from '#main/bridge/router.ts';
import { startBrowserShell } from '#main/browser/browser-shell.ts';
import type { Engine } from '#main/engine/engine.ts';
import { openSession } from '../support/browser-session.ts';
import { temporaryFolder } from '../support/processes.ts';

export type DeskClient = ContractRouterClient<typeof contract>;

export interface Line {
  readonly client: DeskClient;
  /** The window goes away without a word. */
  cut(): void;
  close(): Promise<void>;
}

export type Transport = (engine: Engine, log: BridgeLog) => Promise<Line>;

/** As in the desktop shell: both ends of one channel. */
const overMessagePort: Transport = (engine, log) => {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(createRouter(engine, log), handlerOptions(log)).upgrade(port1);
  port1.start();
  port2.start();
  const client: DeskClient = createORPCClient(new MessagePortLink({ port: port2 }));
  const cut = () => {
    port2.close();
  };
  const close = () => {
    cut();
    return Promise.resolve();
  };
  return Promise.resolve({ client, cut, close });
};

/** As in the browser shell: token, secret, WebSocket. */
const overWebSocket: Transport = async (engine, log) => {
  const pages = temporaryFolder();
  mkdirSync(pages.path, { recursive: true });
  writeFileSync(join(pages.path, 'index.html'), '<!doctype html>');
  const shell = await startBrowserShell({ engine, pagesDir: pages.path, port: 0, log });
  const { origin, host } = new URL(shell.origin);
  const session = await openSession(shell);
  const socket = new WebSocket(`ws://${host}/contract`, { headers: { origin } });
  socket.once('open', () => socket.send(session));
  // ws has the browser's interface but not its types.
  const websocket = socket as unknown as globalThis.WebSocket;
  const client: DeskClient = createORPCClient(new WebSocketLink({ websocket }));
  return {
    client,
    cut: () => {
      socket.terminate();
    },
    close: async () => {
      socket.terminate();
      await shell.close();
      pages.remove();
    },
  };
};

export const transports: readonly (readonly [string, Transport])[] = [
  ['MessagePort', overMessagePort],
  ['WebSocket', overWebSocket],
];
