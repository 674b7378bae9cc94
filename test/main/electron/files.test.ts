import { describe, expect, it } from 'vitest';
import { serveFiles } from '#main/electron/files.ts';
import { serveFile } from '#main/electron/serve-file.ts';
import {
  caseId,
  createLogStub,
  createStubEngine,
  documentBytes,
  documentId,
  draftId,
} from '../../support/stub-engine.ts';
import { linePair } from './line-pair.ts';
import { type Ask, SessionStandIn } from './session-stand-in.ts';

function setUp() {
  const stub = createStubEngine();
  const openLine = () => {
    const { near, far } = linePair();
    serveFile(stub.engine, far, createLogStub()).catch(() => undefined);
    return near;
  };
  const session = new SessionStandIn();
  session.protocol.handle('desk', (request) => serveFiles(request, openLine));
  const ask = (path: string, init: Ask = {}) => session.ask(`desk://files/${path}`, init);
  return { stub, ask };
}

const documentPath = `documents/${caseId}/${documentId}`;

describe('desk://files', () => {
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
