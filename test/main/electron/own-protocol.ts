import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { ProtocolRequest } from 'electron';
import { vi } from 'vitest';
import { root } from '../../support/processes.ts';
import type { Answer, Ask, Handler } from './session-stand-in.ts';

const file = join(
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
  if (!existsSync(file)) return null;
  const getBlobData = (id: string) => Promise.resolve(blobs.get(id));
  vi.doMock('electron/main', () => ({ session: { defaultSession: { getBlobData } } }));
  Reflect.set(process, '_linkedBinding', () => ({ Protocol }));
  await import(/* @vite-ignore */ pathToFileURL(file).href);
  return () => new OwnSession();
}

export class OwnSession {
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
