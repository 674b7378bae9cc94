import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { destination, type Logger, multistream, pino } from 'pino';

/** The most bytes that are buffered if stderr accepts nothing. */
const stderrMaxBytes = 65_536;

/**
 * Creates the desk's log: one JSON object per line on stderr. It contains only warnings and errors,
 * because the user also reads stderr, unless IT sets another level. No line contains a secret or
 * personal data.
 * @param file a file with the same lines, for a desk that is started from a menu (docs/it, "Logs")
 */
export function createLog(file?: string): Logger {
  const stderr = destination({ fd: 2, sync: true, maxLength: stderrMaxBytes });
  // A program that Windows starts from a menu has no stderr. Without this listener, the failed
  // write would end the process.
  stderr.on('error', () => undefined);
  const streams = file === undefined ? [stderr] : [stderr, createLogFile(file)];
  // The level of the log itself decides, because it may change.
  const lines = multistream(streams.map((stream) => ({ stream, level: 'trace' })));
  return pino({ level: 'warn', base: null }, lines);
}

/** The size from which a log file is set aside. The file that was set aside before is removed. */
export const logFileMaxBytes = 1_000_000;

/** Accepts complete lines with their line ends. */
export interface LineSink {
  write(line: string): void;
}

/**
 * Creates a log file for its owner only. One older file is retained as `NAME.1.log`. Only one
 * process may write to it. If a line cannot be written, nothing fails.
 * @param file a path that ends with `.log`; its folder is created
 */
export function createLogFile(file: string): LineSink {
  const before = file.replace(/\.log$/, '.1.log');
  /** The size; null until the first line, so that a command without log lines creates no folder. */
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
        // A full or read-only disk is reported elsewhere.
      }
    },
  };
}
