import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { originOf } from '#shared/lib/error-origin.ts';
import { problemContentType, problemDocument, type Problem } from './problem.ts';

/** JSON that is generated while it is sent, with its size. */
export class JsonPieces {
  /** The size; undefined if it is not known before the end. */
  readonly sizeBytes: number | undefined;
  readonly pieces: AsyncGenerator<Buffer, void, undefined>;

  constructor(sizeBytes: number | undefined, pieces: AsyncGenerator<Buffer, void, undefined>) {
    this.sizeBytes = sizeBytes;
    this.pieces = pieces;
  }
}

/**
 * What a handler returns: a JSON object, serialised JSON as a list of buffers, JSON in pieces (GET
 * only), or undefined for 204.
 */
export type HandlerResult = object | readonly Buffer[] | JsonPieces | undefined;

/** A complete answer, which can be sent and can be stored for a replay. */
export interface Answer {
  readonly status: number;
  /** The media type; empty if there is no body. */
  readonly contentType: string;
  readonly body: Buffer;
}

export const jsonContentType = 'application/json; charset=utf-8';

/** Serialises the result of a handler. */
export function renderAnswer(status: number, result: HandlerResult): Answer {
  if (result instanceof JsonPieces) throw new TypeError('only a GET may answer in pieces');
  if (result === undefined) return { status, contentType: '', body: Buffer.alloc(0) };
  const body = isBufferList(result) ? Buffer.concat(result) : Buffer.from(JSON.stringify(result));
  return { status, contentType: jsonContentType, body };
}

/** The answer of a refusal. */
export function renderProblem(problem: Problem, correlationId: string): Answer {
  return {
    status: problem.status,
    contentType: problemContentType,
    body: Buffer.from(problemDocument(problem, correlationId)),
  };
}

/** A replayed answer; `instance` of a problem document becomes the id of this request. */
export function withInstance(answer: Answer, correlationId: string): Answer {
  if (answer.contentType !== problemContentType) return answer;
  // The cast is safe because `renderProblem` wrote an object.
  const document = JSON.parse(answer.body.toString()) as object;
  return { ...answer, body: Buffer.from(JSON.stringify({ ...document, instance: correlationId })) };
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status);
  if (answer.contentType === '') return reply.send();
  return reply.type(answer.contentType).send(answer.body);
}

export function sendPieces(
  { log }: { readonly log: Logger },
  reply: FastifyReply,
  status: number,
  { sizeBytes, pieces }: JsonPieces,
): FastifyReply {
  const stream = Readable.from(pieces, { objectMode: false });
  stream.on('error', (error) => {
    // An error before the headers becomes a refusal, which is logged as such.
    if (!reply.raw.headersSent) return;
    log.error({ correlationId: reply.request.id, ...originOf(error) }, 'the answer broke off');
  });
  if (sizeBytes !== undefined) reply.header('content-length', sizeBytes);
  return reply.code(status).type(jsonContentType).send(stream);
}

function isBufferList(result: object): result is readonly Buffer[] {
  return Array.isArray(result);
}
