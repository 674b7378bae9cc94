import { z } from 'zod';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { pdfStreamMaxBytes } from '#shared/lib/pdf-options.ts';
import { createTaskQueue } from '../tasks.ts';
import { halveBitmap } from './halve-bitmap.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { pixelsFor, pixelsOfEach, reducePicture } from './reduce-picture.ts';

/** The name of a worker that inflates files which a PDF embeds. */
export const fileWorkerName = 'pdf-file-worker';

/**
 * The message of the error if a file inflates to more. pdf.js passes on only the message of an
 * error.
 */
export const tooManyBytes = `more than ${String(documentMaxBytes)} bytes`;

const mebibyte = 1024 * 1024;

/**
 * The limits of what a PDF may unpack to. A few kilobytes may inflate to many gigabytes, and pdf.js
 * has no limit. Its buffers double in size, so their limits are powers of two.
 */
export const pdfLimits = {
  streamBytes: pdfStreamMaxBytes,
  /**
   * The limit of a picture, and of each buffer with it, so that its page takes about 1 GB of the
   * window's process: it is in memory twice, as what is unpacked and as the whole, or before and
   * after a predictor. A grey plan of A0 at 300 dots per inch has 139 MB.
   */
  pictureBytes: 256 * mebibyte,
  /** The limit of a picture without loss that pdf.js copies to be reduced, up to four times. */
  bitmapBytes: 224 * mebibyte,
  /**
   * The limit of the memory of the decoder of JPEG 2000, which has four bytes for each sample and
   * stays as long as the PDF is open. A picture in colour of 27 million pixels takes all of it; one
   * of over 60 million is halved before.
   */
  decoderBytes: 320 * mebibyte,
  /** The limit of each colour of a JPEG that the browser does not decode, in pixels. */
  coefficients: 50_000_000,
  /** The limit of all streams that are not pictures, for one request of the window. */
  requestBytes: 512 * mebibyte,
  /**
   * The limit of the operators of a page and the buffers with their numbers. A path counts as
   * three, and takes two kilobytes of the window. A drawing of 20 MB with a path for each line has
   * 600,000 paths.
   */
  operators: 3_000_000,
  /**
   * The limit of the operators' data: the points of the paths, and the small pictures within the
   * page.
   */
  operatorBytes: 128 * mebibyte,
  /**
   * The limit of the pictures of a page, or of those that pages share, before they are reduced. It
   * allows 25 photographs of 12 megapixels.
   */
  pagePixels: 300_000_000,
  /** The limit of the pieces of a page's text. */
  texts: 500_000,
};

/** The kind of content of which a PDF has too much. */
type Excess = 'picture' | 'content';

/** The message that the worker posts about an excess. pdf.js ignores it. */
const excessMessage = (excess: Excess) => ({ excess });

export const excessOf = (message: unknown): Excess | null =>
  typeof message === 'object' && message !== null && 'excess' in message
    ? (message.excess as Excess) // only this file posts it
    : null;

/** The members of a worker's scope that are limited. */
export interface WorkerScope extends Pick<
  typeof globalThis,
  'ArrayBuffer' | 'Int8Array' | 'Uint8Array' | 'Int16Array' | 'DecompressionStream'
> {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown, transferred?: Transferable[]): void;
  /** Undefined if the browser does not decode pictures for a program. */
  ImageDecoder?: typeof ImageDecoder;
}

/**
 * What pdf.js is doing: inflating a picture, copying one to be reduced, or something else. It does
 * all of it with the same functions, so only the stack trace shows the caller. The minified program
 * retains the names of methods, and V8 also lists them across awaits.
 */
function purpose(): 'picture' | 'bitmap' | 'content' {
  const [, method] = /\b(getImageData|_encodeBMP)\b/.exec(new Error('asked for').stack ?? '') ?? [];
  if (method === undefined) return 'content';
  return method === '_encodeBMP' ? 'bitmap' : 'picture';
}

