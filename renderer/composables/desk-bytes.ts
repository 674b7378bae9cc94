import { sessionHeader, ticketParameter } from '#shared/desk/file-headers.ts';

const sessionKey = 'desk-session';

let kept: string | null | undefined;

/** What this page proves itself with in the browser shell; null in the desktop shell. */
export const sessionOfPage = (): string | null => (kept ??= keptBefore());

/** Beyond a reload, unless the browser keeps nothing. */
export function keepSession(session: string): void {
  kept = session;
  try {
    sessionStorage.setItem(sessionKey, session);
  } catch {
    // It holds for this page alone.
  }
}

function keptBefore(): string | null {
  try {
    return sessionStorage.getItem(sessionKey);
  } catch {
    return null;
  }
}

/** As `fetch`, for the bytes of a document or an attachment. */
export function fetchBytes(address: string, init: RequestInit = {}): Promise<Response> {
  const session = sessionOfPage();
  if (session === null) return fetch(address, init);
  const headers = new Headers(init.headers);
  headers.set(sessionHeader, session);
  return fetch(address, { ...init, headers });
}

/** An address that a tag, or a program that a document is dropped on, may ask for once. */
export interface TagAddress {
  readonly address: string;
  /** When it may be asked for. */
  readonly admitted: Promise<void>;
}

/** Where a tag gets the bytes from, because it sends no header. */
export function tagAddress(address: string): TagAddress {
  const session = sessionOfPage();
  if (session === null) return { address, admitted: Promise.resolve() };
  const { pathname } = new URL(address, document.baseURI);
  const ticket = crypto.randomUUID();
  const admitted = fetch('tickets', {
    method: 'POST',
    headers: { [sessionHeader]: session, 'content-type': 'application/json' },
    body: JSON.stringify({ ticket, path: pathname }),
  }).then(
    () => undefined,
    // The tag fails by itself then.
    () => undefined,
  );
  return { address: `${address}?${ticketParameter}=${ticket}`, admitted };
}

/** Saves a copy in the browser's folder of downloads. */
export async function saveCopy(source: string, fileName: string): Promise<void> {
  const { address, admitted } = tagAddress(source);
  await admitted;
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}
