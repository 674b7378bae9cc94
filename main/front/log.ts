import type { FastifyInstance } from 'fastify';
import { destination, pino, type Logger } from 'pino';
import type { LogOptions } from './command-line.ts';
import type { ServerMetrics } from './status/server-metrics.ts';
import { StartError } from './problem.ts';

/**
 * Creates a log with one JSON object per line on stderr. It is synchronous, so that no line is lost
 * when the process exits.
 */
export function createLog(level: LogOptions['logLevel'] | 'silent'): Logger {
  return pino({ level, base: null }, destination({ dest: 2, sync: true }));
}

/**
 * Opens the log of a server that runs on its own: on stderr, or in a file that is opened again at
 * SIGHUP, so that it can be rotated.
 * @throws {StartError} if the file cannot be written
 */
export function openLog({ logLevel: level, logFile }: LogOptions): Logger {
  if (logFile === undefined) return createLog(level);
  try {
    const file = destination({ dest: logFile, append: true, mode: 0o600, sync: true });
    // A full disk must not end the server. Who waits for log lines looks at stderr next.
    file.on('error', (error: NodeJS.ErrnoException) => {
      process.stderr.write(`The log file cannot be written: ${error.code ?? error.name}.\n`);
    });
    process.on('SIGHUP', () => file.reopen());
    return pino({ level, base: null }, file);
  } catch (error) {
    throw new StartError(`the log file ${logFile} cannot be written`, {
      cause: error,
      exitCode: 2,
    });
  }
}

/**
 * Logs one line per answer and counts it. The line never contains the path, the query, a header or a body,
 * because each can contain a secret or personal data. `brokeOff` marks an answer that did not
 * arrive completely; its status is null if nothing was sent.
 */
export function logAnswers(
  app: FastifyInstance,
  { log, metrics }: { readonly log: Logger; readonly metrics?: ServerMetrics | undefined },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    const startMs = performance.now();
    // The event is emitted once, after the last byte or when the caller disconnects.
    raw.once('close', () => {
      const isWhole = raw.writableFinished;
      const operation = request.routeOptions.config.operation ?? null;
      const status = isWhole || raw.headersSent ? reply.statusCode : null;
      const ms = performance.now() - startMs;
      metrics?.answered({ operation, status, ms });
      log.info({
        correlationId: request.id,
        operation,
        status,
        ms: Math.round(ms * 10) / 10,
        bytes: Number(reply.getHeader('content-length') ?? 0),
        ...(!isWhole && { brokeOff: true }),
      });
    });
    done();
  });
}