/**
 * Limits what pdf.js unpacks and posts.
 * @param scope the scope of the worker, before pdf.js runs in it
 */
export function boundReader(scope: WorkerScope, { isForFiles = false, limits = pdfLimits } = {}) {
  // Pictures may be nested in pictures, and a stack trace names only ten callers by default.
  Error.stackTraceLimit = 100;
  const post = scope.postMessage.bind(scope);
  function refuse(excess: Excess): RangeError {
    // If the file is embedded in the PDF, the error itself notifies the window.
    if (!isForFiles) post(excessMessage(excess));
    return new RangeError(tooManyBytes);
  }
  const inTurn = createTaskQueue();
  boundBuffers(scope, limits, refuse);
  const decoder = boundDecoder(scope, limits);
  boundInflation(scope, { limits, refuse, inTurn });
  decodeInTurn(scope, inTurn);
  boundAnswers(scope, limits, refuse);
  boundPictures(scope, limits, refuse);
  return { ...decoder, onLeftOut: () => post(excessMessage('picture')) };
}

type Limits = typeof pdfLimits;
type Refuse = (excess: Excess) => RangeError;
type InTurn = ReturnType<typeof createTaskQueue>;

/** Limits the buffers into which pdf.js unpacks with its own program. */
function boundBuffers(scope: WorkerScope, limits: Limits, refuse: Refuse): void {
  const bytesMax = {
    picture: limits.pictureBytes,
    bitmap: limits.bitmapBytes,
    content: limits.streamBytes,
  };
  scope.Uint8Array = new Proxy(scope.Uint8Array, {
    construct(target, given: readonly unknown[], newTarget) {
      const [length] = given;
      if (typeof length === 'number' && length > limits.streamBytes) {
        const kind = purpose();
        if (length > bytesMax[kind]) throw refuse(kind === 'content' ? 'content' : 'picture');
      }
      return Reflect.construct(target, given, newTarget) as Uint8Array;
    },
  });
  // Only the decoder of JPEGs uses these.
  scope.Int16Array = new Proxy(scope.Int16Array, {
    construct(target, given: readonly unknown[], newTarget) {
      const [length] = given;
      if (typeof length === 'number' && length > limits.coefficients) throw refuse('picture');
      return Reflect.construct(target, given, newTarget) as Int16Array;
    },
  });
}

/** The memory with which a decoder that pdf.js loads begins (JPEG 2000, JBIG2). */
const firstDecoderBytes = 16 * mebibyte;

/**
 * Limits the memory of a decoder that pdf.js loads. It grows by copying itself into a larger buffer.
 * The smaller one is freed as soon as it is copied, because several would wait to be collected.
 * @returns whether memory was refused since the last call
 */
function boundDecoder(scope: WorkerScope, limits: Limits): { takeRefusal: () => boolean } {
  const memories = new WeakSet<ArrayBufferLike>();
  let isRefused = false;
  scope.ArrayBuffer = new Proxy(scope.ArrayBuffer, {
    construct(target, given: readonly unknown[], newTarget) {
      const [length] = given;
      const isMemory = typeof length === 'number' && length >= firstDecoderBytes;
      if (isMemory && length > limits.decoderBytes) {
        isRefused = true;
        throw new RangeError(tooManyBytes);
      }
      const made = Reflect.construct(target, given, newTarget) as ArrayBuffer;
      if (isMemory) memories.add(made);
      return made;
    },
  });
  scope.Int8Array = new Proxy(scope.Int8Array, {
    construct(target, given: readonly unknown[], newTarget) {
      const view = Reflect.construct(target, given, newTarget) as Int8Array;
      if (!memories.has(view.buffer)) return view;
      const set = view.set.bind(view);
      view.set = (source: ArrayLike<number> & { buffer?: ArrayBuffer }, at) => {
        set(source, at);
        if (source.buffer && source.buffer !== view.buffer && memories.has(source.buffer))
          source.buffer.transfer(0);
      };
      return view;
    },
  });
  return {
    takeRefusal: () => {
      const was = isRefused;
      isRefused = false;
      return was;
    },
  };
}

