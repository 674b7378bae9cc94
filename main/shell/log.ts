import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from './policy-schema.ts';

/**
 * The desk's log: one JSON object a line on stderr, warnings and errors only, because a person
 * reads stderr too, unless IT wants another level. No line holds a secret or a personal datum.
 */
export function createLog(level: LogLevel = 'warn'): Logger {
  return pino({ level, base: null }, destination({ fd: 2, sync: true }));
}
