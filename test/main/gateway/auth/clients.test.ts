import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import {
  createCode,
  createReplacementCode,
  findClient,
  hashOf,
  newCode,
  openCodes,
  redeemCode,
  revokeClient,
  revokeCode,
  setDispatcher,
} from '#main/gateway/auth/clients.ts';
import { dayMs } from '#shared/lib/clock.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* Who may become a client with a code, and when its access ends. */

const newPem = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();
const [firstKey, secondKey, thirdKey] = [newPem(), newPem(), newPem()] as const;

const store = shareGatewayStore();
let clock: FakeClock;

beforeEach(() => {
  clock = createFakeClock(Date.UTC(2026, 2, 1));
});

const codeFor = async (name: string, isDispatcher = false): Promise<string> =>
  (await createCode(store().db, clock, { name, isDispatcher })).code;

const redeem = (code: string, publicKeyPem: string) =>
  redeemCode(store().db, clock, { code, publicKeyPem, correlationId: 'c-1' });

const wrongCode = {
  title: 'forbidden',
  detail: 'the code is mistyped, used or expired; ask for a new one',
};

const clients = () => store().db.selectFrom('clients').selectAll().orderBy('name').execute();
const audited = () =>
  store().db.selectFrom('audit').select(['client_id', 'operation', 'subject', 'status']).execute();

async function clientOf(name: string, key: string): Promise<string> {
  return (await redeem(await codeFor(name), key)).clientId;
}

/** What is known of a client; why it is refused, if it was revoked. */
const known = (clientId: string) =>
  findClient(store().db, clientId).then(
    (client) => client && { keys: client.keys.length, generation: client.generation },
    (error: unknown) => String(error),
  );
const revoked: unknown = expect.stringContaining('this client was revoked');

test('code: a new one has 128 bits in four groups', () => {
  expect(newCode()).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{8}){3}$/);
  expect(newCode()).not.toBe(newCode());
});

test('code: it makes one client, with the name and the right that it was made with', async () => {
  const [plain, lead] = [await codeFor('Laptop'), await codeFor('Lead', true)];
  clock.advance(1000);
  const one = await redeem(plain, firstKey);
  const two = await redeem(lead, secondKey);
  expect([one.name, two.name]).toEqual(['Laptop', 'Lead']);
  expect(one.clientId).toMatch(/^laptop-./);
  const made = { created_at: clock.now(), revoked_at: null };
  const rows = await clients();
  expect(rows).toMatchObject([
    { client_id: one.clientId, name: 'Laptop', dispatcher: 0, ...made },
    { client_id: two.clientId, name: 'Lead', dispatcher: 1, ...made },
  ]);
  expect(await findClient(store().db, one.clientId)).toMatchObject({
    clientId: one.clientId,
    organizationId: 'office',
    kind: 'expert',
    members: 1,
    keys: [{ kid: rows[0]?.kid, jwk: { kty: 'RSA' } }],
  });
  const entry = { operation: 'enrolled', status: 201 };
  expect(await audited()).toEqual([
    { client_id: one.clientId, subject: plain.slice(0, 8), ...entry },
    { client_id: two.clientId, subject: lead.slice(0, 8), ...entry },
  ]);
});

test('code: its hash is what the stores of earlier versions have', () => {
  const sha256 = 'e12e115acf4552b2568b55e93cbd39394c4ef81c82447fafc997882a02d23677';
  expect(hashOf('abc-D')).toBe(sha256);
});

test('code: it is taken as people type it', async () => {
  const code = await codeFor('Laptop');
  expect(await redeem(` ${code.toLowerCase().replaceAll('-', ' ')}\n`, firstKey)).toMatchObject({
    name: 'Laptop',
  });
});

test('code: with the same key it tells a lost answer again, and with another it is used', async () => {
  const code = await codeFor('Laptop');
  const made = await redeem(code, firstKey);
  expect(await redeem(code, firstKey)).toEqual(made);
  await expect(redeem(code, secondKey)).rejects.toMatchObject(wrongCode);
  expect(await clients()).toHaveLength(1);
  await revokeClient(store().db, clock, made.clientId);
  await expect(redeem(code, firstKey)).rejects.toMatchObject(wrongCode);
  expect(await known(made.clientId)).toEqual(revoked);
});

test('code: one that was used before its backup was restored names no client', async () => {
  const code = await codeFor('Laptop');
  await store().db.updateTable('enrolment_codes').set({ used_at: 1 }).execute();
  await expect(redeem(code, firstKey)).rejects.toMatchObject(wrongCode);
});

test('code: it is open for a day, and then neither listed nor taken', async () => {
  const { code, expiresAtMs } = await createCode(store().db, clock, {
    name: 'Laptop',
    isDispatcher: false,
  });
  const late = await codeFor('Late');
  expect(expiresAtMs).toBe(clock.now() + dayMs);
  clock.advance(dayMs - 1);
  await codeFor('Later');
  const listed = async () => (await openCodes(store().db, clock)).map(({ name }) => name);
  expect(await listed()).toEqual(['Laptop', 'Late', 'Later']);
  await redeem(code, firstKey);
  expect(await listed()).toEqual(['Late', 'Later']);
  clock.advance(1);
  expect(await listed()).toEqual(['Later']);
  await expect(redeem(late, secondKey)).rejects.toMatchObject(wrongCode);
});

