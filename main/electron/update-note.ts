import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { z } from 'zod';
import { originOf } from '#shared/lib/error-origin.ts';

/**
 * What is noted of a version between two starts: that the next start is to install it, or that its
 * installation was tried.
 */
const noteSchema = z.object({ version: z.string(), state: z.enum(['left', 'tried']) });
type Note = z.infer<typeof noteSchema>;

/** The note of one version. No function throws; what fails is a line in the log. */
export interface UpdateNote {
  /** The version in this state; null if no version is. */
  versionIn(state: Note['state']): string | null;
  /** Replaces the note. Returns whether it was stored. */
  write(note: Note): boolean;
  forget(): void;
}

export function openUpdateNote(file: string, log: Pick<Logger, 'warn'>): UpdateNote {
  function read(): Note | null {
    try {
      return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      // Nothing was noted, or it cannot be read, so nothing is installed by itself.
      return null;
    }
  }
  return {
    versionIn(state) {
      const note = read();
      return note?.state === state ? note.version : null;
    },
    write(note) {
      try {
        writeFileSync(file, JSON.stringify(note));
        return true;
      } catch (error) {
        log.warn({ ...note, reason: originOf(error) }, 'the update could not be noted');
        return false;
      }
    },
    forget() {
      try {
        rmSync(file, { force: true });
      } catch (error) {
        log.warn({ reason: originOf(error) }, 'the note of the update could not be removed');
      }
    },
  };
}
