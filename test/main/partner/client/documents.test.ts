import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UploadSource } from '#main/partner/answers/document-bodies.ts';
import { json, problem, type Handler } from '../../../support/partner/hostile-server.ts';
import { problemOf } from '../../engine/support/test-client.ts';
import {
  at,
  caseId,
  documentId,
  documentRecord,
  shareHostilePartner,
  sourceOf,
  submissionId,
  uploadedRecord,
} from './hostile-partner.ts';

const { connect, host, server } = shareHostilePartner();

describe('documents', () => {
  const uploadSchema = z.strictObject({
    FileName: z.string(),
    ContentType: z.string(),
    IsSalvageSale: z.boolean(),
    ContentBase64: z.string(),
  });

  it.each([0, 1, 2, 3, 100_000, 3_000_001])('X13: %i bytes arrive as they are', async (size) => {
    const { client } = connect();
    const content = randomBytes(size);
    const source = sourceOf(content, 10_000);
    const progress: number[] = [];
    server().next(json(201, uploadedRecord));
    const { value } = await client.uploadDocument(submissionId, source, {
      onProgress: (sentBytes) => progress.push(sentBytes),
    });
    expect(value.id).toBe(documentId);
    const [seen] = server().seen;
    expect(seen?.headers['content-length']).toBe(String(client.uploadBodyBytes(source)));
    const body = uploadSchema.parse(JSON.parse(seen?.body.toString() ?? ''));
    expect(Buffer.from(body.ContentBase64, 'base64').equals(content)).toBe(true);
    expect(body).toMatchObject({ FileName: 'Bericht "Züri".pdf', IsSalvageSale: true });
    expect(progress.at(-1)).toBe(size);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });

  it('X13: after a 429 the source is opened again', async () => {
    const { client, clock } = connect();
    server().next(problem(429, 'rate_limited', { 'retry-after': '3' }), json(201, uploadedRecord));
    const upload = client.uploadDocument(submissionId, sourceOf(Buffer.from('abc')));
    await clock.waitsFor((ms) => ms === 3_000);
    await clock.advance(3_000);
    expect((await upload).status).toBe(201);
    expect(server().seen[0]?.body.equals(server().seen[1]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('X13: a source that fails or lies about its size ends the request with its own error', async () => {
    const { client } = connect();
    const broken = new Error('the file is damaged');
    const failing: UploadSource = {
      ...sourceOf(Buffer.alloc(100_000)),
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(50_000);
            throw broken;
          })(),
        ),
    };
    await expect(client.uploadDocument(submissionId, failing)).rejects.toBe(broken);
    const short = { ...sourceOf(Buffer.alloc(10)), sizeBytes: 20 };
    expect(await problemOf(client.uploadDocument(submissionId, short))).toMatchObject({
      code: 'internal',
    });
  });

  const documentText = (content: Buffer, where: 'first' | 'last') => {
    const own = { ContentBase64: content.toString('base64') };
    return JSON.stringify(
      where === 'first' ? { ...own, ...documentRecord } : { ...documentRecord, ...own },
    );
  };

  it('X7 and X12: a byte order mark before the answer changes nothing', async () => {
    const { client } = connect();
    const page = {
      Total: 1,
      Page: 1,
      Size: 1,
      Items: [{ ...uploadedRecord, ContentBase64: 'YWJj' }],
    };
    const marked =
      (text: string): Handler =>
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(`\ufeff${text}`);
      };
    server().next(marked(JSON.stringify(page)), marked(documentText(Buffer.from('abc'), 'last')));
    const { value } = await client.listSubmissionDocuments(submissionId, { page: 1, size: 1 });
    expect(value.items).toMatchObject([{ id: documentId, sizeBytes: 3 }]);
    const { value: document } = await client.fetchDocument(caseId, documentId, () => undefined);
    expect(document.sizeBytes).toBe(3);
  });

  it.each(['first', 'last'] as const)('X7: the content, named %s', async (where) => {
    const content = randomBytes(1_000_003);
    server().next((response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(documentText(content, where));
    });
    const pieces: Buffer[] = [];
    const { value } = await connect().client.fetchDocument(caseId, documentId, (chunk) => {
      pieces.push(Buffer.from(chunk));
    });
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    expect(value).toMatchObject({ fileName: 'a.pdf', sizeBytes: content.length });
  });

  it('X7: an answer that breaks off is repeated only while nothing was given out', async () => {
    const text = documentText(randomBytes(500_000), 'last');
    const cut =
      (length: number): Handler =>
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(text.slice(0, length), () => response.socket?.destroy());
      };
    const { client } = connect();
    let given = 0;
    const sink = (chunk: Uint8Array) => {
      given += chunk.length;
    };
    server().next(cut(20), (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    await client.fetchDocument(caseId, documentId, sink);
    expect(given).toBe(500_000);
    given = 0;
    server().next(cut(400_000));
    expect(await problemOf(client.fetchDocument(caseId, documentId, sink))).toEqual({
      code: 'connection_lost',
      params: { host: host() },
    });
    expect(given).toBeGreaterThan(0);
    expect(server().seen).toHaveLength(3);
  });

  it('X7: no content, a null one, no base64 and a failing sink are errors', async () => {
    const { client } = connect();
    const fetching = (record: unknown) => {
      server().next(json(200, record));
      return problemOf(client.fetchDocument(caseId, documentId, () => undefined));
    };
    const expected = { code: 'answer_invalid', params: { operation: 'X7' } };
    expect(await fetching(documentRecord)).toMatchObject(expected);
    expect(await fetching({ ...documentRecord, ContentBase64: null })).toMatchObject(expected);
    expect(await fetching({ ...documentRecord, ContentBase64: 'Grüezi' })).toMatchObject(expected);
    server().next(json(200, { ...documentRecord, ContentBase64: 'QUJD' }));
    const full = new Error('disk full');
    await expect(client.fetchDocument(caseId, documentId, () => Promise.reject(full))).rejects.toBe(
      full,
    );
  });

  it('X7: the content of another document is none', async () => {
    const { client } = connect();
    const fetching = (Id: string) => {
      server().next(json(200, { ...documentRecord, Id, ContentBase64: 'QUJD' }));
      return problemOf(client.fetchDocument(caseId, documentId, () => undefined));
    };
    expect(await fetching(randomUUID())).toEqual({
      code: 'answer_invalid',
      params: { operation: 'X7', detail: 'Id' },
    });
    expect(await fetching(documentId.toUpperCase())).toBe('no problem');
  });

  it('X7: what is dense next to the content is refused before it is parsed', async () => {
    const { client } = connect();
    const dense = `{"more":[${'[],'.repeat(800_000)}1],"ContentBase64":"QUJD"}`;
    server().next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(dense);
    });
    const fetching = client.fetchDocument(caseId, documentId, () => undefined);
    expect(await problemOf(fetching)).toEqual({
      code: 'answer_invalid',
      params: { operation: 'X7', detail: 'too much stands beside the content' },
    });
  });

  it('X12: contents are hashed while they pass', async () => {
    const contents = [randomBytes(10), Buffer.alloc(0), randomBytes(70_000)];
    const items = contents.map((content) => ({
      ContentBase64: content.toString('base64'),
      ...uploadedRecord,
      Id: randomUUID(),
    }));
    server().next(json(200, { Total: 3, Page: 1, Size: 50, Items: items }));
    const { value } = await connect().client.listSubmissionDocuments(submissionId, {
      page: 1,
      size: 50,
    });
    expect(value.items).toEqual(
      contents.map((content, index) => ({
        id: items[index]?.Id,
        submissionId,
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        createdAt: at,
        isSalvageSale: false,
        sizeBytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })),
    );
  });

  it('X14 and X5: empty answers', async () => {
    const { client } = connect();
    server().always = (response) => {
      response.writeHead(204).end();
    };
    expect((await client.deleteSubmissionDocument(submissionId, documentId)).value).toBeNull();
    expect((await client.reopen(caseId, 'why')).status).toBe(204);
    expect(server().seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `DELETE /v1/experts/reports/${submissionId}/documents/${documentId}`,
      `POST /v1/experts/cases/${caseId}:reopen`,
    ]);
  });
});
