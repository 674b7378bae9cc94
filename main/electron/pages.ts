import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { contentSecurityPolicy } from '#main/shell/content-security-policy.ts';
import { type PageAtStart, pageAtStart } from '#main/shell/page-at-start.ts';

/** The address of the window. No other address is ever a page. */
export const appOrigin = 'desk://app';
/** The address of the bytes of documents, which is never a page. */
export const filesOrigin = 'desk://files';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

const policySources = { images: filesOrigin, connect: filesOrigin };
const pageHeaders = {
  'content-security-policy': contentSecurityPolicy(policySources),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Returns a file of the built window, or 404. It never returns a file outside the folder. */
export async function servePage(
  pagesDir: string,
  address: string,
  atStart: PageAtStart,
): Promise<Response> {
  const path = decodedPath(address);
  const file = join(pagesDir, path === '/' ? 'index.html' : path);
  if (!file.startsWith(pagesDir + sep)) return notFound();
  try {
    const bytes = await readFile(file);
    const extension = extname(file);
    const type = mediaTypes[extension] ?? 'application/octet-stream';
    const policy = contentSecurityPolicy(policySources, path);
    const headers = { ...pageHeaders, 'content-security-policy': policy, 'content-type': type };
    const isPage = extension === '.html';
    return new Response(isPage ? pageAtStart(bytes.toString(), atStart) : bytes, { headers });
  } catch {
    return notFound();
  }
}

function decodedPath(address: string): string {
  try {
    return decodeURIComponent(new URL(address).pathname);
  } catch {
    return '/..';
  }
}

function notFound(): Response {
  return new Response(null, { status: 404, headers: pageHeaders });
}
