import { EventEmitter } from 'node:events';
import http from 'node:http';
import type { ClientRequest, Net } from 'electron';

const netErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ENOTFOUND: 'net::ERR_NAME_NOT_RESOLVED',
  ECONNRESET: 'net::ERR_CONNECTION_RESET',
};

/**
 * A stand-in for Electron's `net` over node:http, with its ways: the body held until it is whole,
 * redirects told and then broken off, errors by Chromium's names.
 */
export function createNetStandIn(): Pick<Net, 'request' | 'isOnline'> {
  const request = (options: Parameters<Net['request']>[0]) => {
    if (typeof options === 'string') throw new Error('the desk always gives options');
    const events = new EventEmitter();
    const pieces: Buffer[] = [];
    let real: http.ClientRequest | null = null;
    const fail = (error: Error) => events.emit('error', error);
    const stand = Object.assign(events, {
      write: (bytes: Buffer) => void pieces.push(bytes),
      getUploadProgress: () => ({ active: false, started: true, current: 0, total: 0 }),
      abort() {
        real?.destroy();
        queueMicrotask(() => events.emit('close'));
      },
      end() {
        const { url = '', method = 'GET', headers = {} } = options;
        const body = Buffer.concat(pieces);
        const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
        real = http.request(url, { method, agent: false, headers: { ...headers, ...length } });
        real.on('error', (error) => {
          const code = 'code' in error ? String(error.code) : '';
          fail(new Error(netErrors[code] ?? 'net::ERR_FAILED'));
        });
        real.on('close', () => events.emit('close'));
        real.on('response', (response) => {
          const status = response.statusCode ?? 0;
          const { location } = response.headers;
          if (status >= 300 && status < 400 && location !== undefined) {
            events.emit('redirect', status, method, new URL(location, url).href, {
              'X-Answer': ['redirect'],
            });
            fail(new Error('Redirect was cancelled'));
            response.destroy();
          } else events.emit('response', response);
        });
        real.end(body);
      },
    });
    return stand as unknown as ClientRequest;
  };
  return { request, isOnline: () => true };
}
