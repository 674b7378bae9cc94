import { destination, type Logger, pino } from 'pino';

/**
 * The desk's log: one JSON object a line on stderr, warnings and errors only, because a person
 * reads stderr too. No line holds a secret or a personal datum.
 */
export function createLog(): Logger {
  return pino({ level: 'warn', base: null }, destination({ fd: 2, sync: true }));
}