type Reader = ReadableStreamDefaultReader<Bytes>;
type Bytes = Uint8Array<ArrayBuffer>;

/** Limits what the browser inflates for pdf.js. */
function boundInflation(
  scope: WorkerScope,
  { limits, refuse, inTurn }: { limits: Limits; refuse: Refuse; inTurn: InTurn },
): void {
  let contentBytes = 0;
  // The inflated data of one request may stay in memory until the request is answered.
  scope.addEventListener('message', () => (contentBytes = 0));
  function content(reader: Reader) {
    let own = 0;
    return new ReadableStream<Bytes>({
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        own += value.length;
        contentBytes += value.length;
        if (own > limits.streamBytes || contentBytes > limits.requestBytes) {
          void reader.cancel();
          throw refuse('content');
        }
        controller.enqueue(value);
      },
    });
  }
  /** One picture after the other, because pdf.js starts all pictures of a page together. */
  const picture = (reader: Reader) =>
    new ReadableStream<Bytes>({
      async pull(controller) {
        const whole = await inTurn(() => readPicture(reader, limits, refuse));
        controller.enqueue(whole);
        controller.close();
      },
    });
  scope.DecompressionStream = new Proxy(scope.DecompressionStream, {
    construct(target, [format]: [CompressionFormat]) {
      const { readable, writable } = new target(format);
      const counted = purpose() === 'content' ? content : picture;
      return { readable: counted(readable.getReader()), writable: inPieces(writable.getWriter()) };
    },
  });
}

/** The scope's own has limits once pdf.js runs. */
const UnlimitedBytes = Uint8Array;

/**
 * A picture in one piece. pdf.js would collect the pieces and then copy them, and memory for both
 * would wait to be collected; here each piece is freed as soon as it is copied.
 */
async function readPicture(reader: Reader, limits: Limits, refuse: Refuse): Promise<Bytes> {
  let whole = new UnlimitedBytes(pieceBytes);
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const { value } = read;
    const end = length + value.length;
    if (end > limits.pictureBytes) {
      void reader.cancel();
      throw refuse('picture');
    }
    // Moving a buffer frees the one before it at once.
    if (end > whole.length)
      whole = new UnlimitedBytes(whole.buffer.transfer(Math.max(end, 2 * whole.length)));
    whole.set(value, length);
    length = end;
    value.buffer.transfer(0);
  }
  return new UnlimitedBytes(whole.buffer.transfer(length));
}

/**
 * Lets the browser decode one picture of a PDF after the other. A large one without loss, which pdf.js
 * hands over as a BMP to reduce it, is halved here. A JPEG of a page with many is decoded in the size
 * in which it stays.
 */
function decodeInTurn(scope: WorkerScope, inTurn: InTurn): void {
  if (!scope.ImageDecoder) return;
  // pdf.js starts all pictures of a page before the first one is decoded.
  let waiting = 0;
  let together = 0;
  scope.ImageDecoder = new Proxy(scope.ImageDecoder, {
    construct(target, [init]: [ImageDecoderInit]) {
      const halved = init.type === 'image/bmp' ? halvedFrame(init.data) : null;
      if (halved) return { decode: () => inTurn(() => halved), close: () => undefined };
      let decoder: ImageDecoder | null = null;
      waiting += 1;
      together += 1;
      const decode = async () => {
        try {
          decoder = new target({ ...init, ...stayingSize(init, together) });
          return await decoder.decode();
        } finally {
          waiting -= 1;
          if (waiting === 0) together = 0;
        }
      };
      // pdf.js calls only these two.
      return { decode: () => inTurn(decode), close: () => decoder?.close() };
    },
  });
}

