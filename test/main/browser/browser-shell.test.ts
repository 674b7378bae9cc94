import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { sessionHeader, unknownSessionCode } from '#shared/desk/file-headers.ts';
import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import { createSession } from '#main/browser/guards.ts';
import { temporaryFolder } from '../../support/processes.ts';
import {
  createLogStub,
  createStubEngine,
  documentBytes,
  documentId,
  caseId,
  draftId,
  openSession,
} from '../../support/stub-engine.ts';

const pages = temporaryFolder();
const stub = createStubEngine();
let shell: BrowserShell;
let authority: string;
let origin: string;
let session: string;

beforeAll(async () => {
  writeFileSync(join(pages.path, 'index.html'), '<!doctype html><title>desk</title>');
  mkdirSync(join(pages.path, 'assets'));
  writeFileSync(join(pages.path, 'assets', 'desk-1a2b3c4d.js'), '/* built */');
  shell = await startBrowserShell({
    engine: stub.engine,
    pagesDir: pages.path,
    port: 0,
    log: createLogStub(),
  });
  ({ origin } = shell);
  authority = new URL(origin).host;
  session = await openSession(shell);
});
afterAll(async () => {
  await shell.close();
  pages.remove();
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Plain HTTP with exactly these headers; fetch would not let a test send another Host. */
async function ask(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  const sent = request({
    host: '127.0.0.1',
    port: authority.split(':')[1],
    path,
    method,
    headers: { ...options.headers },
  });
  sent.end(options.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

const proof = () => ({ [sessionHeader]: session });
const tokenOf = (url: string) => url.split('#token=')[1] ?? '';
const documentPath = `/files/documents/${caseId}/${documentId}`;

describe('the door', () => {
  it('listens on the loopback address only and gives 256 bits', () => {
    expect(shell.invite()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    expect(Buffer.from(session, 'base64url')).toHaveLength(32);
  });

  it('serves the page without a session and under a strict policy', async () => {
    const { status, headers, body } = await ask('GET', '/');
    expect([status, body]).toEqual([200, '<!doctype html><title>desk</title>']);
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default vue");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`connect-src 'self' ws://${authority};`);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it.each(['localhost', 'evil.example', '127.0.0.1', '[::1]'])(
    'refuses the host %s (DNS rebinding)',
    async (host) => {
      const port = authority.split(':')[1] ?? '';
      const name = host === '127.0.0.1' ? host : `${host}:${port}`;
      for (const path of ['/', documentPath]) {
        const { status, body } = await ask('GET', path, { headers: { host: name, ...proof() } });
        expect([status, JSON.parse(body)]).toEqual([
          403,
          { code: 'invalid_input', params: { field: 'host', rule: 'unknown' } },
        ]);
      }
    },
  );

  it.each([
    ['another site', 'https://evil.example'],
    ['another port of this machine', 'http://127.0.0.1:1'],
    ['an opaque origin', 'null'],
  ])('refuses the origin of %s', async (_, other) => {
    const headers = { origin: other, ...proof(), 'content-type': 'application/json' };
    const body = JSON.stringify({ token: tokenOf(shell.invite()) });
    expect((await ask('POST', '/session', { headers, body })).status).toBe(403);
    expect((await ask('GET', documentPath, { headers })).status).toBe(403);
  });

  it('refuses what changes something and names no origin', async () => {
    const headers = { ...proof(), 'x-file-name': 'a.pdf' };
    const path = `/files/drafts/${draftId}/attachments`;
    expect((await ask('POST', path, { headers, body: 'x' })).status).toBe(403);
    expect(stub.uploads).toEqual([]);
  });

  it.each(['cross-site', 'same-site'])('refuses fetches that are %s', async (site) => {
    const headers = { ...proof(), 'sec-fetch-site': site };
    expect((await ask('GET', documentPath, { headers })).status).toBe(403);
    expect((await ask('GET', '/', { headers })).status).toBe(403);
  });

  it('lets a file or another page lead to the window, as a person follows a link, and nowhere else', async () => {
    const led = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const whole = { ...led, 'sec-fetch-dest': 'document' };
    expect((await ask('GET', '/', { headers: whole })).status).toBe(200);
    const framed = { ...led, 'sec-fetch-dest': 'iframe' };
    expect((await ask('GET', '/', { headers: framed })).status).toBe(403);
    const headers = { ...whole, ...proof() };
    expect((await ask('GET', documentPath, { headers })).status).toBe(403);
  });

  it('takes the page’s own requests and those of the address bar', async () => {
    for (const site of ['same-origin', 'none']) {
      const headers = { ...proof(), 'sec-fetch-site': site };
      expect((await ask('GET', documentPath, { headers })).status).toBe(200);
    }
  });
});

describe('the session', () => {
  const exchange = (body: string) =>
    ask('POST', '/session', { headers: { origin, 'content-type': 'application/json' }, body });

  it('is given for a token once, and sets no cookie, which other ports would be given too', async () => {
    const token = tokenOf(shell.invite());
    const { status, headers, body } = await exchange(JSON.stringify({ token }));
    expect([status, JSON.parse(body)]).toEqual([200, { session }]);
    expect(headers['set-cookie']).toBeUndefined();
    expect((await exchange(JSON.stringify({ token }))).status).toBe(401);
  });

  it.each(['{}', '{"token":""}', '{"token":1}', '{"token":"AAAA"}'])(
    'gives nothing for %s',
    async (body) => expect((await exchange(body)).status).toBe(401),
  );

  it('answers a body that is no JSON as what it is', async () => {
    const answer = await exchange('{');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_input' });
  });

  it('is needed for every byte of a case', async () => {
    const token = tokenOf(shell.invite());
    for (const headers of [
      {},
      { [sessionHeader]: '' },
      { [sessionHeader]: token },
      { cookie: `${sessionHeader}=${session}` },
    ]) {
      const { status, body } = await ask('GET', documentPath, { headers });
      expect([status, JSON.parse(body)]).toEqual([401, { code: 'unauthorized', params: {} }]);
    }
  });
});

describe('a further invitation', () => {
  const invite = (secret: string) =>
    ask('POST', '/invitations', { headers: { origin, [sessionHeader]: secret } });

  it('is given to who knows the secret beside the home', async () => {
    const answer = JSON.parse((await invite(shell.secret)).body) as { url: string };
    const body = JSON.stringify({ token: tokenOf(answer.url) });
    const headers = { origin, 'content-type': 'application/json' };
    expect((await ask('POST', '/session', { headers, body })).status).toBe(200);
  });
  it('is not given to a page, nor to anybody else', async () => {
    for (const other of ['', session]) expect((await invite(other)).status).toBe(401);
  });
});

describe('a ticket', () => {
  const ticket = (name: string) => name.padEnd(36, '0');
  const admit = (body: unknown, headers: Record<string, string> = proof()) =>
    ask('POST', '/tickets', {
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const look = async (name: string, path = documentPath) =>
    (await ask('GET', `${path}?ticket=${ticket(name)}`)).status;

  it('opens one address once', async () => {
    expect((await admit({ ticket: ticket('a'), path: documentPath })).status).toBe(204);
    expect(await look('a', `/files/documents/${caseId}/${draftId}`)).toBe(401);
    expect(await look('a')).toBe(200);
    expect(await look('a')).toBe(401);
  });
  it('serves for a minute', () => {
    let now = 0;
    const clocked = createSession(() => now);
    clocked.admit(ticket('b'), '/x');
    clocked.admit(ticket('c'), '/x');
    now = 60_000;
    expect(clocked.isAdmitted(ticket('b'), '/x')).toBe(true);
    now = 60_001;
    expect(clocked.isAdmitted(ticket('c'), '/x')).toBe(false);
  });
  it('is taken from the page alone, and cannot be guessed', async () => {
    expect((await admit({ ticket: ticket('d'), path: documentPath }, {})).status).toBe(401);
    expect((await admit({ ticket: 'short', path: documentPath })).status).toBe(400);
    expect(await look('d')).toBe(401);
  });
});

describe('the WebSocket', () => {
  /** How a line ends that says this first: 101 for one that answers, else why it was refused. */
  const connect = async (headers: Record<string, string>, first: string): Promise<number> => {
    const socket = new WebSocket(`ws://${authority}/contract`, { headers });
    return new Promise((resolve) => {
      socket.on('open', () => {
        socket.send(first);
        socket.ping();
      });
      // A ping that comes after the refusal is not answered.
      socket.on('pong', () => {
        resolve(101);
        socket.terminate();
      });
      socket.on('close', (code) => resolve(code));
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        socket.terminate();
      });
      socket.on('error', () => undefined);
    });
  };

  it('opens for the page', async () => {
    expect(await connect({ origin }, session)).toBe(101);
  });
  it('refuses another site that knows the secret', async () => {
    expect(await connect({ origin: 'https://evil.example' }, session)).toBe(403);
    expect(await connect({ origin, 'sec-fetch-site': 'cross-site' }, session)).toBe(403);
  });
  it('refuses a client without an origin, without the secret, or of another name', async () => {
    expect(await connect({}, session)).toBe(403);
    expect(await connect({ origin }, '')).toBe(unknownSessionCode);
    expect(await connect({ origin }, tokenOf(shell.invite()))).toBe(unknownSessionCode);
    expect(await connect({ origin, host: 'evil.example' }, session)).toBe(403);
  });
});

it('lets a browser keep built files, which have their digest in their names, and nothing else', async () => {
  const cacheControl = async (path: string) => (await ask('GET', path)).headers['cache-control'];
  expect(await cacheControl('/assets/desk-1a2b3c4d.js')).toBe(
    'private, max-age=31536000, immutable',
  );
  expect(await cacheControl('/assets/desk-gone.js')).toBe('no-store');
  expect(await cacheControl('/')).toBe('no-store');
});

describe('files', () => {
  const read = (headers: Record<string, string> = {}) =>
    ask('GET', documentPath, { headers: { ...proof(), ...headers } });

  it('gives a document as a download that is no page', async () => {
    const { status, headers, body } = await read();
    expect([status, body]).toEqual([200, documentBytes.toString()]);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '20',
      'content-disposition': "attachment; filename*=UTF-8''Gutachten%20%28Z%C3%BCrich%29.pdf",
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it.each([
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['text/css', 'application/octet-stream'],
    ['Text/Plain; charset=latin1', 'text/plain'],
  ])('serves what a partner calls %s as %s', async (contentType, served) => {
    stub.contentType = contentType;
    const { headers } = await read();
    expect(headers).toMatchObject({
      'content-type': served,
      'content-disposition': expect.stringMatching(/^attachment;/) as unknown,
      'x-content-type-options': 'nosniff',
    });
    stub.contentType = 'application/pdf';
  });

  it('gives ranges', async () => {
    const { status, headers, body } = await read({ range: 'bytes=5-8' });
    expect([status, body]).toEqual([206, '5678']);
    expect(headers).toMatchObject({ 'content-range': 'bytes 5-8/20', 'content-length': '4' });
    expect((await read({ range: 'bytes=-3' })).body).toBe('hij');
    const beyond = await read({ range: 'bytes=20-' });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, 'bytes */20']);
    expect((await read({ range: 'lines=1-2' })).status).toBe(200);
  });

  it.each([
    `/files/documents/${caseId}/${draftId}`,
    `/files/documents/${caseId}/../../x`,
    '/files/documents/%2e%2e/%2e%2e',
    '/files/documents/%E0%A4%A/x',
    '/files/',
  ])('says that %s is not there', async (path) => {
    const { status, body } = await ask('GET', path, { headers: proof() });
    expect([status, JSON.parse(body)]).toEqual([404, { code: 'document_not_found', params: {} }]);
  });

  const upload = (body: Buffer, headers: Record<string, string>) =>
    ask('POST', `/files/drafts/${draftId}/attachments`, {
      headers: { ...proof(), origin, ...headers },
      body,
    });

  it('streams an upload with its name and mark', async () => {
    const { status, body } = await upload(Buffer.alloc(300_000, 1), {
      'x-file-name': encodeURIComponent('Foto Zürich.jpg'),
      'x-salvage-sale': 'true',
      'content-type': 'application/json',
    });
    expect([status, JSON.parse(body)]).toMatchObject([201, { fileName: 'Foto Zürich.jpg' }]);
    expect(stub.uploads.at(-1)).toEqual({
      draftId,
      fileName: 'Foto Zürich.jpg',
      salvage: true,
      bytes: 300_000,
    });
  });

  it('answers a refused upload on the same line, though the body was not read', async () => {
    const { status, body } = await upload(Buffer.alloc(8_000_000), { 'x-file-name': 'big.pdf' });
    expect([status, JSON.parse(body)]).toEqual([
      413,
      {
        code: 'file_too_large',
        params: { fileName: 'big.pdf', sizeBytes: 1_000_001, maxBytes: 1_000_000 },
      },
    ]);
  });

  it.each([{}, { 'x-file-name': '' }, { 'x-file-name': '%E0%A4%A' }])(
    'refuses an upload named %j',
    async (headers) => {
      const { status, body } = await upload(Buffer.from('x'), headers);
      expect([status, JSON.parse(body)]).toEqual([
        400,
        { code: 'invalid_input', params: { field: 'fileName', rule: 'required' } },
      ]);
    },
  );
});

describe('closing', () => {
  it('ends open lines and does not wait for them', async () => {
    const folder = temporaryFolder();
    const other = await startBrowserShell({
      engine: createStubEngine().engine,
      pagesDir: folder.path,
      port: 0,
      log: createLogStub(),
    });
    const { host } = new URL(other.origin);
    const socket = new WebSocket(`ws://${host}/contract`, { headers: { origin: other.origin } });
    // A shell that ends may reset the line.
    socket.on('error', () => undefined);
    await once(socket, 'open');
    socket.send(await openSession(other));
    const closed = once(socket, 'close');
    await other.close();
    await closed;
    folder.remove();
  });
});
