/**
 * A stranger's server on a port that a desk had: `node stranger.ts PORT UID`. It prints a line of
 * JSON for everything that it receives, and answers according to the last line of its input:
 * `code`, `missing`, `elsewhere` or `silent`. If root starts it, it becomes another user before it
 * listens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';
import { proveToPage, readyMessage } from '#shared/desk/contract/page-proof.ts';
import { sign } from '#main/browser/sessions.ts';

const [port = '0', uid = ''] = process.argv.slice(2);
if (uid !== '') {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}

/** A secret that the stranger knows. */
const offered = 'a'.repeat(43);

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

/**
 * The script runs in the page that loads it, reports itself with all that it finds, and stays
 * there.
 */
const code = `
  fetch('/ran?by=' + encodeURIComponent(globalThis.document ? 'page' : 'worker'), {
    method: 'POST',
    body: JSON.stringify({ stored: { ...globalThis.sessionStorage } }),
  }).catch(() => undefined);
  globalThis.isStrangers = true;
  globalThis.navigator?.serviceWorker?.register('/planted.js');
  export default {};
`;
/**
 * The worker answers everything in its scope with the stranger's content, even after another server
 * runs.
 */
const serviceWorker = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    if (event.request.mode === 'navigate') event.respondWith(
      new Response('<!doctype html><title>planted</title>', { headers: { 'content-type': 'text/html' } }),
    );
  });
`;
const page = `<!doctype html><title>stranger</title><body><script type="module">${code}
  const heard = new BroadcastChannel('desk-session');
  heard.onmessage = ({ data }) => fetch('/heard', { method: 'POST', body: JSON.stringify(data) });
  heard.postMessage('asked');
  // Whoever listens is offered a secret that the stranger knows.
  heard.postMessage({ session: '${offered}' });
  await navigator.serviceWorker.ready;
  document.title = 'planted';
</script>`;

let answers = 'code';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://stranger');
  if (['/ran', '/heard'].includes(pathname)) {
    response.end();
    return;
  }
  if (answers === 'silent') return;
  if (answers === 'missing') {
    response.writeHead(404).end('nothing');
    return;
  }
  if (answers === 'elsewhere' && !pathname.startsWith('/moved')) {
    response.writeHead(302, { location: `/moved${pathname}` }).end();
    return;
  }
  const isScript = pathname.endsWith('.js');
  const type = isScript ? 'text/javascript' : pathname.endsWith('.css') ? 'text/css' : 'text/html';
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    'service-worker-allowed': '/',
    'access-control-allow-origin': '*',
  });
  if (pathname.endsWith('planted.js')) response.end(serviceWorker);
  else if (isScript) response.end(code);
  else response.end(type === 'text/css' ? 'body { background: url(/styled) }' : page);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('latin1');
    print({
      asked: `${request.method ?? ''} ${request.url ?? ''}`,
      headers: request.headers,
      body,
    });
  });
  answer(request, response);
});
new WebSocketServer({ server }).on('connection', (socket, request) => {
  socket.on('message', (message: Buffer) => {
    print({ said: request.url, message: message.toString('latin1') });
  });
  // The stranger proves itself like the engine, with the secret that it offers.
  const side = { authority: request.headers.host ?? '', number: offered, sign };
  const purpose = request.url === '/bytes' ? 'bytes' : 'contract';
  proveToPage(socket, () => offered, { ...side, purpose }).then(
    (proven) => proven && socket.send(readyMessage),
    // The page has disconnected.
    () => undefined,
  );
});
server.listen(Number(port), () => print({ listening: true }));
createInterface({ input: process.stdin }).on('line', (line) => {
  answers = line;
  print({ answers });
});
