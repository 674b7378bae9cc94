import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { allowInsecureRequests, validateJwtAccessToken } from 'oauth4webapi';
import { z } from 'zod';
import type { Partner } from '../../main/service/support/partner.ts';
import { createForeignIssuer } from './foreign-issuer.ts';

/**
 * Starts a sign-in of foreign programs in front of the real service: an unchanged oidc-provider
 * issues the tokens, and oauth4webapi checks them with their proofs. What it lets pass reaches the
 * service as a request of this expert.
 */
export async function startForeignSignIn(
  client: { readonly id: string; readonly key: string },
  expert: Partner,
) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  const publicJwk = createPublicKey(client.key).export({ format: 'jwk' });
  const issue = createForeignIssuer(baseUrl, { id: client.id, publicJwk }).callback();
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = incoming;
    const sent = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const { authorization: _, dpop: __, host: ___, 'transfer-encoding': ____, ...headers } = sent;
    const body = await buffer(incoming);
    const asked = new Request(new URL(url, baseUrl), { method, headers: sent });
    const as = { issuer: baseUrl, jwks_uri: `${baseUrl}/jwks` };
    try {
      await validateJwtAccessToken(as, asked, baseUrl, {
        requireDPoP: true,
        // oxlint-disable-next-line typescript/no-deprecated -- deprecated as a warning: it is a local server.
        [allowInsecureRequests]: true,
      });
    } catch {
      response.writeHead(401, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ type: 'about:blank', title: 'unauthorized', status: 401 }));
      return;
    }
    const answer = await expert.request(method, url, {
      headers,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  server.on('request', (request, response) => {
    void (request.url?.startsWith('/v1/experts') ? serve : issue)(request, response);
  });
  return {
    baseUrl,
    tokenUrl: `${baseUrl}/v1/oauth/token`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
