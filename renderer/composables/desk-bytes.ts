import { DeskError, type DeskProblem, isDeskProblem } from '#shared/desk/desk-error.ts';
import { sessionHeader, ticketParameter } from '#shared/desk/file-headers.ts';
import { answerInner, innerTag } from './inner-bytes.ts';

const sessionKey = 'desk-session';

let pageSession: string | null | undefined;

/** What this page proves itself with in the browser shell; null in the desktop shell. */
export const sessionOfPage = (): string | null => (pageSession ??= readSession());

/** Survives a reload, unless the browser stores nothing. */
export function keepSession(session: string): void {
  pageSession = session;
  try {
    sessionStorage.setItem(sessionKey, session);
  } catch {
    // It is valid for this page alone.
  }
}

function readSession(): string | null {
  try {
    return sessionStorage.getItem(sessionKey);
  } catch {
    return null;
  }
}

/** As `fetch`, for the bytes of a document or an attachment, or of a file inside of one. */
export function fetchBytes(address: string, init: RequestInit = {}): Promise<Response> {
  const inner = answerInner(address, init);
  if (inner) return Promise.resolve(inner);
  const session = sessionOfPage();
  if (session === null) return fetch(address, init);
  const headers = new Headers(init.headers);
  headers.set(sessionHeader, session);
  return fetch(address, { ...init, headers });
}

/** Why the desk does not give the bytes. */
export async function problemOf(response: Response): Promise<DeskProblem> {
  const problem: unknown = await response.json().catch(() => null);
  return isDeskProblem(problem) ? problem : { code: 'internal', params: {} };
}

/**
 * The whole of what `fetchBytes` gives.
 * @param type instead of the one that the desk answers with
 * @throws {DeskError} why the desk does not give it
 */
export async function readWhole(
  address: string,
  { type, ...init }: RequestInit & { readonly type?: string } = {},
): Promise<Blob> {
  const response = await fetchBytes(address, init);
  if (!response.ok) throw DeskError.of(await problemOf(response));
  const content = await response.blob();
  return type === undefined ? content : content.slice(0, content.size, type);
}

/** An address that a tag, or a program that a document is dropped on, may ask for once. */
export interface TagAddress {
  readonly address: string;
  /** When it may be asked for. */
  readonly admitted: Promise<void>;
}

/** Where a tag gets the bytes from, because it sends no header. */
export function tagAddress(address: string): TagAddress {
  const inner = innerTag(address);
  if (inner !== undefined) return { address: inner, admitted: Promise.resolve() };
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
