import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Net } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { createNetTransport } from '#main/electron/net-transport.ts';
import type { OutgoingRequest } from '#main/partner/requests/transport.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';

/** A request that does nothing by itself. */
function createSilent({ isOnline = true, address = 'https://partner.example/v1?a=b' } = {}) {
  const system = { isOnline };
  /** As lib/common/api/net-client-request.ts:509 keeps it: null before the first byte has left. */
  const upload: { current: number | null } = { current: null };
  const request = Object.assign(new EventEmitter(), {
    end: vi.fn(),
    abort: vi.fn(),
    write: vi.fn(),
    getUploadProgress: () => {
      const { current } = upload;
      if (current === null) return { active: false, started: false, current: 0, total: 0 };
      return { active: true, started: true, current, total: 1000 };
    },
  });
  const ask = vi.fn((_options: unknown) => request);
  const net = { request: ask, isOnline: () => system.isOnline } as unknown as Pick<
    Net,
    'request' | 'isOnline'
  >;
  const clock = createSteppedClock();
  const ended = vi.fn<(error: string | null) => void>();
  const watch = { starts: () => ended };
  const transport = createNetTransport(net, { clock, watch });
  const url = new URL(address);
  const send = (body: OutgoingRequest['body'] = null) =>
    transport.send(
      { method: 'GET', url, headers: { 'x-a': 'b' }, body },
      new AbortController().signal,
    );
  return { request, ask, send, sent: send(), clock, upload, system, ended };
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
    await expect(sent).rejects.toThrow('connection_lost');
  });

  it('is not begun without a network, so that nothing can have left', async () => {
    const { ask, sent, send, system, request } = createSilent({ isOnline: false });
    await expect(sent).rejects.toMatchObject({ left: false, problem: { code: 'offline' } });
    expect(ask).not.toHaveBeenCalled();
    system.isOnline = true;
    const later = send();
    expect(ask).toHaveBeenCalledOnce();
    request.emit('error', new Error('net::ERR_FAILED'));
    await expect(later).rejects.toThrow('connection_lost');
  });

  it('lives as long as bytes leave, and ends once they have stopped for as long', async () => {
    const { sent, clock, upload, request } = createSilent();
    const failed = sent.catch((error: unknown) => error);
    for (let current = 100; current <= 1000; current += 100) {
      upload.current = current;
      await clock.advance(75_000);
      expect(request.abort).not.toHaveBeenCalled();
    }
    await clock.advance(75_000);
    expect(await failed).toMatchObject({ left: true, problem: { code: 'timeout' } });
    expect(request.abort).toHaveBeenCalledOnce();
  });

  it.each([1, 2])('that fails while piece %i of 2 is awaited reads nothing more', async (at) => {
    const { send, request, sent } = createSilent();
    const [awaited, given] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const taken: number[] = [];
    async function* pieces() {
      for (const number of [1, 2]) {
        if (number === at) {
          given.resolve(null);
          await awaited.promise;
        }
        yield { bytes: Buffer.from('a'), taken: () => void taken.push(number) };
      }
      taken.push(0);
    }
    const failed = send({ sizeBytes: 2, pieces }).catch((error: unknown) => error);
    await given.promise;
    request.emit('error', new Error('net::ERR_FAILED'));
    await failed;
    await expect(sent).rejects.toThrow('connection_lost');
    awaited.resolve(null);
    await setImmediate();
    expect(taken).toEqual(at === 1 ? [] : [1]);
    expect(request.write).not.toHaveBeenCalled();
  });

  it.each(['http://127.0.0.1:8080/v1', 'http://[::1]:8080/v1', 'http://localhost:1/'])(
    'is begun without a network to %s, which is this laptop',
    async (address) => {
      const { ask, request, sent } = createSilent({ isOnline: false, address });
      expect(ask).toHaveBeenCalledOnce();
      request.emit('error', new Error('net::ERR_FAILED'));
      await expect(sent).rejects.toThrow('connection_lost');
    },
  );

  it('answers a sign-in with nothing', async () => {
    const { request, sent } = createSilent();
    const answer = vi.fn();
    request.emit('login', {}, answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith();
    request.emit('error', new Error('net::ERR_FAILED'));
    await expect(sent).rejects.toThrow('connection_lost');
  });

  it('reports its end with the name of Chromium’s error, or without one', async () => {
    const failed = createSilent();
    failed.request.emit('error', new Error('net::ERR_FAILED'));
    await expect(failed.sent).rejects.toThrow('connection_lost');
    expect(failed.ended).toHaveBeenCalledExactlyOnceWith('FAILED');
    const answered = createSilent();
    answered.request.emit('redirect', 302, 'GET', 'https://else.example/', {});
    await answered.sent;
    expect(answered.ended).toHaveBeenCalledExactlyOnceWith(null);
  });

  it.each([
    ['NAME_NOT_RESOLVED', 'address_unknown', false],
    ['CONNECTION_REFUSED', 'connection_refused', false],
    ['PROXY_CONNECTION_FAILED', 'connection_refused', false],
    ['INTERNET_DISCONNECTED', 'offline', true],
    ['ADDRESS_UNREACHABLE', 'offline', true],
    ['CONNECTION_TIMED_OUT', 'timeout', true],
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
