import { EventEmitter } from 'node:events';
import type { Net } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { createNetTransport } from '#main/electron/net-transport.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';

/** A request that does nothing by itself. */
function createSilent() {
  const request = Object.assign(new EventEmitter(), {
    end: vi.fn(),
    abort: vi.fn(),
    write: vi.fn(),
    getUploadProgress: () => ({ active: false, started: false, current: 0, total: 0 }),
  });
  const ask = vi.fn((_options: unknown) => request);
  const net = { request: ask } as unknown as Pick<Net, 'request'>;
  const transport = createNetTransport(net, { clock: createSteppedClock() });
  const url = new URL('https://partner.example/v1?a=b');
  const sent = transport.send(
    { method: 'GET', url, headers: { 'x-a': 'b' }, body: null },
    new AbortController().signal,
  );
  return { request, ask, sent };
}

describe('a request over Chromium', () => {
  it('follows nothing, keeps nothing, and brings no cookie', async () => {
    const { request, ask, sent } = createSilent();
    expect(ask).toHaveBeenCalledExactlyOnceWith({
      method: 'GET',
      url: 'https://partner.example/v1?a=b',
      headers: { 'x-a': 'b' },
      redirect: 'manual',
      credentials: 'omit',
      useSessionCookies: false,
      cache: 'no-store',
    });
    request.emit('error', new Error('net::ERR_FAILED'));
    await expect(sent).rejects.toThrow();
  });

  it('answers a sign-in with nothing', async () => {
    const { request, sent } = createSilent();
    const answer = vi.fn();
    request.emit('login', {}, answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith();
    request.emit('error', new Error('net::ERR_FAILED'));
    await expect(sent).rejects.toThrow();
  });

  it.each([
    ['NAME_NOT_RESOLVED', 'address_unknown', false],
    ['CONNECTION_REFUSED', 'connection_refused', false],
    ['PROXY_CONNECTION_FAILED', 'connection_refused', false],
    ['INTERNET_DISCONNECTED', 'offline', false],
    ['CONNECTION_TIMED_OUT', 'timeout', false],
    ['CERT_AUTHORITY_INVALID', 'certificate_untrusted', false],
    ['SSL_PROTOCOL_ERROR', 'captive_portal', false],
    ['INVALID_HTTP_RESPONSE', 'captive_portal', true],
    ['TIMED_OUT', 'timeout', true],
    ['CONNECTION_RESET', 'connection_lost', true],
    ['SOMETHING_NEW', 'connection_lost', true],
  ])('that fails with %s says %s, left: %s', async (name, code, left) => {
    const { request, sent } = createSilent();
    request.emit('error', new Error(`net::ERR_${name}`));
    await expect(sent).rejects.toMatchObject({
      left,
      problem: { code, params: { host: 'partner.example' } },
    });
    expect(request.abort).toHaveBeenCalledOnce();
  });
});
