import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Problem } from '#main/front/problem.ts';
import { revokeClient } from '#main/gateway/auth/clients.ts';
import { pagePolicy } from '#main/gateway/dispatch/dispatch-html.ts';
import { createSignInCode } from '#main/gateway/dispatch/dispatch-session.ts';
import { dispatchTexts } from '#shared/i18n/catalogue.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { machineClock } from '../../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from '../support/gateway.ts';
import { startOddPartner, type OddPartner } from '../support/odd-partner.ts';

/* The dispatcher's page over HTTP: who sees it, what a form may do, and what is recorded of it. */

const [one, two] = [randomUUID(), randomUUID()];
let partner: OddPartner;
let gateway: GatewayForTest;
let device: string;
let dispatcher: string;
/** The cookie of a session of the dispatcher. */
let session: string;

beforeAll(async () => {
  partner = await startOddPartner(one, two);
  gateway = await startGateway(partner, { visibility: 'assigned' });
  await gateway.context.pull.stop();
  device = (await gateway.laptop()).clientId;
  dispatcher = (await gateway.laptop(true)).clientId;
  session = cookieOf(await signIn(await code()));
});
afterAll(async () => {
  await gateway.remove();
  await partner.stop();
});
beforeEach(async () => {
  const { db } = gateway.context;
  await db.deleteFrom('assignments').execute();
  await db.deleteFrom('audit').execute();
});

const code = async () =>
  (await createSignInCode(gateway.context.db, machineClock, dispatcher))?.code ?? '';

interface Asked {
  readonly cookie?: string;
  readonly origin?: string;
  readonly language?: string;
}
const get = (path: string, { cookie = '', language = 'en' }: Asked = {}) =>
  fetch(`${gateway.baseUrl}${path}`, {
    redirect: 'manual',
    headers: { cookie, 'accept-language': language },
  });
const post = (
  path: string,
  form: readonly (readonly [string, string])[],
  { cookie = '', origin = gateway.baseUrl, language = 'en' }: Asked = {},
) =>
  fetch(`${gateway.baseUrl}/dispatch/${path}`, {
    redirect: 'manual',
    method: 'POST',
    headers: { cookie, origin, 'accept-language': language },
    body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])),
  });
