import { openSession } from './session.ts';

/** A socket to the engine that serves this page over http. */
export function openSocket(target: Window): WebSocket {
  const address = new URL('contract', target.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  return new WebSocket(address);
}

/**
 * The session and the first socket, which open while the window is still being loaded; null over
 * the desktop shell's own protocol, which gives message ports.
 */
export async function openFirstSocket(target: Window): Promise<WebSocket | null> {
  if (target.location.protocol === 'desk:') return null;
  await openSession(target);
  return openSocket(target);
}
