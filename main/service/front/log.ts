import type { FastifyInstance } from 'fastify';
import { destination, pino, type Logger } from 'pino';

/** One JSON object a line on stderr; each is written before the call returns, whatever comes next. */
export function createLog(level: 'info' | 'silent'): Logger {
  return pino({ level, base: null }, destination({ dest: 2, sync: true }));
}

/**
 * One line an answer: never an address with its ids and query, a header or a body, since any of
 * them can hold a secret or a personal datum. One that breaks off, or whose caller went away
 * before it, says so; its status is null if none was sent.
 */
export function logAnswers(app: FastifyInstance, { log }: { readonly log: Logger }): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    const startMs = performance.now();
    // After the last byte was handed on, or when the caller has gone away: once in either case.
    raw.once('close', () => {
      const isWhole = raw.writableFinished;
      log.info({
        correlationId: request.id,
        operation: request.routeOptions.config.operation ?? null,
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
