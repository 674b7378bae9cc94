import {
  type BytesHead,
  endMessage,
  pieceBytes,
  piecesAhead,
} from '#shared/desk/contract/byte-lines.ts';
import { DeskUnreachableError } from '../lib/problem.ts';

/**
 * The maximum number of lines, which is the number of requests that a browser sends to one server
 * at once.
 */
const linesMax = 6;

/** Requests bytes from the engine, or sends bytes to it, as `fetch` does. */
export type ByteRequest = (
  head: Omit<BytesHead, 'hasBody'>,
  more?: { readonly body?: Blob; readonly signal?: AbortSignal },
) => Promise<Response>;

/**
 * Sends requests over lines that are opened when they are needed, and are used again.
 * @param open opens a line on which the engine has proved who it is
 */
export function createByteLines(open: () => Promise<WebSocket>): ByteRequest {
  const idle = new Set<WebSocket>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function take(): Promise<WebSocket> {
    if (busy >= linesMax) await new Promise<void>((resolve) => waiting.push(resolve));
    busy += 1;
    for (const socket of Array.from(idle)) {
      idle.delete(socket);
      if (socket.readyState === WebSocket.OPEN) return socket;
    }
    return await open();
  }
  function giveBack(socket: WebSocket | null): void {
    busy -= 1;
    if (socket?.readyState === WebSocket.OPEN) idle.add(socket);
    waiting.shift()?.();
  }

  return async (head, { body, signal } = {}) => {
    signal?.throwIfAborted();
    const socket = await take().catch((cause: unknown) => {
      giveBack(null);
      throw new DeskUnreachableError('the desk does not answer', { cause });
    });
    return exchange(socket, { ...head, hasBody: body !== undefined }, { body, signal }, () =>
      giveBack(socket),
    );
  };
}

interface Given {
  readonly body: Blob | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends one request and receives its answer. The line may be used again once `onOver` was called.
 */
function exchange(
  socket: WebSocket,
  head: BytesHead,
  { body, signal }: Given,
  onOver: () => void,
): Promise<Response> {
  const answered = Promise.withResolvers<Response>();
  const upload = createUpload(socket, body);
  let pieces: ReadableStreamDefaultController<Uint8Array> | undefined;
  const over = new AbortController();
  const content = new ReadableStream<Uint8Array>({
    start: (controller) => void (pieces = controller),
    cancel: () => fail(new DOMException('not wanted', 'AbortError')),
  });
  function finish(): void {
    over.abort();
    // The rest of a refused body that is still being sent would be taken for the next request.
    if (!upload.isWhole()) socket.close();
    onOver();
  }
  function fail(reason: unknown): void {
    if (over.signal.aborted) return;
    socket.close();
    finish();
    answered.reject(reason);
    pieces?.error(reason);
  }
  const receive = ({ data }: { readonly data: unknown }) => {
    if (data instanceof ArrayBuffer) pieces?.enqueue(new Uint8Array(data));
    else {
      const message = messageOf(data);
      if (message.isTaken) upload.onTaken();
      if (message.answer) answered.resolve(responseOf(message.answer, content));
      if (!message.isEnd) return;
      finish();
      pieces?.close();
    }
  };
  socket.addEventListener('message', receive, { signal: over.signal });
  const lost = () => fail(new DeskUnreachableError('the line broke'));
  socket.addEventListener('close', lost, { signal: over.signal });
  signal?.addEventListener('abort', () => fail(signal.reason), { signal: over.signal });
  socket.send(JSON.stringify(head));
  upload.send(over.signal).catch(fail);
  return answered.promise;
}

/** Sends a body piece by piece, no faster than the engine accepts the pieces. */
function createUpload(socket: WebSocket, body: Blob | undefined) {
  let ahead = 0;
  let wake: () => void = () => undefined;
  let isWhole = body === undefined;
  return {
    isWhole: () => isWhole,
    onTaken(): void {
      ahead -= 1;
      wake();
    },
    async send(over: AbortSignal): Promise<void> {
      if (!body) return;
      over.addEventListener('abort', () => wake());
      for (let begin = 0; begin < body.size; begin += pieceBytes) {
        const piece = await body.slice(begin, begin + pieceBytes).arrayBuffer();
        if (ahead >= piecesAhead) await new Promise<void>((resolve) => (wake = resolve));
        if (over.aborted) return;
        ahead += 1;
        socket.send(piece);
      }
      isWhole = true;
      socket.send(endMessage);
    },
  };
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/**
 * Parses a message of the engine. It is not checked, because the engine has proved who it is on
 * this line.
 */
function messageOf(data: unknown): { isTaken: boolean; isEnd: boolean; answer: AnswerHead | null } {
  const message = JSON.parse(String(data)) as Partial<AnswerHead> & Record<string, unknown>;
  const { status, headers = {} } = message;
  return {
    isTaken: message['isTaken'] === true,
    isEnd: message['isEnd'] === true,
    answer: status === undefined ? null : { status, headers },
  };
}

function responseOf({ status, headers }: AnswerHead, content: ReadableStream): Response {
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : content, { status, headers });
}
