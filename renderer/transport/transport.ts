import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { inject, type InjectionKey } from 'vue';
import type { contract } from '#shared/desk/contract.ts';
import { keepSession, sessionOfPage } from '../composables/desk-bytes.ts';
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
  const { askAgain } = await openSession(page);
  const socketUrl = new URL('contract', page.location.href);
  socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  socketUrl.hash = '';
  const open = () => new WebSocket(socketUrl);
  return {
    client: createORPCClient(createSocketLink(open, () => sessionOfPage() ?? '', askAgain)),
    files: createFileAccess(new URL('files/', page.location.href).pathname, false),
  };
}

/** Another window of the same browser answers this soon. */
const answerWithinMs = 500;

/**
 * Exchanges the token in the address (`#token=...`), which serves once, and takes it out of the
 * address and the history. A further window, which has no token, asks those that are open: only
 * windows of this very address hear it.
 */
async function openSession(page: Window): Promise<{ askAgain: () => void }> {
  const windows = new BroadcastChannel('desk-session');
  const token = new URLSearchParams(page.location.hash.slice(1)).get('token');
  if (token !== null) {
    page.history.replaceState(null, '', page.location.pathname);
    const session = await exchange(page, token);
    if (session !== null) keepSession(session);
  } else if (sessionOfPage() === null) {
    const answered = new Promise<void>((resolve) => {
      windows.onmessage = ({ data }: MessageEvent<unknown>) => {
        const session = sessionIn(data);
        if (session === null) return;
        keepSession(session);
        resolve();
      };
    });
    windows.postMessage('asked');
    await Promise.race([answered, new Promise((over) => setTimeout(over, answerWithinMs))]);
  }
  let isRefused = false;
  windows.onmessage = ({ data }: MessageEvent<unknown>) => {
    const session = sessionOfPage();
    const other = sessionIn(data);
    if (data === 'asked' && session !== null && !isRefused) windows.postMessage({ session });
    else if (isRefused && other !== null && other !== session) {
      isRefused = false;
      keepSession(other);
    }
  };
  /** The engine was started again: the window that its start opened knows the new session. */
  const askAgain = (): void => {
    isRefused = true;
    windows.postMessage('asked');
  };
  return { askAgain };
}

/** Null for a token that was refused; that shows when the socket does not open. */
async function exchange(page: Window, token: string): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token });
  const answer = await page
    .fetch('session', { method: 'POST', headers, body })
    .then((response): Promise<unknown> => response.json())
    .catch(() => null);
  return sessionIn(answer);
}

/** By hand, because the window starts without what checks schemas. */
function sessionIn(value: unknown): string | null {
  const hasSession = typeof value === 'object' && value !== null && 'session' in value;
  return hasSession && typeof value.session === 'string' ? value.session : null;
}
