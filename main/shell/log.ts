import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { destination, type Logger, multistream, pino } from 'pino';

/** What is buffered for a stderr that takes nothing. */
const stderrMaxBytes = 65_536;

/**
 * The desk's log: one JSON object a line on stderr, warnings and errors only, because the user
 * reads stderr too, unless IT wants another level. No line contains a secret or a personal datum.
 *
 * @param file where the same lines stay, for a desk that is started from a menu (docs/it, "Logs")
 */
export function createLog(file?: string): Logger {
  const stderr = destination({ fd: 2, sync: true, maxLength: stderrMaxBytes });
  // A program that Windows starts from a menu has no stderr; that it could not be written to would
  // end the process.
  stderr.on('error', () => undefined);
  const streams = file === undefined ? [stderr] : [stderr, createLogFile(file)];
  // The log's own level decides, which may change.
  const lines = multistream(streams.map((stream) => ({ stream, level: 'trace' })));
  return pino({ level: 'warn', base: null }, lines);
}

/** A file that has grown to this is set aside; the one that was set aside before is removed. */
export const logFileMaxBytes = 1_000_000;

/** Takes whole lines, each with its end. */
export interface LineSink {
  write(line: string): void;
}

/**
 * A log that stays: lines are added to the file, for its owner alone, and one file before it is
 * kept, as `NAME.1.log`. One process writes to it. Nothing ever fails because a line could not be
 * written.
 *
 * @param file ends with `.log`; its folder is made
 */
export function createLogFile(file: string): LineSink {
  const before = file.replace(/\.log$/, '.1.log');
  /** Null until the first line: a command that has nothing to log makes no folder. */
  let sizeBytes: number | null = null;
  return {
    write(line) {
      const lineBytes = Buffer.byteLength(line);
      try {
        if (sizeBytes === null) {
          mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
          sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        }
        if (sizeBytes > 0 && sizeBytes + lineBytes > logFileMaxBytes) {
          renameSync(file, before);
          sizeBytes = 0;
        }
        appendFileSync(file, line, { mode: 0o600 });
        sizeBytes += lineBytes;
      } catch {
        // A full or a read-only disk is somebody else's to tell of.
      }
    },
  };
}
