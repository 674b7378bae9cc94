/**
 * What the token endpoint is held against, in a process of its own: oidc-provider with the same
 * grant, the same client authentication and the same kind of token, over its own store in memory.
 * Started by service-token.ts with a file that holds the client's id and its public key; sends its
 * address to its parent.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { z } from 'zod';

const [clientFile] = z.tuple([z.string()]).parse(process.argv.slice(2));
const { clientId, publicJwk } = z
  .object({ clientId: z.string(), publicJwk: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(clientFile, 'utf8')));

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const address = z.object({ port: z.number() }).parse(server.address());
  const baseUrl = `http://127.0.0.1:${address.port}`;
  const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const provider = new Provider(baseUrl, {
    clients: [
      {
        client_id: clientId,
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
        getResourceServerInfo: () => ({
          scope: '',
          audience: baseUrl,
          accessTokenTTL: 300,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  process.send?.({ baseUrl });
});
process.on('disconnect', () => process.exit());
