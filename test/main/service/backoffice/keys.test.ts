import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { backoffice, expectDone, titleOf } from '../support/claims.ts';
import { createPartner } from '../support/partner.ts';
import { shareService } from '../support/service.ts';

const organizationSchema = z.object({
  organizationId: z.uuid(),
  clientId: z.string(),
  privateKeyPem: z.string(),
});
const addedSchema = z.strictObject({ kid: z.string(), privateKeyPem: z.string().optional() });

const { service } = await shareService();
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
