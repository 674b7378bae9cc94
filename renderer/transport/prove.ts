import {
  type LinePurpose,
  proveToEngine,
  type Sign,
  UnprovenError,
} from '#shared/desk/contract/page-proof.ts';
import { unknownSessionCode } from '#shared/desk/reports/file-headers.ts';

/**
 * The engine runs but does not know the secret, because the link was used or the session is over.
 */
export class UnknownSecretError extends UnprovenError {}

/**
 * The timeout of the proof, long enough for an engine on a busy machine. A server that accepts the
 * line and is silent is left.
 */
const proofWithinMs = 15_000;

/**
 * Proves the page to the engine, and the engine to the page, over a line that was just opened.
 *
 * @returns the secret that both know from now on
 * @throws {UnknownSecretError} if the engine does not know the secret
 * @throws {UnprovenError} if the other end is not the engine; the line is then closed
 */
export async function prove(
  socket: WebSocket,
  secret: string,
  { purpose, authority }: { readonly purpose: LinePurpose; readonly authority: string },
): Promise<string> {
  const late = setTimeout(() => socket.close(), proofWithinMs);
  let closeCode = 0;
  socket.addEventListener('close', ({ code }) => (closeCode = code), { once: true });
  try {
    await opened(socket);
    return await proveToEngine(socket, secret, { purpose, authority, number: number(), sign });
  } catch (error) {
    socket.close();
    if (closeCode === unknownSessionCode) throw new UnknownSecretError('the secret is unknown');
    throw error;
  } finally {
    clearTimeout(late);
  }
}

function opened(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.OPEN) return Promise.resolve();
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    const refuse = () => reject(new UnprovenError('the line did not open'));
    socket.addEventListener('close', refuse, { once: true });
  });
}

const sign: Sign = async (secret, text) => {
  const utf8 = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign']);
  return base64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text))));
};

const number = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
