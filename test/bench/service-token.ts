import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';
import { signAssertion, signProof, tokenForm } from '../main/service/support/partner.ts';
import { startService, temporaryFolder } from '../support/processes.ts';
import { printFigure } from './figures.ts';
import { compare, type Contestant } from './load.ts';
import { leaveServiceItsCore, pinnedService, startCounterpart } from './pinned.ts';

const path = '/v1/oauth/token';
const requests = 150;

/** Token requests, each with an assertion and a proof of its own. */
async function createContestant(
  baseUrl: string,
  client: { readonly clientId: string; readonly privateKeyPem: string },
): Promise<Contestant> {
  const rsaKey = createPrivateKey(client.privateKeyPem);
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const url = baseUrl + path;
  const { host } = new URL(baseUrl);
  const makeRequest = async () => {
    const nowMs = Date.now();
    const assertion = await signAssertion(rsaKey, {
      clientId: client.clientId,
      audience: url,
      nowMs,
    });
    const body = tokenForm(client.clientId, assertion);
    const proof = await signProof(privateKey, publicJwk, { method: 'POST', url, nowMs });
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nDPoP: ${proof}\r\n` +
        'Content-Type: application/x-www-form-urlencoded\r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  return {
    baseUrl,
    makeRequests: () => Promise.all(Array.from({ length: requests }, makeRequest)),
  };
}

leaveServiceItsCore();
const folder = temporaryFolder();
const closers: (() => unknown)[] = [];
try {
  const dataDir = join(folder.path, 'own');
  mkdirSync(dataDir);
  const service = await startService({
    dataDir,
    args: ['--limits', 'off'],
    program: pinnedService,
  });
  closers.push(() => service.kill());
  const { expert } = service.credentials;

  // The same client with the same key.
  const publicJwk = createPublicKey(expert.privateKeyPem).export({ format: 'jwk' });
  const clientFile = join(folder.path, 'client.json');
  writeFileSync(clientFile, JSON.stringify({ clientId: expert.clientId, publicJwk }));
  const bare = await startCounterpart('bare-oidc.ts', [clientFile]);
  closers.push(() => bare.stop());
  const { baseUrl } = z.object({ baseUrl: z.string() }).parse(bare.message);

  printFigure({
    what: 'token endpoint (private_key_jwt, DPoP, JWT), against oidc-provider doing the same',
    ...(await compare({
      own: await createContestant(service.baseUrl, expert),
      bare: await createContestant(baseUrl, expert),
    })),
    unit: 'requests/s',
    limit: 2,
  });
} finally {
  for (const close of closers.reverse()) await close();
  folder.remove();
}
