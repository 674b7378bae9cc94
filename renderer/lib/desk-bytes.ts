import { DeskError, type DeskProblem, isDeskProblem } from '#shared/desk/contract/desk-error.ts';
import { type BytesHead, ticketMethod } from '#shared/desk/contract/byte-lines.ts';
import { ticketParameter } from '#shared/desk/reports/file-headers.ts';
import { answerInner, innerTag } from './inner-bytes.ts';

/** Requests bytes from the engine over a connection on which the engine has proved who it is. */
type AskForBytes = (
  head: Omit<BytesHead, 'hasBody'>,
  more?: { readonly body?: Blob; readonly signal?: AbortSignal },
) => Promise<Response>;

/** The function of the browser shell. The pages of the desktop shell use that shell's protocol. */
let askForBytes: AskForBytes | null = null;

export const useByteLines = (ask: AskForBytes): void => void (askForBytes = ask);

/** Fetches the bytes of a document or an attachment, or of a file inside one, like `fetch`. */
export function fetchBytes(
  address: string,
  init: Omit<RequestInit, 'body'> & { readonly body?: Blob } = {},
): Promise<Response> {
  const inner = answerInner(address, init);
  if (inner) return Promise.resolve(inner);
  if (!askForBytes) return fetch(address, init);
  const { method = 'GET', body, signal } = init;
  const headers = Object.fromEntries(new Headers(init.headers));
  return askForBytes(
    { method, path: pathOf(address), headers },
    { ...(body && { body }), ...(signal && { signal }) },
  );
}

const pathOf = (address: string): string => new URL(address, document.baseURI).pathname;

/** The reason why the desk does not return the bytes. */
export async function problemOf(response: Response): Promise<DeskProblem> {
  const problem: unknown = await response.json().catch(() => null);
  return isDeskProblem(problem) ? problem : { code: 'internal', params: {} };
}

/**
 * Reads all bytes of an address.
 * @param type the media type that replaces the desk's
 * @throws {DeskError} the reason why the desk does not return them
 */
export async function readWhole(
  address: string,
  { type, signal }: { readonly type?: string; readonly signal?: AbortSignal } = {},
): Promise<Blob> {
  const response = await fetchBytes(address, signal ? { signal } : {});
  if (!response.ok) throw DeskError.of(await problemOf(response));
  const content = await response.blob();
  return type === undefined ? content : content.slice(0, content.size, type);
}

/** An address from which a tag can show bytes. */
export interface TagAddress {
  readonly address: string;
  /** Must be called when the tag has the bytes, or is removed. */
  readonly letGo: () => void;
}

/**
 * The address for a tag. In the browser shell the bytes arrive over a connection on which the
 * engine has proved who it is, because another server may have its port.
 * @throws {DeskError} the reason why the desk does not return them
 */
export async function tagAddress(address: string): Promise<TagAddress> {
  const inner = innerTag(address);
  if (inner !== undefined || !askForBytes)
    return { address: inner ?? address, letGo: () => undefined };
  const url = URL.createObjectURL(await readWhole(address));
  return { address: url, letGo: () => URL.revokeObjectURL(url) };
}

/**
 * An address that another program may request once after a document was dropped on it. The engine
 * is notified over a connection on which it has proved who it is.
 */
export function dropAddress(address: string): string {
  if (!askForBytes) return address;
  const ticket = crypto.randomUUID();
  const path = pathOf(address);
  // If the engine is not notified, the drop fails without further effect.
  askForBytes({ method: ticketMethod, path, headers: { ticket } }).catch(() => undefined);
  return `${path}?${ticketParameter}=${ticket}`;
}
