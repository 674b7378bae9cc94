import { EventEmitter } from 'node:events';
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { pathToFileURL } from 'node:url';
import type { ProtocolRequest, Session } from 'electron';
import { vi } from 'vitest';
import { root } from '../../support/processes.ts';

// Electron's session, as far as the desk uses it. Each belief names its place in Electron's
// repository. At the end Electron's own code for the same requests, if it is here.

export type Handler = (request: Request) => Response | Promise<Response>;
type Keep = (...args: never[]) => unknown;

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a page sends with `fetch`. */
  readonly body?: File | string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export class SessionStandIn extends EventEmitter {
  readonly #handlers = new Map<string, Handler>();
  readonly set: Record<string, unknown> = {};
  availableSpellCheckerLanguages: readonly string[] = [];

  #keep(name: string): (value: unknown) => void {
    return (value) => void (this.set[name] = value);
  }
  readonly setPermissionRequestHandler = this.#keep('permissionRequest');
  readonly setPermissionCheckHandler = this.#keep('permissionCheck');
  readonly setDevicePermissionHandler = this.#keep('devicePermission');
  readonly setSpellCheckerDictionaryDownloadURL = this.#keep('dictionaryUrl');
  readonly setSpellCheckerEnabled = this.#keep('spellChecker');
  readonly setCertificateVerifyProc = this.#keep('certificateVerify');
  readonly setSpellCheckerLanguages = this.#keep('spellCheckerLanguages');

  /** Calls what the desk has set by this name. */
  asked(name: string, ...args: unknown[]): unknown {
    return (this.set[name] as Keep | undefined)?.(...(args as never[]));
  }

  readonly protocol = {
    /** lib/browser/api/protocol.ts:162: a scheme has one handler. */
    handle: (scheme: string, handler: Handler): void => {
      if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      this.#handlers.set(scheme, handler);
    },
    isProtocolHandled: (scheme: string): boolean => this.#handlers.has(scheme),
  };

  /**
   * A request of a page for an address of the desk's own scheme, as lib/browser/api/protocol.ts:123
   * carries it. The scheme has a loader factory of its own, which bypasses the CORS of Chromium's
   * network service: no `Origin` and no preflight arrive.
   *
   * @throws {Error} with the name of Chromium's error if the handler fails or answers what is none
   */
  async ask(url: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    if (!handler) throw new Error('ERR_UNKNOWN_URL_SCHEME');
    const content = body === undefined ? null : await requestBody(body);
    const request = new Request(url, {
      method,
      headers: { ...headers },
      body: content,
      ...(content instanceof ReadableStream && { duplex: 'half' }),
    });
    const answer = await Promise.resolve(request)
      .then(handler)
      // lib/browser/api/protocol.ts:157: whatever the handler throws is this one.
      .catch(() => null);
    if (!isValid(answer)) throw new Error('ERR_UNEXPECTED');
    if (answer.type === 'error') throw new Error('ERR_FAILED');
    // lib/browser/api/protocol.ts:150: the body is read as Node's stream.
    const bytes = answer.body ? await buffer(Readable.fromWeb(answer.body)) : '';
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(bytes),
    };
  }

  /** As Electron's type, for what the desk is given; what it does not use is left out. */
  asElectron(): Session {
    return this as unknown as Session;
  }
}

/**
 * lib/browser/api/protocol.ts:54 `convertToRequestBody`: text is one buffer and no stream; a `File`
 * is a blob, which is enqueued as one whole chunk (line 95), an empty one too.
 */
async function requestBody(body: File | string): Promise<Uint8Array<ArrayBuffer> | ReadableStream> {
  const bytes =
    typeof body === 'string'
      ? new TextEncoder().encode(body)
      : new Uint8Array(await body.arrayBuffer());
  if (typeof body === 'string') return bytes;
  const chunks = [bytes];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

/** lib/browser/api/protocol.ts:104 `validateResponse` */
function isValid(answer: unknown): answer is Response {
  if (typeof answer !== 'object' || answer === null) return false;
  const has = (key: string) => Object.hasOwn(answer, key);
  const { type, status, statusText, headers, body } = answer as Record<string, unknown>;
  if (type === 'error') return true;
  if (has('status') && typeof status !== 'number') return false;
  if (has('statusText') && typeof statusText !== 'string') return false;
  if (has('headers') && typeof headers !== 'object') return false;
  return !has('body') || body === null || body instanceof ReadableStream;
}

const ownProtocol = join(
  process.env['ELECTRON_SOURCES'] ?? join(root, '../shared/electron'),
  'lib/browser/api/protocol.ts',
);

type Registered = (request: ProtocolRequest, answer: (given: Given) => void) => void;
interface Given {
  readonly error?: number;
  readonly data?: Readable | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly statusCode?: number;
}

/** What lib/browser/api/protocol.ts takes from Electron's native code. */
class Protocol {
  declare handle: (scheme: string, handler: Handler) => void;
  readonly registered = new Map<string, Registered>();
  registerProtocol(scheme: string, handler: Registered): boolean {
    return !this.registered.has(scheme) && this.registered.set(scheme, handler).size > 0;
  }
}
const blobs = new Map<string, Buffer>();

/** Electron's own way of carrying a page's request, or null if its sources are not here. */
export async function loadOwnSession(): Promise<(() => OwnSession) | null> {
  if (!existsSync(ownProtocol)) return null;
  const getBlobData = (id: string) => Promise.resolve(blobs.get(id));
  vi.doMock('electron/main', () => ({ session: { defaultSession: { getBlobData } } }));
  Reflect.set(process, '_linkedBinding', () => ({ Protocol }));
  await import(/* @vite-ignore */ pathToFileURL(ownProtocol).href);
  return () => new OwnSession();
}

class OwnSession {
  readonly protocol = new Protocol();

  async ask(url: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    const handler = this.protocol.registered.get(new URL(url).protocol.slice(0, -1));
    if (!handler) throw new Error('ERR_UNKNOWN_URL_SCHEME');
    const uploadData = body === undefined ? undefined : [await upload(body)];
    const request = { url, method, headers: { ...headers }, referrer: '', uploadData };
    const given = await new Promise<Given>((resolve) => {
      handler(request as unknown as ProtocolRequest, resolve);
    });
    if (given.error !== undefined)
      throw new Error(given.error === -9 ? 'ERR_UNEXPECTED' : 'ERR_FAILED');
    const bytes = given.data ? await buffer(given.data) : Buffer.alloc(0);
    return { status: given.statusCode ?? 0, headers: given.headers ?? {}, body: bytes };
  }
}

async function upload(body: File | string) {
  if (typeof body === 'string') return { type: 'rawData', bytes: Buffer.from(body) };
  const blobUUID = String(blobs.size);
  blobs.set(blobUUID, Buffer.from(await body.arrayBuffer()));
  return { type: 'blob', blobUUID };
}
