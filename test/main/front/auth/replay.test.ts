import { rm } from 'node:fs/promises';
import { createPrivateKey } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createPartner,
  send,
  sha256,
  signAssertion,
  tokenForm,
} from '../../service/support/partner.ts';
import { startService } from '../../service/support/service.ts';

test('DPoP jti: still a replay after a restart of the service, which a token outlives', async () => {
  const first = await startService({ listen: { publicUrl: 'https://api.example' } });
  const { clock, directory, credentials } = first;
  const { audience } = first.context.address;
  const options = { audience, now: () => clock.now() };
  const before = await createPartner(credentials.expert, first.baseUrl, options);
  const tokenProof = await before.proof('POST', 'https://api.example/v1/oauth/token');
  const key = createPrivateKey(credentials.expert.privateKeyPem);
  const assertion = await signAssertion(key, {
    clientId: credentials.expert.clientId,
    audience,
    nowMs: clock.now(),
  });
  const ask = (baseUrl: string, dpop: string) =>
    send('POST', `${baseUrl}/v1/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', dpop },
      body: tokenForm(credentials.expert.clientId, assertion),
    });
  const granted = await ask(first.baseUrl, tokenProof);
  expect(granted.status).toBe(200);
  const { access_token: token } = granted.json as { access_token: string };
  const url = 'https://api.example/v1/experts/cases';
  const proof = await before.proof('GET', url, { ath: sha256(token) });
  const headers = { authorization: `DPoP ${token}`, dpop: proof };
  expect((await send('GET', `${first.baseUrl}/v1/experts/cases`, { headers })).status).toBe(200);
  await first.stop();

  const second = await startService({
    directory,
    clock,
    listen: { publicUrl: 'https://api.example' },
  });
  const replayed = await send('GET', `${second.baseUrl}/v1/experts/cases`, { headers });
  expect(replayed.json).toMatchObject({
    title: 'invalid_dpop',
    detail: 'replayed jti: the DPoP proof was used before',
  });
  const fresh = await before.proof('POST', 'https://api.example/v1/oauth/token');
  expect((await ask(second.baseUrl, fresh)).json).toMatchObject({
    title: 'invalid_client',
    detail: 'the client assertion was used before',
  });
  await second.stop();
  await rm(directory, { recursive: true });
});

test('DPoP jti: forgotten once its proof can no longer be accepted, not before', async () => {
  const service = await startService();
  const partner = await service.partner('expert');
  const token = await partner.token();
  const url = `${service.baseUrl}/v1/experts/cases`;
  const proof = await partner.proof('GET', url, {
    ath: sha256(token),
    iat: Math.floor(service.clock.now() / 1000) + 10,
  });
  const ask = () => send('GET', url, { headers: { authorization: `DPoP ${token}`, dpop: proof } });
  const detail = async () => ((await ask()).json as { detail: string }).detail;
  expect((await ask()).status).toBe(200);
  service.clock.advance(69_000);
  await service.context.purge();
  expect(await detail()).toBe('replayed jti: the DPoP proof was used before');
  service.clock.advance(2_000);
  await service.context.purge();
  expect(await detail()).toMatch(/^iat outside the window: the DPoP proof is too old, by 61 s;/);
  await service.remove();
});

test('assertion jti: forgotten once its assertion can no longer be accepted, not before, and each client has its own', async () => {
  const service = await startService();
  const { clock, credentials, baseUrl } = service;
  const url = `${baseUrl}/v1/oauth/token`;
  const second = Math.floor(clock.now() / 1000);
  const askerOf = async (name: 'expert' | 'otherExpert') => {
    const { clientId, privateKeyPem } = credentials[name];
    const partner = await service.partner(name);
    const assertion = await signAssertion(createPrivateKey(privateKeyPem), {
      clientId,
      audience: service.context.address.audience,
      nowMs: clock.now(),
      claims: { jti: 'one', iat: second, exp: second + 10 },
    });
    return async () => {
      const dpop = await partner.proof('POST', url);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', dpop };
      const { json } = await send('POST', url, { headers, body: tokenForm(clientId, assertion) });
      return (json as { detail?: string }).detail ?? 'granted';
    };
  };
  const [ask, other] = [await askerOf('expert'), await askerOf('otherExpert')];
  expect([await ask(), await other()]).toEqual(['granted', 'granted']);
  clock.advance(65_000);
  await service.context.purge();
  expect(await ask()).toBe('the client assertion was used before');
  clock.advance(10_000);
  await service.context.purge();
  expect(await ask()).toBe('the client assertion has expired');
  await service.remove();
});
