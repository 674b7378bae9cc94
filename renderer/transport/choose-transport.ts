import { createORPCClient, type ClientContext, type ClientLink } from '@orpc/client';
import type { FirstAnswers } from '#shared/desk/first-answers.ts';
import type { DeskClient, Transport } from './desk-client.ts';
import { createFileAccess } from './files.ts';
import { withFirstAnswers } from './first-answers.ts';
import { openSocket } from './first-socket.ts';
import { createPortLink } from './port-link.ts';
import { createSocketLink } from './socket-link.ts';

/**
 * The way to the engine, by where the page came from: the desktop shell's own protocol gives
 * message ports, http a WebSocket, of which the first may be open already.
 */
export function chooseTransport(
  target: Window,
  begun: {
    readonly socket: WebSocket | null;
    readonly firstAnswers: Promise<FirstAnswers | null>;
  },
): Transport {
  const client = (link: ClientLink<ClientContext>): DeskClient => createORPCClient(link);
  if (target.location.protocol === 'desk:') {
    const files = createFileAccess('desk://files/', true);
    return { client: client(createPortLink(target)), files };
  }
  let opened = begun.socket;
  const open = () => {
    const socket = opened ?? openSocket(target);
    opened = null;
    return socket;
  };
  return {
    client: client(withFirstAnswers(createSocketLink(open), begun.firstAnswers)),
    files: createFileAccess(new URL('files/', target.location.href).pathname, false),
  };
}
