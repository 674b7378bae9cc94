import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi, afterAll } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Rendition } from '#shared/photos/details.ts';
import type { Files } from '#main/engine/engine.ts';
import type { IncomingFile } from '#main/engine/work/take-file.ts';
import { serveFiles } from '#main/electron/files.ts';
import { serveFile } from '#main/electron/serve-file.ts';
import { servePage } from '#main/electron/pages.ts';
import {
  caseId,
  createLogStub,
  createStubEngine,
  documentBytes,
  documentId,
  draftId,
} from '../../support/stub-engine.ts';
import { linePair } from './ports-stand-in.ts';
import { type Answer, type Ask, loadOwnSession, SessionStandIn } from './session-stand-in.ts';
import { temporaryFolder } from '../../support/processes.ts';

// Electron's own protocol over made-up bindings, if its sources lie next to this folder.
const createOwn = await loadOwnSession();
interface PageSession {
  readonly protocol: Pick<SessionStandIn['protocol'], 'handle'>;
  ask(url: string, init?: Ask): Promise<Answer>;
}
const sessions: [string, () => PageSession][] = [
  ['the stand-in', () => new SessionStandIn()],
  ...(createOwn ? [['Electron’s own protocol', createOwn] as [string, () => PageSession]] : []),
];
it.skipIf(createOwn !== null)('Electron’s own protocol: its sources are not here', () => {
  expect(sessions).toHaveLength(1);
});

const documentPath = `documents/${caseId}/${documentId}`;

describe.each(sessions)('desk://files over %s', (_name, create) => {
  function setUp() {
    const stub = createStubEngine();
    const openLine = () => {
      const { near, far } = linePair();
      serveFile(stub.engine, far, createLogStub()).catch(() => undefined);
      return near;
    };
    const session = create();
    session.protocol.handle('desk', (request) => serveFiles(request, openLine));
    const ask = (path: string, init: Ask = {}) => session.ask(`desk://files/${path}`, init);
    return { stub, ask };
  }

  it('gives a document, whole and in ranges', async () => {
    const { ask } = setUp();
    const whole = await ask(documentPath);
    expect(whole.status).toBe(200);
    expect(whole.body.toString()).toBe(documentBytes.toString());
    expect(whole.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    const range = await ask(documentPath, { headers: { range: 'bytes=2-4' } });
    expect([range.status, range.body.toString()]).toEqual([206, '234']);
  });

  it('takes an upload', async () => {
    const { ask, stub } = setUp();
    const answer = await ask(`drafts/${draftId}/attachments`, {
      method: 'POST',
      headers: { 'x-file-name': 'a%20b.pdf', 'x-salvage-sale': 'true' },
      body: new File([new Uint8Array(200_000)], 'a b.pdf'),
    });
    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
      201,
      { fileName: 'a b.pdf' },
    ]);
    expect(stub.uploads).toEqual([{ draftId, fileName: 'a b.pdf', salvage: true, bytes: 200_000 }]);
  });

  it('passes on all that the window states about a file', async () => {
    const { ask, stub } = setUp();
    const received: unknown[] = [];
    const { addAttachment } = stub.engine.files;
    Object.assign(stub.engine.files, {
      addAttachment(id: string, file: IncomingFile) {
        received.push(file.isSeen);
        return addAttachment(id, file);
      },
      setRendition(_draft: string, _file: string, _jpeg: IncomingFile, rendition: Rendition) {
        received.push(rendition);
        return Promise.reject(new DeskError('document_not_found'));
      },
    } satisfies Partial<Files>);
    const rendition = { editVersion: 2, takenAt: null, page: 0 };
    const headers = { 'x-file-name': 'a.jpg', 'x-seen': 'true' };
    const body = new File([new Uint8Array(10)], 'a.jpg');
    await ask(`drafts/${draftId}/attachments`, { method: 'POST', headers, body });
    await ask(`renditions/${draftId}/${documentId}`, {
      method: 'POST',
      headers: { 'x-file-name': 'a.jpg', 'x-rendition': JSON.stringify(rendition) },
      body,
    });
    expect(received).toEqual([true, rendition]);
    const preflight = await ask(documentPath, { method: 'OPTIONS' });
    expect(preflight.headers['access-control-allow-headers']).toContain('x-rendition');
  });

  it('takes a file without a byte, which Chromium sends as one empty piece', async () => {
    const { ask, stub } = setUp();
    const headers = { 'x-file-name': 'empty.pdf' };
    const body = new File([], 'empty.pdf');
    await ask(`drafts/${draftId}/attachments`, { method: 'POST', headers, body });
    expect(stub.uploads).toMatchObject([{ fileName: 'empty.pdf', bytes: 0 }]);
  });

  it('says why an upload is refused', async () => {
    const { ask } = setUp();
    const answer = await ask(`drafts/${draftId}/attachments`, {
      method: 'POST',
      headers: { 'x-file-name': 'big.pdf' },
      body: new File([new Uint8Array(3_000_000)], 'big.pdf'),
    });
    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
      413,
      { code: 'file_too_large' },
    ]);
  });

  it('answers the desk’s own page only', async () => {
    const { ask } = setUp();
    const other = await ask(documentPath, { headers: { origin: 'https://evil.example' } });
    expect(other.status).toBe(403);
    const own = await ask(documentPath, { headers: { origin: 'desk://app' } });
    expect(own.headers['access-control-allow-origin']).toBe('desk://app');
    const preflight = await ask(documentPath, { method: 'OPTIONS' });
    expect(preflight.headers['access-control-allow-headers']).toContain('x-file-name');
  });
});

