import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import {
  endMessage,
  pieceBytes,
  piecesAhead,
  takenMessage,
  ticketMethod,
} from '#shared/desk/contract/byte-lines.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { FileAnswer, FileRequest } from '#main/bridge/files.ts';
import type { SessionLine } from './sessions.ts';

const headSchema = z.object({
  method: z.enum(['GET', 'POST', ticketMethod]),
  path: z.string().max(4000),
  headers: z.record(z.string().max(100), z.string().max(8000)),
  hasBody: z.boolean(),
});
const ticketSchema = z.string().regex(/^[\w-]{20,80}$/);

/** The code of a connection that is closed because of an invalid message of the page. */
const unreadableCode = 4400;

/**
 * Answers requests for bytes one after the other until the connection closes. If a page violates
 * the order of messages (shared/desk/contract/byte-lines.ts), its connection is closed.
 * @param answerRequest the engine's answer; it never rejects
 */
export async function serveByteLine(
  socket: WebSocket,
  session: SessionLine,
  answerRequest: (request: FileRequest) => Promise<FileAnswer>,
): Promise<void> {
  const messages = readMessages(socket);
  for (;;) {
    const message = await messages.next();
    if (message === null) return;
    const head = parseHead(message);
    if (!head) {
      socket.close(unreadableCode);
      return;
    }
    const isWhole = await answerOne(socket, session, { head, messages, answerRequest });
    if (!isWhole) socket.close();
  }
}

interface Work {
  readonly head: z.infer<typeof headSchema>;
  readonly messages: Messages;
  readonly answerRequest: (request: FileRequest) => Promise<FileAnswer>;
}

/**
 * @returns whether the connection can be used again, because body and answer were transferred
 *   completely
 */
async function answerOne(
  socket: WebSocket,
  session: SessionLine,
  { head, messages, answerRequest }: Work,
): Promise<boolean> {
  const { method, path, headers, hasBody } = head;
  if (method === ticketMethod) {
    const ticket = ticketSchema.safeParse(headers['ticket']);
    if (ticket.success) session.admit(ticket.data, path);
    await send(socket, JSON.stringify({ status: ticket.success ? 204 : 400, headers: {} }));
    await send(socket, endMessage);
    return true;
  }
  const body = bodyOf(socket, messages, hasBody);
  const answer = path.startsWith(filesPrefix)
    ? await answerRequest({
        method,
        path: path.slice(filesPrefix.length),
        header: (name) => headers[name] ?? null,
        content: body.content,
      })
    : notFound();
  await send(socket, JSON.stringify({ status: answer.status, headers: answer.headers }));
  const isSent = await sendBody(socket, answer.body);
  if (isSent) await send(socket, endMessage);
  return isSent && body.isWhole();
}

export const filesPrefix = '/files/';

const notFound = (): FileAnswer => ({
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(new DeskError('document_not_found').problem),
});

function parseHead(message: Buffer | string): z.infer<typeof headSchema> | null {
  if (typeof message !== 'string') return null;
  try {
    const head = headSchema.safeParse(JSON.parse(message));
    return head.success ? head.data : null;
  } catch {
    return null;
  }
}

/** The pieces of a request's body. Each piece that was taken is reported to the page. */
function bodyOf(socket: WebSocket, messages: Messages, hasBody: boolean) {
  let isWhole = !hasBody;
  async function* content(): AsyncGenerator<Uint8Array> {
    while (!isWhole) {
      const message = await messages.next();
      if (message === null) throw new Error('the line closed within a body');
      if (message === endMessage) isWhole = true;
      else if (typeof message === 'string') throw new Error('a body has a message within');
      else {
        socket.send(takenMessage);
        yield message;
      }
    }
  }
  return { content: content(), isWhole: () => isWhole };
}

/** @returns whether all of it was sent */
async function sendBody(socket: WebSocket, body: Readable | string | null): Promise<boolean> {
  if (body === null) return true;
  if (typeof body === 'string') {
    await send(socket, Buffer.from(body));
    return true;
  }
  const stop = () => void body.destroy();
  socket.once('close', stop);
  try {
    for await (const part of body) {
      // A stream of files returns buffers.
      const bytes = part as Buffer;
      for (let begin = 0; begin < bytes.length; begin += pieceBytes)
        await send(socket, bytes.subarray(begin, begin + pieceBytes));
    }
    return true;
  } catch {
    // The file broke off after its head was sent. The page notices this by the closed connection.
    return false;
  } finally {
    socket.off('close', stop);
  }
}

/**
 * Resolves once the system has accepted the message, so that a slow page does not fill the memory.
 */
function send(socket: WebSocket, message: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.send(message, () => resolve()));
}

interface Messages {
  /** The next message; null once the connection has closed. */
  next(): Promise<Buffer | string | null>;
}

/**
 * Reads messages. If a page sends more than it may before a piece is taken, its connection is
 * closed.
 */
function readMessages(socket: WebSocket): Messages {
  const queue: (Buffer | string)[] = [];
  let isOver = false;
  let wake: () => void = () => undefined;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    queue.push(isBinary ? data : data.toString());
    if (queue.length > piecesAhead + 2) socket.close(unreadableCode);
    wake();
  });
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  return {
    async next() {
      while (queue.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      return queue.shift() ?? null;
    },
  };
}
