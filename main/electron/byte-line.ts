/** The messages on the port of one file request. Bytes are sent only on request. */
type Frame =
  | {
      readonly type: 'request';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'head';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: 'pull' }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  | { readonly type: 'failed' };

/** The methods of Electron's port that are used here. Both ends are processes of this program. */
interface FramePort {
  postMessage(frame: Frame): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

type Framed<Type extends Frame['type']> = Extract<Frame, { type: Type }>;

/** One file request or its answer, in both directions at once. */
export interface ByteLine {
  readonly request: Promise<Framed<'request'>>;
  readonly head: Promise<Framed<'head'>>;
  /**
   * The bytes of the other side, which are requested chunk by chunk. It throws if they break off.
   */
  readonly incoming: AsyncIterable<Uint8Array>;
  send(frame: Framed<'request'> | Framed<'head'>): void;
  /**
   * Sends bytes as the other side requests them. It resolves early if the other side closes the
   * connection.
   */
  sendBytes(source: AsyncIterable<Uint8Array>): Promise<void>;
  close(): void;
}

/** The connection was closed before its bytes were complete. */
export class LineClosedError extends Error {
  override readonly name = 'LineClosedError';
}

/** Exchanges messages over a port. The receiver sets the pace. */
// oxlint-disable-next-line max-lines-per-function -- one object, each of whose methods is short
export function createByteLine(port: FramePort): ByteLine {
  const request = Promise.withResolvers<Framed<'request'>>();
  const head = Promise.withResolvers<Framed<'head'>>();
  // It is possible that nobody waits for these when the connection closes.
  request.promise.catch(() => undefined);
  head.promise.catch(() => undefined);
  let pulls = 0;
  let isClosed = false;
  let wakeSender: (() => void) | null = null;
  let wakeReceiver: (() => void) | null = null;
  let received: Framed<'chunk'> | Framed<'end'> | Framed<'failed'> | null = null;

  port.on('message', ({ data }) => {
    const frame = data as Frame;
    switch (frame.type) {
      case 'request':
        request.resolve(frame);
        break;
      case 'head':
        head.resolve(frame);
        break;
      case 'pull':
        pulls += 1;
        wakeSender?.();
        break;
      default:
        received = frame;
        wakeReceiver?.();
    }
  });
  port.on('close', () => {
    isClosed = true;
    const closed = new LineClosedError('the line was closed');
    request.reject(closed);
    head.reject(closed);
    wakeSender?.();
    wakeReceiver?.();
  });
  port.start();

  const nextReceived = async () => {
    if (!isClosed) port.postMessage({ type: 'pull' });
    while (received === null && !isClosed)
      await new Promise<void>((resolve) => (wakeReceiver = resolve));
    const frame = received;
    received = null;
    return frame;
  };
  const pulled = async (): Promise<boolean> => {
    while (pulls === 0 && !isClosed) await new Promise<void>((resolve) => (wakeSender = resolve));
    pulls -= 1;
    return !isClosed;
  };

  return {
    request: request.promise,
    head: head.promise,
    incoming: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const frame = await nextReceived();
          if (frame?.type === 'end') return;
          if (frame?.type !== 'chunk') throw new LineClosedError('the bytes broke off');
          yield frame.bytes;
        }
      },
    },
    send: (frame) => port.postMessage(frame),
    async sendBytes(source) {
      try {
        for await (const bytes of source) {
          if (!(await pulled())) return;
          port.postMessage({ type: 'chunk', bytes });
        }
        if (await pulled()) port.postMessage({ type: 'end' });
      } catch {
        // The reason stays with the sender; the other side only needs to know that bytes are
        // missing.
        if (await pulled()) port.postMessage({ type: 'failed' });
      }
    },
    close: () => port.close(),
  };
}