test('code: a key that a client has is refused, and the code stays open', async () => {
  const clientId = await clientOf('Laptop', firstKey);
  const code = await codeFor('Other');
  await expect(redeem(code, firstKey)).rejects.toMatchObject({
    errors: { PublicKeyPem: ['must be a new key.'] },
  });
  const replacement = await createReplacementCode(store().db, clock, clientId);
  await expect(redeem(replacement?.code ?? '', firstKey)).rejects.toMatchObject({
    errors: { PublicKeyPem: ['must be a new key.'] },
  });
  expect(await audited()).toHaveLength(1);
  expect(await redeem(code, secondKey)).toMatchObject({ name: 'Other' });
});

test('new key: the client stays the same, and everything of its old key is invalid', async () => {
  const other = await clientOf('Other', secondKey);
  const clientId = (await redeem(await codeFor('Lead', true), firstKey)).clientId;
  const [before] = await clients();
  const replacement = await createReplacementCode(store().db, clock, clientId);
  expect(replacement).toMatchObject({ name: 'Lead', expiresAtMs: clock.now() + dayMs });
  expect(await known(clientId)).toEqual(revoked);
  expect(await openCodes(store().db, clock)).toMatchObject([
    { label: replacement?.code.slice(0, 8), name: 'Lead', dispatcher: 1, client_id: clientId },
  ]);
  clock.advance(1000);
  expect(await redeem(replacement?.code ?? '', thirdKey)).toEqual({ clientId, name: 'Lead' });
  const [after, beside] = await clients();
  expect(after).toEqual({
    ...before,
    generation: (before?.generation ?? 0) + 2,
    kid: after?.kid,
    public_jwk: after?.public_jwk,
  });
  expect(after?.kid).not.toBe(before?.kid);
  expect(beside).toMatchObject({ client_id: other, generation: 1, revoked_at: null });
});

test('new key: there is none for an unknown client', async () => {
  expect(await createReplacementCode(store().db, clock, 'nobody')).toBeNull();
  expect(await openCodes(store().db, clock)).toEqual([]);
});

test('new key: its code withdraws the earlier one of the client', async () => {
  const clientId = await clientOf('Laptop', firstKey);
  const other = await clientOf('Other', secondKey);
  const elsewhere = await createReplacementCode(store().db, clock, other);
  // It gives no right that the client does not have.
  expect(await openCodes(store().db, clock)).toMatchObject([{ name: 'Other', dispatcher: 0 }]);
  const first = await createReplacementCode(store().db, clock, clientId);
  await createReplacementCode(store().db, clock, clientId);
  await expect(redeem(first?.code ?? '', thirdKey)).rejects.toMatchObject(wrongCode);
  expect(await redeem(elsewhere?.code ?? '', thirdKey)).toMatchObject({ clientId: other });
});

test('revoking: it ends the access of one client, from the first time on', async () => {
  const clientId = await clientOf('Laptop', firstKey);
  const other = await clientOf('Other', secondKey);
  await codeFor('New');
  const firstMs = clock.now();
  expect(await revokeClient(store().db, clock, clientId)).toBe(true);
  clock.advance(1000);
  expect(await revokeClient(store().db, clock, clientId)).toBe(true);
  expect(await clients()).toMatchObject([
    { name: 'Laptop', revoked_at: firstMs, generation: 3 },
    { name: 'Other', revoked_at: null, generation: 1 },
  ]);
  expect(await known(clientId)).toEqual(revoked);
  expect(await known(other)).toEqual({ keys: 1, generation: 1 });
  expect(await openCodes(store().db, clock)).toMatchObject([{ name: 'New' }]);
  expect(await revokeClient(store().db, clock, 'nobody')).toBe(false);
});

test('revoking: a client that nobody knows has no reason', async () => {
  expect(await known('nobody')).toBeUndefined();
  expect(await known('no\0body')).toBeUndefined();
});

test('revoking: the refusal is one of OAuth, with the challenge', async () => {
  const clientId = await clientOf('Laptop', firstKey);
  await revokeClient(store().db, clock, clientId);
  await expect(findClient(store().db, clientId)).rejects.toMatchObject({
    title: 'invalid_client',
    oauthError: 'invalid_client',
    headers: { 'WWW-Authenticate': 'DPoP algs="ES256"' },
  });
});

test('dispatcher: the right is one client’s, and can be taken away', async () => {
  const clientId = await clientOf('Laptop', firstKey);
  await clientOf('Other', secondKey);
  const rights = async () => (await clients()).map(({ dispatcher }) => dispatcher);
  expect(await setDispatcher(store().db, clientId, true)).toBe(true);
  expect(await rights()).toEqual([1, 0]);
  expect(await setDispatcher(store().db, clientId, false)).toBe(true);
  expect(await rights()).toEqual([0, 0]);
  expect(await setDispatcher(store().db, 'nobody', true)).toBe(false);
});

test('withdrawing a code: by its first group or whole, if it is open', async () => {
  const [one, two, used] = [await codeFor('One'), await codeFor('Two'), await codeFor('Used')];
  await codeFor('Stays');
  await redeem(used, firstKey);
  // A code with one wrong digit, or without its end, is another code.
  const wrong = `${one.slice(0, -1)}${one.endsWith('0') ? '1' : '0'}`;
  expect(await revokeCode(store().db, wrong)).toEqual([]);
  expect(await revokeCode(store().db, one.slice(0, -1))).toEqual([]);
  expect(await revokeCode(store().db, ` ${one.toLowerCase()} `)).toEqual(['One']);
  expect(await revokeCode(store().db, `${two.slice(0, 8).toLowerCase()}-`)).toEqual(['Two']);
  expect(await revokeCode(store().db, used)).toEqual([]);
  expect(await revokeCode(store().db, used.slice(0, 8))).toEqual([]);
  expect(await openCodes(store().db, clock)).toMatchObject([{ name: 'Stays' }]);
});
