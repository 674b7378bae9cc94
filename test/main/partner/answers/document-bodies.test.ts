import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  createDigester,
  scanAnswer,
  uploadBody,
  uploadBodyBytes,
  type UploadSource,
} from '#main/partner/answers/document-bodies.ts';
import { maxWeight } from '#main/partner/answers/read-answer.ts';
import type { Answer } from '#main/partner/requests/transport.ts';

const bytesOf = (size: number) => Buffer.from(Array.from({ length: size }, (_, at) => at % 251));

/** A file that is read in pieces of these sizes, and the streams that were opened. */
function sourceOf(...sizes: readonly number[]) {
  const content = bytesOf(sizes.reduce((sum, size) => sum + size, 0));
  const opened: Readable[] = [];
  const source: UploadSource = {
    fileName: 'Bericht "Züri".pdf',
    contentType: 'application/pdf',
    sizeBytes: content.length,
    isSalvageSale: true,
    open() {
      let at = 0;
      const pieces = sizes.map((size) => content.subarray(at, (at += size)));
      const stream = Readable.from(pieces, { autoDestroy: false });
      opened.push(stream);
      return stream;
    },
  };
  return { content, source, opened };
}

async function sent(source: UploadSource, onProgress?: (sentBytes: number) => void) {
  const pieces: Uint8Array[] = [];
  for await (const { bytes, taken } of uploadBody(source, onProgress).pieces()) {
    pieces.push(bytes);
    taken?.();
  }
  return Buffer.concat(pieces);
}

describe('the body of an upload', () => {
  it.each([[[]], [[1]], [[2]], [[3]], [[1, 1, 1]], [[4, 1, 5]], [[0, 7]]])(
    'has the file and what is said of it: pieces of %j bytes',
    async (sizes) => {
      const { content, source, opened } = sourceOf(...sizes);
      const body = await sent(source);
      expect(JSON.parse(String(body))).toEqual({
        FileName: 'Bericht "Züri".pdf',
        ContentType: 'application/pdf',
        IsSalvageSale: true,
        ContentBase64: content.toString('base64'),
      });
      expect([uploadBody(source).sizeBytes, uploadBodyBytes(source)]).toEqual([
        body.length,
        body.length,
      ]);
      // Another attempt begins again.
      expect(await sent(source)).toEqual(body);
      expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    },
  );

  it('tells how much of the file the connection has, once it has it', async () => {
    const progress: number[] = [];
    await sent(sourceOf(1, 1, 5, 1).source, (sentBytes) => void progress.push(sentBytes));
    expect(progress).toEqual([0, 0, 6, 6, 8]);
  });

  it('of a file that is longer or shorter than announced is not ended', async () => {
    for (const difference of [1, -1]) {
      const { source, opened } = sourceOf(5);
      await expect(sent({ ...source, sizeBytes: 5 + difference })).rejects.toMatchObject({
        problem: {
          code: 'internal',
          params: { reason: 'a file of another size than announced' },
        },
      });
      expect(opened[0]?.destroyed).toBe(true);
    }
  });

  it('that is sent no further closes the file', async () => {
    const { source, opened } = sourceOf(3, 3);
    let pieces = 0;
    for await (const { bytes } of uploadBody(source).pieces()) {
      pieces += Math.sign(bytes.length);
      if (pieces === 2) break;
    }
    expect(opened[0]?.destroyed).toBe(true);
  });
});

/** An answer, and whether it was read. */
function answerOf(text: string, type = 'application/json', fails?: Error) {
  const read = { bytes: 0 };
  const source = Readable.from(
    (function* () {
      for (const piece of [text.slice(0, 9), text.slice(9)].map((part) => Buffer.from(part))) {
        read.bytes += piece.length;
        yield piece;
      }
      if (fails) throw fails;
    })(),
  );
  const answer: Answer = { status: 200, headers: { 'content-type': type }, body: source };
  return { answer, read };
}
const context = { host: 'partner.example', operation: 'X12' };
const problem = (code: string, params: object) => ({ problem: { code, params } });

describe('an answer with contents', () => {
  it('has their numbers, hashes and sizes', async () => {
    const contents = [Buffer.from('abc'), Buffer.alloc(0), bytesOf(100)];
    const text = JSON.stringify(
      contents.map((each) => ({ ContentBase64: each.toString('base64') })),
    );
    const { receiver, digests } = createDigester();
    const { answer } = answerOf(`{"Items":${text}}`);
    expect(await scanAnswer(answer, context, receiver)).toEqual({
      Items: [0, 1, 2].map((ContentBase64) => ({ ContentBase64 })),
    });
    expect(digests).toEqual(
      contents.map((each) => ({
        sha256: createHash('sha256').update(each).digest('hex'),
        sizeBytes: each.length,
      })),
    );
  });

  it('has contents as other programs write them', async () => {
    const { receiver, digests } = createDigester();
    await scanAnswer(answerOf('{"ContentBase64":"YR=="}').answer, context, receiver);
    expect(digests).toMatchObject([{ sizeBytes: 1 }]);
  });

  it('is no page of a portal, which is read to its end', async () => {
    const { answer, read } = answerOf('<html></html>', 'text/html');
    await expect(scanAnswer(answer, context, createDigester().receiver)).rejects.toMatchObject(
      problem('captive_portal', { host: 'partner.example', found: 'text/html' }),
    );
    expect(read.bytes).toBe(13);
  });

  it('is none of another kind, of which no content is passed on', async () => {
    const { receiver, digests } = createDigester();
    const { answer } = answerOf('{"ContentBase64":"YWJj"}', 'text/html');
    await expect(scanAnswer(answer, context, receiver)).rejects.toMatchObject(
      problem('captive_portal', { host: 'partner.example', found: 'text/html' }),
    );
    expect(digests).toEqual([]);
  });

  it('has little beside its contents', async () => {
    const scan = (bytes: number) => {
      const text = `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;
      return scanAnswer(answerOf(text).answer, context, createDigester().receiver);
    };
    expect(await scan(maxWeight)).toMatchObject({ a: expect.any(String) as string });
    await expect(scan(maxWeight + 1)).rejects.toMatchObject(
      problem('answer_invalid', {
        operation: 'X12',
        detail: 'too much stands beside the content',
      }),
    );
  });

  it('that is faulty is named, and the failure of a line or a disk stays what it is', async () => {
    const scan = (text: string, fails?: Error, receiver = createDigester().receiver) =>
      scanAnswer(answerOf(text, 'application/json', fails).answer, context, receiver);
    const faulty = await scan('{"ContentBase64":"ä"}').catch((error: unknown) => error);
    expect(faulty).toMatchObject({
      problem: { code: 'answer_invalid', params: { operation: 'X12' } },
      cause: expect.any(Error) as Error,
    });
    expect((faulty as { cause: Error }).cause.message).toBe(
      (faulty as { problem: { params: { detail: string } } }).problem.params.detail,
    );
    await expect(scan('{"ContentBase64":"YWJj"')).rejects.toMatchObject(
      problem('connection_lost', { host: 'partner.example' }),
    );
    const lost = new Error('lost');
    await expect(scan('{"ContentBase64":', lost)).rejects.toBe(lost);
    const full = new Error('full');
    const disk = { data: () => Promise.reject(full) };
    await expect(scan('{"ContentBase64":"YWJj"}', undefined, disk)).rejects.toBe(full);
  });
});
