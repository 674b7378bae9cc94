import {
  createPrivateKey,
  randomUUID,
  createHash,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { z } from 'zod';
import { assertContract } from '../../main/service/support/openapi-contract.ts';
import type { PartnerAnswer } from '../../main/service/support/partner.ts';
import type { RunningService } from '../../support/processes.ts';
import type { FuzzedRequest } from './requests.ts';

/** A request as it is, whose path and query stand for themselves. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer | undefined;
}

/** Sends malformed requests, with right or spoilt credentials of both kinds of partners. */
export interface FuzzingClient {
  send(sent: Sent): Promise<PartnerAnswer>;
  sendFuzzed(fuzzed: FuzzedRequest): Promise<PartnerAnswer>;
  /** The insurer's claims, the newest first. */
  claimIds(): Promise<string[]>;
  /** Every access token that it was given. */
  readonly tokens: readonly string[];
  close(): void;
}

const tokenLifetimeMs = 120_000;

export function createFuzzingClient(service: RunningService): FuzzingClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 12 });
  const signer = createSigner();
  const tokens: string[] = [];
  const current = new Map<string, { readonly token: Promise<string>; readonly untilMs: number }>();

  function tokenOf(name: 'insurer' | 'expert'): Promise<string> {
    const known = current.get(name);
    if (known && known.untilMs > Date.now()) return known.token;
    const token = freshToken(name);
    current.set(name, { token, untilMs: Date.now() + tokenLifetimeMs });
    return token;
  }

  async function freshToken(name: 'insurer' | 'expert'): Promise<string> {
    const { clientId, privateKeyPem } = service.credentials[name];
    const claims = { iss: clientId, sub: clientId, aud: service.credentials.audience };
    const assertion = signJwt(
      { alg: 'RS256' },
      { ...claims, jti: randomUUID(), iat: nowS(), exp: nowS() + 300 },
      createPrivateKey(privateKeyPem),
    );
    const target = '/v1/oauth/token';
    const answer = await send({
      method: 'POST',
      target,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        dpop: signer.proof({ htm: 'POST', htu: service.baseUrl + target }),
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      }).toString(),
    });
    const { access_token: token } = z
      .object({ access_token: z.string() })
      .parse(JSON.parse(answer.text));
    tokens.push(token);
    return token;
  }

  function authorized(
    token: string,
    method: string,
    target: string,
    claims: object = {},
    header: object = {},
  ): Record<string, string> {
    const proof = { htm: method, htu: service.baseUrl + target, ath: athOf(token), ...claims };
    return { authorization: `DPoP ${token}`, dpop: signer.proof(proof, header) };
  }

  /** The token and the proof of a request, spoilt as it says. */
  async function credentialsOf(fuzzed: FuzzedRequest): Promise<Record<string, string | string[]>> {
    const { id, method, target, spoilt } = fuzzed;
    const isInsurers = id.startsWith('I');
    const token = await tokenOf(isInsurers ? 'insurer' : 'expert');
    const right = authorized(token, method, target);
    const half = (text = '') => text.slice(0, text.length >> 1);
    switch (fuzzed.credentials) {
      case 'right':
        return right;
      case 'otherKind':
        return authorized(await tokenOf(isInsurers ? 'expert' : 'insurer'), method, target);
      case 'none':
        return {};
      case 'junkToken':
        return { ...right, authorization: 'DPoP x.y.z' };
      case 'brokenToken':
        return { ...right, authorization: half(right['authorization']) };
      case 'junkProof':
        return { ...right, dpop: 'e30.e30.e30' };
      case 'brokenProof':
        return { ...right, dpop: half(right['dpop']) };
      case 'noProof':
        return { authorization: right['authorization'] ?? '' };
      case 'twoProofs':
        return { ...right, dpop: [right['dpop'] ?? '', right['dpop'] ?? ''] };
      case 'claims':
        return authorized(token, method, target, spoilt);
      case 'header':
        return authorized(token, method, target, {}, spoilt);
    }
  }

  function send({ method, target, headers, body }: Sent): Promise<PartnerAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PartnerAnswer>();
    // Node tells no length with a GET or DELETE, and what it sends as their body is then the start
    // of the connection's next request, whose connection the service closes.
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
    const outgoing = httpRequest(
      {
        ...{ method, agent, host: '127.0.0.1', port: service.port, path: target },
        headers: { ...headers, ...length },
      },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject).on('end', () => {
          const whole = Buffer.concat(pieces);
          const text = whole.toString();
          const answer: PartnerAnswer = {
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: whole,
            text,
            json: incoming.headers['content-type']?.includes('json') ? parse(text) : undefined,
          };
          const sent = { method, url: service.baseUrl + target, body: undefined, answer };
          assertContract(sent).then(() => resolve(answer), reject);
        });
      },
    );
    outgoing.on('error', (cause) =>
      reject(new Error(`${method} ${target} had no answer`, { cause })),
    );
    outgoing.end(body);
    return promise;
  }

  return {
    send,
    async sendFuzzed(fuzzed) {
      const { method, target, headers, body } = fuzzed;
      const given = await credentialsOf(fuzzed);
      return send({ method, target, headers: { ...headers, ...given }, body });
    },
    async claimIds() {
      const target = '/v1/insurers/claims';
      const headers = authorized(await tokenOf('insurer'), 'GET', target);
      const { text } = await send({ method: 'GET', target, headers });
      const { Items } = z
        .object({ Items: z.array(z.object({ Id: z.uuid() })) })
        .parse(JSON.parse(text));
      return Items.map(({ Id }) => Id);
    },
    tokens,
    close: () => agent.destroy(),
  };
}

/** The value of a JSON text; undefined if it is none, which its schema then tells. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A key pair of a fuzzing client, and what it signs; without promises, for there are thousands. */
export interface Signer {
  proof(claims: object, header?: object): string;
}

export function createSigner(): Signer & { readonly publicJwk: object } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = publicKey.export({ format: 'jwk' });
  return {
    publicJwk,
    proof: (claims, header = {}) =>
      signJwt(
        { typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk, ...header },
        { jti: randomUUID(), iat: nowS(), ...claims },
        privateKey,
      ),
  };
}

/** A JWT signed ES256 or, with an RSA key, RS256, whatever its header says. */
export function signJwt(header: object, claims: object, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export function athOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
