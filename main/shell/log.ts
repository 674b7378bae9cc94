import { destination, type Logger, pino } from 'pino';
import { createLogFile, type LineSink } from './log-file.ts';
import type { LogLevel } from './policy-schema.ts';

/** What is kept for a stderr that takes nothing. */
const stderrMaxBytes = 65_536;

/**
 * The desk's log: one JSON object a line on stderr, warnings and errors only, because a person
 * reads stderr too, unless IT wants another level. No line holds a secret or a personal datum.
 *
 * @param file where the same lines stay, for a desk that is started from a menu (docs/it, "Logs")
 */
export function createLog(level: LogLevel = 'warn', file?: string): Logger {
  const stderr = destination({ fd: 2, sync: true, maxLength: stderrMaxBytes });
  // A program that Windows starts from a menu has no stderr; that it could not be written to would
  // end the process.
  stderr.on('error', () => undefined);
  return pino(
    { level, base: null },
    file === undefined ? stderr : both(stderr, createLogFile(file)),
  );
}

function both(one: LineSink, other: LineSink): LineSink {
  return {
    write(line) {
      one.write(line);
      other.write(line);
    },
  };
}
