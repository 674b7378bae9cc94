import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DeskError } from '#shared/desk/errors.ts';
import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import { temporaryFolder } from '../../support/processes.ts';
import {
  createLogStub,
  createStubEngine,
  documentBytes,
  documentId,
  caseId,
  draftId,
} from '../../support/stub-engine.ts';

const pages = temporaryFolder();
const stub = createStubEngine();
let shell: BrowserShell;
let authority: string;
let origin: string;
let token: string;
let cookie: string;

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
  const url = new URL(shell.url);
  authority = url.host;
  origin = url.origin;
  token = url.hash.slice('#token='.length);
  const answer = await ask('POST', '/session', {
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
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

const documentPath = `/files/documents/${caseId}/${documentId}`;

describe('the door', () => {
  it('listens on the loopback address only and gives 256 bits', () => {
    expect(authority).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
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
        const { status, body } = await ask('GET', path, { headers: { host: name, cookie } });
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
    const headers = { origin: other, cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ token });
    expect((await ask('POST', '/session', { headers, body })).status).toBe(403);
    expect((await ask('GET', documentPath, { headers })).status).toBe(403);
  });

  it('refuses what changes something and names no origin', async () => {
    const headers = { cookie, 'x-file-name': 'a.pdf' };
    const path = `/files/drafts/${draftId}/attachments`;
    expect((await ask('POST', path, { headers, body: 'x' })).status).toBe(403);
    expect(stub.uploads).toEqual([]);
  });

  it.each(['cross-site', 'same-site'])('refuses fetches that are %s', async (site) => {
    const headers = { cookie, 'sec-fetch-site': site };
    expect((await ask('GET', documentPath, { headers })).status).toBe(403);
    expect((await ask('GET', '/', { headers })).status).toBe(403);
  });

  it('takes the page’s own requests and those of the address bar', async () => {
    for (const site of ['same-origin', 'none']) {
      const headers = { cookie, 'sec-fetch-site': site };
      expect((await ask('GET', documentPath, { headers })).status).toBe(200);
    }
  });
});

describe('what a window asks first', () => {
  it('is one answer to whoever has the session', async () => {
    const { status, headers, body } = await ask('GET', '/first-answers', { headers: { cookie } });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(JSON.parse(body)).toMatchObject({
      'desk.info': { version: '0.1.0' },
      'desk.look': {},
      'cases.list': { total: 1, items: [{ id: caseId }] },
    });
  });

  it('is refused without it, and to other sites with it', async () => {
    expect((await ask('GET', '/first-answers')).status).toBe(401);
    const headers = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await ask('GET', '/first-answers', { headers })).status).toBe(403);
  });

  it('is nothing where one of the calls fails', async () => {
    vi.spyOn(stub.handlers.cases, 'list').mockImplementationOnce(() => {
      throw new DeskError('no_connection');
    });
    const { status, body } = await ask('GET', '/first-answers', { headers: { cookie } });
    expect([status, body]).toEqual([204, '']);
  });
});

describe('the session', () => {
  const exchange = (body: string) =>
    ask('POST', '/session', { headers: { origin, 'content-type': 'application/json' }, body });

  it('gives a strict cookie for the token', async () => {
    const { status, headers } = await exchange(JSON.stringify({ token }));
    expect(status).toBe(204);
    const port = authority.split(':')[1] ?? '';
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^desk-session-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(headers['set-cookie']?.[0]).not.toContain(token);
  });

  it.each(['{}', '{"token":""}', '{"token":1}', '{"token":"AAAA"}'])(
    'gives nothing for %s',
    async (body) => {
      const answer = await exchange(body);
      expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
    },
  );

  it('answers a body that is no JSON as what it is', async () => {
    const answer = await exchange('{');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_input' });
  });

  it('is needed for every byte of a case', async () => {
    const name = cookie.split('=')[0] ?? '';
    for (const wrong of [
      '',
      `${name}=`,
      `${name}=${token}`,
      `other=${cookie.split('=')[1] ?? ''}`,
    ]) {
      const { status, body } = await ask('GET', documentPath, { headers: { cookie: wrong } });
      expect([status, JSON.parse(body)]).toEqual([401, { code: 'unauthorized', params: {} }]);
    }
  });
});

describe('the WebSocket', () => {
  const connect = async (headers: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(`ws://${authority}/contract`, { headers });
    return new Promise((resolve) => {
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0);
        socket.terminate();
      });
      socket.on('error', () => undefined);
    });
  };

  it('opens for the page', async () => {
    expect(await connect({ origin, cookie })).toBe(101);
  });
  it('refuses another site that holds the cookie', async () => {
    expect(await connect({ origin: 'https://evil.example', cookie })).toBe(403);
    expect(await connect({ origin, cookie, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });
  it('refuses a client without an origin, without a cookie, or of another name', async () => {
    expect(await connect({ cookie })).toBe(403);
    expect(await connect({ origin })).toBe(401);
    expect(await connect({ origin, cookie, host: 'evil.example' })).toBe(403);
  });
});

it('lets a browser keep built files, which have their digest in their names, and nothing else', async () => {
  const kept = async (path: string) => (await ask('GET', path)).headers['cache-control'];
  expect(await kept('/assets/desk-1a2b3c4d.js')).toBe('private, max-age=31536000, immutable');
  expect(await kept('/assets/desk-gone.js')).toBe('no-store');
  expect(await kept('/')).toBe('no-store');
});

describe('files', () => {
  const read = (headers: Record<string, string> = {}) =>
    ask('GET', documentPath, { headers: { cookie, ...headers } });

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
    const { status, body } = await ask('GET', path, { headers: { cookie } });
    expect([status, JSON.parse(body)]).toEqual([404, { code: 'document_not_found', params: {} }]);
  });

  const upload = (body: Buffer, headers: Record<string, string>) =>
    ask('POST', `/files/drafts/${draftId}/attachments`, {
      headers: { cookie, origin, ...headers },
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
      { code: 'file_too_large', params: { fileName: 'big.pdf', maxBytes: 1_000_000 } },
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
    const url = new URL(other.url);
    const answer = await fetch(`${url.origin}/session`, {
      method: 'POST',
      headers: { origin: url.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ token: url.hash.slice('#token='.length) }),
    });
    const socket = new WebSocket(`ws://${url.host}/contract`, {
      headers: { origin: url.origin, cookie: answer.headers.getSetCookie()[0] ?? '' },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await other.close();
    await closed;
    folder.remove();
  });
});
