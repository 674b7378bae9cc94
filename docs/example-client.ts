/**
 * A client of the partner API in one file, for a partner, an office gateway and this project's
 * service alike. It needs Node 24 and `npm install jose`; see gateway.md, "Other programs".
 *
 *     node example-client.ts credentials.json GET /v1/experts/cases
 *     node example-client.ts credentials.json headers GET /v1/experts/cases    # for curl
 */
import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface Credentials {
  readonly baseUrl: string;
  readonly audience: string;
  readonly expert: { readonly clientId: string; readonly privateKeyPem: string };
}

export async function openClient({ baseUrl, audience, expert }: Credentials) {
  // A proof key of this run's own; tokens are bound to it.
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  let token = { value: '', untilMs: 0 };
  /** A proof is for one request: method, whole address with its query, and the token's hash. */
  const proof = (htm: string, htu: string, more: Record<string, string> = {}) =>
    new SignJWT({ htm, htu, jti: randomUUID(), ...more })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .setIssuedAt()
      .sign(privateKey);

  /** A token lives 300 s; ten may be asked for in a minute. */
  async function freshToken(): Promise<string> {
    if (Date.now() < token.untilMs) return token.value;
    const assertion = { iss: expert.clientId, sub: expert.clientId, aud: audience };
    const signed = await new SignJWT({ ...assertion, jti: randomUUID() })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(createPrivateKey(expert.privateKeyPem));
    const url = `${baseUrl}/v1/oauth/token`;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: expert.clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signed,
    });
    const dpop = await proof('POST', url);
    const answer = await fetch(url, { method: 'POST', headers: { dpop }, body });
    if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
    const granted = (await answer.json()) as { access_token: string; expires_in: number };
    token = {
      value: granted.access_token,
      untilMs: Date.now() + (granted.expires_in - 30) * 1000,
    };
    return token.value;
  }

  /** The two headers of one request. */
  async function headers(method: string, path: string): Promise<Record<string, string>> {
    const value = await freshToken();
    const ath = createHash('sha256').update(value).digest('base64url');
    return { authorization: `DPoP ${value}`, dpop: await proof(method, baseUrl + path, { ath }) };
  }

  /** @param key Idempotency-Key of a POST: the same for every repetition of one act */
  async function request(method: string, path: string, body?: object, key?: string) {
    const all = await headers(method, path);
    if (body) all['content-type'] = 'application/json';
    if (key !== undefined) all['idempotency-key'] = key;
    const sent = { method, headers: all, ...(body && { body: JSON.stringify(body) }) };
    return fetch(baseUrl + path, sent);
  }
  return { headers, request };
}

if (import.meta.main) {
  const client = await openClient(JSON.parse(readFileSync(argv[2] ?? '', 'utf8')) as Credentials);
  const [method = 'GET', path = '/v1/experts/cases'] = argv.slice(-2);
  const asked = await client.headers(method, path);
  const forCurl = Object.entries(asked).map(([name, value]) => `${name}: ${value}`);
  if (argv[3] === 'headers') stdout.write(`${forCurl.join('\n')}\n`);
  else stdout.write(`${await (await client.request(method, path)).text()}\n`);
}
