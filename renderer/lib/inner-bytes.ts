/** The opened files inside documents, by address. Their bytes exist only in this window. */
const opened = new Map<string, { readonly content: Blob; readonly tag: string }>();

/**
 * Registers the bytes of a file. @returns the address under which `fetchBytes` and `tagAddress`
 * find them
 */
export function openInnerBytes(content: Blob): string {
  const address = `inner:${crypto.randomUUID()}`;
  opened.set(address, { content, tag: URL.createObjectURL(content) });
  return address;
}

export function closeInnerBytes(address: string): void {
  const found = opened.get(address);
  if (found) URL.revokeObjectURL(found.tag);
  opened.delete(address);
}

/** The address from which a tag gets the bytes. */
export const innerTag = (address: string): string | undefined => opened.get(address)?.tag;

/**
 * Answers a request as the desk does for a document, including ranges. It returns null for any
 * other address.
 */
export function answerInner(address: string, init: RequestInit): Response | null {
  const content = opened.get(address)?.content;
  if (!content) return null;
  const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init.headers).get('range') ?? '');
  if (!range) return new Response(content);
  const begin = Number(range[1]);
  if (begin >= content.size) return new Response(null, { status: 416 });
  const part = content.slice(begin, Number(range[2]) + 1);
  const stated = `bytes ${String(begin)}-${String(begin + part.size - 1)}/${String(content.size)}`;
  return new Response(part, { status: 206, headers: { 'content-range': stated } });
}
