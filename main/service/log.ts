import type { FastifyInstance } from 'fastify';
import { destination, pino, type Logger } from 'pino';
import type { ServiceContext } from './context.ts';
import { fastifyPath } from './operation-path.ts';
import { routes } from '#shared/api/routes.ts';

export type LogLevel = 'info' | 'silent';

/**
 * One JSON object a line on stderr. Lines wait for each other up to a fifth of a second, because
 * a write for each costs a twentieth of what a short answer does; a process that ends by itself
 * writes them all.
 */
export function createLog(level: LogLevel): Logger {
  // The destination wakes up also where it is given nothing.
  if (level === 'silent') return pino({ level });
  return pino({ level, base: null }, inBatches(2));
}

/** Pino's own batches measure each line, which takes longer than making it. */
const batchLength = 32 * 1024;
const waitMs = 200;

/** Writes to a file descriptor, many lines at a time. */
function inBatches(fd: number) {
  let batch = '';
  function pass(): void {
    if (batch !== '') stream.write(batch);
    batch = '';
  }
  // Before the stream is made, which writes what it has at the same moments.
  process.on('beforeExit', pass).on('exit', pass);
  // With a length of 0 its flush would not wait for what is being written.
  const stream = destination({ fd, sync: false, minLength: 1 });
  setInterval(pass, waitMs).unref();
  return {
    write(line: string): void {
      batch += line;
      if (batch.length >= batchLength) pass();
    },
    flush(done: (error?: Error) => void): void {
      pass();
      stream.flush(done);
    },
  };
}

const operationByRoute = new Map(
  Object.entries(routes).map(([id, route]) => [`${route.method} ${fastifyPath(route.path)}`, id]),
);

/**
 * One line an answer: never an address with its ids and query, a header or a body, since any of
 * them can hold a secret or a personal datum. One that breaks off, or whose caller went away
 * before it, says so; its status is null where none was sent.
 */
export function logAnswers(app: FastifyInstance, { log }: Pick<ServiceContext, 'log'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    const startMs = performance.now();
    // After the last byte was handed on, or when the caller has gone away: once in either case.
    raw.once('close', () => {
      const isWhole = raw.writableFinished;
      log.info({
        correlationId: request.id,
        operation:
          operationByRoute.get(`${request.method} ${request.routeOptions.url ?? ''}`) ?? null,
        status: isWhole || raw.headersSent ? reply.statusCode : null,
        ms: Math.round((performance.now() - startMs) * 10) / 10,
        bytes: Number(reply.getHeader('content-length') ?? 0),
        ...(!isWhole && { brokeOff: true }),
      });
    });
    done();
  });
}

/** What may be logged of an error: where it comes from, not its message, which may quote data. */
export function describeError(error: unknown): { error: string; code?: string; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, at: [] };
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    error: error.name,
    ...(typeof code === 'string' && { code }),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 8),
  };
}