const signIn = (typed: string, asked: Asked = {}) => post('sign-in', [['code', typed]], asked);
const cookieOf = (answer: Response) =>
  (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

const form = (more: Readonly<Record<string, string>> = {}, cases: readonly string[] = [one]) => [
  ...cases.map((id) => ['case', id] as const),
  ...Object.entries({ client: device, action: 'assign', back: '', ...more }),
];
const assignments = async () =>
  (await gateway.context.db.selectFrom('assignments').selectAll().orderBy('case_id').execute()).map(
    ({ case_id, client_id }) => [case_id, client_id],
  );
const audit = () =>
  gateway.context.db
    .selectFrom('audit')
    .select(['client_id', 'operation', 'subject', 'status', 'correlation_id'])
    .orderBy('id')
    .execute();
const isSignedIn = async (cookie: string) => {
  const text = await (await get('/dispatch', { cookie })).text();
  expect(text.includes(one)).toBe(text.includes('/dispatch/assign'));
  return text.includes(one);
};

test('dispatch: without a session the page asks for a code and shows nothing else', async () => {
  for (const cookie of [
    '',
    'dispatcher=',
    `dispatcher=${'0'.repeat(64)}`,
    // Parts of a session, and cookies of other names, are none.
    session.slice(0, -1),
    `${session}0`,
    session.toUpperCase(),
    `x${session}`,
    `other="a ${session}"`,
  ]) {
    const answer = await get('/dispatch', { cookie });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect([cookie, text.includes(one), text.includes('/dispatch/sign-in')]).toEqual([
      cookie,
      false,
      true,
    ]);
    expect(text).not.toContain('role="alert"');
  }
  for (const cookie of [session, `a=b; ${session}`, `${session}; c=d`]) {
    expect([cookie, await isSignedIn(cookie)]).toEqual([cookie, true]);
  }
});

test('dispatch: each page is kept nowhere, runs no script, and is typed as what it is', async () => {
  for (const cookie of ['', session]) {
    const { headers } = await get('/dispatch', { cookie });
    expect(
      [
        'cache-control',
        'content-security-policy',
        'referrer-policy',
        'x-content-type-options',
        'content-type',
      ].map((name) => headers.get(name)),
    ).toEqual(['no-store', pagePolicy, 'same-origin', 'nosniff', 'text/html; charset=utf-8']);
  }
});

test.each<[string, Language]>([
  ...languages.map((language): [string, Language] => [language, language]),
  ['fr-CH, de;q=0.8', 'fr'],
  ['rm, IT;q=0.5,en', 'it'],
  ['en', 'en'],
  ['rm', 'de'],
  ['', 'de'],
])('dispatch: a browser that wants "%s" reads %s', async (wanted, language) => {
  const text = await (await get('/dispatch', { language: wanted })).text();
  expect(text).toContain(`<html lang="${language}">`);
});

test('dispatch: a code opens a session that only this page gets, and a wrong one says so', async () => {
  const answer = await signIn(await code());
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dispatch']);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^dispatcher=[0-9a-f]{64}; Path=\/dispatch; Max-Age=36000; HttpOnly; SameSite=Strict$/,
  );
  expect(await isSignedIn(cookieOf(answer))).toBe(true);
  const used = await code();
  await signIn(used);
  for (const typed of ['', 'wrong', used]) {
    const refused = await signIn(typed, { language: 'fr' });
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await refused.text()).toContain(dispatchTexts.fr.codeWrong.replaceAll("'", '&#39;'));
  }
  // A form that is none has no code.
  const none = await fetch(`${gateway.baseUrl}/dispatch/sign-in`, {
    method: 'POST',
    headers: { origin: gateway.baseUrl },
  });
  expect(none.status).toBe(403);
});

test('dispatch: behind an https address the cookie is sent over https alone', async () => {
  const secure = await startGateway(partner, { publicUrl: 'https://gateway.example' });
  const answer = await fetch(`${secure.baseUrl}/dispatch/sign-out`, {
    redirect: 'manual',
    method: 'POST',
    headers: { origin: 'https://gateway.example' },
    body: new URLSearchParams(),
  });
  await secure.remove();
  expect(answer.headers.get('set-cookie')).toBe(
    'dispatcher=; Path=/dispatch; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
  );
});

test('dispatch: codes cannot be guessed, because attempts of an address are limited', async () => {
  const refusal = new Problem('rate_limited', 'too many attempts');
  const draw = vi.spyOn(gateway.context.limiter, 'draw').mockRejectedValueOnce(refusal);
  const valid = await code();
  expect((await signIn(valid)).status).toBe(429);
  expect(draw.mock.calls).toEqual([['validate', { address: '127.0.0.1' }]]);
  draw.mockRestore();
  // The attempt has not used the code.
  expect((await signIn(valid)).status).toBe(303);
});

test('dispatch: a form of another site does nothing, also with the session', async () => {
  for (const origin of ['https://evil.example', `${gateway.baseUrl}.evil.example`, 'null', '']) {
    const asked = { cookie: session, origin };
    const answers = [
      await signIn(await code(), asked),
      await post('assign', form(), asked),
      await post('sign-out', [], asked),
    ];
    for (const answer of answers) {
      expect([origin, answer.status, answer.headers.get('set-cookie')]).toEqual([
        origin,
        403,
        null,
      ]);
      expect(await answer.json()).toMatchObject({
        title: 'forbidden',
        detail: 'the form comes from another address than the public one',
      });
    }
  }
  expect(await assignments()).toEqual([]);
  expect(await isSignedIn(session)).toBe(true);
});

