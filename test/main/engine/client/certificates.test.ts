import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { createTestClient, problemOf } from '../support/test-client.ts';

const dir = mkdtempSync(join(tmpdir(), 'certificates-'));
const file = (name: string) => join(dir, name);
let key: Buffer;
let certificate: Buffer;
let server: HostileServer | null = null;

beforeAll(() => {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', file('key.pem'), '-out', file('certificate.pem')];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' });
  key = readFileSync(file('key.pem'));
  certificate = readFileSync(file('certificate.pem'));
});
afterEach(async () => {
  await server?.stop();
  server = null;
});
afterAll(() => rmSync(dir, { recursive: true }));

async function start() {
  server = await startHostileServer((listener) =>
    createServer({ key, cert: certificate }, listener),
  );
  const { port } = new URL(server.baseUrl);
  return { port, seen: server.seen };
}

async function listOver(baseUrl: string, certificateAuthorities?: string[]) {
  const { client } = createTestClient(baseUrl, { certificateAuthorities });
  try {
    return await problemOf(client.listCases({ page: 1, size: 50 }));
  } finally {
    await client.close();
  }
}

it('a self-signed certificate is not trusted, and nothing leaves', async () => {
  const { port, seen } = await start();
  expect(await listOver(`https://localhost:${port}`)).toEqual({
    code: 'certificate_untrusted',
    params: { host: `localhost:${port}`, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
  expect(seen).toHaveLength(0);
});

it('an authority that IT has added is trusted', async () => {
  const { port } = await start();
  expect(await listOver(`https://localhost:${port}`, [certificate.toString()])).toBe('no problem');
});

it('a certificate of another name is not trusted', async () => {
  const { port } = await start();
  expect(await listOver(`https://127.0.0.1:${port}`, [certificate.toString()])).toEqual({
    code: 'certificate_untrusted',
    params: { host: `127.0.0.1:${port}`, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  });
});

it('a server that speaks no TLS although it is wanted', async () => {
  server = await startHostileServer();
  const { port } = new URL(server.baseUrl);
  expect(await listOver(`https://localhost:${port}`)).toEqual({
    code: 'captive_portal',
    params: { host: `localhost:${port}`, found: 'no-tls' },
  });
});

it('a server that speaks TLS although none is wanted', async () => {
  const { port } = await start();
  expect(await listOver(`http://localhost:${port}`)).toMatchObject({ code: 'connection_lost' });
});
