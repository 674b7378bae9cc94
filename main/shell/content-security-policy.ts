/**
 * The policy of every page of the window: scripts, fonts and connections come from the desk itself
 * and from nowhere else. Vuetify writes its theme and positions its menus by the style sheets'
 * own interfaces; nothing inline runs.
 * @param sources what the shell serves next to its pages: pictures, and what is connected to
 * @param path of the file that is served: only the workers that decode photos and
 *   recognize scans run WebAssembly
 */
export function contentSecurityPolicy(
  sources: { images?: string; connect: string },
  path = '/',
): string {
  const mayCompile = /^\/assets\/(?:photo|scan)-worker-[\w-]+\.js$/.test(path);
  return [
    "default-src 'none'",
    `script-src 'self'${mayCompile ? " 'wasm-unsafe-eval'" : ''}`,
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
