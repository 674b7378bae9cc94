import { createPrivateKey } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { machineClock } from '../service/support/fake-clock.ts';
import { shareService } from '../service/support/service.ts';

/* The libraries as they are, with what docs/integrate.md says about them. */

const { service } = await shareService({ clock: machineClock });
const { insurer } = service.credentials;
const audience = `${service.baseUrl}/v1/oauth/token`;
const { clientId, privateKeyPem } = insurer;
/** The audience in the issuer's place: the libraries name the issuer as aud of the assertion. */
const server = { issuer: audience, token_endpoint: audience };

/** RS256, not extractable, as Web Crypto wants it. */
const keyOf = (pem: string) =>
  crypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    false,
    ['sign'],
  );

let key: oauth.CryptoKey;
let foreignKey: oauth.CryptoKey;
let proofKey: oauth.CryptoKeyPair;
beforeAll(async () => {
  key = await keyOf(privateKeyPem);
  foreignKey = await keyOf(service.credentials.expert.privateKeyPem);
  proofKey = await oauth.generateKeyPair('ES256');
});

/** The address of the request that is about to be sent, with its query; none for the token. */
let asked: URL | null = null;
const withQuery = {
  [oauth.modifyAssertion](_header: unknown, proof: Record<string, unknown>) {
    if (asked) proof['htu'] = asked.href;
  },
};
const claims = new URL(`${service.baseUrl}/v1/insurers/claims?size=5&q=Hagel`);

describe('oauth4webapi', () => {
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated as a warning: it is a local server.
  const local = { [oauth.allowInsecureRequests]: true };
  const me: oauth.Client = { client_id: clientId };

  async function tokenWith(signedBy: oauth.CryptoKey, dpop: oauth.DPoPHandle) {
    asked = null;
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      me,
      oauth.PrivateKeyJwt(signedBy),
      {},
      { DPoP: dpop, ...local },
    );
    return oauth.processClientCredentialsResponse(server, me, answer);
  }

  test('oauth4webapi: gets a token, and reads a list with its query', async () => {
    const dpop = oauth.DPoP(me, proofKey, withQuery);
    const { access_token: token, token_type: type } = await tokenWith(key, dpop);
    expect(type).toBe('dpop');
    asked = claims;
    const answer = await oauth.protectedResourceRequest(token, 'GET', claims, new Headers(), null, {
      DPoP: dpop,
      ...local,
    });
    expect(answer.status).toBe(200);
  });

  test('oauth4webapi: reads the reason of a refusal', async () => {
    const refused = tokenWith(foreignKey, oauth.DPoP(me, proofKey));
    await expect(refused).rejects.toMatchObject({
      error: 'invalid_client',
      error_description: 'the client assertion is not signed by a key of the organization',
    });
  });
});

describe('openid-client', () => {
  const configure = (signedBy: oauth.CryptoKey) => {
    const found = new client.Configuration(server, clientId, {}, client.PrivateKeyJwt(signedBy));
    // oxlint-disable-next-line typescript/no-deprecated -- deprecated as a warning: it is a local server.
    client.allowInsecureRequests(found);
    return found;
  };

  test('openid-client: gets a token, and reads a list with its query', async () => {
    const config = configure(key);
    const dpop = client.getDPoPHandle(config, proofKey, withQuery);
    asked = null;
    const granted = await client.clientCredentialsGrant(config, {}, { DPoP: dpop });
    asked = claims;
    const answer = await client.fetchProtectedResource(
      config,
      granted.access_token,
      claims,
      'GET',
      null,
      new Headers(),
      { DPoP: dpop },
    );
    expect(answer.status).toBe(200);
  });

  test('openid-client: reads the reason of a refusal', async () => {
    const config = configure(foreignKey);
    const dpop = client.getDPoPHandle(config, proofKey);
    await expect(client.clientCredentialsGrant(config, {}, { DPoP: dpop })).rejects.toMatchObject({
      error: 'invalid_client',
      error_description: 'the client assertion is not signed by a key of the organization',
    });
  });
});
