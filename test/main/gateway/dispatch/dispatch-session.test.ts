import { beforeEach, expect, test } from 'vitest';
import { revokeClient, setDispatcher } from '#main/gateway/auth/clients.ts';
import {
  createSignInCode,
  findDispatcher,
  signIn,
  signOut,
} from '#main/gateway/dispatch/dispatch-session.ts';
import { createFakeClock, type FakeClock } from '../../service/support/fake-clock.ts';
import { shareGatewayStore } from '../support/store.ts';

/* Who may use the dispatcher's page, with what, and how long. */

const store = shareGatewayStore();
let clock: FakeClock;
const minuteMs = 60_000;

beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 2, 1));
  const values = { public_jwk: '{}', created_at: 0 };
  const rows = ['lead', 'deputy', 'plain'].map((id) => ({
    client_id: id,
    kid: id,
    name: `Name of ${id}`,
    dispatcher: id === 'plain' ? 0 : 1,
    ...values,
  }));
  await store().db.insertInto('clients').values(rows).execute();
});

const codeOf = async (clientId: string) =>
  (await createSignInCode(store().db, clock, clientId))?.code ?? '';
const sessionBy = async (code: string) => (await signIn(store().db, clock, code)) ?? '';
const sessionOf = async (clientId: string) => sessionBy(await codeOf(clientId));
const seen = async (token: string) => (await findDispatcher(store().db, clock, token))?.clientId;
const keys = () => store().db.selectFrom('dispatch_keys').select('purpose').execute();

test('dispatch: a code makes one session, of its client', async () => {
  const made = await createSignInCode(store().db, clock, 'lead');
  expect(made?.expiresAtMs).toBe(clock.now() + 15 * minuteMs);
  const others = await sessionOf('deputy');
  const session = await sessionBy(made?.code ?? '');
  expect(session).toMatch(/^[0-9a-f]{64}$/);
  expect(await findDispatcher(store().db, clock, session)).toMatchObject({
    clientId: 'lead',
    name: 'Name of lead',
  });
  expect(await seen(others)).toBe('deputy');
  expect(await signIn(store().db, clock, made?.code ?? '')).toBeNull();
});

test('dispatch: neither is a code a session, nor a session a code', async () => {
  const code = await codeOf('lead');
  expect(await seen(code)).toBeUndefined();
  const session = await sessionBy(code);
  expect(await signIn(store().db, clock, session)).toBeNull();
  expect(await seen(session)).toBe('lead');
  expect(await seen('')).toBeUndefined();
});

test('dispatch: only a client that is a dispatcher gets a code', async () => {
  expect(await createSignInCode(store().db, clock, 'plain')).toBeNull();
  expect(await createSignInCode(store().db, clock, 'nobody')).toBeNull();
  await revokeClient(store().db, clock, 'lead');
  expect(await createSignInCode(store().db, clock, 'lead')).toBeNull();
  expect(await keys()).toEqual([]);
});

test('dispatch: a code lasts a quarter of an hour, and a session ten hours', async () => {
  const [early, late] = [await codeOf('lead'), await codeOf('deputy')];
  clock.advance(15 * minuteMs - 1);
  const session = await sessionBy(early);
  clock.advance(1);
  expect(await signIn(store().db, clock, late)).toBeNull();
  // What has expired is deleted, and nothing else.
  expect(await keys()).toEqual([{ purpose: 'session' }]);
  clock.advance(10 * 60 * minuteMs - 2);
  expect(await seen(session)).toBe('lead');
  clock.advance(1);
  expect(await seen(session)).toBeUndefined();
});

test('dispatch: a session ends with the right, the access or the key of its client', async () => {
  const [lead, deputy] = [await sessionOf('lead'), await sessionOf('deputy')];
  const unused = await codeOf('deputy');
  await setDispatcher(store().db, 'lead', false);
  expect(await seen(lead)).toBeUndefined();
  await setDispatcher(store().db, 'lead', true);
  await revokeClient(store().db, clock, 'deputy');
  expect(await seen(deputy)).toBeUndefined();
  // The client got a new key.
  await store().db.updateTable('clients').set({ revoked_at: null }).execute();
  expect(await seen(deputy)).toBeUndefined();
  expect(await seen(await sessionBy(unused))).toBeUndefined();
  expect(await seen(await sessionOf('deputy'))).toBe('deputy');
});

test('dispatch: a dispatcher whose access ended has no session, whatever its generation', async () => {
  const session = await sessionOf('lead');
  await store().db.updateTable('clients').set({ revoked_at: 1 }).execute();
  expect(await seen(session)).toBeUndefined();
});

test('dispatch: signing out ends one session', async () => {
  const [first, second] = [await sessionOf('lead'), await sessionOf('lead')];
  await signOut(store().db, first);
  expect([await seen(first), await seen(second)]).toEqual([undefined, 'lead']);
});
