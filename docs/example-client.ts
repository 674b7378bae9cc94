/**
 * A client of the partner API in one file: it works against a partner, an office gateway and this
 * project's service alike. It needs Node 24 and `npm install jose`. See gateway.md, "Other programs".
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
  const { clientId, privateKeyPem } = expert;
  const rsaKey = createPrivateKey(privateKeyPem);
  // A proof key of this run's own; tokens are bound to it.
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const nowS = () => Math.floor(Date.now() / 1000);
  let token = { value: '', untilS: 0 };

  /** A proof is for one request: method, whole address with its query, and the token. */
  const proof = (method: string, url: string, claims: Record<string, string> = {}) =>
    new SignJWT({ htm: method, htu: url, jti: randomUUID(), iat: nowS(), ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .sign(privateKey);

  async function freshToken(): Promise<string> {
    // A token lives 300 s; ten may be asked for in a minute.
    if (nowS() < token.untilS) return token.value;
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(rsaKey);
    const url = `${baseUrl}/v1/oauth/token`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { dpop: await proof('POST', url) },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      }),
    });
    if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`);
    const granted = (await answer.json()) as { access_token: string; expires_in: number };
    token = { value: granted.access_token, untilS: nowS() + granted.expires_in - 30 };
    return token.value;
  }

  /** The two headers of one request. */
  async function headers(method: string, path: string) {
    const value = await freshToken();
    const ath = createHash('sha256').update(value).digest('base64url');
    return {
      authorization: `DPoP ${value}`,
      dpop: await proof(method, baseUrl + path, { ath }),
    };
  }

  return {
    headers,
    /** @param key Idempotency-Key of a POST: the same for every repetition of one act */
    async request(method: string, path: string, body?: object, key?: string): Promise<Response> {
      return fetch(baseUrl + path, {
        method,
        headers: {
          ...(await headers(method, path)),
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    },
  };
}

if (import.meta.main) {
  const [, , file = '', ...words] = argv;
  const client = await openClient(JSON.parse(readFileSync(file, 'utf8')) as Credentials);
  const [method = 'GET', path = '/v1/experts/cases'] = words.slice(-2);
  if (words[0] === 'headers') {
    for (const [name, value] of Object.entries(await client.headers(method, path))) {
      stdout.write(`${name}: ${value}\n`);
    }
  } else stdout.write(`${await (await client.request(method, path)).text()}\n`);
}
