import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  acceptedCase,
  assign,
  backoffice,
  createClaimOver,
  expectDone,
  openDraft,
  titleOf,
  anyString,
} from '../support/claims.ts';
import { createPartner, type PartnerCredentials } from '../support/partner.ts';
import { shareService } from '../support/service.ts';

const { service, insurer, expert } = await shareService();

describe('the back office', () => {
  test.each([
    ['no token', {}],
    ['another token', { authorization: `Bearer ${randomUUID()}` }],
    ['no bearer token', { authorization: 'DPoP abc' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('refuses %s', async (_, headers) => {
    const given = { authorization: '', ...headers };
    for (const path of ['/faults', `/claims/${randomUUID()}/events`]) {
      const method = path === '/faults' ? 'PUT' : 'GET';
      const answer = await backoffice(service, method, path, undefined, given);
      expect([answer.status, titleOf(answer)]).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('registers an organization that can work at once', async () => {
    const answer = await backoffice(service, 'POST', '/organizations', {
      Kind: 'insurer',
      Name: 'Neue Versicherung',
      Members: 2,
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      organizationId: anyString,
      clientId: anyString,
      privateKeyPem: expect.stringContaining('PRIVATE KEY') as unknown,
      kid: anyString,
    });
    const partner = await createPartner(answer.json as PartnerCredentials, service.baseUrl, {
      audience: service.context.address.audience,
      now: () => service.clock.now(),
    });
    expect((await partner.request('GET', '/v1/insurers/claims')).json).toMatchObject({ Total: 0 });
  });

  test('lists organizations with their keys, the first one first', async () => {
    const made = await expectDone(
      backoffice(service, 'POST', '/organizations', { Kind: 'expert', Name: 'Liste AG' }),
    );
    const { organizationId, clientId, kid } = made.json as Record<string, string>;
    const added = await expectDone(
      backoffice(service, 'POST', `/organizations/${String(organizationId)}/keys`, {}),
    );
    const { kid: second } = added.json as { kid: string };
    const listed = await backoffice(service, 'GET', '/organizations');
    expect(listed.status).toBe(200);
    const items = listed.json as { ClientId: string; Keys: { Kid: string }[] }[];
    expect(items.length).toBeGreaterThanOrEqual(5);
    const found = items.find((item) => item.ClientId === clientId);
    expect(found).toEqual({
      OrganizationId: organizationId,
      Kind: 'expert',
      Name: 'Liste AG',
      Members: 1,
      ClientId: clientId,
      Keys: expect.any(Array) as unknown,
    });
    expect(found?.Keys.map(({ Kid }) => Kid).toSorted()).toEqual([kid, second].toSorted());
    expect(listed.text).not.toContain('PRIVATE');
  });

  test.each([
    ['a kind that there is not', { Kind: 'bank', Name: 'B', Members: 1 }],
    ['no name', { Kind: 'expert', Members: 1 }],
    ['half a member', { Kind: 'expert', Name: 'E', Members: 0.5 }],
  ])('refuses an organization with %s', async (_, body) => {
    const answer = await backoffice(service, 'POST', '/organizations', body);
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
  });

  test('assigns to expert organizations only', async () => {
    const { Id } = await createClaimOver(insurer);
    const assignTo = (ExpertOrganizationId: string) =>
      backoffice(service, 'POST', `/claims/${Id}/assign`, { ExpertOrganizationId });
    expect(titleOf(await assignTo(randomUUID()))).toBe('not_found');
    expect(titleOf(await assignTo(service.credentials.insurer.organizationId))).toBe(
      'invalid_request',
    );
    expect((await assignTo(service.credentials.otherExpert.organizationId)).status).toBe(204);
  });

  test('a case that was rejected can go to another expert, and the first sees it no more', async () => {
    const { Id } = await createClaimOver(insurer);
    const { expert: first, otherExpert: second } = service.credentials;
    await expectDone(assign(service, Id));
    await expectDone(backoffice(service, 'POST', `/claims/${Id}/reject`, { Reason: 'Ferien' }));
    expect((await expert.request('GET', `/v1/experts/cases/${Id}`)).json).toMatchObject({
      Status: 'Rejected',
    });
    await expectDone(
      backoffice(service, 'POST', `/claims/${Id}/assign`, {
        ExpertOrganizationId: second.organizationId,
      }),
    );
    expect(titleOf(await expert.request('GET', `/v1/experts/cases/${Id}`))).toBe('forbidden');
    const events = await backoffice(service, 'GET', `/claims/${Id}/events`);
    expect(events.json).toEqual([
      { At: anyString, Name: 'Created', By: anyString, Detail: '' },
      { At: anyString, Name: 'Assigned', By: 'backoffice', Detail: first.organizationId },
      { At: anyString, Name: 'Rejected', By: 'backoffice', Detail: 'Ferien' },
      { At: anyString, Name: 'Assigned', By: 'backoffice', Detail: second.organizationId },
    ]);
  });

  test('archives, once', async () => {
    const { Id } = await acceptedCase(service, insurer);
    await expectDone(backoffice(service, 'POST', `/claims/${Id}/archive`));
    await expectDone(backoffice(service, 'POST', `/claims/${Id}/archive`));
    const read = await expert.request('GET', `/v1/experts/cases/${Id}`);
    expect(read.json).toMatchObject({ ArchiveState: true, Status: 'Accepted' });
    const { json } = await backoffice(service, 'GET', `/claims/${Id}/events`);
    expect((json as { Name: string }[]).filter(({ Name }) => Name === 'archived')).toHaveLength(1);
  });

  test.each(['accept', 'reject', 'finalize', 'cancel', 'archive'])(
    '%s: unknown ids',
    async (name) => {
      expect((await backoffice(service, 'POST', `/claims/${randomUUID()}/${name}`)).status).toBe(
        404,
      );
      expect((await backoffice(service, 'POST', `/claims/12/${name}`)).status).toBe(400);
    },
  );
});

describe('faults', () => {
  afterEach(() => backoffice(service, 'PUT', '/faults', { Rules: [] }));

  const list = () => expert.request('GET', '/v1/experts/cases');
  const rules = (...Rules: object[]) =>
    expectDone(backoffice(service, 'PUT', '/faults', { Rules }));
  const where = { Method: 'GET', Path: '^/v1/experts/cases$' };

  test.each([
    [500, 'upstream_timeout'],
    [500, 'upstream_error'],
    [503, 'upstream_timeout'],
  ])(
    'status: answers with %i and %s, also upstream_timeout and upstream_error',
    async (status, title) => {
      await rules({ ...where, Effect: 'status', Status: status, Title: title });
      const answer = await list();
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.json).toMatchObject({
        title,
        status,
        instance: answer.headers['x-correlation-id'],
      });
    },
  );

  test.each([
    ['/v1/experts/cases', 'standard; token-bucket; 60/min; burst=20'],
    ['/v1/experts/cases/x/documents', 'documents; token-bucket; 20/min; burst=10'],
  ])('status: 429 at %s has the headers of a real one', async (path, policy) => {
    await rules({ Effect: 'status', Status: 429, Title: 'rate_limited' });
    const answer = await expert.request('GET', path);
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-policy': policy });
  });

  test('garbage: a login page, as a captive portal gives', async () => {
    await rules({ ...where, Effect: 'garbage' });
    const answer = await list();
    expect([answer.status, answer.text.slice(0, 15)]).toEqual([200, '<!doctype html>']);
    expect(answer.headers['content-type']).toContain('text/html');
  });

  test('truncate: half of the body', async () => {
    await rules({ ...where, Effect: 'truncate' });
    await expect(list()).rejects.toThrow('aborted');
  });

  test('truncate: half of a stream', async () => {
    const { Id } = await acceptedCase(service, insurer);
    const path = `/v1/experts/reports/${await openDraft(expert, Id)}/documents`;
    await rules({ Path: '/documents$', Effect: 'truncate' });
    await expect(expert.request('GET', path)).rejects.toThrow('aborted');
  });

  test('drop-before: nothing has happened', async () => {
    const { Id } = await acceptedCase(service, insurer);
    await rules({ Method: 'put', Path: '/expert-comment$', Effect: 'drop-before' });
    const path = `/v1/experts/cases/${Id}`;
    const put = expert.request('PUT', `${path}/expert-comment`, { body: { Text: 'da' } });
    await expect(put).rejects.toThrow('socket hang up');
    expect((await expert.request('GET', path)).json).toMatchObject({ ExpertComment: '' });
  });

  test('drop-after: it has happened', async () => {
    const { Id } = await acceptedCase(service, insurer);
    await rules({ Method: 'PUT', Path: '/expert-comment$', Effect: 'drop-after' });
    const path = `/v1/experts/cases/${Id}`;
    const put = expert.request('PUT', `${path}/expert-comment`, { body: { Text: 'da' } });
    await expect(put).rejects.toThrow('socket hang up');
    expect((await expert.request('GET', path)).json).toMatchObject({ ExpertComment: 'da' });
  });

  test('delay: the answer comes when the time is over', async () => {
    await rules({ ...where, Effect: 'delay', DelayMs: 5000, Times: 1 });
    let isAnswered = false;
    // Awaited, so that the next request is not the one that the rule strikes.
    const delayed = service.clock.putOff(5000);
    const pending = list().then((answer) => {
      isAnswered = true;
      return answer;
    });
    await delayed;
    // The clock stands still, so nothing but its advance can let the answer out.
    await list();
    expect(isAnswered).toBe(false);
    service.clock.advance(5000);
    expect((await pending).status).toBe(200);
  });

  test('Times: counts down, then the rule is gone', async () => {
    await rules({ ...where, Effect: 'status', Status: 500, Times: 2 });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await list()).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
  });

  test('rules: other methods and paths are spared, the first that strikes counts', async () => {
    await rules(
      { ...where, Method: 'POST', Effect: 'drop-before' },
      { ...where, Probability: 0, Effect: 'drop-before' },
      { ...where, Effect: 'status', Status: 501 },
      { ...where, Effect: 'status', Status: 502 },
    );
    expect((await list()).status).toBe(501);
    expect((await insurer.request('GET', '/v1/insurers/claims')).status).toBe(200);
  });

  test('rules: the back office itself is spared', async () => {
    await rules({ Effect: 'drop-before' });
    expect((await backoffice(service, 'PUT', '/faults', { Rules: [] })).status).toBe(204);
    expect((await list()).status).toBe(200);
  });

  test.each([
    ['an effect that there is not', { Effect: 'explode' }],
    ['a broken pattern', { Effect: 'delay', Path: '(' }],
    ['a probability over one', { Effect: 'delay', Probability: 2 }],
    ['no effect', {}],
  ])('rules: %s is refused and the old rules stay', async (_, rule) => {
    await rules({ ...where, Effect: 'status', Status: 500 });
    const answer = await backoffice(service, 'PUT', '/faults', { Rules: [rule] });
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
    expect((await list()).status).toBe(500);
  });
});

describe('Probability', () => {
  test('strikes as often as chance says', async () => {
    const { mountFaults } = await import('#main/service/backoffice/faults.ts');
    const { default: Fastify } = await import('fastify');
    const draws = [0.29, 0.3, 0.9, 0];
    const app = Fastify();
    const setFaults = mountFaults(app, { ...service.context, random: () => draws.shift() ?? 1 });
    app.get('/', () => 'well');
    setFaults([{ Effect: 'status', Probability: 0.3 }]);
    const statuses = [];
    for (let count = 0; count < 4; count++) {
      statuses.push((await app.inject({ url: '/' })).statusCode);
    }
    expect(statuses).toEqual([500, 200, 200, 500]);
    await app.close();
  });
});

describe('keys of an organization', () => {
  const organizationSchema = z.object({
    organizationId: z.uuid(),
    clientId: z.string(),
    privateKeyPem: z.string(),
  });
  const addedSchema = z.strictObject({ kid: z.string(), privateKeyPem: z.string().optional() });
  let organization: z.infer<typeof organizationSchema>;

  beforeEach(async () => {
    const answer = await expectDone(
      backoffice(service, 'POST', '/organizations', { Kind: 'expert', Name: 'Rotation AG' }),
    );
    organization = organizationSchema.parse(answer.json);
  });

  const keys = () => `/organizations/${organization.organizationId}/keys`;
  const addKey = (body: object) => backoffice(service, 'POST', keys(), body);
  const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

  async function tokenBy(privateKeyPem: string): Promise<string> {
    const partner = await createPartner(
      { clientId: organization.clientId, privateKeyPem },
      service.baseUrl,
      { audience: service.context.address.audience, now: () => service.clock.now() },
    );
    return partner.token();
  }

  test('keys: rotation adds the new key, then removes the old one, without a gap', async () => {
    const added = await addKey({});
    expect(added.status).toBe(201);
    const { privateKeyPem = '' } = addedSchema.parse(added.json);
    expect(privateKeyPem).toContain('PRIVATE KEY');
    await expect(tokenBy(organization.privateKeyPem)).resolves.toBeTypeOf('string');
    await expect(tokenBy(privateKeyPem)).resolves.toBeTypeOf('string');

    const first = await service.context.db
      .selectFrom('client_keys')
      .select('kid')
      .where('organization_id', '=', organization.organizationId)
      .orderBy('created_at')
      .execute();
    const old = first.find(({ kid }) => kid !== addedSchema.parse(added.json).kid)?.kid ?? '';
    expect((await backoffice(service, 'DELETE', `${keys()}/${old}`)).status).toBe(204);
    await expect(tokenBy(organization.privateKeyPem)).rejects.toThrow(
      /^token: 401 .*is not signed by a key of the organization/,
    );
    await expect(tokenBy(privateKeyPem)).resolves.toBeTypeOf('string');
    expect(titleOf(await backoffice(service, 'DELETE', `${keys()}/${old}`))).toBe('not_found');
  });

  test('keys: one of the partner’s own making, of which only the public half travels', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
    const added = await addKey({ PublicKeyPem: pem(publicKey) });
    expect(added.status).toBe(201);
    expect(Object.keys(addedSchema.parse(added.json))).toEqual(['kid']);
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(tokenBy(privateKeyPem)).resolves.toBeTypeOf('string');
    expect(titleOf(await addKey({ PublicKeyPem: pem(publicKey) }))).toBe('invalid_request');
  });

  test('keys: an organization whose last key was removed is refused, not unknown', async () => {
    const { kid } = await service.context.db
      .selectFrom('client_keys')
      .select('kid')
      .where('organization_id', '=', organization.organizationId)
      .executeTakeFirstOrThrow();
    await expectDone(backoffice(service, 'DELETE', `${keys()}/${kid}`));
    await expect(tokenBy(organization.privateKeyPem)).rejects.toThrow(
      /^token: 401 .*is not signed by a key of the organization/,
    );
  });

  test.each([
    ['RSA under 2048 bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)],
    ['no RSA key', pem(generateKeyPairSync('ed25519').publicKey)],
    ['no PEM', 'nonsense'],
    [
      'a private key',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
    ['no text', 7],
  ])('keys: %s is refused (rsaMinBits)', async (_name, PublicKeyPem) => {
    const answer = await addKey({ PublicKeyPem });
    expect([answer.status, titleOf(answer)]).toEqual([400, 'invalid_request']);
    expect(answer.json).toMatchObject({ errors: { PublicKeyPem: [expect.any(String)] } });
  });

  test('keys: an organization or a key that there is not is not_found', async () => {
    const elsewhere = `/organizations/${randomUUID()}/keys`;
    expect(titleOf(await backoffice(service, 'POST', elsewhere, {}))).toBe('not_found');
    expect(titleOf(await backoffice(service, 'DELETE', `${elsewhere}/x`))).toBe('not_found');
    expect(titleOf(await backoffice(service, 'DELETE', `${keys()}/x`))).toBe('not_found');
  });
});
