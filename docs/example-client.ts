// A client of the partner API in one file. It needs Node 24 and "npm install jose".
//     node example-client.ts credentials.json insurer GET '/v1/insurers/claims?size=5'
//     node example-client.ts credentials.json expert GET /v1/experts/cases headers    # for curl
import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Organization = Record<'clientId' | 'privateKeyPem', string>;
type Server = Record<'baseUrl' | 'audience', string>;

export async function openClient({ baseUrl, audience }: Server, organization: Organization) {
  const { clientId, privateKeyPem } = organization;
  // The key of the proofs, of this run alone; tokens are bound to it.
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
    const assertion = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID() };
    const signed = await new SignJWT(assertion)
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(createPrivateKey(privateKeyPem));
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signed,
    });
    const url = baseUrl + '/v1/oauth/token';
    const headers = { dpop: await proof('POST', url) };
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error('no token: ' + (await answer.text()));
    const granted = (await answer.json()) as { access_token: string; expires_in: number };
    token = { value: granted.access_token, untilMs: Date.now() + (granted.expires_in - 30) * 1000 };
    return token.value;
  }

  /** The two headers of one request; the path has its query. */
  async function headers(method: string, path: string): Promise<Record<string, string>> {
    const value = await freshToken();
    const ath = createHash('sha256').update(value).digest('base64url');
    return { authorization: 'DPoP ' + value, dpop: await proof(method, baseUrl + path, { ath }) };
  }

  /** @param key Idempotency-Key of a POST: the same for every repetition of one act */
  async function request(method: string, path: string, body?: object, key?: string) {
    const all = await headers(method, path);
    if (body) all['content-type'] = 'application/json';
    if (key !== undefined) all['idempotency-key'] = key;
    return fetch(baseUrl + path, {
      method,
      headers: all,
      ...(body && { body: JSON.stringify(body) }),
    });
  }
  return { headers, request };
}

if (import.meta.main) {
  const [, , file = '', who = '', method = 'GET', path = '', asHeaders] = process.argv;
  const all = JSON.parse(readFileSync(file, 'utf8')) as Server & Record<string, Organization>;
  const organization = all[who] ?? { clientId: who, privateKeyPem: '' };
  const client = await openClient(all, organization);
  const answer = asHeaders ? null : await client.request(method, path);
  const shown = Object.entries(answer ? {} : await client.headers(method, path));
  process.stdout.write(
    answer ? await answer.text() : shown.map(([name, value]) => name + ': ' + value).join('\n'),
  );
}
