import { keyBytes, sessionBytes } from '#shared/telephone/limits.ts';
import { type Code, type Outbox, toHex } from './outbox.ts';

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** A random text. @param length in bytes */
export const randomHex = (length: number): string =>
  toHex(crypto.getRandomValues(new Uint8Array(length)));

/**
 * The code in the address, or the last one. It is taken out of the address, so that no history has
 * it.
 */
export async function codeOfAddress(outbox: Outbox): Promise<Code | null> {
  const [key = '', session = ''] = location.hash.slice(1).split('.');
  history.replaceState(null, '', '/');
  const before = await outbox.code();
  if (!/^[\w-]{43}$/.test(key) || !/^[\w-]{22}$/.test(session)) return before;
  const scanned = {
    key: fromBase64(key).subarray(0, keyBytes),
    session: fromBase64(session).subarray(0, sessionBytes),
  };
  if (before !== null && toHex(before.session) === toHex(scanned.session)) return before;
  const code = { ...scanned, device: randomHex(32), report: null };
  await outbox.setCode(code);
  return code;
}
