/**
 * Headers of every answer. Scripts, fonts and connections come from the desk itself and from
 * nowhere else. Styles may be inline, because Vuetify writes its theme and positions its menus
 * with style elements and attributes; scripts may not.
 */
export function securityHeaders(authority: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "font-src 'self'",
      "worker-src 'self' blob:",
      `connect-src 'self' ws://${authority}`,
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types default vue',
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  };
}

/** A served file is never a page: even opened by hand it runs nothing and reaches nothing. */
export const servedFileHeaders = { 'content-security-policy': "default-src 'none'; sandbox" };
