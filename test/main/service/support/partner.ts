import { createHash, createPrivateKey, randomUUID, type KeyObject } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { assertContract } from './openapi-contract.ts';

/** The credentials that the exchange gave to a partner. */
export interface PartnerCredentials {
  readonly clientId: string;
  readonly privateKeyPem: string;
}

export interface PartnerRequest {
  /** The body is sent as JSON, except strings and buffers, which are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly idempotencyKey?: string;
  /** Overrides of the proof's claims. Undefined removes a claim. */
  readonly proof?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

export interface PartnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /**
   * The body as JSON, to compare it or to parse it by its schema. It is undefined if the body is
   * empty.
   */
  readonly json: unknown;
}

/**
 * An independent client of a partner. It shares no code with the desk's client, so that both cannot
 * have the same mistake.
 */
export interface Partner {
  request(method: string, path: string, options?: PartnerRequest): Promise<PartnerAnswer>;
  /** Returns the current access token. The first call fetches one. */
  token(): Promise<string>;
  /** Fetches a new access token, even if the old one is valid. */
  freshToken(): Promise<string>;
  /** Returns a proof signed with the partner's DPoP key. */
  proof(
    method: string,
    url: string,
    claims?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  readonly dpopKey: { readonly privateKey: CryptoKey; readonly publicJwk: JWK };
}

export interface PartnerOptions {
  /** The `aud` of the assertion. The default is the token endpoint under the base address. */
  readonly audience?: string;
  /** The service's own public address. The default is the address of the connection. */
  readonly publicUrl?: string;
  /** Returns milliseconds since 1970. The default is the machine's clock. */
  readonly now?: () => number;
}

/** Creates a partner with its own DPoP key. */
export async function createPartner(
  credentials: PartnerCredentials,
  baseUrl: string,
  options: PartnerOptions = {},
): Promise<Partner> {
  const now = options.now ?? Date.now;
  const publicUrl = options.publicUrl ?? baseUrl;
  const tokenPath = '/v1/oauth/token';
  const audience = options.audience ?? publicUrl + tokenPath;
  const rsaKey = createPrivateKey(credentials.privateKeyPem);
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  let current: { token: string; untilMs: number } | undefined;

  const proof: Partner['proof'] = (method, url, claims = {}, header = {}) =>
    signProof(privateKey, publicJwk, { method, url, nowMs: now(), claims, header });

  async function freshToken(): Promise<string> {
    const assertion = await signAssertion(rsaKey, {
      clientId: credentials.clientId,
      audience,
      nowMs: now(),
    });
    const answer = await send('POST', baseUrl + tokenPath, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        dpop: await proof('POST', publicUrl + tokenPath),
      },
      body: tokenForm(credentials.clientId, assertion),
    });
    if (answer.status !== 200) throw new Error(`token: ${answer.status} ${answer.text}`);
    const { access_token: token, expires_in: lifetimeS } = answer.json as {
      access_token: string;
      expires_in: number;
    };
    current = { token, untilMs: now() + (lifetimeS - 30) * 1000 };
    return token;
  }

  async function token(): Promise<string> {
    return current && current.untilMs > now() ? current.token : freshToken();
  }

  return {
    token,
    freshToken,
    proof,
    dpopKey: { privateKey, publicJwk },
    async request(method, path, request = {}) {
      const accessToken = await token();
      const raw = rawBody(request.body);
      return send(method, baseUrl + path, {
        ...(raw !== undefined && { body: raw }),
        ...(request.signal && { signal: request.signal }),
        headers: {
          accept: 'application/json',
          ...(raw !== undefined && { 'content-type': 'application/json' }),
          ...(request.idempotencyKey !== undefined && {
            'idempotency-key': request.idempotencyKey,
          }),
          authorization: `DPoP ${accessToken}`,
          dpop: await proof(method, publicUrl + path, {
            ath: sha256(accessToken),
            ...request.proof,
          }),
          ...request.headers,
        },
      });
    },
  };
}

function rawBody(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

/** Returns the form of a token request, URL-encoded. */
export function tokenForm(
  clientId: string,
  assertion: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    ...fields,
  }).toString();
}

export interface AssertionParts {
  readonly clientId: string;
  readonly audience: string;
  readonly nowMs: number;
  /** Overrides of the claims. Undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs a client assertion with RS256, unless the header names another algorithm. */
export async function signAssertion(key: KeyObject, parts: AssertionParts): Promise<string> {
  const iat = Math.floor(parts.nowMs / 1000);
  return new SignJWT({
    iss: parts.clientId,
    sub: parts.clientId,
    aud: parts.audience,
    jti: randomUUID(),
    iat,
    exp: iat + 600,
    ...parts.claims,
  })
    .setProtectedHeader({ alg: 'RS256', ...parts.header })
    .sign(key);
}

export interface ProofParts {
  readonly method: string;
  readonly url: string;
  readonly nowMs: number;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs a DPoP proof with ES256, unless the header names another algorithm. */
export async function signProof(
  key: CryptoKey | KeyObject | Uint8Array,
  publicJwk: JWK,
  parts: ProofParts,
): Promise<string> {
  return new SignJWT({
    htm: parts.method,
    htu: parts.url,
    jti: randomUUID(),
    iat: Math.floor(parts.nowMs / 1000),
    ...parts.claims,
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk, ...parts.header })
    .sign(key);
}

/** Returns base64url(SHA-256(text)). */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export interface RawRequest {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

/** Sends one HTTP request verbatim, and adds only a content length. */
export function send(method: string, url: string, raw: RawRequest = {}): Promise<PartnerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PartnerAnswer>();
  const body = raw.body === undefined ? undefined : Buffer.from(raw.body);
  const { hostname, port, pathname, search } = new URL(url);
  const target = url.startsWith('http') ? url.slice(new URL(url).origin.length) : pathname + search;
  const outgoing = httpRequest(
    {
      method,
      hostname,
      port,
      path: target,
      headers: {
        ...(body && { 'content-length': String(body.length) }),
        ...raw.headers,
      },
      ...(raw.signal && { signal: raw.signal }),
    },
    (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const whole = Buffer.concat(chunks);
        const text = whole.toString('utf8');
        const isJson = (incoming.headers['content-type'] ?? '').includes('json');
        const answer: PartnerAnswer = {
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: whole,
          text,
          json: isJson && text !== '' ? JSON.parse(text) : undefined,
        };
        const sent = { method, url, body: body?.toString(), answer };
        assertContract(sent).then(() => resolve(answer), reject);
      });
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
