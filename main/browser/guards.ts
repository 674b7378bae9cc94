import { contentSecurityPolicy } from '#main/shell/content-security-policy.ts';

/** The parts of a request that the door looks at. */
export interface DoorRequest {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly path: string;
  /** Fetch metadata: `Sec-Fetch-Site`, `-Mode` and `-Dest`. */
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
  readonly isWebSocket: boolean;
}

export type Refused = 'host' | 'origin' | 'site';

/**
 * Whether a request comes from the desk's own page, by the address on which the desk listens.
 * A name other than the address in `Host` is another site that resolves to this machine (DNS
 * rebinding). Browsers send `Origin` on every WebSocket and on everything but GET and HEAD; a
 * request without it there is not the page's.
 *
 * @param authority host and port exactly as the desk printed them
 * @returns why it is refused, or null
 */
export function refusalOf(request: DoorRequest, authority: string): Refused | null {
  if (request.host !== authority) return 'host';
  const origin = `http://${authority}`;
  const needsOrigin = request.isWebSocket || !['GET', 'HEAD'].includes(request.method);
  if (request.origin === undefined ? needsOrigin : request.origin !== origin) return 'origin';
  const site = request.fetchSite;
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  // The file through which the desk is opened leads here as a link on any page would. The page
  // itself holds nothing of anybody.
  const isOpening =
    request.method === 'GET' &&
    request.path === '/' &&
    request.fetchMode === 'navigate' &&
    request.fetchDest === 'document';
  return isOpening ? null : 'site';
}

/** Headers of every answer. */
export function securityHeaders(authority: string, path: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy({ connect: `ws://${authority}` }, path),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  };
}
