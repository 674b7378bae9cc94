"""A client of the partner API in one file. It needs Python 3.9 and 'pip install cryptography'.

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
