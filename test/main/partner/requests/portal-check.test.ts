import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPortalCheck } from '#main/partner/requests/portal-check.ts';
import { createTransport, type Answer } from '#main/partner/requests/transport.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createSteppedClock } from '../../engine/support/stepped-clock.ts';

/* When a page in place of an answer is a portal's, and when it is from the partner's side. */

let server: Server;
/** The answer to the plain request. */
let plain: RequestListener;
let seen: { method: string | undefined; url: string | undefined; headers: object }[];
const closing = new AbortController();
const transport = createTransport({ clock: createSteppedClock() });

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ method: request.method, url: request.url, headers: request.headers });
    plain(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  transport.close();
  server.close();
});
beforeEach(() => {
  seen = [];
});

const answered = (status: number, type: string): RequestListener => {
  return (_, response) => void response.writeHead(status, { 'content-type': type }).end('<html>');
};
const broken: RequestListener = (request) => void request.socket.destroy();
const error = new DeskError('captive_portal', { host: 'partner.example', found: 'text/html' });
const port = () => String((server.address() as AddressInfo).port);

async function judge(status: number, type: string, found = error): Promise<DeskError> {
  const portals = createPortalCheck({
    transport,
    plainUrl: () => new URL(`http://127.0.0.1:${port()}/cases/none`),
    closing: closing.signal,
  });
  const body: Answer['body'] = Readable.from([]);
  const answer: Answer = { status, headers: { 'content-type': type }, body };
  return await portals.judge(found, answer);
}

test('portal: a plain request, which asks for no secret, is answered in the same way', async () => {
  for (const status of [200, 403]) {
    plain = answered(status, 'text/html; charset=utf-8');
    expect(await judge(status, 'text/html')).toBe(error);
  }
  expect(seen).toHaveLength(2);
  expect(seen[0]).toMatchObject({
    method: 'GET',
    url: '/cases/none',
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
  });
  expect(seen[0]?.headers).not.toHaveProperty('authorization');
});

test.each([
  ['the plain request gets another page', 200, 'text/html', answered(403, 'text/html')],
  ['the plain request gets the API', 200, 'text/html', answered(200, 'application/json')],
  ['the plain request gets nothing', 200, 'text/html', broken],
  ['the page is that of a wrong address', 404, 'text/html', answered(404, 'text/html')],
  ['the page is that of an old address', 410, 'text/html', answered(410, 'text/html')],
  ['it is no page', 200, 'text/plain', answered(200, 'text/html')],
])('portal: none if %s', async (_, status, type, handler) => {
  plain = handler;
  const judged = await judge(status, type);
  expect(judged.problem).toEqual({
    code: 'answer_foreign',
    params: { host: 'partner.example', status, found: 'text/html' },
  });
  expect(judged.cause).toBe(error);
});

test.each([
  ['the answer says so', 511, error],
  [
    'the answer is faulty in another way',
    200,
    new DeskError('answer_too_large', { host: 'a', maxMegabytes: 1 }),
  ],
])('portal: nothing is asked if %s', async (_, status, found) => {
  plain = broken;
  expect(await judge(status, 'text/html', found)).toBe(found);
  expect(seen).toEqual([]);
});
