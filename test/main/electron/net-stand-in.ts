import http from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { ClientRequest, Net } from 'electron';

const netErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ENOTFOUND: 'net::ERR_NAME_NOT_RESOLVED',
  ECONNRESET: 'net::ERR_CONNECTION_RESET',
};

/**
 * A stand-in for Electron's `net` over node:http. Each belief about it names its place in Electron's
 * lib/common/api/net-client-request.ts.
 */
export function createNetStandIn(): Pick<Net, 'request' | 'isOnline'> {
  const request = (options: Parameters<Net['request']>[0]) => {
    if (typeof options === 'string') throw new Error('the desk always gives options');
    for (const [name, value] of Object.entries(options.headers ?? {}))
      // `validateHeader`, called by `parseOptions`.
      http.validateHeaderValue(name, String(value));
    // What the types demand and no test uses is left out.
    return new RequestStandIn(options) as unknown as ClientRequest;
  };
  return { request, isOnline: () => true };
}

const pieceBytes = 64 * 1024;
type Options = Exclude<Parameters<Net['request']>[0], string>;

/** "class ClientRequest extends Writable", "super({ autoDestroy: true })": closed once it is sent. */
class RequestStandIn extends Writable {
  readonly #options: Options;
  readonly #pieces: Buffer[] = [];
  #real: http.ClientRequest | null = null;
  #answer: Readable | null = null;
  #sent = 0;

  constructor(options: Options) {
    super({ autoDestroy: true });
    this.#options = options;
  }

  /** "class SlurpStream": the body is held until it is whole. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#pieces.push(chunk);
    callback();
  }

  /** "_final": the request is begun by its end. */
  override _final(callback: () => void): void {
    this.#start(Buffer.concat(this.#pieces));
    callback();
  }

  #start(body: Buffer): void {
    const { url = '', method = 'GET', headers = {} } = this.#options;
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
    const sent = { ...headers, ...length } as http.OutgoingHttpHeaders;
    const real = http.request(url, { method, agent: false, headers: sent });
    this.#real = real;
    real.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : '';
      this.#fail(new Error(netErrors[code] ?? 'net::ERR_FAILED'));
    });
    real.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const { location } = answered;
      if (status >= 300 && status < 400 && location !== undefined) {
        // The branch "redirectPolicy === 'manual'".
        const target = new URL(location, url).href;
        this.emit('redirect', status, method, target, { 'X-Answer': ['redirect'] });
        this.#fail(new Error('Redirect was cancelled'));
        return;
      }
      // "class IncomingMessage extends Readable": nothing listens for its errors.
      const answer = new Readable({ read: () => void response.resume() });
      this.#answer = answer;
      response.on('data', (bytes) => {
        if (!answer.push(bytes)) response.pause();
      });
      response.on('end', () => answer.push(null));
      response.on('error', () => this.#fail(new Error('net::ERR_CONTENT_LENGTH_MISMATCH')));
      response.pause();
      this.emit('response', Object.assign(answer, { statusCode: status, headers: answered }));
    });
    // "on('upload-progress')": told as the pieces leave.
    for (let at = 0; at < body.length; at += pieceBytes) {
      const piece = body.subarray(at, at + pieceBytes);
      real.write(piece, () => (this.#sent = at + piece.length));
    }
    real.end();
  }

  /** "on('error')" and "_die": told though the stream was closed long ago. */
  #fail(error: Error): void {
    if (this.#real?.destroyed === true && this.#answer?.destroyed === true) return;
    this.#answer?.destroy(error);
    if (this.destroyed) this.emit('error', error);
    this.destroy(error);
    this.#real?.destroy();
  }

  /** "getUploadProgress": of nothing before the first byte has left. */
  getUploadProgress() {
    const total = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    const hasBegun = this.#sent > 0;
    return {
      active: hasBegun,
      started: hasBegun,
      current: this.#sent,
      total: hasBegun ? total : 0,
    };
  }

  /** "abort" and "_die" without an error: the loader is cancelled, and says nothing more. */
  abort(): void {
    process.nextTick(() => this.emit('abort'));
    this.#real
      ?.removeAllListeners('error')
      .on('error', () => undefined)
      .destroy();
    this.destroy();
    this.#answer?.destroy();
  }
}
