import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { unzipSync } from 'fflate';

/*
 * There is one home of each released version, as that version left it. `make-home.ts` creates it
 * once, and it never changes. Its cases are invented.
 */

/** The released versions, oldest first. */
export const releasedVersions = ['0.1.0'] as const;

export const passphrase = 'a passphrase for tests alone';

export const fileOf = (version: string) => join(import.meta.dirname, `home-${version}.zip`);

/** Unpacks the home of a released version into a folder. */
export function unpackHome(version: string, folder: string): void {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(fileOf(version))))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  }
}

/** The texts that the user had typed and not sent in each home. */
export const typed = {
  comment: 'A comment that waits',
  approvedRappen: 1_234_500,
  estimate: '42',
  note: 'A note',
  visit: { time: '08:30', note: 'Ring twice' },
  handler: 'Anna',
  draftComment: 'A report that is not queued',
  queuedComment: 'A report that waits',
  view: 'Highest first',
  block: { name: 'Greeting', text: 'Regarding {key}' },
  tick: 'vin',
  batchFile: 'unknown/a.pdf',
} as const;
