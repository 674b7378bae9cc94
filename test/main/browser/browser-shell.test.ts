import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket as Line, WebSocketServer } from 'ws';
import { unknownSessionCode } from '#shared/desk/reports/file-headers.ts';
import {
  proveToEngine,
  UnansweredProofError,
  UnprovenError,
} from '#shared/desk/contract/page-proof.ts';
import { type BrowserShell, startBrowserShell } from '#main/browser/browser-shell.ts';
import { createSessions, nameOf, sign } from '#main/browser/sessions.ts';
import { inviteAgain, leaveWayIn } from '#main/browser/way-in.ts';
import { temporaryFolder } from '../../support/processes.ts';
import {
  createLogStub,
  createStubEngine,
  documentBytes,
  documentId,
  caseId,
  draftId,
  openPage,
  plainNavigation,
  type StubPage,
} from '../../support/stub-engine.ts';

const pages = temporaryFolder();
const stub = createStubEngine();
const hasSixth = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);
const parts = () => ({ engine: stub.engine, pagesDir: pages.path, log: createLogStub() });
let shell: BrowserShell;
let authority: string;
let origin: string;
let page: StubPage;

beforeAll(async () => {
  writeFileSync(join(pages.path, 'index.html'), '<!doctype html><head><title>desk</title>');
  mkdirSync(join(pages.path, 'assets'));
  writeFileSync(join(pages.path, 'assets', 'desk-1a2b3c4d.js'), '/* built */');
  shell = await startBrowserShell({ ...parts(), port: 0 });
  ({ origin } = shell);
  authority = new URL(origin).host;
  page = await openPage(shell);
});
afterAll(async () => {
  page.close();
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
  options: { headers?: Record<string, string>; to?: string; port?: number } = {},
): Promise<Answer> {
  const { headers = {}, to = '127.0.0.1', port = authority.split(':')[1] } = options;
  const sent = request({ host: to, port, path, method, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

const ownHost = () => new URL(shell.pageOrigin).host;
/** Headers of a page under the address of this start. */
const own = (more: Record<string, string> = {}) => ({ host: ownHost(), ...more });
const tokenOf = (url: string) => url.split('#token=')[1] ?? '';
const documentPath = `/files/documents/${caseId}/${documentId}`;

describe('the door', () => {
  it('listens on the loopback address only and gives 256 bits', () => {
    expect(shell.invite()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    expect(shell.pageOrigin).toMatch(/^http:\/\/desk-[0-9a-f]{32}\.localhost:\d+$/);
    expect(Buffer.from(page.session, 'base64url')).toHaveLength(32);
  });

  it('serves the page without a session and under a strict policy', async () => {
    const { status, headers, body } = await ask('GET', '/', { headers: own() });
    expect([status, body]).toEqual([
      200,
      expect.stringMatching(
        /^<!doctype html><head><script type="importmap">.*<\/script><title>desk<\/title>$/,
      ) as unknown,
    ]);
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default vue");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`connect-src 'self' ws://${ownHost()};`);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('gives the page the digest of every later script, and lets in no other inline one', async () => {
    const { headers, body } = await ask('GET', '/', { headers: own() });
    const map = /<script type="importmap">(.*)<\/script>/.exec(body)?.[1] ?? '';
    const digest = (algorithm: string, text: string) =>
      createHash(algorithm).update(text).digest('base64');
    expect(JSON.parse(map)).toEqual({
      integrity: { '/assets/desk-1a2b3c4d.js': `sha384-${digest('sha384', '/* built */')}` },
    });
    expect(headers['content-security-policy']).toContain(
      `script-src 'self' 'sha256-${digest('sha256', map)}';`,
    );
  });

  it.each(['localhost', 'evil.example', '127.0.0.1', '[::1]', 'desk-0.localhost'])(
    'refuses the host %s (DNS rebinding)',
    async (host) => {
      const port = authority.split(':')[1] ?? '';
      const name = host === '127.0.0.1' ? host : `${host}:${port}`;
      for (const path of ['/', documentPath]) {
        const { status, body } = await ask('GET', path, { headers: { host: name } });
        expect([status, JSON.parse(body)]).toEqual([
          403,
          { code: 'invalid_input', params: { field: 'host', rule: 'unknown' } },
        ]);
      }
    },
  );

  it.each([
    ['with a point at its end', (host: string) => host.replace(':', '.:')],
    ['with a user before it', (host: string) => `user@${host}`],
    ['of another start', (host: string) => host.replace(/^desk-./, 'desk-g')],
    ['below the name of this start', (host: string) => `evil.${host}`],
    ['with another name behind it', (host: string) => `${host}, evil.example`],
  ])('refuses a host %s', async (_, change) => {
    expect((await ask('GET', '/', { headers: { host: change(ownHost()) } })).status).toBe(403);
  });

  it('decides by the host, whatever address stands in the request line', async () => {
    const path = `http://${ownHost()}/`;
    expect((await ask('GET', path, { headers: { host: 'evil.example' } })).status).toBe(403);
    const { body } = await ask('GET', 'http://evil.example/', { headers: own() });
    expect(body).not.toContain('evil.example');
  });

  it.each([
    ['another site', 'https://evil.example'],
    ['another start', 'http://desk-00000000000000000000000000000000.localhost:1'],
    ['another port of this machine', 'http://127.0.0.1:1'],
    ['the plain address', `http://127.0.0.1`],
    ['an opaque origin', 'null'],
  ])('refuses the origin of %s', async (_, other) => {
    expect((await ask('GET', '/', { headers: own({ origin: other }) })).status).toBe(403);
    expect((await ask('POST', '/', { headers: own({ origin: other }) })).status).toBe(403);
  });

  it.each(['cross-site', 'same-site'])('refuses fetches that are %s', async (site) => {
    const headers = own({ 'sec-fetch-site': site });
    expect((await ask('GET', '/assets/desk-1a2b3c4d.js', { headers })).status).toBe(403);
    expect((await ask('GET', '/', { headers })).status).toBe(403);
  });

  it('lets a file or another page lead to the window, as a person follows a link, and nowhere else', async () => {
    const led = own({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    const whole = { ...led, 'sec-fetch-dest': 'document' };
    expect((await ask('GET', '/', { headers: whole })).status).toBe(200);
    const framed = { ...led, 'sec-fetch-dest': 'iframe' };
    expect((await ask('GET', '/', { headers: framed })).status).toBe(403);
    expect((await ask('GET', documentPath, { headers: whole })).status).toBe(403);
  });

  it('takes the page’s own requests and those of the address bar', async () => {
    for (const site of ['same-origin', 'none']) {
      const headers = own({ 'sec-fetch-site': site });
      expect((await ask('GET', '/', { headers })).status).toBe(200);
    }
  });

  it('refuses what a service worker asks for', async () => {
    const headers = own({ 'service-worker': 'script' });
    expect((await ask('GET', '/assets/desk-1a2b3c4d.js', { headers })).status).toBe(403);
    expect((await ask('GET', '/', { headers })).status).toBe(403);
    const fetched = own({ 'sec-fetch-dest': 'serviceworker', 'sec-fetch-site': 'same-origin' });
    for (const path of ['/', '/sw.js', '/assets/desk-1a2b3c4d.js', '/contract'])
      expect((await ask('GET', path, { headers: fetched })).status).toBe(403);
  });

  it.runIf(hasSixth)('is there under ::1 too, where a browser may look first', async () => {
    const headers = own();
    expect((await ask('GET', '/', { headers, to: '::1' })).status).toBe(200);
  });
});

describe('the address that the desk prints', () => {
  /** A shell that no browser has opened. */
  async function openShell(): Promise<{ at: (headers: object, path?: string) => Promise<Answer> }> {
    const fresh = await startBrowserShell({ ...parts(), port: 0 });
    onTestFinished(() => fresh.close());
    const port = Number(new URL(fresh.origin).port);
    return { at: (headers, path = '/') => ask('GET', path, { headers: { ...headers }, port }) };
  }
  const browser = (name: string) => ({ ...plainNavigation, 'user-agent': `Mozilla/5.0 ${name}` });

  it.each(['HeadlessChrome/150.0 Safari/537.36', 'Gecko/20100101 Firefox/140.0'])(
    'leads %s to a name of this start, and clears what another server left',
    async (name) => {
      const { at } = await openShell();
      const { status, headers } = await at(browser(name));
      expect(status).toBe(307);
      expect(headers.location).toMatch(/^http:\/\/desk-[0-9a-f]{32}\.localhost:\d+\/$/);
      expect(headers).toMatchObject({
        'clear-site-data': '"cache", "storage"',
        'cache-control': 'no-store',
      });
      expect((await at({}, '/assets/desk-1a2b3c4d.js')).status).toBe(403);
    },
  );

  it('shows no script of that address the name', async () => {
    const { at } = await openShell();
    const script = { 'user-agent': 'Chrome/150', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': '' };
    const { status, headers } = await at({ ...script, 'sec-fetch-site': 'same-origin' });
    expect([status, headers.location]).toEqual([200, undefined]);
    expect((await at({}, '/assets/desk-1a2b3c4d.js')).status).toBe(403);
  });

  it('serves the desk itself to a browser that knows no local names', async () => {
    const { at } = await openShell();
    const first = await at(plainNavigation);
    expect([first.status, first.headers['clear-site-data']]).toEqual([200, '"cache", "storage"']);
    expect((await at({}, '/assets/desk-1a2b3c4d.js')).status).toBe(200);
    // Its own session is in that storage by then.
    expect((await at(plainNavigation)).headers['clear-site-data']).toBeUndefined();
  });

  it('has no port that an earlier desk had', async () => {
    const taken = await Promise.all(
      [1, 2, 3].map(() => startBrowserShell({ ...parts(), port: 0 })),
    );
    const formerPorts = taken.map((one) => Number(new URL(one.origin).port));
    await Promise.all(taken.map((one) => one.close()));
    const next = await startBrowserShell({ ...parts(), port: 0, formerPorts });
    onTestFinished(() => next.close());
    expect(formerPorts).not.toContain(Number(new URL(next.origin).port));
  });
});

describe('a session', () => {
  it('begins with an invitation once', async () => {
    const url = shell.invite();
    const first = await openPage({ invite: () => url });
    onTestFinished(first.close);
    expect(first.session).not.toBe(tokenOf(url));
    await expect(openPage({ invite: () => url })).rejects.toThrow(UnprovenError);
    const further = await first.open('contract');
    expect(further.readyState).toBe(WebSocket.OPEN);
  });

  it('does not begin with a proof that comes too late, which leaves the invitation as it was', async () => {
    const url = shell.invite();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = await openLine('/contract');
    const closed = once(socket, 'close');
    // The engine's time is over while the page signs its proof.
    const signLate = (secret: string, text: string) => {
      if (text.startsWith('page ')) vi.advanceTimersByTime(30_000);
      return sign(secret, text);
    };
    const side = {
      purpose: 'contract',
      authority,
      number: 'n'.repeat(43),
      sign: signLate,
    } as const;
    await expect(proveToEngine(socket, tokenOf(url), side)).rejects.toThrow(UnansweredProofError);
    // It is not called unknown.
    expect((await closed)[0]).not.toBe(unknownSessionCode);
    vi.useRealTimers();
    const later = await openPage({ invite: () => url });
    later.close();
  });

  it('ends three minutes after its last line', () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const line = sessions.join(nameOf(sessions.invite()), 'next');
    const name = nameOf('next');
    now = 1e9;
    expect(sessions.secretOf(name)).toBe('next');
    line?.close();
    now += 180_000;
    expect(sessions.secretOf(name)).toBe('next');
    now += 1;
    expect(sessions.secretOf(name)).toBeNull();
    expect(sessions.join(name, 'other')).toBeNull();
  });
});

describe('a further invitation', () => {
  it('is not given to a page, nor to anybody else', async () => {
    for (const secret of [page.session, 'x'.repeat(43)]) {
      const socket = await openLine('/invitation');
      const side = { purpose: 'invitation', authority, number: secret, sign } as const;
      await expect(proveToEngine(socket, secret, side)).rejects.toThrow(UnprovenError);
    }
  });
  it('is given by no other program that has the port', async () => {
    const home = temporaryFolder();
    onTestFinished(home.remove);
    const stranger = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => stranger.close());
    await once(stranger, 'listening');
    const heard: string[] = [];
    stranger.on('connection', (socket) => {
      socket.on('message', (message: Buffer) => {
        heard.push(message.toString());
        socket.send(JSON.stringify({ number: 'x', proof: 'x', ready: 'yes', url: 'http://x/' }));
      });
    });
    // The cast restates what listening on a port gives (node:net, "server.address()").
    const strangers = `http://127.0.0.1:${String((stranger.address() as AddressInfo).port)}`;
    leaveWayIn(home.path, { origin: strangers, secret: shell.secret });
    expect(await inviteAgain(home.path, process.pid)).toBeNull();
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toContain(shell.secret);
  });
  it('is given to who knows the secret in the home', async () => {
    const home = temporaryFolder();
    onTestFinished(home.remove);
    leaveWayIn(home.path, shell);
    const url = (await inviteAgain(home.path, process.pid)) ?? '';
    const next = await openPage({ invite: () => url });
    next.close();
    expect(next.session).toHaveLength(43);
  });
});

describe('a ticket', () => {
  const ticket = (name: string) => name.padEnd(36, '0');
  const admit = async (name: string, by = page) => {
    const headers = { ticket: name };
    return (await by.ask({ method: 'TICKET', path: documentPath, headers })).status;
  };
  const look = async (name: string, path = documentPath) =>
    (await ask('GET', `${path}?ticket=${ticket(name)}`)).status;

  it('opens one address once', async () => {
    expect(await admit(ticket('a'))).toBe(204);
    expect(await look('a', `/files/documents/${caseId}/${draftId}`)).toBe(401);
    expect(await look('a')).toBe(200);
    expect(await look('a')).toBe(401);
  });
  it('serves for a minute', () => {
    let now = 0;
    const sessions = createSessions(() => now);
    const line = sessions.join(nameOf(sessions.invite()), 'next');
    line?.admit(ticket('b'), '/x');
    line?.admit(ticket('c'), '/x');
    now = 60_000;
    expect(sessions.isAdmitted(ticket('b'), '/x')).toBe(true);
    now = 60_001;
    expect(sessions.isAdmitted(ticket('c'), '/x')).toBe(false);
  });
  it('serves no longer than its page has a line', () => {
    const sessions = createSessions();
    const line = sessions.join(nameOf(sessions.invite()), 'next');
    line?.admit(ticket('e'), '/x');
    line?.close();
    expect(sessions.isAdmitted(ticket('e'), '/x')).toBe(false);
  });
  it('cannot be guessed, and needs to be there', async () => {
    expect(await admit('short')).toBe(400);
    expect(await look('d')).toBe(401);
    expect((await ask('GET', documentPath)).status).toBe(401);
  });
});

/** A line on which nothing has been said. */
async function openLine(path: string, headers: Record<string, string> = { origin }) {
  const socket = new Line(`ws://${authority}${path}`, { headers });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return socket;
}

describe.each(['/contract', '/bytes'])('the line %s', (path) => {
  const refusal = async (headers: Record<string, string>): Promise<number> => {
    const socket = new Line(`ws://${authority}${path}`, { headers });
    onTestFinished(() => socket.terminate());
    return new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.on('open', () => resolve(101));
      socket.on('error', () => undefined);
    });
  };
  const purpose = path === '/bytes' ? 'bytes' : 'contract';
  const number = 'n'.repeat(43);

  it('refuses another site, a client without an origin, and another name', async () => {
    expect(await refusal({ origin: 'https://evil.example' })).toBe(403);
    expect(await refusal({ origin, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await refusal({})).toBe(403);
    expect(await refusal({ origin, host: 'evil.example' })).toBe(403);
  });

  it('shows the secret of a name to nobody, and closes for who does not know it', async () => {
    const secrets = [page.session, shell.invite().slice(-43)];
    for (const secret of secrets) {
      const socket = await openLine(path);
      const heard: string[] = [];
      socket.on('message', (message: Buffer) => heard.push(message.toString()));
      const closed = once(socket, 'close');
      socket.send(JSON.stringify({ name: nameOf(secret), number }));
      await once(socket, 'message');
      socket.send(JSON.stringify({ proof: 'x' }));
      expect((await closed)[0]).toBe(unknownSessionCode);
      expect(heard.join('')).not.toContain(secret);
      expect(heard).toHaveLength(1);
    }
  });

  it.each(['', '{', 'x'.repeat(2000), '{"name":"x"}', '[1]', Buffer.from('{}')])(
    'closes for %j',
    async (message) => {
      const socket = await openLine(path);
      const closed = once(socket, 'close');
      socket.send(message);
      expect((await closed)[0]).toBe(unknownSessionCode);
    },
  );

  it('takes no exchange that was heard on an earlier line, nor one of an earlier start', async () => {
    const said: string[] = [];
    const first = await openLine(path);
    const send = first.send.bind(first);
    Object.assign(first, {
      send: (message: string) => {
        said.push(message);
        send(message);
      },
    });
    await proveToEngine(first, page.session, { purpose, authority, number, sign });
    expect(said).toHaveLength(2);
    const later = await startBrowserShell({ ...parts(), port: 0 });
    onTestFinished(() => later.close());
    const other = await openPage(later);
    onTestFinished(() => other.close());
    const hosts = [authority, new URL(later.origin).host];
    for (const host of hosts) {
      const again = new Line(`ws://${host}${path}`, { headers: { origin: `http://${host}` } });
      onTestFinished(() => again.terminate());
      const closed = once(again, 'close');
      await once(again, 'open');
      for (const message of said) {
        again.send(message);
        await Promise.race([once(again, 'message'), closed]);
      }
      expect((await closed)[0]).toBe(unknownSessionCode);
    }
  });

  it('takes no proof that was made for another line, or for another address', async () => {
    const other = purpose === 'bytes' ? 'contract' : 'bytes';
    for (const wrong of [
      { purpose: other, authority },
      { purpose, authority: '127.0.0.1:1' },
    ] as const) {
      const socket = await openLine(path);
      const proving = proveToEngine(socket, page.session, { ...wrong, number, sign });
      await expect(proving).rejects.toThrow(UnprovenError);
    }
  });

  it('proves the engine to the page: the digest of both numbers, and of no others', async () => {
    const socket = await openLine(path);
    socket.send(JSON.stringify({ name: nameOf(page.session), number }));
    const [message] = (await once(socket, 'message')) as [Buffer];
    const answer = JSON.parse(message.toString()) as { number: string; proof: string };
    const text = JSON.stringify([purpose, authority, number, answer.number]);
    expect(answer.proof).toBe(sign(page.session, `engine ${text}`));
    // What it sent itself opens nothing.
    const closed = once(socket, 'close');
    socket.send(JSON.stringify({ proof: answer.proof }));
    expect((await closed)[0]).toBe(unknownSessionCode);
  });
});

it('lets a browser keep built files, which have their digest in their names, and nothing else', async () => {
  const cacheControl = async (path: string) =>
    (await ask('GET', path, { headers: own() })).headers['cache-control'];
  expect(await cacheControl('/assets/desk-1a2b3c4d.js')).toBe(
    'private, max-age=31536000, immutable',
  );
  expect(await cacheControl('/assets/desk-gone.js')).toBe('no-store');
  expect(await cacheControl('/')).toBe('no-store');
});

describe('files', () => {
  const readAt = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await page.ask({ method: 'GET', path, headers });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    };
  };
  const read = (headers: Record<string, string> = {}) => readAt(documentPath, headers);

  it('gives a document', async () => {
    const { status, headers, body } = await read();
    expect([status, body]).toEqual([200, documentBytes.toString()]);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '20',
      'accept-ranges': 'bytes',
    });
  });

  it.each([
    ['application/pdf', 'application/pdf'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['text/css', 'application/octet-stream'],
    ['Text/Plain; charset=latin1', 'text/plain'],
  ])(
    'serves what a partner calls %s as %s, and as a download that is no page',
    async (type, as) => {
      stub.contentType = type;
      const ticket = '1'.repeat(36);
      await page.ask({ method: 'TICKET', path: documentPath, headers: { ticket } });
      const { headers, body } = await ask('GET', `${documentPath}?ticket=${ticket}`);
      stub.contentType = 'application/pdf';
      expect(body).toBe(documentBytes.toString());
      expect(headers).toMatchObject({
        'content-type': as,
        'content-disposition': "attachment; filename*=UTF-8''Gutachten%20%28Z%C3%BCrich%29.pdf",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    },
  );

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
    '/',
  ])('says that %s is not there', async (path) => {
    const { status, body } = await readAt(path);
    expect([status, JSON.parse(body)]).toEqual([404, { code: 'document_not_found', params: {} }]);
  });

  const upload = async (body: Blob, headers: Record<string, string>) => {
    const path = `/files/drafts/${draftId}/attachments`;
    const answer = await page.ask({ method: 'POST', path, headers }, { body });
    return { status: answer.status, body: await answer.text() };
  };

  it('streams an upload with its name and mark', async () => {
    const { status, body } = await upload(new Blob([Buffer.alloc(900_000, 1)]), {
      'x-file-name': encodeURIComponent('Foto Zürich.jpg'),
      'x-salvage-sale': 'true',
      'content-type': 'application/json',
    });
    expect([status, JSON.parse(body)]).toMatchObject([201, { fileName: 'Foto Zürich.jpg' }]);
    expect(stub.uploads.at(-1)).toEqual({
      draftId,
      fileName: 'Foto Zürich.jpg',
      salvage: true,
      bytes: 900_000,
    });
  });

  it('answers a refused upload, though the body was not read, and the request after it', async () => {
    const big = new Blob([Buffer.alloc(8_000_000)]);
    const { status, body } = await upload(big, { 'x-file-name': 'big.pdf' });
    expect([status, JSON.parse(body)]).toEqual([
      413,
      {
        code: 'file_too_large',
        params: { fileName: 'big.pdf', sizeBytes: 1_000_001, maxBytes: 1_000_000 },
      },
    ]);
    expect((await read()).status).toBe(200);
  });

  it.each<Record<string, string>>([{}, { 'x-file-name': '' }, { 'x-file-name': '%E0%A4%A' }])(
    'refuses an upload named %j',
    async (headers) => {
      const { status, body } = await upload(new Blob(['x']), headers);
      expect([status, JSON.parse(body)]).toEqual([
        400,
        { code: 'invalid_input', params: { field: 'fileName', rule: 'required' } },
      ]);
    },
  );

  it('answers many at once, each with its own', async () => {
    const ranges = Array.from({ length: 20 }, (_, at) => `bytes=${at}-${at}`);
    const answers = await Promise.all(ranges.map((range) => read({ range })));
    expect(answers.map(({ body }) => body).join('')).toBe(documentBytes.toString());
  });

  it('gives up on a signal, and goes on with others', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    const asked = page.ask({ method: 'GET', path: documentPath, headers: {} }, { signal });
    await expect(asked).rejects.toThrow('left');
    expect((await read()).status).toBe(200);
  });

  it.each(['{', '{}', JSON.stringify({ isEnd: true }), Buffer.from('x')])(
    'closes a line that says %j instead of a request',
    async (message) => {
      const socket = await page.open('bytes');
      const closed = once(socket, 'close');
      socket.send(message);
      await closed;
      expect(socket.readyState).toBe(WebSocket.CLOSED);
    },
  );
});

describe('connections', () => {
  it('are 500 at most, so that nobody uses up the files that the desk may open', async () => {
    const fresh = await startBrowserShell({ ...parts(), port: 0 });
    const port = Number(new URL(fresh.origin).port);
    const sockets = Array.from({ length: 501 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      return fresh.close();
    });
    await Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
    expect(sockets.filter(({ closed }) => closed)).toHaveLength(1);
  });
});

describe('closing', () => {
  it('ends open lines and does not wait for them', async () => {
    const other = await startBrowserShell({ ...parts(), port: 0 });
    const open = await openPage(other);
    const closed = once(await open.open('bytes'), 'close');
    await other.close();
    // With 1001 a window would take it for its own act (renderer/transport/transport.ts).
    const [{ code }] = (await closed) as [CloseEvent];
    expect([1005, 1006]).toContain(code);
    await expect(openPage(other)).rejects.toThrow('ECONNREFUSED');
  });
});
