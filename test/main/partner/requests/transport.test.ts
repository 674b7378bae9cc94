import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTransport } from '#main/partner/requests/transport.ts';
import {
  emptyPage,
  json,
  startHostileServer,
  type HostileServer,
} from '../../../support/partner/hostile-server.ts';
import { createTestClient, problemOf } from '../../engine/support/test-client.ts';

/** A name that only the proxy knows. */
const partnerName = 'partner.test';
const addressOf = (host: string) => (host === partnerName ? '127.0.0.1' : host);

/** A forward proxy: absolute addresses for http, CONNECT for https. */
async function startProxy() {
  const asked: string[] = [];
  const server: Server = createServer((incoming, answer) => {
    asked.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    const url = new URL(incoming.url ?? '');
    url.hostname = addressOf(url.hostname);
    const onward = request(url, { method: incoming.method, headers: incoming.headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket, head: Buffer) => {
    asked.push(`CONNECT ${incoming.url ?? ''}`);
    const [host, port] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), addressOf(host ?? ''), () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let proxy: Awaited<ReturnType<typeof startProxy>>;
let server: HostileServer;
beforeEach(async () => {
  proxy = await startProxy();
  server = await startHostileServer();
  server.always = json(200, emptyPage);
});
afterEach(async () => {
  await server.stop();
  await proxy.stop();
});

async function list(
  options: Parameters<typeof createTestClient>[1] = {},
  { scheme = 'http', host = '127.0.0.1' } = {},
) {
  const { port } = new URL(server.baseUrl);
  const { client } = createTestClient(`${scheme}://${host}:${port}`, options);
  try {
    return await problemOf(client.listCases({ page: 1, size: 50 }));
  } finally {
    await client.close();
  }
}

describe('the proxy that IT has set', () => {
  it('carries every request, the address that is signed unchanged', async () => {
    expect(await list({ proxy: { url: proxy.url } })).toBe('no problem');
    expect(proxy.asked).toHaveLength(2);
    expect(server.seen[0]?.proof.htu).toBe(`${server.baseUrl}/v1/experts/cases?page=1&size=50`);
  });

  it('is left out for the hosts that IT has named', async () => {
    expect(await list({ proxy: { url: proxy.url, bypass: ['127.0.0.1'] } })).toBe('no problem');
    expect(proxy.asked).toEqual([]);
  });

  it('that cannot be reached is reported as a refused connection', async () => {
    await proxy.stop();
    expect(await list({ proxy: { url: proxy.url } })).toMatchObject({ code: 'connection_refused' });
    proxy = await startProxy();
  });

  it('is asked for a tunnel if the partner speaks https', async () => {
    const { port } = new URL(server.baseUrl);
    const problem = await list({ proxy: { url: proxy.url } }, { scheme: 'https' });
    // The server speaks no TLS: what matters is that the tunnel was asked for.
    expect(problem).toMatchObject({ params: { host: `127.0.0.1:${port}` } });
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${port}`]);
  });

  it('is set in a shell’s own stack; authorities are for Node’s alone', async () => {
    const createOwn = vi.fn(createTransport);
    expect(await list({ createTransport: createOwn, proxy: { url: proxy.url } })).toBe(
      'no problem',
    );
    expect(createOwn).toHaveBeenCalledOnce();
    expect(proxy.asked).toEqual([]);
    await list({ createTransport: createOwn, certificateAuthorities: ['x'] });
    expect(createOwn).toHaveBeenCalledOnce();
  });
});

describe('the proxy that the environment names', () => {
  beforeEach(() => {
    // The machine that runs the tests may have a proxy itself.
    for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) {
      vi.stubEnv(name, undefined);
      vi.stubEnv(name.toUpperCase(), undefined);
    }
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('carries requests by HTTP_PROXY, and asks for a tunnel by HTTPS_PROXY', async () => {
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('https_proxy', proxy.url);
    expect(await list({}, { host: partnerName })).toBe('no problem');
    expect(proxy.asked).toHaveLength(2);
    await list({}, { scheme: 'https', host: partnerName });
    expect(proxy.asked[2]).toMatch(/^CONNECT partner\.test:\d+$/);
  });

  it('is left out for the hosts of NO_PROXY', async () => {
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', 'elsewhere.test,.test');
    expect(await list({}, { host: partnerName })).toMatchObject({ code: 'address_unknown' });
    expect(proxy.asked).toEqual([]);
  });

  it('is never asked for this machine itself', async () => {
    vi.stubEnv('HTTP_PROXY', proxy.url);
    expect(await list()).toBe('no problem');
    expect(proxy.asked).toEqual([]);
  });
});

it('a server that speaks no TLS although it is wanted', async () => {
  const { port } = new URL(server.baseUrl);
  expect(await list({}, { scheme: 'https', host: 'localhost' })).toEqual({
    code: 'captive_portal',
    params: { host: `localhost:${port}`, found: 'no-tls' },
  });
});

describe('a server with a self-signed certificate', () => {
  const dir = mkdtempSync(join(tmpdir(), 'certificates-'));
  const file = (name: string) => join(dir, name);
  let cert: string;

  beforeAll(() => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', file('key.pem'), '-out', file('certificate.pem')];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' });
    cert = readFileSync(file('certificate.pem'), 'utf8');
  });
  beforeEach(async () => {
    await server.stop();
    const key = readFileSync(file('key.pem'));
    server = await startHostileServer((listener) => createHttpsServer({ key, cert }, listener));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it.each([
    ['that nobody vouches for', 'localhost', [], 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['of another name', '127.0.0.1', ['it'], 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('%s is not trusted, and nothing leaves', async (_, host, added, reason) => {
    const { port } = new URL(server.baseUrl);
    const certificateAuthorities = added.map(() => cert);
    expect(await list({ certificateAuthorities }, { scheme: 'https', host })).toEqual({
      code: 'certificate_untrusted',
      params: { host: `${host}:${port}`, reason },
    });
    expect(server.seen).toHaveLength(0);
  });

  it('that IT has added is trusted', async () => {
    const outcome = await list(
      { certificateAuthorities: [cert] },
      { scheme: 'https', host: 'localhost' },
    );
    expect(outcome).toBe('no problem');
  });

  it('is not reached without TLS', async () => {
    expect(await list()).toMatchObject({ code: 'connection_lost' });
  });
});
