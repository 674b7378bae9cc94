import { ReadableStream } from 'node:stream/web';
import { uploadHeaders } from '#shared/desk/reports/file-headers.ts';
import type { ByteLine } from './byte-line.ts';
import { appOrigin } from './pages.ts';

const passedHeaders = ['range', ...uploadHeaders];

const fileHeaders = {
  'access-control-allow-origin': appOrigin,
  'access-control-expose-headers': 'content-range, content-disposition',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
} as const;

/**
 * Answers `desk://files/...` with the engine's answer. If a request has an `Origin`, it must be the
 * window's. No other page can send a request: this session contains no other page (guards.ts).
 * Chromium does not apply CORS to a custom scheme.
 * @param openLine opens a connection to the engine's process
 */
export async function serveFiles(request: Request, openLine: () => ByteLine): Promise<Response> {
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== appOrigin) return new Response(null, { status: 403 });
  if (request.method === 'OPTIONS') return preflight();
  const line = openLine();
  const headers: Record<string, string> = {};
  for (const name of passedHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const path = new URL(request.url).pathname.replace(/^\//, '');
  line.send({ type: 'request', method: request.method, path, headers });
  if (request.body) void line.sendBytes(request.body);
  const head = await line.head;
  return new Response(bodyOf(line), {
    status: head.status,
    headers: { ...head.headers, ...fileHeaders },
  });
}

function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': appOrigin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': ['content-type', ...passedHeaders].join(', '),
    },
  });
}

function bodyOf(line: ByteLine): ReadableStream<Uint8Array> {
  const bytes = line.incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await bytes.next();
        if (next.done === true) {
          line.close();
          controller.close();
        } else controller.enqueue(next.value);
      },
      cancel: () => line.close(),
    },
    { highWaterMark: 0 },
  );
}
