import { expect, test } from 'vitest';
import { openTransport, parseBaseUrl } from '#main/partner/connection.ts';
import type { TransportFactory } from '#main/partner/requests/transport.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';

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
