import { ServerResponse, type IncomingMessage } from 'node:http';

/** What Node copies on its stack; a larger body is better sent as it is. */
const wholeMaxBytes = 8 * 1024;

/**
 * A response whose short body goes out in one piece with its head. Node does so with text only: a
 * head and bytes are two pieces, handed to the system in a way that costs more than this copy.
 */
export class WholeResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (!Buffer.isBuffer(chunk) || chunk.length > wholeMaxBytes) {
      // Node tells its arguments apart itself; its types want to know which of them were given.
      return super.end(chunk, encoding as BufferEncoding, callback as () => void);
    }
    const done = typeof encoding === 'function' ? encoding : callback;
    // A byte is a character of latin1, and the other way round.
    return super.end(chunk.toString('latin1'), 'latin1', done as () => void);
  }
}
