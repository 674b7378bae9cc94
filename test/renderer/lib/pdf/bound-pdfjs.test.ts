import { afterEach, expect, test, vi } from 'vitest';
import { MessageChannel } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import { encode } from 'jpeg-js';
import { getDocument, PDFWorker } from 'pdfjs-dist';
import { z } from 'zod';
import {
  boundReader,
  excessOf,
  pdfLimits,
  type WorkerScope,
} from '#renderer/lib/pdf/pdf-bounds.ts';
import { pdfOf, streamOf } from '../../../support/pdf-files.ts';

/**
 * The limits know pdf.js by the names of its methods and of its messages. The program that ships reads
 * pages here within the limits, so a release that changes a name fails.
 */

const mebibyte = 1024 * 1024;
const limits = { ...pdfLimits, streamBytes: mebibyte, pictureBytes: 8 * mebibyte };

afterEach(() => void vi.unstubAllGlobals());

const postedPicture = z.object({
  action: z.literal('obj'),
  data: z.tuple([
    z.string(),
    z.number(),
    z.literal('Image'),
    z.object({ width: z.number(), height: z.number() }),
  ]),
});
const pageRequest = z.object({
  action: z.literal('GetOperatorList'),
  data: z.object({ pageProxyId: z.number() }),
});

/** Reads the page of a PDF by the program that ships, within the limits. */
async function readPage(content: Buffer, more: Partial<typeof pdfLimits> = {}) {
  const posted: unknown[] = [];
  const asked: number[] = [];
  const { port1, port2 } = new MessageChannel();
  const scope: WorkerScope = {
    ArrayBuffer: globalThis.ArrayBuffer,
    Int8Array: globalThis.Int8Array,
    Uint8Array: globalThis.Uint8Array,
    Int16Array: globalThis.Int16Array,
    DecompressionStream: globalThis.DecompressionStream,
    addEventListener: (_type, listener) =>
      void port2.on('message', (data: unknown) => listener({ data })),
    postMessage(message, transferred = []) {
      posted.push(message);
      port2.postMessage(message, transferred as ArrayBuffer[]);
    },
  };
  boundReader(scope, { limits: { ...limits, ...more } });
  // By these two the pictures of a page are counted.
  scope.addEventListener('message', ({ data }) => {
    const request = pageRequest.safeParse(data).data;
    if (request) asked.push(request.data.pageProxyId);
  });
  vi.stubGlobal('Uint8Array', scope.Uint8Array);
  vi.stubGlobal('Int16Array', scope.Int16Array);
  const inflater = vi.fn(scope.DecompressionStream);
  vi.stubGlobal('DecompressionStream', inflater);
  const { WorkerMessageHandler } = await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
  WorkerMessageHandler.initializeFromPort({
    addEventListener: (type: string, listener: (event: { data: unknown }) => void) =>
      void port2.on(type, (data: unknown) => listener({ data })),
    removeEventListener: () => undefined,
    postMessage: (message: unknown, transferred?: Transferable[]) =>
      scope.postMessage(message, transferred),
  });
  port1.start();
  const worker = PDFWorker.create({ port: port1 as unknown as Worker });
  const task = getDocument({ data: new Uint8Array(content), worker, useWorkerFetch: false });
  try {
    const page = await (await task.promise).getPage(1);
    // A content that is refused may fail the page; what was posted says so.
    await page.getOperatorList().catch(() => undefined);
    const excesses = () => posted.flatMap((each) => excessOf(each) ?? []);
    const pictures = () => posted.flatMap((each) => postedPicture.safeParse(each).data?.data ?? []);
    await vi.waitFor(() => expect([...excesses(), ...pictures()]).not.toEqual([]));
    return {
      asked,
      excesses: excesses(),
      pictures: pictures(),
      inflated: inflater.mock.calls.length,
    };
  } finally {
    await task.destroy();
    port1.close();
  }
}

/** Of one byte again and again, at most 128 times in two bytes (ISO 32000-2, 7.4.5). */
const runLengths = (bytes: number, byte: number) =>
  Buffer.concat([Buffer.alloc((bytes / 128) * 2, Buffer.from([129, byte])), Buffer.from([128])]);
const flate = (bytes: number, byte: number) => deflateSync(Buffer.alloc(bytes, byte));

const ways = [
  ['the browser', 'Flate', flate, 1],
  ['pdf.js itself', 'RunLength', runLengths, 0],
] as const;

function pageWith(content: Buffer, ...more: readonly Buffer[]): Buffer {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 595]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
    content,
    ...more,
  ]);
}

test.each(ways)('a content that %s unpacks is refused', async (_by, filter, pack, byBrowser) => {
  const content = streamOf(pack(3 * mebibyte, 0x20), `/Filter/${filter}Decode`);
  const { excesses, inflated } = await readPage(pageWith(content));
  expect(excesses).toContain('content');
  expect(inflated).toBe(byBrowser);
});

/** A page with one picture. */
function pictureBy(filter: string, pack: (bytes: number, byte: number) => Buffer): Buffer {
  const [width, height] = [1024, 3 * 1024];
  const picture = streamOf(
    pack(width * height, 0),
    `/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/${filter}Decode`,
  );
  return pageWith(streamOf('q 595 0 0 595 0 0 cm /I Do Q'), picture);
}

test.each(ways)('a picture that %s unpacks may be larger', async (_by, filter, pack, byBrowser) => {
  const { asked, excesses, pictures, inflated } = await readPage(pictureBy(filter, pack));
  expect(excesses).toEqual([]);
  expect(asked).toHaveLength(1);
  const size = { width: 1024, height: 3 * 1024 };
  expect(pictures).toEqual([expect.any(String), asked[0], 'Image', size]);
  expect(inflated).toBe(byBrowser);
});

test('the pixels of a page are counted by what it posts', async () => {
  const { excesses } = await readPage(pictureBy('Flate', flate), { pagePixels: mebibyte });
  expect(excesses).toContain('content');
});

test('a JPEG that pdf.js decodes itself is left out if it has too many pixels', async () => {
  const [width, height] = [256, 128];
  const { data } = encode({ data: Buffer.alloc(width * height * 4, 90), width, height }, 50);
  const entries = `/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
  const page = pageWith(
    streamOf('q 595 0 0 595 0 0 cm /I Do Q'),
    streamOf(data, `${entries}/Filter/DCTDecode`),
  );
  // pdf.js keeps a further block in each line of blocks.
  expect((await readPage(page, { coefficients: (width + 8) * height })).excesses).toEqual([]);
  expect((await readPage(page, { coefficients: width * height - 1 })).excesses).toContain(
    'picture',
  );
});

// Only a browser has the canvas to which such a copy leads.
test('the program that ships names the method that copies a large picture', () => {
  const program = createRequire(import.meta.url).resolve('pdfjs-dist/build/pdf.worker.min.mjs');
  expect(readFileSync(program, 'utf8')).toContain('this._encodeBMP()');
});
