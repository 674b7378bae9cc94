import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';

/** An unchanged oidc-provider, which issues the tokens of one client as the specification says. */
export function createForeignIssuer(
  baseUrl: string,
  { id, publicJwk }: { readonly id: string; readonly publicJwk: JsonWebKey },
): Provider {
  const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const resource = {
    scope: '',
    audience: baseUrl,
    accessTokenTTL: 300,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  } as const;
  return new Provider(baseUrl, {
    clients: [
      {
        client_id: id,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        id_token_signed_response_alg: 'ES256',
        jwks: { keys: [publicJwk] },
      },
    ],
    clientAuthMethods: ['private_key_jwt'],
    jwks: { keys: [{ ...signingKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    routes: { token: '/v1/oauth/token' },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: { enabled: true, nonceSecret: randomBytes(32) },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        getResourceServerInfo: () => resource,
      },
    },
  });
}
