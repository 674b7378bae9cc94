import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openTransport, parseBaseUrl } from '#main/partner/connection.ts';
import type { Answer, TransportFactory } from '#main/partner/requests/transport.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';
import { createTestClient, problemOf } from '../engine/support/test-client.ts';

/* With which address and over which network the partner is reached. */

test.each([
  ['nonsense', 'url'],
  ['', 'url'],
  ['ftp://partner.example', 'scheme'],
  ['file:///etc/hosts', 'scheme'],
  ['https://user@partner.example', 'no-credentials'],
  ['https://:secret@partner.example', 'no-credentials'],
])('connection: the base address "%s" is refused (%s)', (text, rule) => {
  expect(() => parseBaseUrl(text)).toThrow(
    expect.objectContaining({
      problem: { code: 'base_url_invalid', params: { field: 'baseUrl', rule } },
    }) as Error,
  );
});

test.each(['https://partner.example/', 'http://localhost:8080/partner'])(
  'connection: the base address %s is used',
  (text) => {
    expect(parseBaseUrl(text).href).toBe(text);
  },
);

test('connection: the network of the shell is used, unless IT has set certificate authorities', () => {
  const clock = createSteppedClock();
  const asked: unknown[] = [];
  const ofShell = { send: () => Promise.reject(new Error('not sent')), close: () => undefined };
  const createTransport: TransportFactory = (parts) => {
    asked.push(parts);
    return ofShell;
  };
  expect(openTransport({ clock, createTransport })).toBe(ofShell);
  expect(openTransport({ clock, createTransport, certificateAuthorities: [] })).toBe(ofShell);
  expect(asked).toEqual([{ clock }, { clock }]);
  for (const options of [{ createTransport, certificateAuthorities: [''] }, {}]) {
    const transport = openTransport({ clock, ...options });
    transport.close();
    expect(transport).not.toBe(ofShell);
  }
  expect(asked).toHaveLength(2);
});

test('connection: what IT has set is in every request, also in that for a portal, until the end', async () => {
  const asked: string[] = [];
  let closed = 0;
  const answer = (type: string, text: string): Answer => ({
    status: 200,
    headers: { 'content-type': type },
    body: Readable.from([Buffer.from(text)]),
  });
  const createTransport: TransportFactory = () => ({
    send({ method, url }) {
      asked.push(`${method} ${url.pathname}${url.search}`);
      const token = JSON.stringify({ access_token: 'a', expires_in: 600 });
      return Promise.resolve(
        method === 'POST' ? answer('application/json', token) : answer('text/html', '<html>'),
      );
    },
    close: () => void closed++,
  });
  const { client } = createTestClient('https://partner.example/api', {
    createTransport,
    changedSinceParameter: 'updatedSince',
    paths: { token: '/token', X1: '/cases', X2: '/cases/{caseId}' },
  });
  const list = client.listCases({ page: 1, size: 5, lastChangedSince: 'then' });
  expect(await problemOf(list)).toMatchObject({ code: 'captive_portal' });
  expect(asked).toEqual([
    'POST /api/token',
    'GET /api/cases?updatedSince=then&page=1&size=5',
    expect.stringMatching(/^GET \/api\/cases\/[0-9a-f-]{36}$/),
  ]);
  await client.close();
  expect(closed).toBe(1);
});