describe.each(sessions)('what a handler answers over %s', (_name, create) => {
  const asked = async (answer: () => unknown, url = 'desk://files/a') => {
    const session = create();
    session.protocol.handle('desk', answer as () => Response);
    const { status, body } = await session.ask(url);
    return [status, body.toString()];
  };

  it('is checked', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await asked(() => new Response('a', { status: 201 }))).toEqual([201, 'a']);
    expect(await asked(() => new Response(null, { status: 404 }))).toEqual([404, '']);
    for (const wrong of [undefined, 'text', { status: '200' }, { body: 'text' }])
      await expect(asked(() => wrong)).rejects.toThrow('ERR_UNEXPECTED');
    await expect(asked(() => Promise.reject(new Error('broken')))).rejects.toThrow(
      'ERR_UNEXPECTED',
    );
    await expect(asked(() => Response.error())).rejects.toThrow('ERR_FAILED');
    await expect(asked(() => new Response(), 'other://a')).rejects.toThrow(
      'ERR_UNKNOWN_URL_SCHEME',
    );
  });

  it('belongs to a scheme with one handler, which is sent a File as one piece', async () => {
    const session = create();
    const pieces: number[] = [];
    session.protocol.handle('desk', async (request) => {
      expect(request.headers.get('origin')).toBeNull();
      const body = request.body as AsyncIterable<Uint8Array> | null;
      for await (const piece of body ?? []) pieces.push(piece.length);
      return new Response(null);
    });
    expect(() => session.protocol.handle('desk', () => new Response())).toThrow('register');
    for (const size of [0, 3_000_000])
      await session.ask('desk://files/a', {
        method: 'POST',
        body: new File([new Uint8Array(size)], 'a.pdf'),
      });
    expect(pieces).toEqual([0, 3_000_000]);
  });
});

const folder = temporaryFolder();
const pages = join(folder.path, 'renderer');
const atStart = { language: 'it', theme: 'dark' } as const;
mkdirSync(join(pages, 'assets'), { recursive: true });
writeFileSync(join(folder.path, 'secret.txt'), 'secret');
writeFileSync(join(pages, 'index.html'), '<!doctype html><html lang="de">');
writeFileSync(join(pages, 'assets/a.js'), '1');
afterAll(folder.remove);

describe('desk://app', () => {
  it('serves the window under a strict policy', async () => {
    const page = await servePage(pages, 'desk://app/', atStart);
    expect(await page.text()).toBe('<!doctype html><html lang="it-CH" data-theme="dark">');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default vue");
    expect(policy).toContain("default-src 'none'");
    const script = await servePage(pages, 'desk://app/assets/a.js', atStart);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    'desk://app/nothing.js',
    'desk://app/assets',
    'desk://app/../secret.txt',
    'desk://app/%2e%2e/secret.txt',
    'desk://app/..%2fsecret.txt',
    'desk://app/%E0%A4%A',
  ])('has nothing at %s', async (address) => {
    expect((await servePage(pages, address, atStart)).status).toBe(404);
  });
});
