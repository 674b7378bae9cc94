import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { inject, type InjectionKey } from 'vue';
import type { contract } from '#shared/desk/contract.ts';
import { createFileAccess, type FileAccess } from './files.ts';
import { createPortLink, createSocketLink } from './links.ts';

/** The contract as the window calls it. */
export type DeskClient = ContractRouterClient<typeof contract>;

/** Both ways into the engine: calls and bytes. */
export interface Transport {
  readonly client: DeskClient;
  readonly files: FileAccess;
}

export const transportKey: InjectionKey<Transport> = Symbol('transport');

/** The transport that the application was given; for stores only. */
export function useTransport(): Transport {
  const transport = inject(transportKey);
  if (!transport) throw new Error('no transport was provided');
  return transport;
}

/** The page's own protocol decides: `desk:` gives message ports, http a WebSocket. */
export async function openTransport(page: Window): Promise<Transport> {
  if (page.location.protocol === 'desk:')
    return {
      client: createORPCClient(createPortLink(page)),
      files: createFileAccess('desk://files/', true),
    };
  await openSession(page);
  const socketUrl = new URL('contract', page.location.href);
  socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  socketUrl.hash = '';
  return {
    client: createORPCClient(createSocketLink(() => new WebSocket(socketUrl))),
    files: createFileAccess(new URL('files/', page.location.href).pathname, false),
  };
}

/**
 * Exchanges the token in the address (`#token=...`) for the session's cookie, once, and takes it
 * out of the address and the history. Without a token the cookie of an earlier visit has to do.
 */
async function openSession(page: Window): Promise<void> {
  const token = new URLSearchParams(page.location.hash.slice(1)).get('token');
  if (token === null) return;
  page.history.replaceState(null, '', page.location.pathname);
  // A refused token shows when the socket does not open; the page says so then.
  await page
    .fetch('session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    .catch(() => undefined);
}
