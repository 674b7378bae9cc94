import { contentSecurityPolicy } from '#main/shell/content-security-policy.ts';

/** Headers of every answer. */
export function securityHeaders(authority: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy({ connect: `ws://${authority}` }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  };
}
