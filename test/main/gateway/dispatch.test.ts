import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAudit } from '#main/gateway/writing/audit.ts';
import { revokeClient, setDispatcher } from '#main/gateway/auth/clients.ts';
import { findDispatchCases } from '#main/gateway/dispatch/dispatch-cases.ts';
import {
  createSignInCode,
  findDispatcher,
  signIn,
} from '#main/gateway/dispatch/dispatch-session.ts';
import { acceptedCase } from '../service/support/claims.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import type { Partner } from '../service/support/partner.ts';
import { machineClock } from '../service/support/fake-clock.ts';
import { startGateway, type GatewayForTest } from './support/gateway.ts';

/* The dispatcher's page, as a browser uses it, and what a dispatcher's desk assigns with. */

let service: ServiceForTest;
let gateway: GatewayForTest;
let caseIds: string[];

beforeAll(async () => {
  service = await startService({ clock: machineClock });
  const insurer = await service.partner('insurer');
  caseIds = [(await acceptedCase(service, insurer)).Id, (await acceptedCase(service, insurer)).Id];
  gateway = await startGateway(service, { visibility: 'assigned' });
});
afterAll(async () => {
  await gateway.remove();
  await service.remove();
});

/** A browser with a cookie, or without one. */
function openBrowser(language = 'en', cookie = '') {
  const ask = async (path: string, form?: URLSearchParams, origin = '') => {
    const answer = await fetch(gateway.baseUrl + path, {
      redirect: 'manual',
      headers: { cookie, origin, 'accept-language': language },
      ...(form && { method: 'POST', body: form }),
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) cookie = set.split(';', 1)[0] ?? '';
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    cookie: () => cookie,
    show: (query = '') => ask(`/dispatch${query}`),
    send: (path: string, fields: [string, string][], origin = gateway.baseUrl) =>
      ask(`/dispatch/${path}`, new URLSearchParams(fields), origin),
  };
}

const newCode = async (clientId: string) =>
  (await createSignInCode(gateway.context.db, machineClock, clientId))?.code ?? '';

test('dispatch: a dispatcher signs in with a code, assigns cases, and the laptop sees them', async () => {
  const laptop = await gateway.laptop();
  const dispatcher = await gateway.laptop(true);
  const [first = '', second = ''] = caseIds;
  const browser = openBrowser();
  expect((await browser.show()).text).not.toContain(first);
  const code = await newCode(dispatcher.clientId);
  expect((await browser.send('sign-in', [['code', code]])).status).toBe(303);
  const page = await browser.show();
  expect(page.text).toContain(`value="${first}"`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");

  const assign = await browser.send('assign', [
    ['case', first],
    ['client', laptop.clientId],
    ['action', 'assign'],
    ['back', `person=${laptop.clientId}`],
  ]);
  const back = new URL(assign.headers.get('location') ?? '', gateway.baseUrl);
  const mine = (await browser.show(back.search)).text;
  expect([mine.includes(first), mine.includes(second)]).toEqual([true, false]);
  const open = (await browser.show('?person=nobody')).text;
  expect([open.includes(first), open.includes(second)]).toEqual([false, true]);
  const seen = await laptop.request('GET', '/v1/experts/cases');
  expect((seen.json as { Items: { Id: string }[] }).Items.map(({ Id }) => Id)).toEqual([first]);
  const audited: unknown[] = [];
  for await (const entry of readAudit(gateway.context.db, 0)) audited.push(entry);
  const subject = `${first} ${laptop.clientId}`;
  expect(audited).toContainEqual(
    expect.objectContaining({ clientId: dispatcher.clientId, operation: 'assign', subject }),
  );

  await browser.send('assign', [
    ['case', first],
    ['client', laptop.clientId],
    ['action', 'remove'],
  ]);
  expect((await laptop.request('GET', `/v1/experts/cases/${first}`)).status).toBe(403);
  await browser.send('sign-out', []);
  expect((await browser.show()).text).not.toContain(first);
});

test('dispatch: nobody else gets in, with a used code, an old one, a foreign form or an ended access', async () => {
  const dispatcher = await gateway.laptop(true);
  const laptop = await gateway.laptop();
  const { db } = gateway.context;
  expect(await createSignInCode(db, machineClock, laptop.clientId)).toBeNull();
  const code = await newCode(dispatcher.clientId);
  const browser = openBrowser('fr-CH, de');
  expect((await browser.send('sign-in', [['code', code]], 'https://evil.example')).status).toBe(
    403,
  );
  expect((await browser.send('sign-in', [['code', code.slice(1)]])).text).toContain('plus valable');
  expect((await browser.send('sign-in', [['code', code]])).status).toBe(303);
  expect((await openBrowser().send('sign-in', [['code', code]])).status).toBe(403);
  const anHourAgo = { ...machineClock, now: () => Date.now() - 3_600_000 };
  const old = (await createSignInCode(db, anHourAgo, dispatcher.clientId))?.code ?? '';
  expect((await openBrowser().send('sign-in', [['code', old]])).status).toBe(403);

  const [first = ''] = caseIds;
  const fields: [string, string][] = [
    ['case', first],
    ['client', laptop.clientId],
    ['action', 'assign'],
  ];
  expect((await browser.send('assign', fields, 'https://evil.example')).status).toBe(403);
  await openBrowser().send('assign', fields);
  expect((await laptop.request('GET', `/v1/experts/cases/${first}`)).status).toBe(403);
  expect((await browser.show()).text).toContain(first);
  await revokeClient(db, machineClock, dispatcher.clientId);
  expect((await browser.show()).text).not.toContain(first);
});

test('dispatch: a code signs in and a session shows, for a working day, until it is signed out', async () => {
  const dispatcher = await gateway.laptop(true);
  const { db } = gateway.context;
  const code = await newCode(dispatcher.clientId);
  expect(await findDispatcher(db, machineClock, code)).toBeUndefined();
  const token = (await signIn(db, machineClock, code)) ?? '';
  expect(await signIn(db, machineClock, token)).toBeNull();
  const atHour = (hour: number) => ({ ...machineClock, now: () => Date.now() + hour * 3_600_000 });
  expect(await findDispatcher(db, atHour(9), token)).toMatchObject({ name: 'Laptop' });
  expect(await findDispatcher(db, atHour(11), token)).toBeUndefined();

  const browser = openBrowser();
  await browser.send('sign-in', [['code', await newCode(dispatcher.clientId)]]);
  const cookie = browser.cookie();
  expect((await browser.send('sign-out', [], 'https://evil.example')).status).toBe(403);
  expect((await browser.show()).text).toContain(caseIds[0]);
  await browser.send('sign-out', []);
  // A kept cookie is not valid any more.
  expect((await openBrowser('en', cookie).show()).text).not.toContain(caseIds[0]);
});

test('dispatch: a case that does not exist is no line in the audit, and a page has what it should', async () => {
  const [dispatcher, left] = [await gateway.laptop(true), await gateway.laptop()];
  const { db } = gateway.context;
  const browser = openBrowser();
  await browser.send('sign-in', [['code', await newCode(dispatcher.clientId)]]);
  const unknown = crypto.randomUUID();
  await browser.send('assign', [
    ['case', unknown],
    ['client', dispatcher.clientId],
    ['action', 'assign'],
  ]);
  const subjects = (await auditOf('assign')).map(({ subject }) => subject);
  expect(subjects).not.toContain(`${unknown} ${dispatcher.clientId}`);
  const filters = { q: '', status: '', person: '', page: 2 };
  const second = await findDispatchCases(gateway.context, filters);
  expect([second.total, second.cases]).toEqual([caseIds.length, []]);
  const [first = ''] = caseIds;
  const setDelisted = (delisted: number) =>
    db.updateTable('cases').set({ delisted }).where('id', '=', first).execute();
  expect((await browser.show()).text).toContain(left.clientId);
  await revokeClient(db, machineClock, left.clientId);
  await setDelisted(1);
  const { text } = await browser.show();
  await setDelisted(0);
  expect([text.includes(left.clientId), text.includes(first)]).toEqual([false, false]);
});

test('dispatch: what people have typed is shown as text', async () => {
  const dispatcher = await gateway.laptop(true);
  await gateway.context.db
    .updateTable('clients')
    .set({ name: '<script>"Eve" & co</script>\u202e' })
    .where('client_id', '=', dispatcher.clientId)
    .execute();
  const browser = openBrowser();
  await browser.send('sign-in', [['code', await newCode(dispatcher.clientId)]]);
  const { text } = await browser.show('?q=%22%3E%3Cimg%3E&status=%3Cb%3E&page=0');
  expect(text).not.toMatch(/<script|<img|<b>/);
  expect(text).toContain('&#60;script&#62;');
  // A sign that would turn the rest of the line around is shown.
  expect(text).toContain('&#60;/script&#62;\ufffd');
});

const people = '/v1/gateway/people';
const assignments = '/v1/gateway/assignments';
const handOver = (laptop: Partner, clientId: string, ids: readonly string[]) =>
  laptop.request('PUT', assignments, { body: { ClientId: clientId, CaseIds: ids } });
const seenBy = async (laptop: Partner) => {
  const { json } = await laptop.request('GET', '/v1/experts/cases');
  return (json as { Items: { Id: string }[] }).Items.map(({ Id }) => Id).sort();
};
async function auditOf(operation: string) {
  const found = [];
  for await (const entry of readAudit(gateway.context.db, 0))
    if (entry.operation === operation) found.push(entry);
  return found;
}

test('hand over: cases move from everybody who has them to one person, each with its line', async () => {
  const { db } = gateway.context;
  const [ill, well, lead] = [
    await gateway.laptop(),
    await gateway.laptop(),
    await gateway.laptop(true),
  ];
  const [first = '', second = ''] = caseIds;
  await handOver(lead, ill.clientId, caseIds);
  expect(await seenBy(ill)).toEqual(caseIds.toSorted());
  const since = new Date().toISOString();

  const unknown = crypto.randomUUID();
  const { status, json } = await handOver(lead, well.clientId, [first, unknown, second, first]);
  expect([status, json]).toEqual([
    200,
    {
      Items: [
        { CaseId: first, IsAssigned: true },
        { CaseId: unknown, IsAssigned: false },
        { CaseId: second, IsAssigned: true },
      ],
    },
  ]);
  expect([await seenBy(ill), await seenBy(well)]).toEqual([[], caseIds.toSorted()]);
  expect((await ill.request('GET', `/v1/experts/cases/${first}`)).status).toBe(403);
  const news = await well.request('GET', `/v1/experts/cases?lastChangedSince=${since}`);
  expect(news.json).toMatchObject({ Total: 2 });
  const lines = (await auditOf('hand_over')).slice(2);
  expect(lines).toMatchObject(
    [first, unknown, second].map((id) => ({
      clientId: lead.clientId,
      subject: `${id} ${well.clientId}`,
      status: id === unknown ? 404 : 200,
    })),
  );

  const stampOf = () =>
    db.selectFrom('cases').select('changed_at').where('id', '=', first).executeTakeFirst();
  const before = await stampOf();
  await handOver(lead, well.clientId, [first]);
  expect(await stampOf(), 'a repetition changes nothing').toEqual(before);
  await revokeClient(db, machineClock, ill.clientId);
  expect((await handOver(lead, ill.clientId, [first])).status).toBe(404);
  expect(await seenBy(well)).toContain(first);
  const { Visibility, Items } = (await lead.request('GET', people)).json as {
    Visibility: string;
    Items: { ClientId: string }[];
  };
  expect(Visibility).toBe('assigned');
  const ids = Items.map(({ ClientId }) => ClientId);
  expect([ids.includes(well.clientId), ids.includes(ill.clientId)]).toEqual([true, false]);
});

test('hand over: only a dispatcher may, until the right is taken away, and a refusal is a line', async () => {
  const { db } = gateway.context;
  const laptop = await gateway.laptop();
  const [first = ''] = caseIds;
  const none = { MayAssign: false, Visibility: 'assigned', Items: [] };
  const mayAssign = async () => (await laptop.request('GET', people)).json;
  const refused = async () => [
    await mayAssign(),
    (await handOver(laptop, laptop.clientId, [first])).status,
  ];
  expect(await refused()).toEqual([none, 403]);
  expect(await seenBy(laptop)).toEqual([]);
  expect(await auditOf('hand_over_refused')).toMatchObject([{ clientId: laptop.clientId }]);
  await setDispatcher(db, laptop.clientId, true);
  expect(await mayAssign()).toMatchObject({ MayAssign: true });
  await setDispatcher(db, laptop.clientId, false);
  expect(await refused()).toEqual([none, 403]);
  expect(await setDispatcher(db, 'no such client', true)).toBe(false);
  const tooMany = Array.from({ length: 201 }, () => first);
  await setDispatcher(db, laptop.clientId, true);
  expect((await handOver(laptop, laptop.clientId, tooMany)).status).toBe(400);
  expect((await fetch(gateway.baseUrl + people)).status).toBe(401);
});
