import type { IncomingMessage } from 'node:http';
import { contentSecurityPolicy } from '#main/shell/content-security-policy.ts';

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The addresses of the shell as host and port, in the form that browsers send. */
export interface Addresses {
  /** 127.0.0.1 with the port, which the desk prints. Another server may have used it before. */
  readonly plain: string;
  /** A name of this start, which no other server can have had. */
  readonly own: string;
}

/** The page or redirect that the plain address returns. */
export type Opening = 'page' | 'own address' | 'plain address';

/**
 * Decides where the desk is opened. If the browser itself resolves names under `localhost` to this
 * machine (Chromium and Firefox), it is the name of this start; otherwise it is the plain address.
 * Only a navigation learns the name, so that a script that another server left there cannot follow.
 */
export function openingOf({ headers }: RequestHead, { own }: Addresses): Opening {
  if (headers.host === own || !isNavigation(headers)) return 'page';
  const resolvesNames = /(?:Chrome|Firefox)\//.test(headers['user-agent'] ?? '');
  return resolvesNames ? 'own address' : 'plain address';
}

/** Whether the request is a navigation. No script of a page can send these headers. */
const isNavigation = (headers: RequestHead['headers']): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** The paths of the plain address: the redirect to the desk, and that for a second start. */
const plainPaths: readonly string[] = ['/', '/invitation'];

/**
 * Whether a request comes from the desk's own page, by the addresses on which the desk listens.
 * Another name in `Host` belongs to another site that resolves to this machine (DNS rebinding).
 * Browsers send `Origin` on every WebSocket and on everything except GET and HEAD, so such a
 * request without it does not come from the page.
 * @param isPlainOpen whether a browser uses the plain address, because it does not resolve local
 *   names
 * @returns the reason of a refusal; null if the request is accepted
 */
export function refusalOf(
  request: RequestHead,
  { plain, own }: Addresses,
  isPlainOpen: boolean,
): 'host' | 'origin' | 'site' | 'worker' | null {
  const { method = '', url, headers } = request;
  const path = url?.split('?')[0] ?? '';
  const isPlain = headers.host === plain;
  if (!isPlain && headers.host !== own) return 'host';
  if (isPlain && !isPlainOpen && !plainPaths.includes(path)) return 'host';
  // The desk has no service worker. One that another server left would request its next version
  // here.
  // Browsers send the first; the second is what they state of the request.
  if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker')
    return 'worker';
  const needsOrigin = headers.upgrade !== undefined || !['GET', 'HEAD'].includes(method);
  const isOwn = headers.origin === `http://${headers.host}`;
  if (headers.origin === undefined ? needsOrigin : !isOwn) return 'origin';
  // The fetch metadata. If a browser sends none, the two checks above decide.
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  // The file through which the desk is opened leads here as a link on any page would, so this
  // navigation is accepted. The page itself contains no data.
  const isOpening = method === 'GET' && path === '/' && isNavigation(headers);
  return isOpening ? null : 'site';
}

/**
 * The headers of every answer.
 * @param map the source that allows the page's import map
 */
export function securityHeaders(
  authority: string,
  path: string,
  map?: string,
): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(
      { connect: `ws://${authority}`, ...(map !== undefined && { map }) },
      path,
    ),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  };
}
