/** `docs/example-client.ts`, which a test compares with this text and runs. */
export const signInTypeScript = String.raw`// A client of the partner API in one file. It needs Node 24 and "npm install jose".
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
`;

/** `docs/example-client.py`, which a test compares with this text and runs. */
export const signInPython = String.raw`"""A client of the partner API in one file. It needs Python 3.9 and 'pip install cryptography'.

    python example-client.py credentials.json insurer GET '/v1/insurers/claims?size=5'
"""
import base64, hashlib, json, sys, time, urllib.error, urllib.parse, urllib.request, uuid
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils
def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def jwt(header, claims, sign):
    text = b64(json.dumps(header).encode()) + "." + b64(json.dumps(claims).encode())
    return text + "." + b64(sign(text.encode()))

class Client:
    def __init__(self, base_url, audience, client_id, private_key_pem):
        self.base_url, self.audience, self.client_id = base_url, audience, client_id
        self.key = serialization.load_pem_private_key(private_key_pem.encode(), None)
        # The key of the proofs, of this run alone; tokens are bound to it.
        self.proof_key = ec.generate_private_key(ec.SECP256R1())
        self.token, self.until = "", 0.0

    def proof(self, method, url, **more):
        """For one request: method, whole address with its query, and the token's hash."""
        point = self.proof_key.public_key().public_numbers()
        x, y = (b64(n.to_bytes(32, "big")) for n in (point.x, point.y))
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": {"kty": "EC", "crv": "P-256", "x": x, "y": y}}
        claims = {"htm": method, "htu": url, "jti": str(uuid.uuid4()), "iat": int(time.time())}

        def sign(text):
            r, s = utils.decode_dss_signature(self.proof_key.sign(text, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")

        return jwt(header, {**claims, **more}, sign)

    def fresh_token(self):
        """A token lives 300 s; ten may be asked for in a minute."""
        if time.time() < self.until:
            return self.token
        now = int(time.time())
        claims = {"iss": self.client_id, "sub": self.client_id, "aud": self.audience}
        claims.update(jti=str(uuid.uuid4()), iat=now, exp=now + 600)
        rs256 = lambda text: self.key.sign(text, padding.PKCS1v15(), hashes.SHA256())
        url = self.base_url + "/v1/oauth/token"
        form = {
            "grant_type": "client_credentials",
            "client_id": self.client_id,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": jwt({"alg": "RS256"}, claims, rs256),
        }
        body = urllib.parse.urlencode(form).encode()
        status, granted = send("POST", url, {"DPoP": self.proof("POST", url)}, body)
        if status != 200:
            raise RuntimeError(granted)
        self.token, self.until = granted["access_token"], now + granted["expires_in"] - 30
        return self.token

    def request(self, method, path, body=None, key=None):
        """key: Idempotency-Key of a POST, the same for every repetition of one act."""
        url, token = self.base_url + path, self.fresh_token()
        ath = b64(hashlib.sha256(token.encode()).digest())
        headers = {"Authorization": "DPoP " + token, "DPoP": self.proof(method, url, ath=ath)}
        headers.update({"Idempotency-Key": key} if key else {})
        headers.update({"Content-Type": "application/json"} if body is not None else {})
        return send(method, url, headers, None if body is None else json.dumps(body).encode())

def send(method, url, headers, body):
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        answer = refused
    return answer.status, json.loads(answer.read() or b"null")

if __name__ == "__main__":
    credentials = json.load(open(sys.argv[1]))
    who = credentials[sys.argv[2]]
    client = Client(credentials["baseUrl"], credentials["audience"], who["clientId"], who["privateKeyPem"])
    print(json.dumps(client.request(*sys.argv[3:5])[1]))
`;

/**
 * The way in which a program signs in, for the description of the document, because no generator
 * knows the scheme DPoP.
 */
export const signIn = [
  'A HEAD answers where a GET does, with its headers. Answers are never stored on the way (`Cache-Control: no-store`).',
  '## Sign-in',
  'Access is by OAuth 2.0 client credentials with a signed client assertion (RFC 7523) and a proof of possession for each request (RFC 9449).',
  '1. **Client assertion**: a JWT, signed RS256 with the private key of your organization. `iss` and `sub` are the client id, `aud` is the address of the token endpoint, `jti` is new each time, `exp` is at most 600 s after `iat`.',
  '2. **Proof**: a JWT in the header `DPoP`, signed ES256 with a P-256 key of your session, whose public part is in the header `jwk` (`typ` is `dpop+jwt`). `htm` is the method, `htu` is the exact address of the request **with its query string** (RFC 9449 leaves it out, and so do ready-made libraries), `iat` is now, `jti` is new for each request. Every request but the one for the token also has `ath`, the SHA-256 of the access token in base64url.',
  '3. POST the assertion with a proof to the token endpoint. The `access_token` is bound to the key of the proof and lives for `expires_in` seconds: use it again.',
  '4. Send `Authorization: DPoP <ACCESS_TOKEN>` and a new proof with each request.',
  'OAuth libraries (openid-client, oauth4webapi) get the token as they are. For API calls sign the proof with the whole address: `htu: url.href` in place of `url.origin + url.pathname`.',
  '### TypeScript',
  `\`\`\`ts\n${signInTypeScript}\`\`\``,
  '### Python',
  `\`\`\`python\n${signInPython}\`\`\``,
].join('\n\n');