test('dispatch: chosen cases are assigned and taken away, each with its line, and the page is as before', async () => {
  const back = 'q=K&status=InProgress&person=nobody&page=1';
  const assigned = await post('assign', form({ back }, [one, two]), { cookie: session });
  expect([assigned.status, assigned.headers.get('location')]).toEqual([303, `/dispatch?${back}`]);
  expect(await assignments()).toEqual([one, two].toSorted().map((id) => [id, device]));
  await post('assign', form({ action: 'remove' }, [two]), { cookie: session });
  expect(await assignments()).toEqual([[one, device]]);
  const lines = await audit();
  expect(
    lines.map(({ client_id, operation, subject, status }) => [
      client_id,
      operation,
      subject,
      status,
    ]),
  ).toEqual([
    [dispatcher, 'assign', `${one} ${device}`, 200],
    [dispatcher, 'assign', `${two} ${device}`, 200],
    [dispatcher, 'unassign', `${two} ${device}`, 200],
  ]);
  expect(lines.map(({ correlation_id: id }) => id)).not.toContain('');
});

test('dispatch: what is not there is no line, and the other cases are assigned', async () => {
  const unknown = randomUUID();
  await post('assign', form({ back: 'page=-1' }, [unknown, one]), { cookie: session });
  expect(await assignments()).toEqual([[one, device]]);
  expect((await audit()).map(({ subject }) => subject)).toEqual([`${one} ${device}`]);
  const nobodys = await post('assign', form({ client: 'nobody' }), { cookie: session });
  // Without the filter of the page, it is the whole list.
  expect(nobodys.headers.get('location')).toBe('/dispatch?q=&status=&person=&page=1');
  expect(await audit()).toHaveLength(1);
});

test('dispatch: a form that is not one of the page is refused whole', async () => {
  const tooMany = Array.from({ length: 101 }, () => one);
  for (const [fields, cases] of [
    [{ action: 'delete' }, [one]],
    [{ client: '' }, [one]],
    [{}, [one, '']],
    [{}, tooMany],
  ] as const) {
    const answer = await post('assign', form(fields, cases), { cookie: session });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        title: 'invalid_request',
        detail: 'the form is not one of this page',
        errors: { form: ['is not one of this page.'] },
      },
    ]);
  }
  expect(await assignments()).toEqual([]);
  expect((await post('assign', form({}, tooMany.slice(1)), { cookie: session })).status).toBe(303);
});

test('dispatch: nobody assigns without a session, or after the access ended', async () => {
  const made = await gateway.laptop(true);
  const own = await createSignInCode(gateway.context.db, machineClock, made.clientId);
  const cookie = cookieOf(await signIn(own?.code ?? ''));
  expect(await isSignedIn(cookie)).toBe(true);
  await revokeClient(gateway.context.db, machineClock, made.clientId);
  for (const asked of [{}, { cookie }]) {
    const answer = await post('assign', form(), asked);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dispatch']);
  }
  expect(await assignments()).toEqual([]);
  expect((await audit()).filter(({ operation }) => operation === 'assign')).toEqual([]);
});

test('dispatch: a session ends when it is signed out, also for a browser that keeps its cookie', async () => {
  const cookie = cookieOf(await signIn(await code()));
  const answer = await post('sign-out', [], { cookie });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dispatch']);
  expect(answer.headers.get('set-cookie')).toBe(
    'dispatcher=; Path=/dispatch; Max-Age=0; HttpOnly; SameSite=Strict',
  );
  expect(await isSignedIn(cookie)).toBe(false);
  // Another session stays.
  expect(await isSignedIn(session)).toBe(true);
  expect((await post('sign-out', [])).status).toBe(303);
});

test('dispatch: the page shows the filtered cases, and a query that is none shows all', async () => {
  const show = async (query: string) =>
    (await get(`/dispatch?${query}`, { cookie: session })).text();
  await post('assign', form(), { cookie: session });
  const ofPerson = await show(`person=${device}`);
  expect([ofPerson.includes(one), ofPerson.includes(two)]).toEqual([true, false]);
  expect(ofPerson).toContain('Laptop (1)');
  const all = await show('page=0&status=a&status=b');
  expect([all.includes(one), all.includes(two)]).toEqual([true, true]);
});
