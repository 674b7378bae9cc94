/**
 * The content security policy of every page of the window. Scripts, fonts and connections come only
 * from the desk itself. Vuetify writes its theme and positions its menus through the interfaces of
 * style sheets, so nothing inline runs.
 * @param sources what the shell serves next to its pages: pictures, connections, and the digest of
 *   the import map, which browsers accept only in the page
 * @param path the path of the served file: only the workers that decode photos and recognize scans
 *   run WebAssembly
 */
export function contentSecurityPolicy(
  sources: { images?: string; connect: string; map?: string },
  path = '/',
): string {
  const mayCompile = /^\/assets\/(?:photo|scan)-worker-[\w-]+\.js$/.test(path);
  return [
    "default-src 'none'",
    ['script-src', "'self'", sources.map, mayCompile && "'wasm-unsafe-eval'"]
      .filter(Boolean)
      .join(' '),
    "style-src 'self'",
    ['img-src', "'self'", sources.images, 'blob:', 'data:'].filter(Boolean).join(' '),
    "font-src 'self'",
    "worker-src 'self' blob:",
    `connect-src 'self' ${sources.connect}`,
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default vue',
  ].join('; ');
}
