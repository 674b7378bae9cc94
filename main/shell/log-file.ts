import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file that has grown to this is set aside; the one that was set aside before goes. */
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
  let sizeBytes = 0;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // As in write.
  }
  return {
    write(line) {
      const lineBytes = Buffer.byteLength(line);
      try {
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
