import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAudit } from '#main/gateway/audit.ts';
import { revokeClient } from '#main/gateway/clients.ts';
import { createSignInCode } from '#main/gateway/dispatch-session.ts';
import { acceptedCase } from '../service/support/claims.ts';
import { startService, type ServiceForTest } from '../service/support/service.ts';
import { machineClock, startGateway, type GatewayForTest } from './support/gateway.ts';

/* The dispatcher's page, as a browser uses it. */

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
function openBrowser(language = 'en') {
  let cookie = '';
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

test('dispatch: what people have typed is shown as text', async () => {
  const dispatcher = await gateway.laptop(true);
  await gateway.context.db
    .updateTable('clients')
    .set({ name: '<script>"Eve" & co</script>' })
    .where('client_id', '=', dispatcher.clientId)
    .execute();
  const browser = openBrowser();
  await browser.send('sign-in', [['code', await newCode(dispatcher.clientId)]]);
  const { text } = await browser.show('?q=%22%3E%3Cimg%3E&status=%3Cb%3E&page=0');
  expect(text).not.toMatch(/<script|<img|<b>/);
  expect(text).toContain('&#60;script&#62;');
});
