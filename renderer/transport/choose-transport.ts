import { createORPCClient, type ClientContext, type ClientLink } from '@orpc/client';
import type { DeskClient, Transport } from './desk-client.ts';
import { createFileAccess } from './files.ts';
import { createPortLink } from './port-link.ts';
import { openSession } from './session.ts';
import { createSocketLink } from './socket-link.ts';

/**
 * Chooses the way to the engine once, by where the page came from: the desktop shell's own
 * protocol gives message ports, http gives a session and a WebSocket.
 */
export async function chooseTransport(target: Window): Promise<Transport> {
  const client = (link: ClientLink<ClientContext>): DeskClient => createORPCClient(link);
  if (target.location.protocol === 'desk:') {
    const files = createFileAccess('desk://files/', true);
    return { client: client(createPortLink(target)), files };
  }
  await openSession(target);
  const address = new URL('contract', target.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  return {
    client: client(createSocketLink(() => new WebSocket(address))),
    files: createFileAccess(new URL('files/', target.location.href).pathname, false),
  };
}