/** The size in which a JPEG is decoded: half, a quarter or an eighth of each side. */
function stayingSize({ data, type, desiredWidth }: ImageDecoderInit, together: number) {
  if (type !== 'image/jpeg' || desiredWidth !== undefined || !(data instanceof Uint8Array))
    return {};
  const size = imageSizeOf(data);
  if (!size) return {};
  const times = (size.width * size.height) / pixelsOfEach(together);
  const factor = 2 ** Math.max(0, Math.min(3, Math.floor(Math.log2(times) / 2)));
  if (factor === 1) return {};
  return {
    desiredWidth: Math.ceil(size.width / factor),
    desiredHeight: Math.ceil(size.height / factor),
  };
}

/**
 * Returns what `ImageDecoder` would decode, with half of the pixels in each direction. A frame is
 * drawn as if it had its display size, so pdf.js reduces it like the whole picture.
 * @param data the BMP, which is empty afterwards, because pdf.js hands it over
 * @returns null if only the browser can decode it
 */
function halvedFrame(data: ImageDecoderInit['data']): Promise<ImageDecodeResult> | null {
  if (!(data instanceof Uint8Array) || !(data.buffer instanceof ArrayBuffer)) return null;
  const halved = halveBitmap(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  if (!halved) return null;
  data.buffer.transfer(0);
  const { width, height, halfWidth, halfHeight, pixels } = halved;
  const options = {
    format: 'RGBA',
    codedWidth: halfWidth,
    codedHeight: halfHeight,
    displayWidth: width,
    displayHeight: height,
    timestamp: 0,
    // The frame takes the pixels and copies none (WebCodecs, "VideoFrameBufferInit"), which
    // TypeScript does not know yet.
    transfer: [pixels.buffer],
  } satisfies VideoFrameBufferInit & { transfer: readonly ArrayBuffer[] };
  const image = new VideoFrame(pixels, options);
  return Promise.resolve({ image, complete: true });
}

/**
 * The browser inflates all data of one write before anything is read, by a factor of up to 1,032.
 * So each write is at most this long.
 */
const pieceBytes = 16 * 1024;

function inPieces(writer: WritableStreamDefaultWriter<BufferSource>) {
  return new WritableStream<Uint8Array<ArrayBuffer>>({
    async write(bytes) {
      for (let at = 0; at < bytes.length; at += pieceBytes)
        await writer.write(bytes.subarray(at, at + pieceBytes));
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

/** A message about a page that the worker posts: a part of its operators, or of its text. */
interface Part {
  readonly streamId: number;
  readonly chunk: { readonly length: number } | { readonly items: readonly unknown[] };
}

const isPart = (message: unknown): message is Part =>
  typeof message === 'object' && message !== null && 'streamId' in message && 'chunk' in message;

/**
 * The size of transferred numbers, of a picture as bytes, or of a picture that the browser has
 * drawn.
 */
function bytesOf(transferred: Transferable): number {
  if (transferred instanceof ArrayBuffer) return transferred.byteLength;
  return 'width' in transferred ? transferred.width * transferred.height * 4 : 0;
}

/**
 * Limits the data that the window collects of a page. A short content may use a form again and
 * again.
 */
function boundAnswers(scope: WorkerScope, limits: Limits, refuse: Refuse): void {
  const post = scope.postMessage.bind(scope);
  const counts = new Map<number, { items: number; bytes: number }>();
  function assertFits({ streamId, chunk }: Part, transferred: readonly Transferable[]): void {
    const isText = 'items' in chunk;
    const count = counts.get(streamId) ?? { items: 0, bytes: 0 };
    counts.set(streamId, count);
    count.items += isText ? chunk.items.length : chunk.length + transferred.length;
    count.bytes += transferred.reduce<number>((sum, one) => sum + bytesOf(one), 0);
    const itemsMax = isText ? limits.texts : limits.operators;
    if (count.items > itemsMax || count.bytes > limits.operatorBytes) throw refuse('content');
  }
  // pdf.js passes what it transfers as a list, or passes nothing.
  scope.postMessage = (message, transferred = []) => {
    if (isPart(message)) assertFits(message, transferred);
    post(message, transferred);
  };
}

const size = z.looseObject({ width: z.number(), height: z.number() });
/**
 * The schemas of a picture of a page as pdf.js posts it, of a picture that pages share, and of the
 * request for a page.
 */
const pagePicture = z.looseObject({
  action: z.literal('obj'),
  data: z.tuple([z.unknown(), z.number(), z.literal('Image'), size]),
});
const sharedPicture = z.looseObject({
  action: z.literal('commonobj'),
  data: z.tuple([z.unknown(), z.literal('Image'), size]),
});
const pageRequest = z.object({
  action: z.literal('GetOperatorList'),
  data: z.object({ pageProxyId: z.number() }),
});

/**
 * Returns the page of a posted picture, or null if pages share it, and the picture itself, with a
 * function that puts another picture into the message.
 */
function pictureOf(message: unknown) {
  const own = pagePicture.safeParse(message).data;
  if (own) {
    const [id, page, type, picture] = own.data;
    return { page, picture, put: (other: object) => ({ ...own, data: [id, page, type, other] }) };
  }
  const shared = sharedPicture.safeParse(message).data;
  if (!shared) return null;
  const [id, type, picture] = shared.data;
  return { page: null, picture, put: (other: object) => ({ ...shared, data: [id, type, other] }) };
}

/** Whether the browser holds the pixels of a posted picture. */
const isDrawn = <Picture extends object>(
  picture: Picture,
): picture is Picture & { bitmap: ImageBitmap | VideoFrame } =>
  'bitmap' in picture && picture.bitmap !== null && picture.bitmap !== undefined;

/**
 * Limits the pixels of the pictures of a page, and of the pictures that pages share, which the
 * window collects. A few kilobytes may contain many pictures, for example as the glyphs of a font.
 * Pictures of real documents that take too much memory are reduced.
 */
function boundPictures(scope: WorkerScope, limits: Limits, refuse: Refuse): void {
  const post = scope.postMessage.bind(scope);
  const counts = new Map<number | null, { pixels: number; taken: number }>();
  scope.addEventListener('message', ({ data }) => {
    const asked = pageRequest.safeParse(data).data;
    if (asked) counts.delete(asked.data.pageProxyId);
  });
  scope.postMessage = (message, transferred) => {
    const posted = pictureOf(message);
    if (!posted) {
      post(message, transferred);
      return;
    }
    const { page, picture, put } = posted;
    const count = counts.get(page) ?? { pixels: 0, taken: 0 };
    counts.set(page, count);
    count.pixels += picture.width * picture.height;
    if (count.pixels > limits.pagePixels) throw refuse('content');
    const reduced = isDrawn(picture) ? reducePicture(picture, pixelsFor(count.taken)) : null;
    const { width, height } = reduced ?? picture;
    count.taken += width * height;
    if (reduced && reduced !== picture) post(put(reduced), [reduced.bitmap]);
    else post(message, transferred);
  };
}

/**
 * Calls `onLeftOut` if pdf.js leaves out a picture with too many pixels, or one whose decoder was
 * refused memory. It reports both only to the console.
 */
export function listenForLeftOut({ onLeftOut, takeRefusal }: ReturnType<typeof boundReader>): void {
  /* eslint-disable no-console -- nothing is written: this is where pdf.js reports it */
  const write = console.warn;
  console.warn = (...texts: unknown[]) => {
    const text = String(texts[0]);
    const isRefused = text.includes('Unable to decode image') && takeRefusal();
    if (isRefused || text.includes('Image exceeded maximum allowed size')) onLeftOut();
    else write(...texts);
  };
  /* eslint-enable no-console */
}
