import type { FastifyInstance } from 'fastify';
import { destination, pino, type Logger } from 'pino';

/** One JSON object a line on stderr. Synchronous, so that an exit loses no line. */
export function createLog(level: 'info' | 'silent'): Logger {
  return pino({ level, base: null }, destination({ dest: 2, sync: true }));
}

/**
 * Logs one line per answer. The line never has the path, the query, a header or a body, because each
 * can contain a secret or personal data. `brokeOff` marks an answer that did not arrive completely;
 * its status is null if nothing was sent.
 */
export function logAnswers(app: FastifyInstance, { log }: { readonly log: Logger }): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    const startMs = performance.now();
    // Emitted once, after the last byte or when the caller disconnects.
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
