import { invalidDpop } from './invalid-dpop.ts';

const address = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i;
const defaultPorts: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/**
 * Specification, "DPoP proof": htu is the exact request URL including the query string. Scheme
 * and host are compared without regard to case, and a default port may be left out (decisions,
 * "Authentication").
 * @param publicUrl the service's public base address, without a trailing slash.
 * @param target path and query as they came in the request line.
 */
export function checkHtu(htu: unknown, publicUrl: string, target: string): void {
  if (typeof htu !== 'string' || canonical(htu) !== canonical(publicUrl + target)) {
    throw invalidDpop('htu mismatch: it is not the address of the request, with its query');
  }
}

/** The address with its scheme and host in lower case and without a default port. */
function canonical(url: string): string | undefined {
  const match = address.exec(url);
  if (!match) return undefined;
  const [, scheme = '', authority = '', rest = ''] = match;
  const lowerScheme = scheme.toLowerCase();
  const host = authority.toLowerCase();
  const port = defaultPorts[lowerScheme];
  const bare = port && host.endsWith(port) ? host.slice(0, -port.length) : host;
  return `${lowerScheme}://${bare}${rest}`;
}
