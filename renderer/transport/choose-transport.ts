import { createORPCClient, type ClientContext, type ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import type { DeskClient, Transport } from './desk-client.ts';
import { createFileAccess } from './files.ts';
import { openSession } from './session.ts';
import { createSocketLink } from './socket-link.ts';

/** The preload hands over the port with this message (main/electron/preload.ts). */
const portMessage = 'desk-port';

function receivePort(target: Window): Promise<MessagePort> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent<unknown>) => {
      const port = event.ports[0];
      if (event.source !== target || event.data !== portMessage || !port) return;
      target.removeEventListener('message', receive);
      port.start();
      resolve(port);
    };
    target.addEventListener('message', receive);
  });
}

/**
 * Chooses the way to the engine once, by where the page came from: the desktop shell's own
 * protocol gives a message port, http gives a session and a WebSocket.
 */
export async function chooseTransport(target: Window): Promise<Transport> {
  const client = (link: ClientLink<ClientContext>): DeskClient => createORPCClient(link);
  if (target.location.protocol === 'desk:') {
    const port = await receivePort(target);
    return { client: client(new PortLink({ port })), files: createFileAccess('desk://files/') };
  }
  await openSession(target);
  const address = new URL('contract', target.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  return {
    client: client(createSocketLink(() => new WebSocket(address))),
    files: createFileAccess(new URL('files/', target.location.href).pathname),
  };
}
